"""What a user reads at singular positions and beside them: word for word, but for digits that round-off decides."""

import re

import pytest
from laws.beside_singular import PASSAGES
from zoo import ZOO, chains

import multiloop as ml

NUMBER = r"[\d.]+e[+-]\d\d"
THROUGH = 'method="augmented" and integrator="dop853", which pass it, or keep the motion away from it.'


def same(found, expected):
    """Whether a text is the expected one, with some number where that has #."""
    return re.fullmatch(re.escape(expected).replace(r"\#", NUMBER), found)


def led(profile):
    return chains.ladder(2).replace(drives=[ml.Motion("P0", profile)], guess={})


def test_an_instant_at_a_singular_position():
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(led(ml.time), t=[0.0], guess=PASSAGES["ladder of 2"]().guess(0.0))
    expected = (
        "`inverse` of mechanism 'ladder of 2' cannot be answered:\n"
        "[S04] t = 0 s: the position is singular (closeness #): the constraints lose a direction.\n"
        f"       Use `simulate` with {THROUGH}"
    )
    assert same(str(caught.value), expected)


def test_steps_that_become_too_short():
    passage = PASSAGES["four-bar"]()
    (drive,) = passage.mechanism.drives
    b, bend = (float(getattr(passage.at(0.01)[drive.of], part)[0]) for part in ("position", "acceleration"))
    later = b - 0.5e-4 * bend + 0.5 * bend * (ml.time - 0.1) ** 2
    mechanism = passage.mechanism.replace(drives=[ml.Motion(drive.of, later)])
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(mechanism, guess=passage.guess(-0.1), until=0.2, outputs=3)
    fault = caught.value.faults[0]
    expected = "the integrator gave up beside a singular position (closeness #): its steps became too short."
    assert fault.code == "S07"
    assert same(fault.what, expected)
    assert fault.remedy == f"Use {THROUGH}"


def test_a_link_that_is_too_light():
    four_bar = ZOO["four-bar"].build().without_drives()
    light = [ml.rod("coupler", length=0.9, mass=1e-20) if b.name == "coupler" else b for b in four_bar.bodies]
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(four_bar.replace(bodies=light), {"A": 1.0})
    assert str(caught.value) == (
        "`forward` of mechanism 'four-bar' cannot be answered:\n"
        "[S06] t = 0 s: 'coupler' is too light, 1.0e-20 kg, beside 'rocker', 1.5e+00 kg: sixteen digits do not "
        "hold both.\n"
        "       Give 'coupler' more mass, or 0.0 to declare a massless link."
    )


def test_what_is_said_of_an_instant_beside_one():
    found = PASSAGES["ladder of 2"]().at(1e-4)
    assert found.status == (
        "beside a singular position, at t = 0.0001 s, round-off of the lengths changes rates and accelerations by a "
        "part 1.2e-03"
    )


def test_what_is_said_of_a_run_onto_one():
    run = ml.simulate(
        led(ml.time - 0.1),
        guess=PASSAGES["ladder of 2"]().guess(-0.1),
        until=0.2,
        outputs=3,
        method="augmented",
    )
    assert run.status == (
        "came near a singular position at t = 0.1 s (closeness below 1e-05); at t = 0.1 s the position is singular to "
        "round-off: no force there is determined"
    )
