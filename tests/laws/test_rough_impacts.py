"""Impacts with friction, and rebounds that other constraints prevent: closed forms, laws, and energy losses."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from laws.impact_mechanisms import GRAVITY, floating
from zoo.plain import free_body, pinned_body

import multiloop as ml
from multiloop.analyses.contact_events.impact_problem import ImpactProblem

HEIGHT, RADIUS = 1.0, 0.1


def ball(mu: float, e: float, planar: bool = True) -> ml.Mechanism:
    """A solid ball above a rough floor."""
    inertia = 0.4 * RADIUS**2
    return free_body(
        ml.Body("ball", mass=1.0, inertia=inertia if planar else (inertia,) * 3),
        "ball",
        planar=planar,
        gravity=(0, -GRAVITY) if planar else (0, 0, -GRAVITY),
        loads=[
            ml.Contact("floor", "ball.origin", "ground.origin", radius=RADIUS, coefficient=mu, restitution=e)
        ],
    )


@pytest.mark.parametrize("e", [0.0, 0.8, 1.0])
@pytest.mark.parametrize("mu", [0.1, 0.8])
@pytest.mark.parametrize("pace", [0.005, 1.0, 8.0])
def test_a_ball_that_strikes_slides_on_or_rolls(pace: float, mu: float, e: float) -> None:
    """Friction reduces its speed by μ (1 + e) v, but by 2/7 of it at most: then it rolls, and its direction never
    reverses."""
    run = ml.simulate(
        ball(mu, e), start={"floats": (0, HEIGHT, 0)}, rates={"floats": (pace, 0, 0)}, until=0.45
    )
    impact, fall = run.impacts[0], sqrt(2 * GRAVITY * (HEIGHT - RADIUS))
    taken = min(mu * (1 + e) * fall, 2 / 7 * pace)
    x, y, turn = impact.after["floats"]
    assert (x, y) == pytest.approx((pace - taken, e * fall), rel=1e-9, abs=1e-12)
    assert turn == pytest.approx(-taken / (0.4 * RADIUS), rel=1e-9)
    assert impact.friction["floor"] == pytest.approx([-taken, 0.0], rel=1e-9)
    before, after = (pace**2 + fall**2) / 2, (x**2 + y**2 + 0.4 * RADIUS**2 * turn**2) / 2
    assert impact.loss == pytest.approx(before - after, rel=1e-9, abs=1e-12)


def test_a_ball_in_space_slides_as_that_in_the_plane() -> None:
    """Thrown obliquely: the result along its direction of motion is the same."""
    way, pace = np.array([0.6, -0.8]), 3.0
    thrown = {"floats": (*(pace * way), 0, 0, 0, 0)}
    run = ml.simulate(
        ball(0.1, 0.5, planar=False), start={"floats": (0, 0, HEIGHT, 1, 0, 0, 0)}, rates=thrown, until=0.45
    )
    taken = min(0.15 * sqrt(2 * GRAVITY * (HEIGHT - RADIUS)), 2 / 7 * pace)
    assert run.impacts[0].after["floats"][:2] == pytest.approx((pace - taken) * way, rel=1e-9)
    assert run.impacts[0].friction["floor"][:2] == pytest.approx(-taken * way, rel=1e-9)


@pytest.mark.parametrize("e", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("mu", [0.2, 0.9])
@pytest.mark.parametrize("lean", [-1.2, -0.4, 0.7, 1.1])
def test_an_impact_beside_the_mass_centre_never_gains_energy(lean: float, mu: float, e: float) -> None:
    """A rod that falls on its end: by Newton's restitution and friction alone energy would increase, as Kane has
    shown."""
    rod = floating(ml.Contact("floor", "rod.tip", "ground.origin", coefficient=mu, restitution=e))
    above = 0.3 + max(0.0, 0.5 * np.sin(lean))
    run = ml.simulate(
        rod, start={"floats": (0, above, lean)}, rates={"floats": (0.3, -1.0, 2.0)}, until=0.6, samples=601
    )
    assert run.impacts
    for impact in run.impacts:
        assert impact.loss >= -1e-12
        along, across = impact.impulses["floor"], impact.friction.get("floor", np.zeros(2))
        assert np.linalg.norm(across) <= mu * along * (1 + 1e-9)
    assert run["floor"].gap.min() > -1e-9


def test_impulses_of_friction_go_through_a_closed_loop() -> None:
    """A coupler strikes the floor: the momentum of every link changes by the impulses of its joints and of the
    floor."""
    plain = ml.examples.four_bar().without_drives()
    ground = ml.ground(**dict(plain.body("ground").markers), floor=(0, 0.3))
    floor = ml.Contact("floor", "coupler.com", "ground.floor", coefficient=0.3, restitution=0.5)
    machine = plain.replace(bodies=[ground, *plain.moving], loads=[floor])
    how = {"start": {"A": 1.2}, "rates": {"A": 4.0}, "rtol": 1e-12}
    impact = ml.simulate(machine, until=1.0, **how).impacts[0]
    beside = impact.time * (1 + 1e-9 * np.array([-1, 1]))
    run = ml.simulate(machine, until=beside[1], samples=np.array([0.0, *beside]), **how)
    struck = np.array([0.0, impact.impulses["floor"]]) + impact.friction["floor"]
    hands = {"crank": ("A", "B"), "coupler": ("B", "C"), "rocker": ("D", None)}
    for name, (first, second) in hands.items():
        mass = machine.body(name).mass
        change = mass * np.diff(run.velocity(f"{name}.com")[1:], axis=0)[0]
        passed = impact[first].force - (0.0 if second is None else impact[second].force)
        passed = (
            passed + (struck if name == "coupler" else 0.0) + (impact["C"].force if name == "rocker" else 0.0)
        )
        assert change == pytest.approx(passed, abs=1e-6), name
    assert impact.friction["floor"][0] != 0.0


def test_a_freewheel_prevents_the_rebound() -> None:
    """A wheel on a ratchet strikes an elastic stop: the ratchet prevents its return."""
    wheel = pinned_body(
        ml.Body("wheel", mass=1.0, inertia=0.5),
        "ratchet",
        joint="axle",
        gravity=(0, 0),
        loads=[ml.Stop("end", "axle", high=1.0, restitution=0.8), ml.Freewheel("ratchet", "axle")],
    )
    run = ml.simulate(wheel, start={"axle": 0.0}, rates={"axle": 2.0}, until=1.0)
    (impact,) = run.impacts
    assert impact.after["axle"][0] == pytest.approx(0.0, abs=1e-7)
    assert impact.loss == pytest.approx(1.0, rel=1e-6)
    assert run["axle"].position[-1] == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("seed", range(40))
def test_random_strikes_obey_the_laws(seed: int) -> None:
    """Contacts of any number and coupling: Signorini, Coulomb, and no energy gain; inelastic impacts always have a
    solution."""
    rng = np.random.default_rng(seed)
    count, ways = int(rng.integers(1, 4)), int(rng.integers(1, 3))
    J, half = rng.normal(size=(count * (1 + ways), 6)), rng.normal(size=(6, 6))
    G, u = J @ np.linalg.solve(half @ half.T + 0.1 * np.eye(6), J.T), J @ rng.normal(size=6)
    across = [count + ways * k + np.arange(ways) for k in range(count)]
    mu = rng.uniform(0.05, 1.5, count)
    e = np.where(u[:count] < 0, rng.uniform(0, 1, count), 0.0)
    strike = ImpactProblem(G, u, across, mu)
    for restitution in (0.0 * e, e):
        found = strike.impulses(restitution)
        assert found is not None
        after, size = u + G @ found, max(1.0, abs(found).max())
        assert strike.loss(found) > -1e-9 * size
        assert found[:count].min() > -1e-9 * size
        assert after[:count].min() > -1e-8
        for k, places in enumerate(across):
            slid = np.linalg.norm(after[places])
            assert np.linalg.norm(found[places]) <= mu[k] * found[k] + 1e-9 * size
            if slid > 1e-7:
                opposed = found[places] + mu[k] * found[k] * after[places] / slid
                assert np.linalg.norm(opposed) < 1e-6 * size
