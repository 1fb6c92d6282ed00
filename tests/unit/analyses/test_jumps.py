"""Is a drive with a jump of its speed refused if joints are free, and only then?"""

import numpy as np
import pytest
from zoo.plain import sliding_body

import multiloop as ml
from multiloop.analyses.signals import profile_corners

TIMES, PLACES = [0.0, 0.5, 1.0, 1.5], [0.0, 0.0, 0.5, 1.0]


def cart(profile, **more):
    """A cart with prescribed motion and a rod hanging from it."""
    return ml.Mechanism(
        "cart",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("cart", mass=1.0, inertia=1.0),
            ml.rod("rod", length=1.0, mass=1.0),
        ],
        joints=[ml.Prismatic("P", "ground.O", "cart.origin"), ml.Revolute("R", "cart.origin", "rod.a")],
        drives=[ml.Motion("P", profile)],
        **more,
    )


HANGING = {"start": {"R": -np.pi / 2}, "samples": 5}


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_speed_that_jumps_is_refused_with_drive_time_and_remedy(target, texts):
    """The rod would get an impulse that the forces do not contain; formerly it remained at rest."""
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(cart(ml.table(TIMES, PLACES, kind="linear")), until=1.2, target=target, **HANGING)
    fault = texts.fault(caught.value, "S11", "drive of 'P'", "from 0 to 1", "t = 0.5 s")
    assert "cubic" in fault.remedy


def test_so_it_is_in_inverse_dynamics_with_free_joints():
    with pytest.raises(ml.SolveError, match="S11"):
        ml.inverse(cart(ml.table(TIMES, PLACES, kind="linear")), t=[0.0, 1.0], start={"R": -np.pi / 2})


@pytest.mark.parametrize(
    "profile",
    [
        ml.expr.abs(ml.time - 0.4),
        ml.expr.maximum(ml.time, 0.3),
        ml.table([0.0, 0.5, 1.0], [0.0, 0.2, 0.0], kind="linear", periodic=True),
        0.3 * ml.expr.sign(ml.time - 0.3),
    ],
)
def test_other_corners(profile):
    with pytest.raises(ml.SolveError, match="S11"):
        ml.simulate(cart(profile), until=1.2, **HANGING)


@pytest.mark.parametrize(
    "profile",
    [
        ml.table(TIMES, PLACES),
        ml.motion_laws.cycloidal(0.0, 0.5, duration=0.6, begin=0.3),
        ml.expr.maximum(ml.time - 0.3, 0.0) ** 2,  # the acceleration jumps, which finite forces allow
        0.2 * ml.expr.sin(30 * ml.time),
    ],
)
def test_smooth_drives_pass(profile):
    run = ml.simulate(cart(profile), until=1.2, **HANGING)
    assert run.energy_drift < 1e-7


def test_corners_outside_the_run_do_not_matter():
    """The cart is at rest until 0.5 s, so that the rod remains vertical."""
    run = ml.simulate(cart(ml.table(TIMES, PLACES, kind="linear")), until=0.4, **HANGING)
    assert run["R"].position == pytest.approx(-np.pi / 2, abs=1e-12)
    assert run["P"].position == pytest.approx(0.0, abs=1e-12)


def test_where_nothing_is_free_a_jump_is_what_was_asked_for():
    slider = sliding_body(
        ml.Body("cart", mass=1.0, inertia=1.0),
        "slider",
        joint="P",
        drives=[ml.Motion("P", ml.table(TIMES, PLACES, kind="linear"))],
    )
    run = ml.simulate(slider, until=1.2, samples=[0.25, 0.75])
    assert run["P"].rate == pytest.approx([0.0, 1.0], abs=1e-9)


@pytest.mark.parametrize("target", ["c", "interpreter"])
def test_a_drive_that_ends_within_the_run_is_named(target):
    with pytest.raises(ml.AssemblyError, match="K10") as caught:
        ml.simulate(cart(ml.table(TIMES, PLACES)), until=2.0, target=target, **HANGING)
    assert caught.value.faults[0].where == "drive of 'P'"


def test_corners_are_those_of_the_parameter_values():
    """They are cached by mechanism, times and parameter values; the caller may change the set returned."""
    duration = ml.Parameter("T", 0.4)
    mechanism = cart(ml.motion_laws.trapezoidal(0.0, 1.0, duration=duration))
    described = profile_corners(mechanism, 0.0, 1.0, {"T": 0.4})
    assert max(described) == pytest.approx(0.4)
    slower = profile_corners(mechanism, 0.0, 1.0, {"T": 0.8})
    assert sorted(slower) == pytest.approx(2 * np.array(sorted(described)))
    slower.clear()
    assert max(profile_corners(mechanism, 0.0, 1.0, {"T": 0.8})) == pytest.approx(0.8)
    assert max(profile_corners(mechanism, 0.0, 0.5, {"T": 0.8})) < 0.5
