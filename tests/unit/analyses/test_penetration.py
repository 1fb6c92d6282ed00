"""A penetrated gap is an event, an error or a warning: never a result with status "ok"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import casadi as ca
import numpy as np
import pytest
from texts import Texts
from zoo.plain import free_body

import multiloop as ml
from multiloop.analyses.contact_events import event_driven_loop as switched_loop
from multiloop.analyses.simulation import compiled_run
from multiloop.dynamics.actions import Mode, SetValuedForce

TOUCHES, PACE = 1e-10, 5.0


def ball() -> ml.Mechanism:
    """A ball of 0.1 m above a floor."""
    return free_body(
        ml.Body("ball", mass=1.0, inertia=0.004),
        "ball",
        joint="F",
        planar=True,
        loads=[ml.Contact("floor", "ball.origin", "ground.origin", radius=0.1)],
    )


@pytest.mark.parametrize(
    ("gap", "rate", "lasts"),
    [
        (1e-3, -1.0, True),  # it approaches
        (-1e-3, -1.0, False),  # the gap is penetrated
        (-1e-12, 1.0, True),  # it rebounds
        (-1e-17, -1e-17, True),  # the contact has just opened: round-off
        (-1e-17, -TOUCHES * PACE, False),  # … and it closes again
    ],
)
def test_the_guard_of_an_open_gap_falls_where_it_is_passed(gap: float, rate: float, lasts: bool) -> None:
    """An event function that is negative from the beginning has no sign change: for 0 ± round-off it is made
    positive."""
    grip = SetValuedForce(ca.SX(rate), ca.SX(0), None, ca.SX(gap), rate_scale=PACE, gap_tolerance=TOUCHES)
    found = float(ca.evalf(grip.guard(ca.SX(float(Mode.FORWARD)), ca.SX(0), ca.SX(-1.0), ca.SX(1e-9))))
    assert (found > 0) == lasts


def test_modes_in_which_a_shut_gap_closes_are_refused(monkeypatch: pytest.MonkeyPatch, texts: Texts) -> None:
    """A ball at rest on the floor with an opened contact: its gap would close with g."""
    choose = switched_loop.choose_modes

    def opened(grips: Any, *given: Any) -> Any:
        found = choose(grips, *given)
        return replace(found, y=grips.with_modes(found.y, np.array([float(Mode.FORWARD)])))

    resting = {"start": {"F": (0.0, 0.1, 0.0)}, "until": 0.1, "samples": 11}
    assert ml.simulate(ball(), **resting).status == "ok"
    monkeypatch.setattr(switched_loop, "choose_modes", opened)
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(ball(), **resting)
    texts.fault(caught.value, "S17", "'floor'", "0 m/s", "9.81 m/s²")


@pytest.mark.parametrize(("depth", "told"), [(1e-3, True), (2e-9, True), (1e-12, False)])
def test_a_result_with_a_gap_that_is_passed_has_a_warning(
    monkeypatch: pytest.MonkeyPatch, depth: float, told: bool, texts: Texts
) -> None:
    """States below the floor from 0.05 s on, whatever their cause."""
    recorded = compiled_run.build_result

    def lowered(run: Any, times: np.ndarray, states: np.ndarray, *given: Any, **named: Any) -> ml.Result:
        below = states.copy()
        below[times > 0.045, run.layout["q"].start + 1] -= depth
        return recorded(run, times, below, *given, **named)

    monkeypatch.setattr(compiled_run, "build_result", lowered)
    run = ml.simulate(ball(), start={"F": (0.0, 0.1, 0.0)}, until=0.1, samples=11)
    if told:
        texts.warnings(run, ("W66", "floor", "0.0", f"{depth:g} m"))
    else:
        assert run.status == "ok"
