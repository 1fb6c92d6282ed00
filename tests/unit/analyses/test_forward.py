"""Forward dynamics at one instant: textbook accelerations, reactions at rest, and errors."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo import rssr
from zoo.plain import lift

import multiloop as ml
from multiloop.dynamics.forward import METHODS

EXACT = 1e-12
"""Relative, of small systems with condition numbers below a hundred."""


def slider_on_a_slope():
    """A block on a slide 30° up, with a mass of 4 kg."""
    slope = ml.marker((0, 0), angle=np.pi / 6)
    return ml.Mechanism(
        "slope",
        planar=True,
        bodies=[ml.ground(slope=slope), ml.Body("block", mass=4.0, inertia=0.1)],
        joints=[ml.Prismatic("slide", "ground.slope", "block.origin")],
    )


def cart():
    """A block that rotates about and slides along one vertical axis."""
    return lift(name="turntable")


def test_a_block_slides_down_and_presses_on_its_slope():
    result = ml.forward(slider_on_a_slope(), {"slide": 0.2})
    assert result["slide"].acceleration == pytest.approx([-9.81 / 2], rel=EXACT)
    across = 4.0 * 9.81 * np.cos(np.pi / 6)
    normal = across * np.array([-np.sin(np.pi / 6), np.cos(np.pi / 6)])
    assert result["slide"].force[0] == pytest.approx(normal, rel=EXACT)
    assert len(result.time) == 1


def test_an_effort_holds_it():
    result = ml.forward(slider_on_a_slope(), {"slide": 0.2}, efforts={"slide": 4.0 * 9.81 / 2})
    assert result["slide"].acceleration == pytest.approx([0.0], abs=1e-13)
    assert result["slide"].effort == pytest.approx([4.0 * 9.81 / 2])
    assert result["slide"].force[0] == pytest.approx(
        ml.forward(slider_on_a_slope(), {"slide": 0.0})["slide"].force[0]
    )


def test_efforts_of_a_joint_with_two_coordinates_are_named_by_component():
    result = ml.forward(cart(), {"C": (0.1, 0.2)}, efforts={"C.angle": 2.0, "C.slide": 30.0})
    assert result["C"].acceleration[0] == pytest.approx([2.0 / 0.5, 10.0 - 9.81], rel=EXACT)
    assert result["C"].effort[0] == pytest.approx([2.0, 30.0])


@pytest.mark.parametrize("method", METHODS)
def test_a_mechanism_at_rest_in_balance_stays_so(method):
    """An inverted four-bar that is held by the effort of inverse dynamics at rest."""
    mechanism = built("four-bar").replace(drives=[ml.Motion("A", 1.0 + 0 * ml.time)])
    held = ml.inverse(mechanism, t=0.0)
    effort = {"A": float(held["A"].effort[0])}
    result = ml.forward(mechanism.without_drives(), held.final, efforts=effort, method=method)
    for joint in "ABCD":
        assert np.abs(result[joint].acceleration).max() < 1e-7, (
            joint
        )  # compared with some 10 rad/s² when released
        assert result[joint].force == pytest.approx(held[joint].force, abs=1e-7)


def test_the_ground_carries_the_weight_of_what_stands_still():
    result = ml.forward(built("scraper-K"), method="sslm")
    quiet = ml.forward(
        built("scraper-K").replace(drives=[ml.Motion("crank pivot", 0.3 + 0 * ml.time)]), method="sslm"
    )
    weight = 9.81 * sum(body.mass for body in built("scraper-K").moving)
    pivots = ("rocker pivot", "crank pivot", "pantograph pivot")
    assert sum(quiet[joint].force[0] for joint in pivots) == pytest.approx([0.0, weight], abs=1e-9 * weight)
    assert abs(sum(result[joint].force[0, 1] for joint in pivots) - weight) > 1.0, "moving, it does not"


def test_a_start_with_rates_and_a_state_are_the_same_question():
    mechanism = built("five-bar").without_drives()
    start, rates = {"A": 2.0, "E": 1.0}, {"A": 1.5, "E": -0.5}
    state = ml.assemble(mechanism, start, rates=rates)
    one, other = ml.forward(mechanism, start, rates=rates), ml.forward(mechanism, state)
    for joint in one:
        assert other[joint].acceleration == pytest.approx(one[joint].acceleration, rel=1e-9, abs=1e-9)
        assert other[joint].rate == pytest.approx(one[joint].rate, rel=1e-9, abs=1e-9)


def test_a_state_brings_the_free_rates_of_a_partly_driven_joint():
    """A sleeve rotates as prescribed and slides freely: its translation is part of the state."""
    sleeve = ml.Mechanism(
        "sleeve on an arm",
        bodies=[
            ml.ground(O=(0, 0, 0)),
            ml.Body(
                "arm", mass=1.0, inertia=(0.1, 0.1, 0.1), markers={"m": ml.marker((0.2, 0, 0), z=(1, 0, 0))}
            ),
            ml.Body("sleeve", mass=2.0, com=(0.3, 0.05, 0.2), inertia=(0.1, 0.2, 0.3)),
        ],
        joints=[
            ml.Revolute("R", "ground.O", "arm.origin"),
            ml.Cylindrical("C", "arm.m", "sleeve.origin"),
        ],
        drives=[ml.Motion("C", angle=3 * ml.time)],
    )
    start, rates = {"R": 0.0, "C": (0.0, 0.1)}, {"R": 2.0, "C": (3.0, 1.0)}
    state = ml.assemble(sleeve, start, rates=rates)
    one, other = ml.forward(sleeve, start, rates=rates), ml.forward(sleeve, state)
    assert other["C"].rate[0] == pytest.approx([3.0, 1.0], abs=1e-12)
    assert other["R"].acceleration == pytest.approx(one["R"].acceleration, rel=1e-12)


def test_a_time_goes_before_that_of_a_state():
    mechanism = built("five-bar").without_drives()
    state = ml.assemble(mechanism, {"A": 2.0, "E": 1.0})
    later = ml.forward(mechanism, state, t=0.7, efforts={"A": 3.0 * ml.time})
    assert (later.time[0], later["A"].effort[0]) == pytest.approx((0.7, 2.1))
    driven = ml.assemble(built("five-bar"))
    with pytest.raises(ml.AssemblyError, match="K04"):  # the drives are elsewhere by then
        ml.forward(built("five-bar"), driven, t=0.1)


@pytest.mark.parametrize("t", ["x", float("nan"), float("inf"), (0.0,)])
def test_an_invalid_time_is_refused(t):
    for verb in (ml.assemble, ml.forward):
        with pytest.raises(ml.AssemblyError, match="K10"):
            verb(built("four-bar"), t=t)


def test_drives_are_taken_at_the_time_asked_for():
    mechanism = built("five-bar")
    for t in (0.0, 0.08):
        result = ml.forward(mechanism, t=t)
        assert result.time == pytest.approx([t])
        assert result["A"].position == pytest.approx([2.0 + 0.4 * np.sin(6 * t)], abs=1e-12)
        assert result["A"].acceleration == pytest.approx([-14.4 * np.sin(6 * t)], abs=1e-9)


def test_energies_are_those_of_the_instant():
    result = ml.forward(slider_on_a_slope(), {"slide": 0.2}, rates={"slide": 3.0})
    assert result.kinetic_energy == pytest.approx([18.0], rel=EXACT)
    assert result.potential_energy == pytest.approx([4.0 * 9.81 * 0.1], rel=EXACT)


def test_any_joint_of_a_loop_may_have_an_effort_and_any_cut_gives_the_same():
    mechanism = built("four-bar").without_drives()
    for joint in "ABCD":
        result = ml.forward(mechanism, {"A": 1.0}, efforts={joint: 2.0})
        assert result[joint].effort == pytest.approx([2.0])
        for cut in set("ABCD") - {joint}:
            other = ml.forward(mechanism, {"A": 1.0}, efforts={joint: 2.0}, cuts=[cut])
            for name in "ABCD":
                assert other[name].acceleration == pytest.approx(result[name].acceleration, rel=1e-9)
                assert other[name].force == pytest.approx(result[name].force, rel=1e-9, abs=1e-9)


def test_a_loop_through_a_joint_that_holds_nothing():
    """A rod on a pin with a parallel Free joint, which gives its position: it swings as without it."""
    pin = ml.Revolute("A", "ground.A", "rod.a")
    told = ml.Free("told", "ground.origin", "rod.com")
    bodies = [ml.ground(A=(0.2, 0.1)), ml.rod("rod", length=1.0, mass=1.0)]
    plain = ml.Mechanism("rod", planar=True, bodies=bodies, joints=[pin])
    both = ml.Mechanism("rod told", planar=True, bodies=bodies, joints=[told, pin])
    expected = ml.forward(plain, {"A": 0.3})["A"].acceleration
    for method in METHODS:
        assert ml.forward(both, {"A": 0.3}, method=method)["A"].acceleration == pytest.approx(
            expected, rel=1e-9
        )


def test_joints_that_all_stay_in_the_tree_change_nothing():
    """Actuators without effort at every joint of the 3-RRR: its platform is split twice and keeps its mass."""
    free = built("3-RRR").without_drives()
    kept = free.replace(actuators=[ml.Actuator(joint.name, effort=0.0) for joint in free.connections])
    start = {"A1": 1.04, "A2": 4.1883, "A3": 5.7637}
    one, other = ml.forward(free, start), ml.forward(kept, start)
    assert [split.body for split in other.plan.tree.splits] == ["platform", "platform"]
    assert other.potential_energy == pytest.approx(one.potential_energy, rel=1e-9)
    for joint in one:
        assert other[joint].acceleration == pytest.approx(one[joint].acceleration, rel=1e-9), joint
        assert other[joint].force == pytest.approx(one[joint].force, rel=1e-8), joint


# what is refused --------------------------------------------------------------------------------------


def test_an_unknown_method_is_reported_with_the_known_ones(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(slider_on_a_slope(), {"slide": 0.0}, method="newton")
    texts.fault(caught.value, "S08")


def test_a_motion_of_a_marker_needs_actuators():
    mechanism = built("3-RRR").replace(
        drives=[ml.Motion("platform.c1", x=0.792, y=0.4566, angle=3.916)],
        actuators=[],
    )
    with pytest.raises(ml.SolveError, match="S05"):
        ml.forward(mechanism)


def test_a_motion_that_no_mass_decides_is_refused_by_body_and_axis(texts):
    """A rod that hangs from one ball can rotate about itself, and has no inertia about that axis."""
    pendulum = ml.Mechanism(
        "rod on a ball",
        bodies=[ml.ground(O=(0, 0, 0)), ml.rod("bar", length=1.0, mass=1.0)],
        joints=[ml.Spherical("S", "ground.O", "bar.a")],
    )
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(pendulum, {"S": (1, 0, 0, 0)})
    texts.fault(caught.value, "S06", "'bar'", "(1, 0, 0)", " S.", "inertia=(xx, yy, zz)")


def test_a_massless_outer_link_is_refused_by_its_joint(texts):
    outer = ml.rod("outer", length=0.4, mass=0.0)
    pendulum = ml.Mechanism(
        "double pendulum",
        planar=True,
        bodies=[ml.ground(O=(0, 0)), ml.rod("inner", length=0.5, mass=1.0), outer],
        joints=[ml.Revolute("O", "ground.O", "inner.a"), ml.Revolute("P", "inner.b", "outer.a")],
    )
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(pendulum, {"O": 0.0, "P": 0.0})
    texts.fault(caught.value, "S06")


@pytest.mark.parametrize("method", METHODS)
def test_a_thin_rod_between_two_balls_is_released(method):
    """It moves as a rod with some inertia about its line that does not rotate about it."""
    thin, thick = (rssr.rssr(axial).without_drives() for axial in (0.0, 1e-4))
    found, expected = (ml.forward(m, {"A": 0.3}, method=method) for m in (thin, thick))
    for joint in found:
        assert found[joint].acceleration == pytest.approx(expected[joint].acceleration, abs=1e-8)
        assert found[joint].force == pytest.approx(expected[joint].force, abs=1e-8)
    assert found.mechanism == thin


def test_a_thin_rod_that_is_driven_in_a_simulation_takes_the_effort_of_inverse_dynamics():
    """Its angular velocity has no component along its line: R ω̂ Rᵀ of small steps shows it."""
    thin, times = rssr.rssr(0.0), np.linspace(0.0, 0.1, 101)
    found, expected = ml.simulate(thin, until=0.1, samples=times), ml.inverse(thin, t=times)
    assert found["A"].effort == pytest.approx(expected["A"].effort, abs=1e-8)
    assert found["C"].force == pytest.approx(expected["C"].force, abs=1e-7)
    R = found.body("coupler")[:, :, :3]
    turned = np.einsum("tij,tkj->tik", R[2:], R[:-2]) / (2 * (times[1] - times[0]))
    omega = np.stack([turned[:, 2, 1] - turned[:, 1, 2], turned[:, 0, 2] - turned[:, 2, 0]], axis=1) / 2
    omega = np.column_stack([omega, (turned[:, 1, 0] - turned[:, 0, 1]) / 2])
    spin = np.sum(omega * R[1:-1, :, 0], axis=1)
    assert np.abs(spin).max() < 1e-3 * np.abs(omega).max()  # differences over 2 ms
