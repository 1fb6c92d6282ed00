"""The function `periodic`: the periodic motion of a mechanism, computed by the shooting method.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import pi
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.equilibrium import given_steady_state
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results import Result, State, with_warnings
from multiloop.analyses.run_models import cached_model, cached_run
from multiloop.analyses.signals import effort_place
from multiloop.analyses.simulate import simulate
from multiloop.analyses.steady_states import (
    SLOPE_TOLERANCE,
    FlowMap,
    Orbit,
    ShootingProblem,
    SteadyState,
    period_of_forcing,
    rate_names,
    require_repeating_forces,
    state_at,
    with_named_coordinates,
)
from multiloop.kernels import COMPILER_REMEDY, UnbuiltError
from multiloop.kinematics.assembly import StateValues
from multiloop.model import (
    Mechanism,
    ResultWarning,
    SolveError,
    SuggestsAttributes,
    UnknownNameError,
    accept_earlier_arguments,
    implemented_in,
    parameter_error,
    public_function,
    short_repr,
    single_design,
    suggestion,
)
from multiloop.model.expressions.expression import finite_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MISMATCH_TOLERANCE = 1e-8
"""Largest permitted difference between the states at the beginning and the end of a period: coordinates in radians or
characteristic lengths, rates as fractions of the largest rate."""


@accept_earlier_arguments(outputs="samples")
@public_function
def periodic(
    mechanism: Mechanism,
    *,
    period: float | None = None,
    turn: str | None = None,
    turns: int = 1,
    mean_speed: float | None = None,
    adjust: str | None = None,
    start: StateValues | None = None,
    rates: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    efforts: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    samples: int | Sequence[float] = 501,
    rtol: float = 1e-12,
    cuts: Sequence[str] | None = None,
) -> Periodic:
    """Periodic motion near the one that starts at `start` with `rates`, computed by the shooting method.

    If drives, loads or efforts depend on time, the motion has their common period, or the multiple of it given as
    `period`. If `turn` names a joint that rotates freely, such as the shaft of an engine, the motion is periodic after
    `turns` revolutions of this joint and the period is computed; with `mean_speed` (rad/s) the period is prescribed,
    and `adjust` may name a parameter, such as a load, whose value is computed so that the mean speed is reached.
    Otherwise `period` is an initial guess of the period of a free oscillation.

    `start`, where the search begins, is a mapping from joints to coordinates, a State or an Equilibrium; the time and
    the rates are those of the State, unless they are given. `parameters` gives other parameter values by name.
    `samples` is the number of recorded instants in the period, or their times.
    """
    mechanism = single_design(mechanism, parameters)
    require_valid_arguments(mechanism, period, turn, turns, mean_speed, rtol)
    keep = [turn.partition(".")[0]] if turn else []
    base = _initial_state(mechanism, start, rates, guess, efforts, cuts, keep, turn)
    given, free = period_or_guess(mechanism, base, period, turn, turns, mean_speed, efforts)
    place = adjusted_parameter(mechanism, base, adjust, turn, mean_speed)
    shooting = shooting_problem(base, turn, turns, free, place, efforts, rtol, given)
    try:
        first = shooting.orbit(np.zeros(sum(shooting.flow.sizes)), given, base.configuration.p)
    except UnbuiltError as error:
        what = f"the shooting method requires machine code, and {error}."
        raise analysis_error(mechanism, "S08", "periodic", what, COMPILER_REMEDY) from None
    found = None if first is None else shooting.solve(first)
    if found is None or found.largest_mismatch > MISMATCH_TOLERANCE:
        raise not_periodic_error(mechanism, shooting, found, mean_speed is not None and place is None)
    require_repeating_forces(shooting, found, turn, turns)
    return _periodic_result(mechanism, shooting, found, turn or "", turns, adjust, efforts, samples, cuts)


def require_valid_arguments(
    mechanism: Mechanism, period: Any, turn: Any, turns: Any, mean_speed: Any, rtol: Any
) -> None:
    """Raise an error for arguments of invalid type or value."""
    if turn is not None and not isinstance(turn, str):
        raise analysis_error(mechanism, "E06", "turn", f"is {short_repr(turn)}.", 'Name a joint: turn="A".')
    if not isinstance(turns, int) or isinstance(turns, bool) or turns < 1:
        raise analysis_error(
            mechanism, "E06", "turns", f"is {short_repr(turns)}.", "Give a whole number of turns."
        )
    for name, value in (("period", period), ("mean_speed", mean_speed)):
        if value is not None and not (finite_number(value) or 0.0) > 0:
            raise analysis_error(
                mechanism, "E06", name, f"is {short_repr(value)}.", "Give a positive number."
            )
    if not 0 < (finite_number(rtol) or 0.0) < 1:
        raise analysis_error(
            mechanism, "E06", "rtol", f"is {short_repr(rtol)}.", "Give a relative tolerance, as 1e-12."
        )
    if mean_speed is not None and turn is None:
        raise analysis_error(
            mechanism,
            "E06",
            "mean_speed",
            "is given without the joint that has this speed.",
            'Name the joint: turn="A".',
        )


def _initial_state(
    mechanism: Mechanism,
    start: Any,
    rates: Any,
    guess: Any,
    efforts: Any,
    cuts: Any,
    keep: Sequence[str],
    turn: str | None,
) -> SteadyState:
    """The initial state of the search, in independent joint coordinates that include that of the rotating joint `turn`.

    `keep` names joints that must belong to the spanning tree.
    """
    at = given_steady_state(
        mechanism, start or {}, efforts, False, keep, guess=guess, rates=rates, t=None, cuts=cuts
    )
    eq = at.balance.equations
    turning = [effort_place(eq, turn)] if turn else []
    base = with_named_coordinates(at, required=turning)
    if turn and not base.B_q[:, turning].any():
        remedy = "Name a joint that no drive prescribes."
        raise analysis_error(
            mechanism, "E06", f"turn '{turn}'", "a drive prescribes the angle of this joint.", remedy
        )
    return base


def period_or_guess(
    mechanism: Mechanism,
    base: SteadyState,
    period: Any,
    turn: str | None,
    turns: Any,
    mean_speed: Any,
    efforts: Any,
) -> tuple[float, bool]:
    """The period or an initial guess of it, and whether the period is unknown."""
    if turn is not None:
        if mean_speed is not None:
            return 2 * pi * turns / float(mean_speed), False
        speed = abs(float(base.v[effort_place(base.balance.equations, turn)]))
        if period is None and not speed:
            what, remedy = (
                "the speed of this joint is zero in the initial guess.",
                f'Give its speed: rates={{"{turn}": 100.0}}.',
            )
            raise analysis_error(mechanism, "E06", f"turn '{turn}'", what, remedy)
        return float(period) if period is not None else 2 * pi * turns / speed, True
    if base.balance.depends_on_time:
        return period_of_forcing(base, efforts or {}, period), False
    if period is None:
        what = "no period is defined: no drive or load depends on time, and no turning joint is named."
        raise analysis_error(
            mechanism,
            "E06",
            "period",
            what,
            'Give an initial guess, period=..., or name a joint, turn="A".',
        )
    return float(period), True


def adjusted_parameter(
    mechanism: Mechanism, base: SteadyState, adjust: Any, turn: str | None, mean_speed: Any
) -> int | None:
    """Index, among all parameters, of the parameter `adjust`, whose value is computed such that the mean speed is
    reached; None if `adjust` is None."""
    if adjust is None:
        return None
    if adjust not in mechanism.parameters:
        remedy = suggestion(str(adjust), mechanism.parameters)
        raise parameter_error(mechanism, f"parameter '{adjust}'", "does not exist.", remedy)
    if mean_speed is None:
        what = "there is no condition that determines the value of this parameter."
        raise analysis_error(mechanism, "E06", f"adjust '{adjust}'", what, "Prescribe mean_speed=... too.")
    return base.balance.equations.skeleton.parameter_names.index(adjust)


def shooting_problem(
    base: SteadyState,
    turn: str | None,
    turns: int,
    free: bool,
    adjusted: int | None,
    efforts: Any,
    rtol: float,
    period: float,
) -> ShootingProblem:
    """The shooting problem for a periodic motion near the initial state `base`.

    `turn` names the rotating joint, if any, that makes `turns` revolutions in a period. `free` states whether the
    `period` is only an initial guess, `adjusted` is the index of the unknown parameter (None if there is none).
    """
    balance = base.balance
    model = cached_model(balance.plan, "sslm", tuple(efforts or ()))
    flow = FlowMap(cached_run(model, efforts, {}), base, rtol)
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
    return ShootingProblem(flow, place, way, free, adjusted, size, np.array(winds, bool))


def _periodic_result(
    mechanism: Mechanism,
    shooting: ShootingProblem,
    found: Orbit,
    turn: str,
    turns: int,
    adjust: str | None,
    efforts: Any,
    samples: Any,
    cuts: Any,
) -> Periodic:
    """The solved orbit as a Periodic, with its Floquet multipliers and one period of motion."""
    values = {adjust: float(found.p[shooting.adjusted])} if adjust and shooting.adjusted is not None else None
    own = mechanism.with_parameters(values) if values else mechanism
    state = state_at(shooting.steady_state(found))
    until = state.time + found.period
    result = simulate(
        own, until=until, start=state, efforts=efforts, samples=samples, rtol=shooting.flow.rtol, cuts=cuts
    )
    monodromy = shooting.monodromy(found)
    if monodromy is None:
        what = (
            "a motion was found, but its stability is unknown: no integration that starts from a nearby state "
            "completes a period."
        )
        remedy = "Add damping to fast vibrations, or use fewer modes of flexible links."
        raise analysis_error(mechanism, "E06", "periodic motion", what, remedy)
    matrix, uncertainty = monodromy
    multipliers = np.linalg.eigvals(matrix) if found.z.size else np.zeros(0)
    multipliers = multipliers[np.argsort(-np.abs(multipliers))]
    if shooting.turning is not None or shooting.period_unknown:  # omit the multiplier 1 of a shift in time
        multipliers = np.delete(multipliers, int(np.argmin(np.abs(multipliers - 1))))
    if uncertainty > SLOPE_TOLERANCE:
        result = with_warnings(result, [uncertain_multipliers_warning(own, uncertainty)])
    return Periodic(
        own, state, result, found.period, multipliers, found.largest_mismatch, turn, turns, values
    )


def uncertain_multipliers_warning(mechanism: Mechanism, uncertainty: float) -> ResultWarning:
    """The warning that finite differences for the monodromy matrix have a relative error of up to `uncertainty`."""
    text = (
        "the Floquet multipliers are uncertain: finite differences of the state after one period deviate from each "
        f"other by {100 * uncertainty:.2g} %, for example because a force is not differentiable near this motion. "
        "Verify the stability by a simulation that starts close to the motion"
    )
    return ResultWarning("W92", mechanism.name, text, float(uncertainty), "1")


def not_periodic_error(
    mechanism: Mechanism, shooting: ShootingProblem, found: Orbit | None, over_determined: bool
) -> SolveError:
    """The error for a search that found no periodic motion, with the largest mismatch.

    `over_determined` states that the mean speed is prescribed without a parameter that is adjusted to it.
    """
    remedy = (
        "Start nearer to a periodic motion: give start and rates close to the periodic motion, or those of "
        "a simulation that has settled."
    )
    if found is None:
        what = "the integration does not complete the first period."
        return analysis_error(mechanism, "E06", "periodic motion", what, remedy)
    base = shooting.flow.base
    names = [name for name, _ in rate_names(base.balance.equations)]
    called = [
        *(names[int(np.argmax(row))] for row in base.B_q),
        *(f"the rate of {names[int(np.argmax(row))]}" for row in base.B),
        *(base.balance.equations.skeleton.states[k] for k in shooting.flow.relevant_states),
    ]
    worst = int(np.argmax(np.abs(found.mismatch)))
    what = (
        f"none was found: in the best approximation '{called[worst]}' differs by "
        f"{abs(found.mismatch[worst]):.3g} after one period."
    )
    if over_determined:
        remedy = (
            "Driving and braking forces must do the same work in a period: name a parameter to "
            "adjust, adjust=..."
        )
    return analysis_error(mechanism, "E06", "periodic motion", what, remedy)


GROWTH_TOLERANCE = 1e-5
"""A Floquet multiplier indicates growth of deviations if its magnitude exceeds 1 by more than this."""


@dataclass(frozen=True, eq=False)
class Periodic(SuggestsAttributes):
    """A periodic motion: `state` is its initial state, `result` one period of it, `period` its length in seconds.

    `multipliers` are the Floquet multipliers, the factors by which small deviations grow in one period. If the motion
    may be shifted in time, the multiplier 1, which belongs to this shift, is omitted. `stable` is True if no multiplier
    exceeds 1 in magnitude. `adjusted` maps the name of the adjusted parameter to its value. `miss` is the largest
    difference between the states at the beginning and the end: coordinates in radians or characteristic lengths, rates
    as fractions of the largest rate.
    """

    mechanism: Mechanism
    state: State
    result: Result
    period: float
    multipliers: np.ndarray
    miss: float
    turn: str = ""
    turns: int = 1
    adjusted: dict[str, float] | None = None

    @implemented_in("multiloop.view", "draw_equilibrium")
    def draw(
        self,
        *,
        traces: Sequence[Any] | Mapping[str, Any] = (),
        path: str | Path | None = None,
        axes: Any = None,
    ) -> Figure:
        """Draw the mechanism in its initial state; the keywords are those of `Mechanism.draw`."""
        raise NotImplementedError

    @property
    def status(self) -> str:
        """ "ok", or the warnings to read before its numbers are used: the status of `result`."""
        return self.result.status

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """The warnings of `result`."""
        return self.result.warnings

    @property
    def stable(self) -> bool:
        """Whether small deviations from the motion do not grow."""
        return bool((np.abs(self.multipliers) <= 1 + GROWTH_TOLERANCE).all())

    @property
    def mean_speed(self) -> float:
        """Mean rate of the rotating joint, rad/s."""
        self._require_turn()
        return 2 * np.pi * self.turns / self.period

    @property
    def fluctuation(self) -> float:
        """Coefficient of speed fluctuation (ω_max − ω_min) / ω_mean of the rotating joint with the speed ω, over all
        samples."""
        self._require_turn()
        rate = self.result[self.turn].rate
        return float((rate.max() - rate.min()) / abs(self.mean_speed))

    def _require_turn(self) -> None:
        if not self.turn:
            raise UnknownNameError(
                self.mechanism.name,
                "turn",
                "",
                suggestion("", [joint.name for joint in self.mechanism.joints]),
            )

    def __getitem__(self, joint: str) -> Any:
        return self.result[joint]

    def __repr__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        even = (
            f", {self.turn} at {self.mean_speed:.6g} rad/s ± {50 * self.fluctuation:.3g} %"
            if self.turn
            else ""
        )
        largest = float(np.abs(self.multipliers).max(initial=0.0))
        found = "".join(f", {name} = {value:.9g}" for name, value in (self.adjusted or {}).items())
        return (
            f"Periodic motion of '{self.mechanism.name}': period {self.period:.9g} s{even}{found}; {kind}, "
            f"largest multiplier {largest:.4g}."
        )
