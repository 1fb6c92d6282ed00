"""Efforts and reactions of redundantly actuated, idle and undetermined mechanisms."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from laws.closed_positions import built
from laws.equivalent_descriptions import in_units
from scipy.linalg import null_space

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS

DRIVEN = ("A1", "A2", "A3")
ACTING = (*DRIVEN, "B1")
TIMES = (0.0, 0.1)
SAME = 1e-9
"""Relative; condition numbers up to a thousand."""


# more efforts than degrees of freedom ---------------------------------------------------------------------------


def over_actuated():
    """A 3-RRR with a fourth motor, at the elbow of its first leg."""
    return built("3-RRR").replace(actuators=[ml.Actuator(joint) for joint in ACTING])


@cache
def shared(method="subsystem", **weights):
    return ml.inverse(over_actuated(), t=TIMES, method=method, weights=weights or None)


def efforts_at(result, k=-1):
    return np.array([result[joint].effort[k] for joint in ACTING])


def freedom_rates():
    """Rates of the acting joints for unit rates of the driven ones, at the last instant: one row per degree of
    freedom."""
    state, rows = shared().final, []
    for joint in DRIVEN:
        rates = {other: float(other == joint) for other in DRIVEN}
        moved = ml.assemble(built("3-RRR").without_drives(), dict(state.positions), rates=rates)
        rows.append([moved[acting].rate for acting in ACTING])
    return np.array(rows)


@pytest.mark.parametrize("method", METHODS)
def test_least_efforts_are_the_same_by_every_method(method, texts):
    texts(shared(method).rule)
    for joint in shared():
        one, other = shared()[joint], shared(method)[joint]
        assert other.effort == pytest.approx(one.effort, abs=SAME * 50)
        assert other.force == pytest.approx(one.force, abs=SAME * 200)


def test_with_as_many_efforts_as_freedoms_there_is_no_rule():
    assert ml.inverse(built("3-RRR"), t=TIMES).rule == ""


def test_no_other_efforts_that_make_the_motion_are_smaller():
    """Efforts that do no work in any motion may be added; every such addition increases the sum of squares."""
    (idle,) = null_space(freedom_rates()).T
    tau = efforts_at(shared())
    assert abs(idle @ tau) < SAME * np.linalg.norm(tau)
    for more in (0.1, -0.1):
        assert np.linalg.norm(tau + more * idle) > np.linalg.norm(tau)


def test_they_are_smaller_than_those_of_three_motors():
    three = ml.inverse(built("3-RRR"), t=TIMES)
    alone = np.array([three[joint].effort for joint in DRIVEN])
    four = np.array([shared()[joint].effort for joint in ACTING])
    assert np.all(np.linalg.norm(four, axis=0) < 0.99 * np.linalg.norm(alone, axis=0))


def test_they_do_the_same_power():
    """P = Σ τ q̇ is determined by the motion, whatever the distribution."""
    three = ml.inverse(built("3-RRR"), t=TIMES)
    one = sum(three[joint].effort * three[joint].rate for joint in DRIVEN)
    other = sum(shared()[joint].effort * shared()[joint].rate for joint in ACTING)
    assert other == pytest.approx(one, abs=SAME * np.abs(one).max())


def test_weights_shift_the_efforts():
    """A motor of little weight has no effort: three remain. One of great weight provides most of it."""
    three = ml.inverse(built("3-RRR"), t=TIMES)
    spared, burdened = shared(B1=1e-4), shared(B1=1e2)
    assert np.abs(spared["B1"].effort).max() < 1e-6
    for joint in DRIVEN:
        assert spared[joint].effort == pytest.approx(three[joint].effort, abs=1e-6)
    assert np.all(np.abs(burdened["B1"].effort) > np.abs(shared()["B1"].effort))
    for result, weight in ((spared, 1e-4), (burdened, 1e2)):
        (idle,) = null_space(freedom_rates()).T
        weights = np.array([1.0, 1.0, 1.0, weight])
        scaled = efforts_at(result) / weights
        # τ/w is least where it is orthogonal to what may be added to it.
        assert abs(scaled @ (idle / weights)) < 1e-8 * np.linalg.norm(scaled) * np.linalg.norm(idle / weights)


@pytest.mark.parametrize("weights", [{}, {"B1": 0.1}, {"A2": 30.0}])
def test_they_make_the_motion(weights):
    result = shared(**weights)
    efforts = {joint: float(result[joint].effort[-1]) for joint in ACTING}
    moved = ml.forward(built("3-RRR").without_drives(), result.final, efforts=efforts)
    for joint in result:
        assert moved[joint].acceleration[0] == pytest.approx(result[joint].acceleration[-1], abs=1e-9 * 50)
        assert moved[joint].force[0] == pytest.approx(result[joint].force[-1], abs=SAME * 200)


def test_a_known_effort_is_taken_into_account():
    """The fourth motor gives a known torque: the three others are found for what is left."""
    known = built("3-RRR").replace(
        actuators=[*(ml.Actuator(joint) for joint in DRIVEN), ml.Actuator("B1", effort=4.0)]
    )
    result = ml.inverse(known, t=TIMES)
    assert result["B1"].effort == pytest.approx([4.0, 4.0])
    assert result.rule == ""
    efforts = {joint: float(result[joint].effort[-1]) for joint in ACTING}
    moved = ml.forward(built("3-RRR").without_drives(), result.final, efforts=efforts)
    for joint in DRIVEN:
        assert moved[joint].acceleration[0] == pytest.approx(result[joint].acceleration[-1], abs=1e-9 * 50)


# idle degrees of freedom ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_nothing_acts_along_an_idle_spin(method):
    """The coupler of an RSSR: its balls transmit no moment, and its angular momentum about its line is constant."""
    result = ml.inverse(built("RSSR"), t=[0.0, 0.07, 0.2], method=method)
    size = np.abs(result["B"].force).max() * result.plan.length
    assert np.abs(result["B"].moment).max() <= 1e-10 * size
    assert np.abs(result["C"].moment).max() <= 1e-10 * size
    assert np.all(result["B"].effort == 0.0)
    other = ml.inverse(built("RSSR"), t=[0.0, 0.07, 0.2])
    assert result["A"].effort == pytest.approx(other["A"].effort, abs=SAME * size)


# undetermined reactions ---------------------------------------------------------------


def leaning(length=1.0):
    """The four-bar in space under gravity with a component out of its plane; one metre is `length` units."""
    mechanism = built("four-bar-space").replace(gravity=(0.0, -9.81, 3.0))
    return mechanism if length == 1.0 else in_units(mechanism, length, 1.0)


@cache
def leaned(length=1.0, method="subsystem"):
    return ml.inverse(leaning(length), t=(0.0, 0.2, 0.5), method=method)


def test_out_of_plane_reactions_are_marked_undetermined():
    """Four parallel hinges: the forces along them and the moments perpendicular to them are shared, the rest is not."""
    for joint in "ABCD":
        history = leaned()[joint]
        assert not history.determined
        assert set(history.undetermined) == {"force along z", "moment about x", "moment about y"}


def test_in_the_plane_they_are_those_of_the_planar_four_bar():
    planar = ml.inverse(built("four-bar"), t=leaned().time)
    size = max(planar[joint].load.max() for joint in "ABCD")
    for joint in "ABCD":
        assert leaned()[joint].force[:, :2] == pytest.approx(planar[joint].force, abs=SAME * size)
    assert leaned()["A"].effort == pytest.approx(planar["A"].effort, abs=SAME * size)


def test_what_the_two_ground_hinges_carry_together_is_determined():
    """Force along z is the weight component; moments about x and y are those of the weights."""
    result = leaned()
    masses = {body.name: float(body.mass) for body in leaning().moving}
    weight = 3.0 * sum(masses.values())
    force = result["A"].force + result["D"].force
    assert force[:, 2] == pytest.approx(np.full(3, -weight), rel=1e-9)
    places = {"A": np.zeros(3), "D": np.array([1.0, 0.0, 0.0])}
    moment = sum(result[joint].moment + np.cross(p, result[joint].force) for joint, p in places.items())
    centres = {name: result.marker(f"{name}.com") for name in masses}
    arms = sum(masses[name] * 3.0 * centres[name] for name in masses)
    # Slender rods in their plane: all bodies rotate about z, and the moments about x and y are those of the weights.
    assert moment[:, 0] == pytest.approx(-arms[:, 1], abs=1e-8 * weight)
    assert moment[:, 1] == pytest.approx(arms[:, 0], abs=1e-8 * weight)


@pytest.mark.parametrize("method", METHODS)
def test_the_shared_reactions_are_one_by_every_method(method):
    size = max(leaned()[joint].load.max() for joint in "ABCD")
    for joint in "ABCD":
        assert leaned(method=method)[joint].force == pytest.approx(leaned()[joint].force, abs=SAME * size)
        assert leaned(method=method)[joint].moment == pytest.approx(leaned()[joint].moment, abs=SAME * size)


def test_they_are_the_same_in_millimetres():
    """Lengths × 10³, kilograms and seconds as they are: forces × 10³ (kg mm/s²), moments and efforts × 10⁶.

    The undetermined ones too, since moments count over the characteristic length in their norm.
    """
    metres, millimetres = leaned(), leaned(1e3)
    size = max(metres[joint].load.max() for joint in "ABCD")
    for joint in "ABCD":
        one, other = metres[joint], millimetres[joint]
        assert other.force / 1e3 == pytest.approx(one.force, abs=SAME * size)
        assert other.moment / 1e6 == pytest.approx(one.moment, abs=SAME * size)
        assert other.undetermined == one.undetermined
    assert millimetres["A"].effort / 1e6 == pytest.approx(metres["A"].effort, abs=SAME * size)
    assert np.abs(metres["B"].force[:, 2]).max() > 1.0, "there is something to share"


# singular positions -----------------------------------------------------------------------------------


def lying_flat(method):
    """A parallelogram driven until it is flat at t = 1 s: its result, or the error."""
    mechanism = built("parallelogram").replace(drives=[ml.Motion("A", 1.2 * (1 - ml.time))])
    try:
        return ml.inverse(mechanism, t=[0.0, 0.5, 0.9, 1.0], method=method)
    except ml.SolveError as error:
        return error


@pytest.mark.parametrize("method", METHODS)
def test_an_instant_at_a_singular_position_is_not_passed_over_in_silence(method):
    """Its reactions there are not determined: either an error states the time, or the status reports the position."""
    found = lying_flat(method)
    if isinstance(found, ml.SolveError):
        assert found.time == pytest.approx(1.0)
    else:
        assert found.singularities
        assert max(found[joint].load.max() for joint in "ABCD") < 1e6


def rocking(actuator):
    """A four-bar driven at its crank by an actuator elsewhere; the rocker reverses twice per turn."""
    return built("four-bar").replace(actuators=[ml.Actuator(actuator)])


def reversal():
    """The first reversal of the rocker: crank and coupler in line, 0.3 + 0.9 from A, 0.8 from D."""
    angle = np.arccos((1.2**2 + 1.0**2 - 0.8**2) / (2 * 1.2 * 1.0))
    return angle / 4.712


@pytest.mark.parametrize("method", METHODS)
def test_efforts_that_lose_their_effect_are_refused_at_that_instant(method, texts):
    """At the reversal of the rocker no torque on it moves the crank, however large."""
    with pytest.raises(ml.SolveError) as caught:
        ml.inverse(rocking("D"), t=[0.0, reversal()], method=method)
    texts.fault(caught.value, "S01", " D ")
    assert caught.value.time == pytest.approx(reversal())


def test_efforts_that_lose_their_effect_between_the_instants_are_reported(texts):
    result = ml.inverse(rocking("D"), t=np.linspace(0.0, 0.5, 21))
    (near,) = result.singularities
    assert near.time == pytest.approx(reversal(), abs=1e-6)
    assert near.singularity_distance < 1e-6
    texts(near)
    texts.warnings(result, ("W43", "four-bar", f"{reversal():.4g} s"))
    assert ml.inverse(rocking("A"), t=np.linspace(0.0, 0.5, 21)).status == "ok"


def doubly_driven():
    """A parallelogram with unequal cranks and a Motion at both, which are consistent; it is flat at t = 1 s."""
    drives = [ml.Motion(joint, 1.2 * (1 - ml.time)) for joint in "AD"]
    *others, last = built("parallelogram").bodies
    return built("parallelogram").replace(drives=drives, bodies=[*others, replace(last, mass=2 * last.mass)])


@pytest.mark.parametrize("method", METHODS)
def test_loops_that_lose_a_direction_are_noticed_though_the_drives_hold_everything(method):
    with pytest.raises(ml.SolveError, match="S04") as caught:
        ml.inverse(doubly_driven(), t=[0.0, 0.5, 1.0], method=method)
    assert caught.value.time == 1.0


def test_loops_that_lose_a_direction_between_the_instants_are_reported(texts):
    result = ml.inverse(doubly_driven(), t=np.linspace(0.0, 1.9, 40))
    assert [near.time for near in result.singularities] == [pytest.approx(1.0, abs=1e-6)]
    texts.warnings(result, ("W43", "parallelogram"))


@pytest.mark.parametrize("start", [0.1, 0.13, 0.2])
def test_singular_positions_are_found_between_the_instants_of_a_coarse_cycle(start):
    """A parallelogram is flat twice per turn; no instant need be near.

    Loops closed to 1e-12 determine the angle there to √(2e-12) rad: the gap of a flat one with an error of that angle
    is no larger.
    """
    drives = [ml.Motion("A", ml.motion_laws.constant_speed(1.0, start=start))]
    result = ml.inverse(built("parallelogram").replace(drives=drives), cycle=25)
    flat = [near.time for near in result.singularities if near.singularity_distance < 1e-6]
    assert flat == pytest.approx([np.pi - start, 2 * np.pi - start], abs=np.sqrt(2e-12))


@pytest.mark.parametrize(("length", "mass"), [(1e-3, 1e-6), (1e-6, 1e-15), (1e3, 1e6)])
def test_idle_freedoms_follow_their_inertia_in_all_sizes(length, mass):
    """A coupler whose mass centre is off the line of its balls swings about it, in all sizes."""
    coupler = built("RSSR").body("coupler")
    lopsided = replace(coupler, com=(*coupler.com[:1], 0.03, 0.02))
    mechanism = built("RSSR").replace(
        bodies=[lopsided if body.name == "coupler" else body for body in built("RSSR").bodies]
    )
    one, other = (ml.inverse(m, t=0.1) for m in (mechanism, in_units(mechanism, length, mass)))
    assert other["A"].effort / (mass * length**2) == pytest.approx(one["A"].effort, rel=1e-8)
