"""A design of `simulate(parameters=)` carries the warnings of the same design run alone."""

import numpy as np
import pytest
from zoo.plain import crank_slider, pinned_body, planar_four_bar

import multiloop as ml

MASS = ml.Parameter("m", 2.0)


def arm(**more):
    given = {"bodies": [ml.ground(), ml.rod("arm", length=0.5, mass=MASS)], **more}
    return ml.Mechanism("arm", planar=True, joints=[ml.Revolute("A", "ground.origin", "arm.a")], **given)


def limited():
    return arm(actuators=[ml.Actuator("A", effort=5.0 * ml.time, limit=2.0, speed_limit=3.0)])


def swinging_out():
    """A cubic table of the effort with overshoot beyond its points."""
    table = ml.table([0.0, 0.4, 0.5, 0.6, 1.0], [0.0, 0.0, 1.0, 1.0, 1.0], kind="cubic")
    return arm(actuators=[ml.Actuator("A", effort=table)])


def far_off():
    """A four-bar, for a guess far from its closed positions."""
    length = ml.Parameter("m", 2.0)
    return planar_four_bar(
        lengths=(0.6, length, 1.6, 2.0), masses=(1.0, 1.0, 1.5), guess={"rocker.b": (1.5, 1.5)}
    )


def light():
    """A coupler of 0.1 µg between heavy links."""
    return planar_four_bar(masses=(MASS, 1e-10, 1.5), guess={"rocker.b": (0.9, 0.75)})


def parallelogram():
    """It passes the position in which all its links are collinear."""
    return planar_four_bar(
        lengths=(0.3, 1.00005, 0.3, 1.0),
        masses=(MASS, 1.0, 1.5),
        name="parallelogram",
        gravity=(0, 0),
        guess={"A": 1.0, "D": 1.0, "B": -1.0},
    )


def crank():
    """A slider-crank with a flexible connecting rod."""
    rod = ml.beam(
        "rod", length=0.4, E=210e9, density=7850, section=ml.rectangle(0.01, 0.01), modes=2, damping=0.02
    )
    return crank_slider(
        ml.rod("crank", length=0.1, mass=1.0),
        rod,
        ml.Body("piston", mass=MASS),
        "crank",
        pins=("A", "B", "C", "bore"),
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(100.0))],
        guess={"bore": 0.5},
    )


CASES = {
    "limits": (limited, {"start": {"A": 0.0}, "until": 1.0}, (("W54", "A"), ("W51", "A"))),
    "a guess": (
        far_off,
        {"start": {"A": 0.4}, "guess": {"rocker.b": (-3.0, 5.0)}, "until": 0.2},
        (("W30", "rocker.b"),),
    ),
    "a table": (swinging_out, {"start": {"A": 0.0}, "until": 0.9}, (("W17", "A"),)),
    "energy": (
        arm,
        {"start": {"A": 0.0}, "until": 2.0, "integrator": "rk4", "step": 0.2},
        (("W44", "arm"),),
    ),
    "a light link": (
        light,
        {"start": {"A": 0.4}, "until": 1e-4},
        (("W03", "coupler"), ("W40", "coupler")),
    ),
    "near a singular position": (
        parallelogram,
        {"start": {"A": 1.0}, "rates": {"A": -2.0}, "until": 0.6},
        (("W41", "parallelogram"),),
    ),
}


SLOW = {"a light link", "near a singular position", "a relaxed start"}
CASES["an undeformed start"] = (crank, {"until": 0.02}, (("W31", "rod"),))
CASES["a relaxed start"] = (crank, {"start": "relaxed", "until": 0.02}, (("W31", "rod"),))


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case in SLOW)) for case in CASES]
)
def test_they_are_those_of_the_single_run(case):
    build, asked, expected = CASES[case]
    masses = np.array([2.0, 2.5])
    runs = ml.simulate(build(), parameters={"m": masses}, samples=101, **asked)
    for k, mass in enumerate(masses):
        alone = ml.simulate(build(), parameters={"m": float(mass)}, samples=101, **asked)
        assert [(one.code, one.place) for one in alone.warnings] == list(expected), alone.status
        assert [(one.code, one.place) for one in runs[k].warnings] == list(expected)
        for one, other in zip(runs[k].warnings, alone.warnings, strict=True):
            assert (one.value, one.time) == (pytest.approx(other.value), pytest.approx(other.time))
        assert runs[k].status == alone.status


def test_a_relaxed_start_of_a_crank_warns_of_its_transient(texts):
    """The estimate against the run itself: the difference of its first moments from the steady cycle at the same
    angles."""
    turn = 2 * np.pi / 100.0
    run = ml.simulate(crank(), start="relaxed", until=6 * turn, samples=2401)
    bent = run.link("rod").eta[:, 0]
    apart = np.abs(bent[:60] - bent[2000:2060]).max() / np.abs(bent).max()
    estimate = next(one.value for one in run.warnings if one.code == "W31")
    assert estimate == pytest.approx(apart, rel=0.25)  # an estimate by the first modes
    texts.warnings(run, ("W31", "rod"))


def test_a_relaxed_start_that_stays_has_no_transient():
    """In steady rotation without weight, or held at rest under it, a beam keeps its initial deformation."""
    arm = pinned_body(
        ml.beam("arm", length=0.5, E=70e9, density=2700, section=ml.rectangle(0.01, 0.01), modes=2),
        gravity=(0, 0),
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(20.0))],
    )
    assert ml.simulate(arm, start="relaxed", until=0.1).status == "ok"
    held = arm.replace(gravity=(0, -9.81), drives=[ml.Motion("A", 0.0 * ml.time)])
    assert ml.simulate(held, start="relaxed", until=0.1).status == "ok"
