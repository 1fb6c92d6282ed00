"""Numbers and expressions in files: a number stays a number, an expression is text."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from pydantic import TypeAdapter, ValidationError

from multiloop import Expression, Parameter, time
from multiloop.model import Scalar
from multiloop.model.expressions import Constant, functions

L2 = Parameter("L2", 0.3)


@dataclass(frozen=True)
class Spring:
    """A dataclass with numbers, as in the model."""

    stiffness: Scalar
    length: Scalar | None = None
    point: tuple[Scalar, ...] = ()


SPRINGS = TypeAdapter(Spring)


@pytest.mark.parametrize(
    ("given", "held"),
    [
        (2.5, 2.5),
        (2, 2.0),
        (np.float64(2.5), 2.5),
        ("2.5", 2.5),
        ("-pi", -np.pi),
        ("2 * time", 2 * time),
        (functions.sin(time), functions.sin(time)),
        (Constant(2), Constant(2)),
        ('parameter("L2", 0.3)', L2),
    ],
)
def test_a_scalar_is_read_from_numbers_text_and_expressions(given, held):
    stiffness = SPRINGS.validate_python({"stiffness": given}).stiffness
    assert stiffness == held
    assert type(stiffness) is type(held)


def test_an_object_goes_to_json_and_back():
    spring = Spring(2.5, functions.sin(2 * time) + L2, (1.0, -L2, 0.0))
    text = SPRINGS.dump_json(spring)
    assert json.loads(text) == {
        "stiffness": 2.5,
        "length": 'sin(2 * time) + parameter("L2", 0.3)',
        "point": [1.0, '-parameter("L2", 0.3)', 0.0],
    }
    assert SPRINGS.validate_json(text) == spring


def test_constants_are_written_as_numbers():
    assert SPRINGS.dump_python(Spring(Constant(2), 3))["stiffness"] == 2.0
    dumped = SPRINGS.dump_python(Spring(2, None))
    assert (dumped["stiffness"], dumped["length"]) == (2.0, None)
    assert type(dumped["stiffness"]) is float


def test_bare_names_are_the_parameters_of_the_context():
    spring = SPRINGS.validate_python({"stiffness": "2 * L2"}, context={"parameters": {"L2": L2}})
    assert spring.stiffness == 2 * L2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("2 * tme", ("`2 * tme`", "5", "`tme`", "'time'")),
        (True, ()),
        ([1], ("[1]",)),
        (float("nan"), ("nan",)),
    ],
)
def test_values_that_are_not_scalars_are_refused(given, message, texts):
    with pytest.raises(ValidationError) as caught:
        SPRINGS.validate_python({"stiffness": given})
    texts(caught.value, *message)


def test_fields_of_one_kind_of_expression(texts):
    assert TypeAdapter(Expression).validate_python(2) == Constant(2)
    assert TypeAdapter(Expression).dump_python(2 * time) == "2 * time"
    assert TypeAdapter(Parameter).validate_python('parameter("L2", 0.3)') == L2
    with pytest.raises(ValidationError) as caught:
        TypeAdapter(Parameter).validate_python(2)
    texts(caught.value, "`2`", hide=[r"\n.*https?://\S+"])


def test_the_json_schema_accepts_a_number_or_text():
    assert TypeAdapter(Scalar).json_schema() == {"anyOf": [{"type": "number"}, {"type": "string"}]}
    assert TypeAdapter(Expression).json_schema() == {"anyOf": [{"type": "number"}, {"type": "string"}]}
