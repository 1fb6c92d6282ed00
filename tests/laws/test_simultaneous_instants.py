"""Instants of a driven motion that are computed simultaneously equal those computed one by one, by other algorithms.

Simultaneously, positions follow from Newton steps of normal equations, rates and loads from elimination; one by one,
from singular values and from other traced functions.
"""

import numpy as np
import pytest
from laws.closed_positions import DRIVEN, built
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.analyses.prescribed_motion.driven_instants import DrivenInstants
from multiloop.analyses.prescribed_motion.driven_motion import DrivenMotion

INSTANTS = 25
QUICK = ("scraper-C", "four-bar-parameters", "slider-crank", "RSUR", "RCCC", "five-bar-geared", "delta-rods")
ZOO = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in DRIVEN]

THERE = np.linspace(0.0, 0.3, INSTANTS)
TIMES = [*THERE, *THERE[::-3]]
"""An interval of the motion, forward and back."""


def apart(one, other):
    """The largest difference of two histories, relative to the largest number of its kind."""
    found = 0.0
    for kind in ("position", "rate", "acceleration", "force", "moment", "effort"):
        pairs = [(getattr(one[name], kind), getattr(other[name], kind)) for name in one]
        size = max([1e-3, *(np.abs(b).max(initial=0.0) for _, b in pairs)])
        found = max([found, *(np.abs(a - b).max(initial=0.0) / size for a, b in pairs)])
    return found


def both_ways(mechanism, monkeypatch, times=TIMES):
    """The results of both algorithms."""
    together = ml.inverse(mechanism, t=times)
    with monkeypatch.context() as patched:
        patched.setattr(DrivenMotion, "_driven_instants", None)
        return together, ml.inverse(mechanism, t=times)


def require_same(together, one_by_one):
    assert apart(together, one_by_one) < 1e-9  # round-off, times the condition of the positions
    assert together.status == one_by_one.status
    near, expected = together.singularities, one_by_one.singularities
    assert [(one.joint, one.what) for one in near] == [(one.joint, one.what) for one in expected]
    assert [one.time for one in near] == pytest.approx([one.time for one in expected], abs=1e-7)
    for quantity in ("kinetic_energy", "potential_energy", "power"):
        a, b = getattr(together, quantity), getattr(one_by_one, quantity)
        assert np.abs(a - b).max() <= 1e-9 * max(1.0, np.abs(b).max())


@pytest.mark.parametrize("name", ZOO)
def test_they_are_the_same_on_the_zoo(name, monkeypatch):
    require_same(*both_ways(built(name), monkeypatch))


def four_bar(**changes):
    return built("four-bar").replace(**changes)


def led_platform():
    """A 3-RRR whose platform follows a path, with the motors at its pivots."""
    mechanism, sin, t = built("3-RRR"), ml.expr.sin, ml.time
    place = ml.inverse(mechanism, t=[0.0]).body("platform")[0]
    angle = float(np.arctan2(place[1, 0], place[0, 0]))
    x, y = place[0, 3] + 0.02 * sin(3 * t), place[1, 3] + 0.01 * t
    return mechanism.replace(
        drives=[ml.Motion("platform.origin", x=x, y=y, angle=angle + 0.1 * sin(2 * t))],
        actuators=[ml.Actuator(motion.of) for motion in mechanism.drives],
    )


def wheel():
    """One body on one bearing."""
    return pinned_body(
        ml.rod("arm", length=1.0, mass=2.0),
        name="wheel",
        drives=[ml.Motion("A", ml.motion_laws.cycloidal(0.0, 2.0, duration=0.2))],
    )


OTHERS = {
    "alone": wheel,
    "tabled": lambda: four_bar(drives=[ml.Motion("A", ml.table([0.0, 0.1, 0.2, 0.3], [0.0, 0.4, 0.5, 1.2]))]),
    "dwelling": lambda: four_bar(
        drives=[ml.Motion("A", ml.motion_laws.cycloidal(0.0, 2.0, duration=0.1, begin=0.15))]
    ),
    "pushed elsewhere": lambda: four_bar(actuators=[ml.Actuator("D")]),
    "pushed twice": lambda: four_bar(actuators=[ml.Actuator("A"), ml.Actuator("D")]),
    "helped": lambda: four_bar(actuators=[ml.Actuator("A"), ml.Actuator("D", effort=2.0 * ml.rate("D"))]),
    "sprung": lambda: four_bar(
        loads=[ml.Spring("return", "ground.A", "rocker.b", stiffness=300.0, length=0.5, damping=20.0)]
    ),
    "led": led_platform,
}


@pytest.mark.parametrize("kind", OTHERS)
def test_they_are_the_same_however_it_is_driven(kind, monkeypatch):
    calls = []
    ahead = DrivenInstants.instants_from
    monkeypatch.setattr(DrivenInstants, "instants_from", lambda *given: calls.append(1) or ahead(*given))
    require_same(*both_ways(OTHERS[kind](), monkeypatch))
    assert calls


def test_few_and_many_turns_run_on(monkeypatch):
    """Three turns forward and back, in the coordinates of the joints that make full turns and of those that are cut."""
    turn = 2 * np.pi / 4.712
    times = [*np.linspace(0.0, 3 * turn, 100), *np.linspace(3 * turn, -turn, 150)]
    require_same(*both_ways(built("four-bar"), monkeypatch, times))


@pytest.mark.parametrize("reach", [0.9, 1.5])
def test_a_place_out_of_reach_between_two_instants_is_seen(reach, monkeypatch):
    """The rocker moves out and returns between the instants; it cannot reach more than 1.696 rad."""
    free = built("four-bar").without_drives()
    start = ml.assemble(free, {"A": 0.0})["D"].position
    out = reach * (np.arccos(-0.125) - start) * ml.expr.sin(np.pi * ml.time)
    swung = free.replace(drives=[ml.Motion("D", start + out)])
    times = np.arange(15.0)
    if reach < 1:
        require_same(*both_ways(swung, monkeypatch, times))
        return
    texts = []
    for side_by_side in (True, False):
        if not side_by_side:
            monkeypatch.setattr(DrivenMotion, "_driven_instants", None)
        with pytest.raises(ml.AssemblyError, match="K06") as caught:
            ml.inverse(swung, t=times)
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
