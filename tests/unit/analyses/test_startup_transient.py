"""Simulations of driven mechanisms with flexible links warn of a start-up transient, and only if there is one.

The warning is compared with the run itself, in two ways that do not use its estimate: the ratio of stress or
deformation in the first cycle to that after the vibration is damped, and to that of the periodic solution that
`inverse` finds by a boundary-value problem.
"""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from laws.units import Units
from texts import Texts

import multiloop as ml

TRANSIENT = "W31"
"""The code of the warning."""

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.005), "modes": 2, "damping": 0.05}
SI = Units()


def arm(profile: Any, gravity: float = 0.0, tip: float = 0.0, u: Units = SI, **more: Any) -> ml.Mechanism:
    """A strip of half a metre on a driven hub, its first frequency 104 rad/s, with a mass at its tip."""
    made = {"E": 70e9 * u.Pa, "density": 2700.0 * u.density, "section": ml.rectangle(0.02 * u.m, 0.005 * u.m)}
    strip = ml.beam("arm", length=0.5 * u.m, frame="a", **STRIP | made | more)
    load = ml.Body("load", mass=max(tip, 1e-6) * u.kg, inertia=1e-9 * u.inertia)
    return ml.Mechanism(
        "arm",
        planar=True,
        gravity=(0, -gravity * u.g),
        bodies=[ml.ground(), strip, load],
        joints=[ml.Revolute("A", "ground.origin", "arm.a"), ml.Fixed("tip", "arm.b", "load.origin")],
        drives=[ml.Motion("A", profile)],
    )


def crank(speed: float = 100.0, begin: float = 1.5, u: Units = SI) -> ml.Mechanism:
    """A slider-crank with a flexible connecting rod; it begins at the largest angular acceleration of the rod."""
    section = ml.rectangle(0.01 * u.m, 0.01 * u.m)
    rod = ml.beam(
        "rod",
        length=0.4 * u.m,
        E=210e9 * u.Pa,
        density=7850 * u.density,
        section=section,
        modes=2,
        damping=0.05,
    )
    bodies = [ml.rod("crank", length=0.1 * u.m, mass=1.0 * u.kg), rod, ml.Body("piston", mass=1.0 * u.kg)]
    return ml.Mechanism(
        "crank",
        planar=True,
        gravity=(0, -9.81 * u.g),
        bodies=[ml.ground(), *bodies],
        joints=[
            ml.Revolute("A", "ground.origin", "crank.a"),
            ml.Revolute("B", "crank.b", "rod.a"),
            ml.Revolute("C", "rod.b", "piston.origin"),
            ml.Prismatic("bore", "ground.origin", "piston.origin"),
        ],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(speed * u.rate, start=begin))],
        guess={"A": begin, "bore": (0.1 * np.cos(begin) + 0.4) * u.m},
    )


def estimate(run: ml.Result) -> float:
    """The part of the largest deformation that the warning states, zero without a warning."""
    assert {one.code for one in run.warnings} <= {TRANSIENT}, run.status
    return float(run.warnings[0].value or 0.0) if run.warnings else 0.0


def codes(run: ml.Result) -> list[str]:
    return [one.code for one in run.warnings]


def swinging(rate: float) -> Any:
    return 0.2 * ml.expr.cos(rate * ml.time)


PERIODIC = {  # mechanism, period, flexible link, start, whether the start-up exceeds the periodic solution
    "crank": (crank(), 2 * np.pi / 100, "rod", None, True),
    "slow crank": (crank(20.0, 0.0), 2 * np.pi / 20, "rod", "relaxed", False),
    "oscillating": (arm(swinging(15.0)), 2 * np.pi / 15, "arm", None, True),
    "oscillating, relaxed": (arm(swinging(15.0)), 2 * np.pi / 15, "arm", "relaxed", False),
    "turning under gravity": (
        arm(ml.motion_laws.constant_speed(10.0), 9.81),
        2 * np.pi / 10,
        "arm",
        None,
        True,
    ),
    "with a heavy tip": (arm(swinging(3.0), tip=0.5, damping=0.1), 2 * np.pi / 3, "arm", None, True),
}
QUICK = {"crank", "oscillating, relaxed"}


@pytest.mark.parametrize(
    "case", [pytest.param(case, marks=[pytest.mark.slow] * (case not in QUICK)) for case in PERIODIC]
)
def test_it_is_warned_of_where_the_first_cycle_exceeds_the_periodic_one(case: str) -> None:
    machine, period, name, start, exceeds = PERIODIC[case]
    run = ml.simulate(machine, start=start, until=10 * period, samples=2001, rtol=1e-8)
    link = run.link(name)
    middle = 0.02 if name == "arm" else 0.2
    stress, eta = link.stress(middle), link.eta[:, 0]
    cycle = ml.inverse(machine, elastic="stable", cycle=201).link(name).stress(middle).max()
    assert stress[-201:].max() == pytest.approx(cycle, rel=1e-3)  # remaining vibration after nine periods
    assert (stress[:201].max() > 1.05 * cycle) == exceeds
    apart = np.abs(eta[:201] - eta[1800:2001]).max() / np.abs(eta).max()
    assert (apart > 0.05) == exceeds
    assert estimate(run) == pytest.approx(apart if exceeds else 0.0, rel=0.1)  # (Ω/ω)² is at most 0.03


def test_it_is_as_large_as_the_static_deformation_of_an_arm_held_under_gravity(texts: Texts) -> None:
    """From the undeformed state and without damping, one mode reaches twice its static deformation, half of which is
    vibration."""
    held = arm(0.0 * ml.time, 9.81, modes=1, damping=0.0)
    run = ml.simulate(held, until=0.2, samples=401)
    eta, static = run.link("arm").eta[:, 0], ml.equilibrium(held).state.eta["arm"][0]
    assert np.abs(eta).max() == pytest.approx(2 * abs(static), rel=1e-5)  # between two of 401 samples
    assert estimate(run) == pytest.approx(0.5, rel=0.01)
    texts.warnings(run, ("W31", "arm", 'start="relaxed"'))
    relaxed = ml.simulate(held, start="relaxed", until=0.2, samples=401)
    assert relaxed.status == "ok"
    assert np.ptp(relaxed.link("arm").eta[:, 0]) < 1e-6 * abs(static)


FROM_REST = {
    "quintic": ml.motion_laws.polynomial_345(0.0, 1.0, duration=0.5),
    "trapezoidal": ml.motion_laws.trapezoidal(
        0.0, 1.0, duration=0.5
    ),  # its acceleration jumps: a response to the motion itself
    "cycloidal, later": ml.motion_laws.cycloidal(0.0, 1.0, duration=0.5, begin=0.1),
    "a polynomial": 3.0 * ml.time**3,
}


@pytest.mark.parametrize(
    "profile",
    ["quintic", "trapezoidal", *(pytest.param(name, marks=pytest.mark.slow) for name in (*FROM_REST,)[2:])],
)
def test_a_motion_that_begins_from_rest_has_none(profile: str, texts: Texts) -> None:
    """Without gravity from undeformed links, under gravity from relaxed ones; undeformed ones vibrate under gravity."""
    still, heavy = (arm(FROM_REST[profile], gravity) for gravity in (0.0, 9.81))
    asked = {"until": 0.3, "samples": 101, "rtol": 1e-8}
    assert ml.simulate(still, **asked).status == "ok"
    assert ml.simulate(heavy, start="relaxed", **asked).status == "ok"
    run = ml.simulate(heavy, **asked)
    assert estimate(run) > 0
    texts.warnings(run, ("W31", "arm", 'start="relaxed"'))


def test_steady_rotation_that_does_not_deform_the_link_has_none() -> None:
    """A deformation of round-off is not reported."""
    assert ml.simulate(arm(ml.motion_laws.constant_speed(20.0)), until=0.1).status == "ok"


def test_initial_values_that_the_user_gives_are_not_warned_of(texts: Texts) -> None:
    machine = crank()
    asked = {"until": 0.02, "samples": 101, "rtol": 1e-8}
    texts.warnings(ml.simulate(machine, **asked), ("W31", "rod"))
    assert ml.simulate(machine, start={"rod.eta": (0.0, 0.0)}, **asked).status == "ok"
    assert ml.simulate(machine, rates={"rod.eta": (0.0, 0.0)}, **asked).status == "ok"
    cycle = ml.inverse(machine, elastic="stable", cycle=201)
    run = ml.simulate(machine, start=cycle.initial, **asked)
    assert run.status == "ok"
    assert run.link("rod").stress(0.2).max() <= 1.001 * cycle.link("rod").stress(0.2).max()


def test_it_is_left_out_with_the_first_cycles(texts: Texts) -> None:
    """Recorded after damping, the run is that of the steady cycle; its first cycles are not."""
    machine, turn = crank(begin=0.5), 2 * np.pi / 100
    late, early = (
        ml.simulate(machine, until=6 * turn, samples=turn * (first + np.linspace(0.0, 1.0, 101)), rtol=1e-8)
        for first in (5.0, 0.1)
    )
    assert late.status == "ok"
    assert estimate(early) > 0.2
    texts.warnings(early, ("W31", "rod", "`inverse`"))
    cycle = ml.inverse(machine, elastic="stable", cycle=101).link("rod").stress(0.2).max()
    assert late.link("rod").stress(0.2).max() == pytest.approx(cycle, rel=1e-6)
    assert early.link("rod").stress(0.2).max() > 1.2 * cycle


def test_it_does_not_depend_on_the_number_of_outputs() -> None:
    few, many = (ml.simulate(crank(), until=0.02, samples=n, rtol=1e-8) for n in (2, 201))
    assert estimate(few) == pytest.approx(estimate(many), rel=0.02)  # printed with two digits


def test_a_release_is_no_prescribed_motion(texts: Texts) -> None:
    """For a free joint beside drives at rest, and for links without drives, the start is chosen by the user."""
    held = arm(0.0 * ml.time, 9.81, tip=0.2)
    assert TRANSIENT not in codes(ml.simulate(held.without_drives(), start={"A": 0.0}, until=0.05))
    free = [ml.Revolute("A", "ground.origin", "arm.a"), ml.Revolute("tip", "arm.b", "load.a")]
    bodies = [ml.ground(), held.body("arm"), ml.rod("load", length=0.2, mass=0.2)]
    swung = held.replace(joints=free, bodies=bodies)
    assert TRANSIENT not in codes(ml.simulate(swung, start={"tip": 0.5}, until=0.05))
    going = {
        "start": {"A": 0.5, "eta": "relaxed"},
        "rates": {"A": 100.0},
        "until": 0.05,
    }  # which was requested
    run = ml.simulate(crank(begin=0.5).without_drives(), **going)
    texts.warnings(run, ("W31", "rod"))
    turning = swung.replace(drives=[ml.Motion("A", ml.motion_laws.constant_speed(10.0))])
    texts.warnings(ml.simulate(turning, start={"tip": 0.5}, until=0.05), ("W31", "arm"))


def test_it_is_not_estimated_beside_unilateral_loads_or_under_control() -> None:
    """Without a quasi-static deformation to compare with, a run has its results and no warning."""
    held = arm(0.0 * ml.time, 9.81)
    stopped = held.replace(loads=[ml.Stop("stop", "A", high=1.0, restitution=0.5)])
    assert TRANSIENT not in codes(ml.simulate(stopped, until=0.01, samples=11))
    law = ml.PD(kp=500.0, kd=10.0)
    assert TRANSIENT not in codes(ml.simulate(held, control=law, until=0.01, samples=11))


@pytest.mark.parametrize(
    "units",
    [
        Units(m=16.0**2, kg=16.0**-3, s=16.0**-2),
        *(
            pytest.param(u, marks=pytest.mark.slow)
            for u in (Units(m=16.0**5), Units(m=16.0**-5), Units(kg=16.0**4), Units(s=256.0))
        ),
    ],
)
@pytest.mark.parametrize("start", [None, "relaxed"])
@pytest.mark.usefixtures("any_numbers")
def test_it_is_the_same_in_all_units(units: Units, start: str | None) -> None:
    found, known = (
        ml.simulate(crank(begin=0.5, u=u), start=start, until=0.02 * u.s, samples=101, rtol=1e-8)
        for u in (units, SI)
    )
    assert found.status == known.status
    assert estimate(known) > 0


def test_it_goes_with_a_pickled_result() -> None:
    run = ml.simulate(crank(), until=0.02, samples=101)
    assert pickle.loads(pickle.dumps(run)).warnings == run.warnings
    assert codes(run) == [TRANSIENT]
