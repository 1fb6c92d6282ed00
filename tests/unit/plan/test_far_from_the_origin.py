"""Is the plan the same far from the origin, and for mechanisms far from each other?"""

import pytest

import multiloop as ml


def four_bar(name, x, size=1.0):
    """Bodies and joints of a four-bar whose first ground point stands at x."""
    bodies = [ml.rod(f"{name} crank", length=0.3 * size, mass=1.0)]
    bodies += [ml.rod(f"{name} coupler", length=0.9 * size, mass=2.0)]
    bodies += [ml.rod(f"{name} rocker", length=0.8 * size, mass=1.5)]
    joints = [
        ml.Revolute(f"{name}A", f"ground.{name}A", f"{name} crank.a"),
        ml.Revolute(f"{name}B", f"{name} crank.b", f"{name} coupler.a"),
        ml.Revolute(f"{name}C", f"{name} coupler.b", f"{name} rocker.b"),
        ml.Revolute(f"{name}D", f"ground.{name}D", f"{name} rocker.a"),
    ]
    return {f"{name}A": (x, 0.0), f"{name}D": (x + size, 0.0)}, bodies, joints, {f"{name}B": -0.8}


def on_one_ground(*four_bars):
    points, bodies, joints, guess = {}, [], [], {}
    for part in four_bars:
        points, bodies, joints, guess = points | part[0], bodies + part[1], joints + part[2], guess | part[3]
    return ml.Mechanism(
        "four-bars", planar=True, bodies=[ml.ground(**points), *bodies], joints=joints, guess=guess
    )


@pytest.mark.parametrize("x", [3e4, 1e5])
def test_a_four_bar_far_away_has_one_freedom_and_falls_as_it_does_at_home(x):
    plan = ml.analyse(on_one_ground(four_bar("", x)))
    assert (plan.mobility, plan.redundant) == (1, 0)
    assert plan.rank.gap == float("inf")
    home, away = (
        ml.forward(on_one_ground(four_bar("", at)), {"A": 1.0}, rates={"A": 2.0}) for at in (0.0, x)
    )
    assert away["A"].acceleration == pytest.approx(home["A"].acceleration, rel=1e-9)
    assert away["C"].force == pytest.approx(home["C"].force, rel=1e-9)


def test_two_small_four_bars_far_apart_are_planned_as_if_side_by_side():
    plan = ml.analyse(on_one_ground(four_bar("n", 0.0, 0.1), four_bar("f", 2e3, 0.1)))
    assert (plan.mobility, plan.redundant) == (2, 0)
    assert all(unique for components in plan.unique.values() for _, unique in components)
