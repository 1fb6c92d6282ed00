"""Following a drive: steps that agree, dead points that are found where they are, closest approaches refined."""

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.kinematics.assembly import closures
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.path import follow
from multiloop.kinematics.singularity import closest_approaches
from multiloop.kinematics.targets import Target
from multiloop.topology import tree_of

NONE = np.zeros(0)


def rocker_driven():
    """The four-bar of the first page with the rocker's angle as its target, at A = 0."""
    mechanism = ZOO["four-bar"].build().without_drives()
    assembly = closures(mechanism, start={"A": 0.0})[0]
    tree = tree_of(mechanism, ["C"])
    equations = equations_of(mechanism, tree, (Target("D", ("angle",)),))
    return equations, assembly.on(equations)


def drive(start, speed):
    def values(t, order):
        return np.array([[start + speed * t], [speed], [0.0]][order])

    return values


@pytest.mark.parametrize("step", [0.5, 0.05, 0.003])
def test_a_dead_point_is_found_where_it_is_whatever_the_step(step):
    """cos θ_D = −0.125; the error of the position is half the shortest step times the rate."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.carrier["D"].q.start]
    with pytest.raises(ml.AssemblyError) as caught:
        follow(equations, q, np.arange(0.0, 1.0, step).tolist(), drive(start, -1.0), NONE)
    assert np.cos(caught.value.best["D"][0]) == pytest.approx(-0.125, abs=1e-8)
    assert caught.value.faults[0].code == "K06"


def test_rates_grow_as_the_dead_point_comes_near():
    """Like one over the square root of the distance: four times nearer, twice as fast."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.carrier["D"].q.start]
    stop = start - np.arccos(-0.125)
    near = [stop - 1e-4, stop - 2.5e-5]
    path = follow(equations, q, [0.0, *near], drive(start, -1.0), NONE)
    crank = equations.skeleton.carrier["A"].v.start
    assert path[2].v[crank] / path[1].v[crank] == pytest.approx(2.0, rel=0.02)
    assert path[2].closeness < path[1].closeness < path[0].closeness


def test_a_closest_approach_is_refined_between_the_instants():
    """The rocker swings towards its dead point and back: the turning point lies between two instants."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.carrier["D"].q.start]
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
    path = follow(equations, q, times.tolist(), swing, NONE)
    (found,) = closest_approaches(equations, path, swing, NONE)
    assert found.time == pytest.approx(np.pi / 2, abs=1e-5)
    assert found.drive[0] == pytest.approx(start - depth, abs=1e-9)
    assert found.closeness < min(instant.closeness for instant in path)
    assert "nearly runs away at drive" in str(found)


def test_a_motion_that_stays_clear_reports_nothing():
    equations, q = rocker_driven()
    start = q[equations.skeleton.carrier["D"].q.start]
    path = follow(equations, q, [0.0, 0.02, 0.04], drive(start, 1.0), NONE)
    assert closest_approaches(equations, path, drive(start, 1.0), NONE) == ()


def test_an_instant_obeys_loops_and_drives():
    """J v = ṡ and J a = γ + s̈ at every instant."""
    equations, q = rocker_driven()
    start = q[equations.skeleton.carrier["D"].q.start]
    for instant in follow(equations, q, [0.0, 0.05, 0.1], drive(start, 1.5), NONE):
        J = equations.jacobian(instant.q, np.array([start + 1.5 * instant.t]), NONE)
        assert J @ instant.v == pytest.approx([0, 0, 1.5], abs=1e-12)
        gamma = equations.gamma(instant.q, instant.v, NONE)
        assert J @ instant.a == pytest.approx(gamma, abs=1e-10)
