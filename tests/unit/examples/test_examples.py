"""The example mechanisms: available without computation, described without faults, with results as stated."""

import subprocess
import sys

import pytest

import multiloop as ml

NAMES = ml.examples.names()


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_a_mechanism_and_goes_through_a_file(name):
    mechanism = getattr(ml.examples, name)()
    assert isinstance(mechanism, ml.Mechanism)
    assert mechanism == ml.examples.build(name)
    assert ml.from_text(ml.to_text(mechanism)) == mechanism


@pytest.mark.slow  # the gallery runs most of them too
@pytest.mark.parametrize("name", NAMES)
def test_its_question_is_a_question_and_has_an_answer(name):
    assert ml.examples.question(name).endswith("?")
    result = ml.examples.ask(name)
    assert result.mechanism == ml.examples.build(name)
    assert len(result.time) > 100
    assert result.constraint_violation.max() < 1e-9
    answer = ml.examples.answer(name, result)
    assert answer.endswith(".")
    assert any(letter.isdigit() for letter in answer) or name == "four_bar_in_space"


def test_the_functions_are_listed():
    assert set(NAMES) <= set(dir(ml.examples))
    assert "examples" in dir(ml)


def test_an_unknown_name_is_refused_with_the_nearest(texts):
    with pytest.raises(AttributeError) as caught:
        _ = ml.examples.four_br
    texts(caught.value, "'four_br'", "'four_bar'")
    for asked in (ml.examples.build, ml.examples.ask, ml.examples.answer, ml.examples.question):
        with pytest.raises(ml.MultiloopError) as caught:
            asked("four_br")
        texts.fault(caught.value, "R01", "'four_br'", "'four_bar'")


def test_listing_them_computes_nothing():
    """Neither the engine nor the model is imported for a list of questions."""
    code = (
        "import sys, multiloop as ml\n"
        "[ml.examples.question(name) for name in ml.examples.names()]\n"
        "assert not {'casadi', 'numpy', 'multiloop.model'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_pump_states_the_gear_between_its_motor_and_its_crank(texts):
    """15 turns of the motor for one of the crank: torques of both, and the ratio between them."""
    result = ml.examples.ask("piston_pump")
    crank = result["shaft"].rms_effort
    answer = ml.examples.answer("piston_pump", result)
    assert f"{crank:.1f} N m RMS" in answer
    texts(answer, f"{crank / 15:.2f} N m", "15")
