"""Following a drive: consistent steps, dead points at their exact positions, refined closest approaches."""

import numpy as np
import pytest
from zoo import ZOO
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.kinematics.constraints import Target
from multiloop.kinematics.continuation import closest_approaches, follow_drives
from multiloop.model.expressions import derivative, evaluate
from multiloop.topology import tree_of

NONE = np.zeros(0)


def rocker_driven():
    """The four-bar of the first page with the rocker's angle as its target, at A = 0."""
    mechanism = ZOO["four-bar"].build().without_drives()
    assembly = find_assembly_modes(mechanism, start={"A": 0.0})[0]
    tree = tree_of(mechanism, ["C"])
    equations = equations_of(mechanism, tree, (Target("D", ("angle",)),))
    return equations, assembly.coordinates_on(equations)


def drive(start, speed):
    def values(t, order):
        return np.array([[start + speed * t], [speed], [0.0]][order])

    return values


@pytest.mark.parametrize("step", [0.5, 0.05, 0.003])
def test_a_dead_point_is_found_where_it_is_whatever_the_step(step):
    """cos θ_D = −0.125; the error of the position is half the shortest step times the rate."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.link_of_joint["D"].q.start]
    with pytest.raises(ml.AssemblyError) as caught:
        follow_drives(equations, q, np.arange(0.0, 1.0, step).tolist(), drive(start, -1.0), NONE)
    assert np.cos(caught.value.best["D"][0]) == pytest.approx(-0.125, abs=1e-8)
    assert caught.value.faults[0].code == "K06"


def test_rates_grow_as_the_dead_point_comes_near():
    """Like one over the square root of the distance: at a quarter of the distance, twice as fast."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.link_of_joint["D"].q.start]
    stop = start - np.arccos(-0.125)
    near = [stop - 1e-4, stop - 2.5e-5]
    path = follow_drives(equations, q, [0.0, *near], drive(start, -1.0), NONE)
    crank = equations.skeleton.link_of_joint["A"].v.start
    # the next power of the distance
    assert path[2].v[crank] / path[1].v[crank] == pytest.approx(2.0, rel=5e-3)
    assert path[2].singularity_distance < path[1].singularity_distance < path[0].singularity_distance


def test_a_closest_approach_is_refined_between_the_instants(texts):
    """The rocker swings towards its dead point and back: the turning point lies between two instants."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.link_of_joint["D"].q.start]
    depth = start - np.arccos(-0.125) - 1e-3

    def swing(t, order):
        return np.array(
            [
                [start - depth * np.sin(t)],
                [-depth * np.cos(t)],
                [depth * np.sin(t)],
            ][order]
        )

    times = np.linspace(0.0, np.pi, 24)  # no instant at π/2
    path = follow_drives(equations, q, times.tolist(), swing, NONE)
    (found,) = closest_approaches(equations, path, swing, NONE)
    assert found.time == pytest.approx(np.pi / 2, abs=1e-5)
    assert found.drive[0] == pytest.approx(start - depth, abs=1e-9)
    assert found.singularity_distance < min(instant.singularity_distance for instant in path)
    texts(found)


def test_a_motion_that_stays_clear_reports_nothing():
    equations, q = rocker_driven()
    start = q[equations.skeleton.link_of_joint["D"].q.start]
    path = follow_drives(equations, q, [0.0, 0.02, 0.04], drive(start, 1.0), NONE)
    assert closest_approaches(equations, path, drive(start, 1.0), NONE) == ()


def test_an_instant_obeys_loops_and_drives():
    """J v = ṡ and J a = γ + s̈ at every instant."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.link_of_joint["D"].q.start]
    for instant in follow_drives(equations, q, [0.0, 0.05, 0.1], drive(start, 1.5), NONE):
        J = equations.jacobian(instant.q, np.array([start + 1.5 * instant.t]), NONE)
        assert J @ instant.v == pytest.approx([0, 0, 1.5], abs=1e-12)
        still = np.zeros(1)
        gamma = equations.gamma(instant.q, instant.v, (still, still, still), NONE)
        assert J @ instant.a == pytest.approx(gamma, abs=1e-10)


# places out of reach between two instants ------------------------------------------------------------


def there_and_back(kind, depth):
    """A drive that is at `start` at 0 and at 1 and `depth` below it halfway, with its derivatives."""
    t = ml.time
    profile = {"parabola": 4 * t * (1 - t), "dwell": 64 * t**3 * (1 - t) ** 3}[kind]
    orders = [profile, derivative(profile), derivative(derivative(profile))]

    def of(start):
        return lambda t, order: np.array([start * (order == 0) - depth * evaluate(orders[order], time=t)])

    return of


@pytest.mark.parametrize("kind", ["parabola", "dwell"])
def test_a_drive_that_goes_out_of_reach_and_comes_back_between_two_instants_is_noticed(kind):
    """At both instants the rocker is in the same position, which rate and acceleration predict."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.link_of_joint["D"].q.start]
    reach = start - np.arccos(-0.125)
    within = follow_drives(equations, q, [0.0, 1.0], there_and_back(kind, 0.9 * reach)(start), NONE)
    assert within[1].q == pytest.approx(q, abs=1e-9)
    with pytest.raises(ml.AssemblyError) as caught:
        follow_drives(equations, q, [0.0, 1.0], there_and_back(kind, 1.5 * reach)(start), NONE)
    assert caught.value.faults[0].code == "K06"
    assert np.cos(caught.value.best["D"][0]) == pytest.approx(-0.125, abs=1e-6)


def test_a_crank_longer_than_its_rod_is_not_taken_over_the_top(texts):
    """Half a turn of a crank of twice the rod's length: between 30° and 150° the rod does not reach the slide, yet at
    0° rates and accelerations predict the position at 180° exactly, up to whole turns."""
    mechanism = ml.Mechanism(
        "slider-crank",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0)),
            ml.rod("crank", length=0.2, mass=1.0),
            ml.rod("rod", length=0.1, mass=1.0),
            ml.Body("slider", mass=1.0, markers={"p": (0, 0)}),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "crank.a"),
            ml.Revolute("A", "crank.b", "rod.a"),
            ml.Revolute("B", "rod.b", "slider.p"),
            ml.Prismatic("S", "ground.O", "slider.p"),
        ],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(np.pi))],
        guess={"slider": (0.3, 0, 0)},
    )
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(mechanism, t=[0.0, 1.0], cuts=["S"])
    texts.fault(caught.value, "K06", "0.5235")


def test_joints_that_close_nothing_are_followed_in_one_step():
    """A pendulum in an open chain after a thousand turns: it has no singular positions in between."""
    mechanism = pinned_body(ml.rod("bob", length=1.0, mass=1.0), "pendulum", joint="O")
    asked = []

    def turning(t, order):
        asked.append(t)
        return np.array([[2000 * np.pi * t], [2000 * np.pi], [0.0]][order])

    equations = equations_of(mechanism, tree_of(mechanism), (Target("O", ("angle",)),))
    path = follow_drives(equations, np.zeros(1), [0.0, 1.0], turning, NONE)
    assert path[1].q == pytest.approx([2000 * np.pi])
    assert set(asked) == {0.0, 1.0}


DWELLS = {
    "a table of half the step": ml.table(
        [0, 0.05, 0.10, 0.15, 0.20, 0.5],
        [1.7177, 1.7177, 4.9, 4.9, 1.7177, 1.7177],
        kind="monotone",
        periodic=True,
    ),
    "a narrow table": ml.table(
        [0, 0.301, 0.302, 0.303, 30.0], [1.7177, 1.7177, 4.9, 1.7177, 1.7177], kind="monotone"
    ),
    "a quarter of the step": 1.7177 + 3 * ml.expr.sin(4 * np.pi * ml.time) ** 4,
}


@pytest.mark.parametrize("count", [5, 20])
@pytest.mark.parametrize("profile", DWELLS.values(), ids=DWELLS)
def test_a_drive_that_dwells_at_the_instants_and_goes_out_of_reach_between_them_is_noticed(
    profile, count, texts
):
    """The rocker's reach ends near 2.5 rad; one instant per second, few of them one by one and many simultaneously."""
    mechanism = ZOO["four-bar"].build()
    driven = mechanism.replace(drives=[ml.Motion("D", profile)], guess={"A": 1.0, "coupler.b": (0.9, 0.79)})
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(driven, t=np.arange(float(count)))
    texts.fault(caught.value, "K06", "'D'", "2.498")
