"""Impacts: momentum, impulses in all joints and lost energy against balances and closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from laws.impact_mechanisms import CLOSED, GRAVITY, beads, floating, four_bar, lift
from texts import Texts
from zoo.plain import free_body

import multiloop as ml

METHODS = ("sslm", "slm", "system", "embedding", "virtual_work", "augmented")
STROKE = 1.705
"""Angle of the stop, which the rocker of the four-bar strikes on its return from 2.5 rad."""


def struck(method: str = "sslm", restitution: float = 0.5, **how: object) -> ml.Result:
    """The released four-bar with a stop of its rocker."""
    stop = ml.Stop("end", "D", low=STROKE, restitution=restitution)
    asked = {"start": {"A": 1.0}, "guess": CLOSED, "rates": {"A": 3.0}, "until": 1.3, "samples": 27}
    return ml.simulate(four_bar(stop), method=method, **asked, **how)


@pytest.mark.parametrize("method", METHODS[:-1])
def test_a_four_bar_on_a_stop_by_every_method(method: str) -> None:
    """The same impact, impulses and motion after it."""
    found, known = struck(method), struck()
    (impact,), (reference,) = found.impacts, known.impacts
    assert impact.time == pytest.approx(reference.time, abs=1e-11)
    assert impact.loss == pytest.approx(reference.loss, rel=1e-9)
    for joint in "ABCD":
        assert impact[joint].force == pytest.approx(reference[joint].force, rel=1e-9)
    assert found["A"].position == pytest.approx(known["A"].position, abs=1e-9)
    assert found.energy_drift < 1e-9


def test_momentum_changes_by_all_impulses() -> None:
    """ΔP and ΔL of all bodies are the impulses of the ground: at its two joints, and at the stop of the rocker."""
    (impact,) = struck().impacts
    change = momentum(impact.after, impact.time) - momentum(impact.before, impact.time)
    force = impact["A"].force - np.array([0.0, 0.0]) + impact["D"].force
    turning = impact["A"].moment + impact["D"].moment + 1.0 * impact["D"].force[1] + impact.impulses["end"]
    assert change == pytest.approx([turning, *force], abs=1e-12)


def momentum(rates: dict[str, np.ndarray], t: float) -> np.ndarray:
    """[L about the origin, P] of the four-bar at the impact, with given rates."""
    start = {"D": STROKE}
    state = ml.assemble(four_bar(), start, guess=struck().at(t).positions, rates={"A": float(rates["A"][0])})
    found = ml.forward(four_bar(), state)
    whole: np.ndarray = found.momentum[0]
    return whole


@pytest.mark.parametrize("e", [0.0, 0.3, 1.0])
def test_energy_is_lost_as_newton_has_it(e: float) -> None:
    """½ (1 − e²) ġ²/(J M⁻¹ Jᵀ) with M of the one degree of freedom, from the kinetic energy."""
    impact = struck(restitution=e).impacts[0]
    crank, rocker = float(impact.before["A"][0]), rate_of_rocker(impact)
    state = ml.assemble(
        four_bar(), {"D": STROKE}, guess=struck().at(impact.time).positions, rates={"A": crank}
    )
    kinetic = float(ml.forward(four_bar(), state).kinetic_energy[0])
    yields = (rocker / crank) ** 2 / (2 * kinetic / crank**2)
    assert impact.loss == pytest.approx((1 - e**2) * rocker**2 / 2 / yields, rel=1e-10, abs=1e-13)
    assert impact.impulses["end"] == pytest.approx(-(1 + e) * rocker / yields, rel=1e-10)


def rate_of_rocker(impact: ml.Impact) -> float:
    """Before the impact."""
    state = ml.assemble(
        four_bar(),
        {"D": STROKE},
        guess=struck().at(impact.time).positions,
        rates={"A": float(impact.before["A"][0])},
    )
    return float(state["D"].rate)


def test_a_bouncing_weight_comes_to_rest() -> None:
    """Times, impulses and losses of all bounces; then it rests with its weight on the floor."""
    e, height, mass = 0.7, 1.0, 2.0
    run = ml.simulate(
        lift(ml.Stop("floor", "guide", low=0.0, restitution=e)), until=3.0, start={"guide": height}
    )
    first, speed = np.sqrt(2 * height / GRAVITY), np.sqrt(2 * height * GRAVITY)
    for k, impact in enumerate(run.impacts[:10]):
        assert impact.time == pytest.approx(first * (1 + 2 * sum(e**j for j in range(1, k + 1))), abs=1e-12)
        before = speed * e**k
        assert impact.impulses["floor"] == pytest.approx(mass * (1 + e) * before, rel=1e-11)
        assert impact.loss == pytest.approx(mass * (1 - e**2) * before**2 / 2, rel=1e-11)
    assert run["floor"].effort[-1] == pytest.approx(mass * GRAVITY, rel=1e-12)
    assert run["floor"].touching[-1]
    assert not run["floor"].touching[0]
    assert abs(run["guide"].position[-1]) < 1e-12
    assert run.energy_drift < 1e-12
    assert run.energy_balance().lost["floor"] == pytest.approx(mass * GRAVITY * height, rel=1e-6)


def test_elastic_beads_hand_on_their_speed() -> None:
    """The first stops, the last moves on; momentum and energy are conserved."""
    run = ml.simulate(
        beads(1.0, 1.0, 1.0), until=3.0, start={"s0": 0, "s1": 1, "s2": 1}, rates={"s0": 1.0, "s1": -1.0}
    )
    speeds = [run["s0"].rate[-1], run["s1"].rate[-1], run["s2"].rate[-1]]
    assert speeds == pytest.approx([0.0, 0.0, 1.0], abs=1e-12)
    assert [impact.time for impact in run.impacts] == pytest.approx([1.0, 2.0], abs=1e-12)


def test_beads_that_stick_together_after_a_dead_impact() -> None:
    """1 kg at 3 m/s and 2 kg at rest move on at 1 m/s, and 3 J of 4.5 are lost."""
    run = ml.simulate(
        beads(1.0, 2.0, restitution=0.0), until=2.0, start={"s0": 0, "s1": 1}, rates={"s0": 3.0, "s1": -3.0}
    )
    assert run["s0"].rate[-1] == pytest.approx(1.0, abs=1e-12)
    assert run["s1"].rate[-1] == pytest.approx(0.0, abs=1e-12)
    assert run.impacts[0].loss == pytest.approx(3.0, rel=1e-12)


def test_a_rope_that_comes_taut() -> None:
    """Free fall, an impact along the rope alone, then a pendulum: the energy is that of theory, the length is never
    exceeded."""
    rope = ml.Rope("rope", "ground.origin", "rod.origin", length=1.0)
    run = ml.simulate(
        floating(rope, mass=2.0), until=2.0, start={"floats": (0.6, 0.0, 0.0)}, rates={"floats": (0, 0, 0)}
    )
    (impact,) = run.impacts
    fall = np.sqrt(2 * 0.8 / GRAVITY)
    assert impact.time == pytest.approx(fall, abs=1e-12)
    along = GRAVITY * fall * 0.8
    assert impact.impulses["rope"] == pytest.approx(2.0 * along, rel=1e-11)
    assert impact.loss == pytest.approx(2.0 * along**2 / 2, rel=1e-11)
    assert run["rope"].length.max() < 1.0 + 1e-11
    assert (run["rope"].force >= 0).all()
    after = run["rope"].taut
    theta = np.arctan2(run["floats"].position[after, 1], run["floats"].position[after, 0])
    speed = np.hypot(*run["floats"].rate[after, :2].T)
    tension = 2.0 * (speed**2 - GRAVITY * np.sin(theta))
    assert run["rope"].force[after] == pytest.approx(tension, rel=1e-8)


def test_many_designs_are_refused_by_name(texts: Texts) -> None:
    """Impacts are computed for one run at a time."""
    high = ml.Parameter("end", 0.0)
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(
            lift(ml.Stop("floor", "guide", low=high, restitution=0.5)),
            until=1.0,
            start={"guide": 1.0},
            parameters={"end": np.array([0.0, 0.1])},
        )
    texts.fault(caught.value, "S09", "'floor'")


def test_a_drive_that_runs_against_a_stop_is_refused(texts: Texts) -> None:
    """No impulse stops a prescribed motion."""
    stop = ml.Stop("floor", "guide", low=0.0, restitution=0.5)
    driven = lift(stop).replace(drives=[ml.Motion("guide", 0.5 - ml.time)])
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(driven, until=1.0)
    texts.fault(caught.value, "S17", "'floor'")


def test_a_start_beyond_a_stop_is_refused(texts: Texts) -> None:
    """The error states the penetration, and no impulse is applied."""
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(
            lift(ml.Stop("floor", "guide", low=0.0, restitution=0.5)), until=1.0, start={"guide": -0.1}
        )
    texts.fault(caught.value, "S17", "'floor'", "-0.1")


def test_a_ladder_leaves_the_wall_at_two_thirds_of_its_height() -> None:
    """Without friction, released from rest: its top leaves the wall after falling by a third of its height."""
    length, lean = 2.0, 1.2
    ladder = free_body(
        ml.Body("ladder", mass=5.0, inertia=5 * length**2 / 12, markers={"foot": (1, 0), "top": (-1, 0)}),
        "ladder",
        ground=ml.ground(wall=ml.marker((0, 0), angle=-np.pi / 2)),
        planar=True,
        gravity=(0, -GRAVITY),
        loads=[
            ml.Contact("floor", "ladder.foot", "ground.origin"),
            ml.Contact("wall", "ladder.top", "ground.wall"),
        ],
    )
    start = {"floats": (np.cos(lean), np.sin(lean), -lean)}
    leaves = np.arcsin(2 / 3 * np.sin(lean))
    event = {"leaves": ml.position("floats", 2) + leaves}
    run = ml.simulate(ladder, start=start, until=0.8, samples=1601, events=event)
    (t,) = run.events["leaves"]
    assert run["wall"].normal[run.time < t - 1e-9].min() > 0
    assert run["wall"].normal[run.time > t + 1e-9].max() == 0
    after = run.time > t + 1e-3
    assert run["floats"].rate[after, 0] == pytest.approx(run["floats"].rate[-1, 0], rel=1e-9)
    assert not run["wall"].touching[after].any()
    assert run.energy_drift < 1e-9


def test_a_box_lands_on_more_feet_than_it_needs(texts: Texts) -> None:
    """The motion is that of two feet; three share impulse and weight, and a warning states it."""
    feet = {"a": (-0.5, -0.3), "b": (0, -0.3), "c": (0.5, -0.3)}
    box = free_body(
        ml.Body("box", mass=3.0, inertia=0.4, markers=feet),
        "box",
        planar=True,
        gravity=(0, -GRAVITY),
        loads=[ml.Contact(f"on {foot}", f"box.{foot}", "ground.origin", restitution=0.3) for foot in feet],
    )
    run = ml.simulate(box, start={"floats": (0, 1.0, 0)}, until=2.0)
    fall = np.sqrt(2 * 0.7 / GRAVITY)
    assert sum(run.impacts[0].impulses.values()) == pytest.approx(3.0 * 1.3 * GRAVITY * fall, rel=1e-11)
    assert sum(run[f"on {foot}"].normal[-1] for foot in feet) == pytest.approx(3.0 * GRAVITY, rel=1e-12)
    assert run["floats"].position[-1] == pytest.approx([0, 0.3, 0], abs=1e-10)
    texts(run.rule, "'on a'", "'on b'", "'on c'")


def test_a_summary_states_the_largest_impact(texts: Texts) -> None:
    """The number of impacts, the load that was struck, and the largest impulse of a joint."""
    machine = four_bar(ml.Stop("wall", "D", low=1.72, restitution=0.4))
    run = ml.simulate(machine, start={"A": 1.2}, rates={"A": 4.0}, guess=CLOSED, until=3.0)
    said = " ".join(run.summary().split())
    hardest = max(run.impacts, key=lambda impact: impact.hardest[1])
    joint, size = hardest.hardest
    assert size == max(np.linalg.norm(one.force) for impact in run.impacts for one in impact.joints.values())
    assert f" {len(run.impacts)} " in said
    assert f"{hardest!r}" in said
    assert f" {size:.4g} N s " in said
    texts.lines(run.summary(), "'wall'")
    assert all(one.effort.shape == (1,) for one in hardest.joints.values()), "cut joints as well"
    assert joint in "ABCD"
