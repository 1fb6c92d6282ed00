"""Duration of a cycle: the least common period of drives, coupled joints, known efforts and loads.

Joints that relations and gears couple to driven joints move at speeds that follow from the linear part of the
coupling equations. If the drives have the common period T, the position n periods later is computed in one step,
q(t + n T) = q(t) + n Δq, with the change Δq of the coordinates in one period.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import tau
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import Drive, close_loops
from multiloop.kinematics.constraints import DrivenTarget, driven_targets
from multiloop.kinematics.continuation import PREDICTION_TOLERANCE, Instant, advance_to, instant_at
from multiloop.model import (
    AssemblyError,
    Expression,
    Fault,
    JointSpring,
    Mechanism,
    Relation,
    SolveError,
    load_expressions,
    parameter_error,
    period_of,
)
from multiloop.model.expressions import (
    Position,
    Rate,
    Scalar,
    depends_on_time,
    evaluate,
    line_in_time,
    nodes_of,
    parameters_of,
)
from multiloop.model.expressions.breakpoints import (
    CONSTANT,
    MAX_MULTIPLE,
    Periodicity,
    common_period,
    periodicity_of,
)
from multiloop.model.expressions.expression_text import shortened_text

GIVE_TIMES = "Give the times with t="

MOST_PERIODS = 1000
"""The error for a common period of more than MAX_MULTIPLE times the longest single period states the common period if
it is at most this many times the longest single period."""


@dataclass(frozen=True, eq=False)
class Cycle:
    """Periodic behaviour of a mechanism.

    The fields are filled by `add` and `add_coupled_joints`. `joints` contains the mean speed (rad/s or m/s) and the
    periods (s) of joint coordinates, by joint name and index of the coordinate. `periods` is a list of pairs of a
    period (s) and the name of the drive, effort or load that has this period. `cycles` contains the periods of
    quantities that depend on the angle of a joint without prescribed motion, as multiples of the common period of the
    drives. `parameters` are values that replace those of the mechanism.
    """

    mechanism: Mechanism
    parameters: Mapping[str, float] | None
    joints: dict[tuple[str, int], Periodicity] = field(default_factory=dict)
    periods: list[tuple[float, str]] = field(default_factory=list)
    cycles: list[float] = field(default_factory=list)

    def add(self, called: str, periodicity: Periodicity | None, turn: float, detail: str = "") -> None:
        """Add the periods of a quantity with the given `periodicity`; raises an error if the quantity is not periodic.

        `called` is the name of the quantity in the error message, `detail` further text for this message. `turn` is 2π
        for an angle and 0 for other quantities. A quantity that grows steadily must be an angle, which repeats after a
        turn.
        """
        if periodicity is None or (periodicity.speed and not turn):
            raise _cycle_error(
                self.mechanism, f"{called} is not periodic{detail}.", _times_remedy(self.mechanism)
            )
        own = {abs(turn / periodicity.speed)} if periodicity.speed else set()
        self.periods.extend((period, called) for period in sorted(periodicity.periods | own))
        self.cycles.extend(periodicity.cycles)

    def periodicity(self, value: Scalar) -> Periodicity | None:
        """Speed and periods of an expression, from the speeds and periods of the joint coordinates in it."""
        return periodicity_of(value, self._joint_periodicity, self.parameters)

    def _joint_periodicity(self, node: Position | Rate) -> Periodicity:
        known = self.joints.get((node.joint, node.component))
        if isinstance(node, Rate):
            return Periodicity(periods=known.periods) if known else CONSTANT
        turning = self.mechanism.joint(node.joint).turning(self.mechanism.planar)
        may_wind = node.component < len(turning) and turning[node.component]
        return known or Periodicity(winding=1.0 if may_wind else 0.0)


def cycle_time(
    mechanism: Mechanism, turns: float | None = None, parameters: Mapping[str, float] | None = None
) -> float:
    """The least common period of drives, efforts and loads, or the time of a given number of turns of the first drive.

    Drives, and joints that relations couple to drives, turn at constant speed, oscillate by sines, cosines and periodic
    tables, or both; known efforts and loads depend on time and joints. A joint whose motion is not prescribed is
    assumed to have the period of the drives; if an effort or load is periodic in the angle of this joint, the joint is
    assumed to make one turn in each period of the drives.
    """
    if not mechanism.drives:
        what = "the mechanism has no drive."
        raise _cycle_error(mechanism, what, "Add a Motion, or give t=.")
    if turns is not None:
        return turns * _turn_of_first_drive(mechanism)
    cycle = Cycle(mechanism, parameters)
    base, whole = _common_periods(cycle, load_expressions(mechanism))
    if not whole:
        raise _stationary_error(mechanism)
    for turned in cycle.cycles:
        whole = common_period([whole, turned * (base or whole)]) or whole
    return whole


def forced_period(mechanism: Mechanism, efforts: Mapping[str, Any]) -> float:
    """The least common period of all drives, efforts and loads that depend on time; 0 if there are none.

    Joints whose motion is not prescribed are assumed to have the same period: they oscillate and make no turns.
    """
    given = [
        (f"the effort at '{at}'", value) for at, value in efforts.items() if isinstance(value, Expression)
    ]
    return _common_periods(Cycle(mechanism, None), [*load_expressions(mechanism), *given])[1]


def _common_periods(cycle: Cycle, efforts: Iterable[tuple[str, Expression]]) -> tuple[float, float]:
    """The common period of the drives, and the common period of drives, efforts and loads; 0 if nothing is periodic."""
    for driven in driven_targets(cycle.mechanism):
        _add_drive(cycle, driven)
    add_coupled_joints(cycle)
    base = _common_period(cycle.mechanism, cycle.periods)
    for called, value in efforts:
        cycle.add(called, cycle.periodicity(value), 0.0, f": {shortened_text(value)}")
    for called, joint, k in _joint_springs(cycle.mechanism):
        cycle.add(
            called,
            cycle.joints.get((joint, k), CONSTANT),
            0.0,
            f": '{joint}' keeps turning in one direction",
        )
    return base, _common_period(cycle.mechanism, cycle.periods)


def require_one_period(mechanism: Mechanism, values: Mapping[str, np.ndarray], turns: float | None) -> None:
    """Raise an error if the duration of a cycle, or of `turns` turns, differs between the designs with the parameters
    `values`."""
    varied = [name for name, given in values.items() if np.ptp(given) > 0]
    remedy = "Give the times with t=, or run the designs one at a time."
    first = driven_targets(mechanism)[0]
    read = [parameter.name for profile in first.profiles for parameter in parameters_of(profile)]
    for name in (name for name in read if name in varied):
        what = f"the drive of '{first.target.of}' depends on '{name}', which differs between designs."
        raise parameter_error(mechanism, "cycle", what, remedy)
    for name in varied:
        ends = [
            {**mechanism.parameters, name: float(end)} for end in (values[name].min(), values[name].max())
        ]
        least, most = sorted(cycle_time(mechanism, turns, parameters) for parameters in ends)
        if abs(most - least) > 1e-9 * least:
            what = (
                f"its duration is {least:.6g} to {most:.6g} s, depending on '{name}', which differs "
                "between designs."
            )
            raise parameter_error(mechanism, "cycle", what, remedy)


def _add_drive(cycle: Cycle, driven: DrivenTarget) -> None:
    """Add speed and periods of all values that a Motion prescribes."""
    mechanism, target = cycle.mechanism, driven.target
    for component, profile, turn in prescribed_components(mechanism, driven):
        periodicity = cycle.periodicity(profile)
        cycle.add(f"the drive of '{target.of}'", periodicity, turn)
        if periodicity is not None and not target.on_marker:
            components = mechanism.joint(target.of).components(mechanism.planar)
            cycle.joints[target.of, components.index(component)] = periodicity


def prescribed_components(mechanism: Mechanism, driven: DrivenTarget) -> list[tuple[str, Scalar, float]]:
    """For every value that a Motion prescribes: the name of its component, its profile, and 2π if it is an angle,
    otherwise 0.

    The orientation of a marker consists of four values.
    """
    target = driven.target
    names = [name for name in target.components for _ in range(4 if name == "turn" else 1)]
    turning = {"angle": True}
    if not target.on_marker:
        joint = mechanism.joint(target.of)
        turning = dict(zip(joint.components(mechanism.planar), joint.turning(mechanism.planar), strict=False))
    return [
        (name, profile, tau if turning.get(name, False) else 0.0)
        for name, profile in zip(names, driven.profiles, strict=True)
    ]


def _joint_springs(mechanism: Mechanism) -> Iterator[tuple[str, str, int]]:
    """Springs at joints, whose torques are not periodic in the joint angle: the load, the joint and the index of its
    coordinate."""
    for load in mechanism.all_loads:
        if isinstance(load, JointSpring) and load.stiffness != 0.0:
            names = mechanism.joint(load.joint).components(mechanism.planar)
            yield f"the load '{load.name}'", load.joint, names.index(load.component) if load.component else 0


def _common_period(mechanism: Mechanism, periods: list[tuple[float, str]]) -> float:
    """The least common multiple of all periods, 0 if there are none; the error names two periods without a common
    multiple."""
    ordered = sorted(periods, reverse=True)
    for k in range(len(ordered)):
        if common_period(period for period, _ in ordered[: k + 1]) is None:
            (longest, one), (period, other) = ordered[0], ordered[k]
            also = " and" if other == one else f", {other}"
            what = (
                f"{one} has terms of period {longest:.6g} s{also} of period {period:.6g} s: these "
                f"{_common_period_text([longest, period])}."
            )
            raise _cycle_error(mechanism, what, _times_remedy(mechanism))
    return common_period(period for period, _ in ordered) or 0.0


def _common_period_text(periods: list[float]) -> str:
    """Text for an error message: the periods have no common period, or one that exceeds the limit for a cycle."""
    whole = common_period(periods, MOST_PERIODS)
    if not whole:
        return "have no common period"
    return f"have the common period {whole:.6g} s, which exceeds the limit of {MAX_MULTIPLE} times the longest period"


def _turn_of_first_drive(mechanism: Mechanism) -> float:
    """The time of one turn of the first drive, or of one period if this drive oscillates."""
    driven = driven_targets(mechanism)[0]
    profile, target = driven.profiles[0], driven.target
    period = _own_period(mechanism)
    if period is None and isinstance(profile, Expression) and depends_on_time(profile):
        raise _cycle_error(mechanism, f"the drive of '{target.of}' is not periodic.", f"{GIVE_TIMES}.")
    if period is None:
        raise _stationary_error(mechanism)
    return period


def _own_period(mechanism: Mechanism) -> float | None:
    _, profile, turn = prescribed_components(mechanism, driven_targets(mechanism)[0])[0]
    return period_of(profile, turn)


def _times_remedy(mechanism: Mechanism) -> str:
    """Text of the remedy for a missing common period; if the first drive is periodic, it mentions the turns of this
    drive."""
    if not mechanism.drives or _own_period(mechanism) is None:
        return f"{GIVE_TIMES}."
    return f"{GIVE_TIMES}, or the turns of '{mechanism.drives[0].of}' to take with turns=."


def _stationary_error(mechanism: Mechanism) -> SolveError:
    of, profile = mechanism.drives[0].of, driven_targets(mechanism)[0].profiles[0]
    at = evaluate(profile, time=0.0)
    what = f"the drive of '{of}' is constant at {at:g}."
    hint = "" if isinstance(profile, Expression) else f"; to prescribe a speed write constant_speed({at:g})"
    return _cycle_error(mechanism, what, f"{GIVE_TIMES}{hint}.")


def _cycle_error(mechanism: Mechanism, what: str, remedy: str) -> SolveError:
    return analysis_error(mechanism, "S02", "cycle", what, remedy)


CoordinateKey = tuple[str, int]
"""Key of a joint coordinate: the name of the joint, and the index of the coordinate."""


def add_coupled_joints(cycle: Cycle) -> None:
    """Add the speeds and periods of joints that couplings connect to joints of known speed.

    Couplings in which the speed of a single coordinate is unknown are solved one by one, the remaining couplings
    together.
    """
    equations = ((one.name, one.equation_in(cycle.mechanism)) for one in cycle.mechanism.couplings)
    relations = [Relation(name, equation) for name, equation in equations if equation is not None]
    waiting = [one for one in relations if not one.holds_rates]
    while tied := next((one for one in waiting if len(_unknown_coordinates(cycle, one)) == 1), None):
        waiting.remove(tied)
        (key,) = _unknown_coordinates(cycle, tied)
        _add_joint(cycle, key, _coupled_periodicity(cycle, tied, key), tied.name)
    for key, periodicity in _jointly_coupled(cycle, waiting).items():
        names = [one.name for one in waiting if key in _unknown_coordinates(cycle, one)]
        _add_joint(cycle, key, periodicity, names[0] if names else "")
    for relation in relations:
        if depends_on_time(relation.equation):
            going = cycle.periodicity(relation.equation)
            cycle.add(f"the relation '{relation.name}'", going, 0.0, f": {shortened_text(relation.equation)}")


def _add_joint(cycle: Cycle, key: CoordinateKey, periodicity: Periodicity | None, coupling: str) -> None:
    """Add the speed and periods of a joint coordinate, which follow from the coupling with the name `coupling`."""
    if periodicity is not None:
        cycle.joints[key] = periodicity
        if cycle.mechanism.joint(key[0]).turning(cycle.mechanism.planar)[key[1]]:
            cycle.add(f"joint '{key[0]}', coupled by '{coupling}',", periodicity, tau)


def _unknown_coordinates(cycle: Cycle, relation: Relation) -> set[CoordinateKey]:
    """Coordinates in a relation whose speed and periods are not known."""
    read = {
        (node.joint, node.component) for node in nodes_of(relation.equation) if isinstance(node, Position)
    }
    return read - set(cycle.joints)


def _periodicity_with(
    cycle: Cycle, relation: Relation, speeds: dict[CoordinateKey, float]
) -> Periodicity | None:
    """Speed and periods of the expression of a relation, if the unknown coordinates changed at the given speeds."""
    known = {**cycle.joints, **{key: Periodicity(speed) for key, speed in speeds.items()}}
    return replace(cycle, joints=known, periods=[], cycles=[]).periodicity(relation.equation)


def _coupled_periodicity(cycle: Cycle, relation: Relation, key: CoordinateKey) -> Periodicity | None:
    """Speed and periods of the only unknown coordinate of a relation, such that the relation is satisfied.

    None if the relation is not linear in this coordinate, or not periodic.
    """
    still, turning = (_periodicity_with(cycle, relation, {key: speed}) for speed in (0.0, 1.0))
    if still is None or turning is None:
        return None
    slope = turning.speed - still.speed
    return Periodicity(-still.speed / slope, turning.periods) if slope else None


def _jointly_coupled(cycle: Cycle, waiting: list[Relation]) -> dict[CoordinateKey, Periodicity]:
    """Speeds and periods of several unknown coordinates in the relations `waiting`, which couple them by as many
    equations, as in a planetary gear train."""
    keys = sorted({key for one in waiting for key in _unknown_coordinates(cycle, one)})
    rest = dict.fromkeys(keys, 0.0)
    slopes, still, periods = [], [], CONSTANT.periods
    for one in waiting:
        found = [_periodicity_with(cycle, one, rest | {key: 1.0}) for key in keys]
        begin = _periodicity_with(cycle, one, rest)
        if begin is not None and all(found):
            slopes.append([one.speed - begin.speed for one in found if one])
            still.append(begin.speed)
            periods = periods | begin.periods
    if not keys or not slopes or np.linalg.matrix_rank(slopes) < len(keys):
        return {}
    speeds = np.linalg.lstsq(np.array(slopes), -np.array(still), rcond=None)[0]
    return {key: Periodicity(float(speed), periods) for key, speed in zip(keys, speeds, strict=True)}


FOLLOWED_PERIODS = 2
"""Number of periods of the drives up to which a motion is followed in steps, instead of extrapolated by whole
periods."""

RETURN_TOLERANCE = 1e-7
"""Largest deviation, in radians or metres, of a coordinate that is taken to return, or to advance by whole turns, in a
period."""

ANGLE_RESOLUTION = 1e-3
"""Spacing of floating-point numbers at an angle of many turns, in radians, above which the angle no longer determines
the position within a turn."""


@lru_cache(maxsize=64)
def drive_period(mechanism: Mechanism) -> float:
    """The common period of all drives in seconds, after which every drive has returned or has made whole turns;
    infinite if there is none."""
    periods = [
        period_of(profile, turn)
        for driven in driven_targets(mechanism)
        for _, profile, turn in prescribed_components(mechanism, driven)
        if not _is_constant(profile)
    ]
    known = [period for period in periods if period]
    return (common_period(known) or np.inf) if len(known) == len(periods) else np.inf


def _is_constant(profile: Scalar) -> bool:
    line = line_in_time(profile)
    return line is not None and line[1] == 0.0


def advance_whole_periods(
    equations: Equations, before: Instant, t: float, drive: Drive, p: np.ndarray
) -> Instant | None:
    """The instant `before`, advanced by as many whole periods of the drives as lie between this instant and the time t.

    q(t + n T) = q(t) + n Δq

    Δq is the change of the coordinates in one period T: whole turns, or zero for coordinates that do not turn. None is
    returned if the motion is not periodic, or if less than FOLLOWED_PERIODS periods lie in between.
    """
    period = drive_period(equations.skeleton.mechanism)
    count = np.trunc((t - before.t) / period)
    if not np.isfinite(period) or equations.time_count or abs(count) < FOLLOWED_PERIODS:
        return None
    _require_digits(equations, t, drive)
    later = before.t + count * period
    change = _change_per_period(
        equations, before.q, advance_to(equations, before, before.t + period, drive, p).q
    )
    if change is None:
        return None
    guess = before.q + count * change
    found = close_loops(equations, guess, drive(later, 0), p)
    if not found.closed or equations.chart.distance(guess, found.q) > PREDICTION_TOLERANCE:
        return None
    return instant_at(equations, later, found.q, drive, p)


def _change_per_period(equations: Equations, q: np.ndarray, after: np.ndarray) -> np.ndarray | None:
    """The change Δq of the coordinates in one period, from q to `after`; None if a coordinate neither returns nor
    advances by whole turns."""
    skeleton, change, off = equations.skeleton, np.zeros(len(q)), after - q
    for place, _ in equations.chart.quaternions:
        off[place] = after[place] - np.sign(after[place] @ q[place]) * q[place]
    for link in skeleton.links:
        turning = [*link.joint.turning(skeleton.planar), *[False] * (link.q.stop - link.q.start)]
        for entry, turns in zip(range(link.q.start, link.q.stop), turning, strict=False):
            change[entry] = 2 * np.pi * np.round(off[entry] / (2 * np.pi)) if turns else 0.0
    return change if np.abs(off - change).max(initial=0.0) <= RETURN_TOLERANCE else None


def _require_digits(equations: Equations, t: float, drive: Drive) -> None:
    """Raise an error if the angle of a drive at time t is so large that its round-off hides the position within a
    turn."""
    values = drive(t, 0)
    digits = np.spacing(np.abs(values))
    worst = int(np.argmax(digits))
    if digits[worst] > ANGLE_RESOLUTION:
        owners = [target.of for target in equations.targets for _ in range(target.value_count())]
        what = (
            f"is {values[worst]:.3g} at t = {t:g} s, with round-off of {digits[worst]:.1g}: the "
            "position within a turn is not determined."
        )
        fault = Fault("K10", f"drive of '{owners[worst]}'", what, "Give earlier times.")
        raise AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault])
