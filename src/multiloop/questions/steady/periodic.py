"""`periodic`: the periodic motion of a mechanism, computed by the shooting method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi
from typing import Any

import numpy as np

from multiloop.kernels import REMEDY, UnbuiltError
from multiloop.model import Mechanism, SolveError, suggestion
from multiloop.model.asking import verb
from multiloop.model.brief import brief
from multiloop.model.expressions.expression import finite_number
from multiloop.questions.answers.state import State
from multiloop.questions.parameters import one_design, refused
from multiloop.questions.refusal import refusal
from multiloop.questions.running.remembered_runs import remembered_model, remembered_run
from multiloop.questions.signals.efforts import effort_place
from multiloop.questions.simulate import simulate
from multiloop.questions.steady.coordinates import rate_names, with_named_coordinates
from multiloop.questions.steady.equilibrium_answer import state_at
from multiloop.questions.steady.flow import Flow
from multiloop.questions.steady.forcing import period_of_forcing
from multiloop.questions.steady.linearise import standing_at
from multiloop.questions.steady.periodic_answer import Periodic
from multiloop.questions.steady.shooting import Orbit, Shooting
from multiloop.questions.steady.standing import Standing

CLOSED = 1e-8
"""Largest permitted difference between the states at both ends of a period."""


@verb
def periodic(
    mechanism: Mechanism,
    *,
    period: float | None = None,
    turn: str | None = None,
    turns: int = 1,
    mean_speed: float | None = None,
    adjust: str | None = None,
    start: Mapping[str, Any] | State | None = None,
    rates: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    outputs: int | Sequence[float] = 501,
    rtol: float = 1e-12,
    cuts: Sequence[str] | None = None,
) -> Periodic:
    """Periodic motion near the one that starts at `start` with `rates`, computed by the shooting method.

    If drives, loads or efforts depend on time, the period is theirs, or a given multiple of it. If `turn` names a joint
    that rotates freely, such as the shaft of an engine, the motion is periodic after `turns` revolutions of it and the
    period is computed; with `mean_speed` (rad/s) the period is prescribed, and `adjust` may name a parameter, such as
    a load, that is adjusted to it. Otherwise `period` is an initial guess of the period of a free oscillation.
    """
    mechanism = one_design(mechanism, parameters)
    _require_numbers(mechanism, period, turn, turns, mean_speed, rtol)
    keep = [turn.partition(".")[0]] if turn else []
    base = _base(mechanism, start, rates, guess, efforts, cuts, keep, turn)
    given, free = _period(mechanism, base, period, turn, turns, mean_speed, efforts)
    place = _adjusted(mechanism, base, adjust, turn, mean_speed)
    shooting = _shooting(base, turn, turns, free, place, efforts, rtol, given)
    try:
        first = shooting.shot(np.zeros(sum(shooting.flow.sizes)), given, base.place.p)
    except UnbuiltError as error:
        what = f"shooting needs machine code, and {error}."
        raise refusal(mechanism, "S08", "periodic", what, REMEDY) from None
    found = None if first is None else shooting.closed(first)
    if found is None or found.miss > CLOSED:
        raise _not_closed(mechanism, shooting, found, mean_speed is not None and place is None)
    return _answer(mechanism, shooting, found, turn or "", turns, adjust, efforts, outputs, cuts)


def _require_numbers(
    mechanism: Mechanism, period: Any, turn: Any, turns: Any, mean_speed: Any, rtol: Any
) -> None:
    """Raise an error for arguments of invalid type or value."""
    if turn is not None and not isinstance(turn, str):
        raise refusal(mechanism, "E06", "turn", f"is {brief(turn)}.", 'Name a joint: turn="A".')
    if not isinstance(turns, int) or isinstance(turns, bool) or turns < 1:
        raise refusal(mechanism, "E06", "turns", f"is {brief(turns)}.", "Give a whole number of turns.")
    for name, value in (("period", period), ("mean_speed", mean_speed)):
        if value is not None and not (finite_number(value) or 0.0) > 0:
            raise refusal(mechanism, "E06", name, f"is {brief(value)}.", "Give a positive number.")
    if not 0 < (finite_number(rtol) or 0.0) < 1:
        raise refusal(mechanism, "E06", "rtol", f"is {brief(rtol)}.", "Give a relative tolerance, as 1e-12.")
    if mean_speed is not None and turn is None:
        raise refusal(
            mechanism, "E06", "mean_speed", "is given, but not of which joint.", 'Name it: turn="A".'
        )


def _base(
    mechanism: Mechanism,
    start: Any,
    rates: Any,
    guess: Any,
    efforts: Any,
    cuts: Any,
    keep: Sequence[str],
    turn: str | None,
) -> Standing:
    """Initial state of the first simulation in joint coordinates, which include that of the rotating joint."""
    at = standing_at(
        mechanism, start or {}, efforts, False, keep, guess=guess, rates=rates, t=None, cuts=cuts
    )
    eq = at.balance.equations
    preferred = [effort_place(eq, turn)] if turn else []
    base = with_named_coordinates(at, preferred)
    named = [k for k, row in enumerate(base.B_q) if preferred and row[preferred[0]]]
    if turn and not named:
        remedy = "Name a joint that no drive prescribes."
        raise refusal(mechanism, "E06", f"turn '{turn}'", "its angle is not free.", remedy)
    return base


def _period(
    mechanism: Mechanism,
    base: Standing,
    period: Any,
    turn: str | None,
    turns: Any,
    mean_speed: Any,
    efforts: Any,
) -> tuple[float, bool]:
    """The period or an initial guess of it, and whether it is unknown."""
    if turn is not None:
        if mean_speed is not None:
            return 2 * pi * turns / float(mean_speed), False
        speed = abs(float(base.v[effort_place(base.balance.equations, turn)]))
        if period is None and not speed:
            what, remedy = (
                "it stands still in the first guess.",
                f'Give its speed: rates={{"{turn}": 100.0}}.',
            )
            raise refusal(mechanism, "E06", f"turn '{turn}'", what, remedy)
        return float(period) if period is not None else 2 * pi * turns / speed, True
    if base.balance.timed:
        return period_of_forcing(base, efforts or {}, period), False
    if period is None:
        what = "nothing sets a period: no drive or load follows time, and no joint is said to turn."
        raise refusal(mechanism, "E06", "period", what, 'Give a first guess, period=..., or turn="A".')
    return float(period), True


def _adjusted(
    mechanism: Mechanism, base: Standing, adjust: Any, turn: str | None, mean_speed: Any
) -> int | None:
    """Index of the parameter that is adjusted, or None."""
    if adjust is None:
        return None
    if adjust not in mechanism.parameters:
        remedy = suggestion(str(adjust), mechanism.parameters)
        raise refused(mechanism, f"parameter '{adjust}'", "does not exist.", remedy)
    if mean_speed is None:
        what = "there is nothing to adjust it to."
        raise refusal(mechanism, "E06", f"adjust '{adjust}'", what, "Prescribe mean_speed=... too.")
    return base.balance.equations.skeleton.names.index(adjust)


def _shooting(
    base: Standing,
    turn: str | None,
    turns: int,
    free: bool,
    adjusted: int | None,
    efforts: Any,
    rtol: float,
    period: float,
) -> Shooting:
    """The shooting problem in numbers."""
    balance = base.balance
    model = remembered_model(balance.plan, "sslm", tuple(efforts or ()))
    flow = Flow(remembered_run(model, efforts, {}), base, rtol)
    in_q = [int(np.argmax(row)) for row in base.B_q]
    skeleton, winds = balance.equations.skeleton, list[bool]()
    for k in in_q:
        link = next(one for one in skeleton.links if one.rates.start <= k < one.rates.stop)
        turning = link.joint.turning(skeleton.planar)
        offset = k - link.v.start
        winds.append(offset < len(turning) and bool(turning[offset]))
    place, way = None, 0.0
    if turn is not None:
        at = effort_place(balance.equations, turn)
        place, way = in_q.index(at), 2 * pi * turns * (-1.0 if base.v[at] < 0 else 1.0)
    size = max(float(np.abs(base.v / base.scale).max(initial=0.0)), 2 * pi / period)
    return Shooting(flow, place, way, free, adjusted, size, np.array(winds, bool))


def _answer(
    mechanism: Mechanism,
    shooting: Shooting,
    found: Orbit,
    turn: str,
    turns: int,
    adjust: str | None,
    efforts: Any,
    outputs: Any,
    cuts: Any,
) -> Periodic:
    """The periodic orbit as a result."""
    values = {adjust: float(found.p[shooting.adjusted])} if adjust and shooting.adjusted is not None else None
    own = mechanism.with_parameters(values) if values else mechanism
    state = state_at(shooting.standing(found))
    until = state.time + found.period
    result = simulate(
        own, until=until, start=state, efforts=efforts, outputs=outputs, rtol=shooting.flow.rtol, cuts=cuts
    )
    monodromy = shooting.monodromy(found)
    if monodromy is None:
        what = "one was found, but not whether it is stable: beside it, no run gets through a period."
        remedy = "Damp what vibrates fast, or take fewer shapes of links that bend."
        raise refusal(mechanism, "E06", "periodic motion", what, remedy)
    multipliers = np.linalg.eigvals(monodromy) if found.z.size else np.zeros(0)
    multipliers = multipliers[np.argsort(-np.abs(multipliers))]
    if shooting.turning is not None or shooting.free:  # one multiplier belongs to a shift in time
        multipliers = np.delete(multipliers, int(np.argmin(np.abs(multipliers - 1))))
    return Periodic(own, state, result, found.period, multipliers, found.miss, turn, turns, values)


def _not_closed(
    mechanism: Mechanism, shooting: Shooting, found: Orbit | None, conserving: bool
) -> SolveError:
    """Error if no periodic motion was found."""
    remedy = "Begin nearer to it: start and rates as they will be, or those of a run that has settled."
    if found is None:
        what = "no run gets through the first period."
        return refusal(mechanism, "E06", "periodic motion", what, remedy)
    base = shooting.flow.base
    names = [name for name, _ in rate_names(base.balance.equations)]
    called = [
        *(names[int(np.argmax(row))] for row in base.B_q),
        *(f"the rate of {names[int(np.argmax(row))]}" for row in base.B),
        *(base.balance.equations.skeleton.states[k] for k in shooting.flow.fed),
    ]
    worst = int(np.argmax(np.abs(found.missed)))
    what = (
        f"none was found: at best '{called[worst]}' misses its beginning by {abs(found.missed[worst]):.3g}."
    )
    if conserving:
        remedy = "What drives and what brakes must do the same work in a period: name a parameter to change, adjust=..."
    return refusal(mechanism, "E06", "periodic motion", what, remedy)
