"""Integrals in the description: their names, their expressions, and their text."""

import pytest
from laws.closed_positions import built
from texts import Texts

import multiloop as ml
from multiloop.model.expressions import depends_on_state, derivative, evaluate, integrals_of, parse
from multiloop.model.states import initial_states


def described(*integrals, **changes) -> ml.Mechanism:
    return built("four-bar").replace(integrals=integrals, **changes)


def refused(*integrals, **changes) -> ml.ModelError:
    with pytest.raises(ml.ModelError) as caught:
        described(*integrals, **changes)
    return caught.value


def faults_of(*integrals, **changes) -> list[tuple[str, str]]:
    return [(fault.code, fault.where) for fault in refused(*integrals, **changes).faults]


def test_its_text_reads_back() -> None:
    expression = 2 * ml.integral("error") - ml.time
    assert str(expression) == '2 * integral("error") - time'
    assert parse(str(expression)) == expression
    assert integrals_of(expression) == ("error",)
    assert depends_on_state(expression)
    assert evaluate(expression, time=1.0, integral={"error": 3.0}.get) == 5.0


def test_it_is_no_function_of_time_alone(texts: Texts) -> None:
    with pytest.raises(ValueError) as caught:
        derivative(ml.integral("error"))
    texts(caught.value)
    with pytest.raises(ValueError) as caught:
        evaluate(ml.integral("error"))
    texts(caught.value, "'error'")
    with pytest.raises(ValueError) as caught:
        ml.integral("")
    texts(caught.value)


def test_files_keep_integrals(tmp_path) -> None:
    filtered = ml.Integral(
        "smooth", of=3 * (ml.position("A") - ml.integral("smooth")), start=ml.Parameter("s", 0.1)
    )
    mechanism = described(filtered, ml.Integral("total", of=ml.integral("smooth")))
    for ending in ("yaml", "json"):
        assert ml.load(ml.save(mechanism, tmp_path / f"one.{ending}")) == mechanism
    assert ml.from_text(ml.to_text(mechanism)).integrals == mechanism.integrals
    assert mechanism.parameters == {"s": 0.1}
    assert mechanism.with_parameters(s=0.2).integrals[0].start.value == 0.2
    assert initial_states(mechanism, {"s": 0.3}) == {"smooth": 0.3, "total": 0.0}


def test_a_mechanism_without_integrals_is_what_it_was() -> None:
    assert "integrals" not in ml.to_data(built("four-bar"))
    assert described().fingerprint == built("four-bar").fingerprint


def test_errors_of_an_integral_are_reported(texts: Texts) -> None:
    error = ml.Integral("error", of=ml.position("A"))
    texts.fault(refused(error, error), "M01", "integral 'error'")
    texts.fault(refused(ml.Integral("a.b", of=1.0)), "M02", "integral 'a.b'")
    reading = ml.Actuator("A", effort=ml.integral("eror"))
    texts.fault(
        refused(error, actuators=[reading], drives=()), "D07", "actuator at 'A'", '`integral("eror")`'
    )
    assert faults_of(ml.Integral("error", of=ml.rate("Z") + ml.integral("other")))[0] == (
        "D07",
        "integral 'error'",
    )
    assert faults_of(ml.Integral("error", of=ml.time, start=ml.time))[0][0] == "M07"
    assert faults_of(ml.Integral("error", of="much"))[0] == ("M05", "integral 'error'")
    assert faults_of(ml.position("A"))[0] == ("M12", "integrals, entry 1")
    assert faults_of(drives=[ml.Motion("A", ml.integral("error"))])[0][0] == "D04"
    reading = ml.Actuator("A", effort=ml.integral("error"))
    texts.fault(refused(actuators=[reading], drives=()), "D07", "actuator at 'A'", "`integrals`")
