"""Continuation along prescribed motions: the mechanism is followed in one assembly mode, up to a dead point.

Each step predicts the position from rates and accelerations and closes the loops again. A prediction that is far from
the solution of Newton's method means that the step was too long; it is halved until both agree. It is also halved where
a coordinate moves far, or where a drive leaves the range between its values at the two ends, because the step could
pass over positions that cannot be reached. Where two assembly modes nearly meet, a step may end in the other one,
across the singular configuration between them: the sign of det J changes, and shorter steps avoid the crossing. Where
the modes do meet, every step crosses, and the motion is continued smoothly. Where no step is short enough, the drive
has reached a dead point: the rows are singular there and a joint would have to jump.

Drives are also sampled within a step, at fractions that are incommensurable with the step, and at knots and corners of
tables: a cam that dwells at the requested instants may rise between them.

Theory: docs/theory/02-kinematics.md, eqs. (2.17), (2.18).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from itertools import pairwise
from typing import overload

import numpy as np

from multiloop.kinematics.assembly import Drive, close_loops
from multiloop.kinematics.conditioning import LinearisedRows, linearise_rows
from multiloop.kinematics.constraints import drive_profiles
from multiloop.kinematics.equations import Equations
from multiloop.model import AssemblyError, Fault, Mechanism, coordinate_text
from multiloop.model.expressions.breakpoints import recurring_breakpoints

STEP_FRACTIONS = tuple(sorted(k * (5**0.5 - 1) / 2 % 1 for k in range(1, 8)))
"""Fractions of a step at which drives are sampled, by the golden section: .09, .24, .33, .47, .62, .71, .85."""

MAX_KNOTS = 64
"""Largest number of knots of one drive that are sampled; if there are more, evenly spaced ones are selected."""


def sample_times_within_steps(
    mechanism: Mechanism, begin: np.ndarray, span: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sample times within steps that begin at given times, forward or backward, and the index of the step of each.

    A knot that recurs within the step is sampled once.
    """
    steps = np.arange(len(begin))
    times, within = (
        [begin[:, None] + span[:, None] * STEP_FRACTIONS],
        [np.tile(steps, (len(STEP_FRACTIONS), 1)).T],
    )
    low, width = np.minimum(begin, begin + span), np.abs(span)
    for knots, every in _knots(mechanism):
        after = knots - low[:, None]
        after = after % every if every else after
        inside = (after > 0) & (after < width[:, None])
        times.append((low[:, None] + after)[inside])
        within.append(np.broadcast_to(steps[:, None], inside.shape)[inside])
    return np.concatenate([t.ravel() for t in times]), np.concatenate([k.ravel() for k in within])


@lru_cache(maxsize=64)
def _knots(mechanism: Mechanism) -> tuple[tuple[np.ndarray, float], ...]:
    """Knots and corners of every drive, and their period; the period is 0 if they do not recur."""
    found = [one for profile in drive_profiles(mechanism) for one in recurring_breakpoints(profile)]
    return tuple((np.array(times[:: -(-len(times) // MAX_KNOTS)]), every) for times, every in found)


PREDICTION_TOLERANCE = 0.02
"""Largest difference between prediction and closed position (radians or characteristic lengths) in one step."""

MAX_STEP = 0.5
"""Largest change of a coordinate (radians or characteristic lengths) in one step."""

CONTRADICTION_TOLERANCE = 1e-6
"""Largest relative part of the prescribed rates that may be unmet; above it the drives contradict each other."""

NONSINGULAR_DISTANCE = 1e-5
"""Distance from singularity above which unmet rates are caused by contradictory drives and not by a singular
configuration."""

MODE_MEETING_STEP = 1e-6
"""Assembly modes meet if a step of the drives of this length (radians or characteristic lengths) does not separate
them."""

SHORTEST_STEP_FRACTION = 1e-9
"""Shortest fraction of the requested interval that is tried before a dead point is reported."""


def instant_at(equations: Equations, t: float, q: np.ndarray, drive: Drive, p: np.ndarray) -> Instant:
    """Rates and accelerations at a closed position."""
    linear = linearise_rows(equations, q, drive(t, 0), p)
    return _instant(equations, linear, t, q, drive, p)


def _instant(
    equations: Equations, linear: LinearisedRows, t: float, q: np.ndarray, drive: Drive, p: np.ndarray
) -> Instant:
    given = [drive(t, order) for order in range(3)]
    right = equations.bias(q, given, p)
    if (
        linear.singularity_distance > NONSINGULAR_DISTANCE
        and linear.unmet_fraction(right) > CONTRADICTION_TOLERANCE
    ):
        raise _contradiction_error(equations, t, linear.unmet_fraction(right))
    v = linear.solve(right)
    a = linear.solve(equations.gamma(q, v, given, p))
    return Instant(t, q, v, a, linear.singularity_distance)


def follow_drives(
    equations: Equations, q: np.ndarray, times: Sequence[float], drive: Drive, p: np.ndarray
) -> Trajectory:
    """Instants at the given times, from a position q that is closed at the first of them."""
    start = close_loops(equations, q, drive(times[0], 0), p)
    found = [instant_at(equations, times[0], start.q, drive, p)]
    for t in times[1:]:
        found.append(advance_to(equations, found[-1], t, drive, p))
    return Trajectory.from_instants(found)


def advance_to(
    equations: Equations,
    before: Instant,
    t: float,
    drive: Drive,
    p: np.ndarray,
    *,
    most_steps: int | None = None,
) -> Instant:
    """The instant at time t, earlier or later, reached by steps short enough to stay in the same assembly mode.

    A step that crosses a singular configuration, so that the sign in `crosses_singularity` changes, is divided. If the
    sign still changes in a step in which the drives move by at most `MODE_MEETING_STEP` (1e-6), two assembly modes meet
    there, and the undivided step is accepted.

    Raises AssemblyError if the drives cannot be followed, or not within `most_steps` steps, rejected ones included.
    """
    whole, at, step = t - before.t, before, t - before.t
    tried = 0
    while at.t != t:
        tried += 1
        if most_steps is not None and tried > most_steps:
            raise _many_steps_error(equations, at, t)
        ahead = t if abs(t - at.t) <= abs(step) * (1 + 1e-12) else at.t + step
        q = _predict_and_close(equations, at, ahead, drive, p)
        if q is not None:
            found = instant_at(equations, ahead, q, drive, p)
            if crosses_singularity(equations, (at, found), drive, p):
                found = _avoid_crossing(equations, at, ahead, drive, p) or found
            at = found
            step = 2 * step if abs(2 * step) <= abs(whole) else step
        else:
            step = step / 2
            if abs(step) < SHORTEST_STEP_FRACTION * abs(whole) and _drives_at_rest(
                equations, at.t, step, drive
            ):
                raise _dead_point_error(equations, at, drive, p)
    return at


def crosses_singularity(
    equations: Equations, ends: tuple[Instant, Instant], drive: Drive, p: np.ndarray
) -> bool:
    """Whether a singular configuration lies between two instants: det (Jᵀ J′) < 0, J square or tall."""
    n = equations.skeleton.rates
    if equations.rows.count < n or not n:
        return False
    rows = equations.rate_row_scale[:, None]
    first, second = (rows * equations.rate_jacobian(at.q, drive(at.t, 0), p) for at in ends)
    if len(first) > n:
        return bool(
            np.linalg.slogdet((first * equations.chart.rate_units).T @ (second * equations.chart.rate_units))[
                0
            ]
            < 0
        )
    return bool(np.linalg.slogdet(first)[0] * np.linalg.slogdet(second)[0] < 0)


def _avoid_crossing(
    equations: Equations, at: Instant, t: float, drive: Drive, p: np.ndarray
) -> Instant | None:
    """The instant at t by steps that do not cross a singular configuration; None if the shortest step does."""
    step = (t - at.t) / 2
    while at.t != t:
        ahead = t if abs(t - at.t) <= abs(step) * (1 + 1e-12) else at.t + step
        q = _predict_and_close(equations, at, ahead, drive, p)
        found = None if q is None else instant_at(equations, ahead, q, drive, p)
        if found is not None and not crosses_singularity(equations, (at, found), drive, p):
            at, step = found, 2 * step
        elif _drives_at_rest(equations, at.t, step, drive, MODE_MEETING_STEP):
            return None
        else:
            step = step / 2
    return at


def _drives_at_rest(
    equations: Equations, t: float, h: float, drive: Drive, way: float = PREDICTION_TOLERANCE
) -> bool:
    """Whether all drives change by at most `way` in a step of length h from t."""
    gone = equations.value_scale * (drive(t + h, 0) - drive(t, 0))
    return bool(np.abs(gone).max(initial=0.0) <= way)


def _predict_and_close(
    equations: Equations, at: Instant, ahead: float, drive: Drive, p: np.ndarray
) -> np.ndarray | None:
    """The closed position at the time `ahead`; None if the step is too long to be reliable."""
    h, s = ahead - at.t, drive(ahead, 0)
    way = h * at.v + 0.5 * h * h * at.a
    if _may_skip_unreachable(equations, way, at.t, h, s, drive):
        return None
    predicted = equations.chart.apply_step(at.q, way)
    closing = close_loops(equations, predicted, s, p, limit=12)
    agreed = closing.closed and equations.chart.distance(predicted, closing.q) <= PREDICTION_TOLERANCE
    return closing.q if agreed else None


def _may_skip_unreachable(
    equations: Equations, way: np.ndarray, t: float, h: float, s: np.ndarray, drive: Drive
) -> bool:
    """Whether a step from t by h, with drives at s at its end, may pass over positions that cannot be reached.

    It may if a coordinate moves far, or if a drive leaves the range between its values at the two ends.
    """
    if not equations.loop_constraints.count and not any(target.on_marker for target in equations.targets):
        return False  # without loops every position can be reached
    if np.abs(way / equations.chart.rate_units).max(initial=0.0) > MAX_STEP:
        return True
    ends = np.array([drive(t, 0), s])
    times, _ = sample_times_within_steps(equations.skeleton.mechanism, np.array([t]), np.array([h]))
    between = np.array([drive(time, 0) for time in times.tolist()])
    outside = np.maximum(between - ends.max(axis=0), ends.min(axis=0) - between)
    return bool((equations.value_scale * outside).max(initial=0.0) > PREDICTION_TOLERANCE)


def most_sensitive_joint(linear: LinearisedRows) -> str:
    """The joint that moves most along the singular vector of the smallest singular value."""
    return most_moved_joint(linear.equations, linear.Vt[max(linear.rank - 1, 0)])


def most_moved_joint(equations: Equations, way: np.ndarray) -> str:
    """The joint that moves most for the rates `way`, in radians or characteristic lengths."""
    links = equations.skeleton.links
    return max(links, key=lambda link: np.abs(way[link.v]).max(initial=0.0)).joint.name


def _contradiction_error(equations: Equations, t: float, part: float) -> AssemblyError:
    """The error of drives that contradict each other."""
    names = " and ".join(f"'{target.of}'" for target in equations.targets)
    fault = Fault(
        "K09",
        f"drives of {names}",
        f"contradict each other at t = {t:.6g} s: a fraction {part:.2g} of their rates is incompatible.",
        "Prescribe no more motions than there are degrees of freedom, or compatible motions.",
    )
    return AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault], gap=part)


def _many_steps_error(equations: Equations, at: Instant, t: float) -> AssemblyError:
    """The error of drives that would have to be followed in too many steps."""
    what = f"cannot be followed from t = {at.t:.6g} s to {t:.6g} s in a few thousand steps."
    fault = Fault("K10", "t", what, "Give an earlier time, or a guess for this time.")
    return AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault])


def _dead_point_error(equations: Equations, at: Instant, drive: Drive, p: np.ndarray) -> AssemblyError:
    """The error of a drive at a dead point: the drive values, the distance from singularity, and the joint that would
    jump."""
    skeleton = equations.skeleton
    linear = linearise_rows(equations, at.q, drive(at.t, 0), p)
    joint, values, names = most_sensitive_joint(linear), drive(at.t, 0).tolist(), []
    place = equations.time_count
    for target in equations.targets:
        names.append(f"{target.of} = {coordinate_text(values[place : place + target.value_count()], 9)}")
        place += target.value_count()
    when = f"{', '.join(names)} (t = {at.t:.6g} s)" if names else f"t = {at.t:.6g} s"
    where = jamming_drive(linear, equations.bias(at.q, [drive(at.t, order) for order in range(2)], p))
    position = (
        f"at {when}: joint '{joint}' would have to jump (relative distance {at.singularity_distance:.1e})."
    )
    what = f"reaches a dead-centre position {position}"
    remedy = "Drive another joint, shorten the stroke, or start in another assembly mode."
    if any(where.endswith(f"'{target.of}'") for target in equations.targets if target.on_marker):
        what = f"leaves the workspace or reaches a singular configuration {position}"
        remedy = "Keep the path within the workspace, or start in another assembly mode."
    fault = Fault("K06", where, what, remedy)
    best = {link.joint.name: tuple(map(float, at.q[link.q])) for link in skeleton.links}
    return AssemblyError(f"mechanism '{skeleton.mechanism.name}'", [fault], gap=0.0, best=best)


def jamming_drive(linear: LinearisedRows, rates: np.ndarray) -> str:
    """The drive that jams near a singular configuration: the drive with the largest share in the rates that cannot be
    met.

    At a singular configuration the rows J v = ṡ have a left singular vector u with uᵀ J ≈ 0, so that uᵀ ṡ must vanish:
    the drive with the largest part in uᵀ ṡ jams. If all drives are at rest, their parts in u are compared; without
    drives it is a relation that depends on time.
    """
    equations, rates_held = linear.equations, len(linear.sigma) == linear.equations.skeleton.rates
    u = linear.U[:, -1 if rates_held else max(linear.rank - 1, 0)]
    pushes = np.abs(u * equations.rate_row_scale * rates)[equations.loop_constraints.count :]
    pushes = pushes if pushes.any() else np.abs(u[equations.loop_constraints.count :])
    ends = np.cumsum([0, *(target.row_count() for target in equations.targets)])
    parts = [float(pushes[i:j].sum()) for i, j in pairwise(ends.tolist())]
    if parts:
        return f"drive of '{equations.targets[int(np.argmax(parts))].of}'"
    return next(
        (f"{one.called} '{one.name}'" for one in equations.loop_constraints.constraints if one.rheonomic),
        "drive",
    )


@dataclass(frozen=True, eq=False)
class Instant:
    """Position, rate and acceleration of the tree's coordinates at one time."""

    t: float
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    singularity_distance: (
        float  # distance from a singular configuration, see `LinearisedRows.singularity_distance`
    )


@dataclass(frozen=True, eq=False)
class Trajectory(Sequence[Instant]):
    """A driven motion at given times, as arrays; a sequence of Instants."""

    t: np.ndarray
    q: np.ndarray  # instants × coordinates
    v: np.ndarray  # instants × rates
    a: np.ndarray
    singularity_distance: np.ndarray

    @classmethod
    def from_instants(cls, instants: Sequence[Instant]) -> Trajectory:
        """The trajectory of a sequence of instants."""
        return cls(*(np.array([getattr(at, one.name) for at in instants]) for one in fields(Instant)))

    @classmethod
    def concatenate(cls, parts: Sequence[Trajectory]) -> Trajectory:
        """Concatenate parts of a motion."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def subset(self, which: slice) -> Trajectory:
        """The trajectory of a slice of the instants."""
        return Trajectory(*(getattr(self, one.name)[which] for one in fields(self)))

    def replace_instant(self, k: int, at: Instant) -> None:
        """Replace instant k."""
        for one in fields(self):
            getattr(self, one.name)[k] = getattr(at, one.name)

    def __len__(self) -> int:
        return len(self.t)

    @overload
    def __getitem__(self, k: int) -> Instant: ...

    @overload
    def __getitem__(self, k: slice) -> list[Instant]: ...

    def __getitem__(self, k: int | slice) -> Instant | list[Instant]:
        if isinstance(k, slice):
            return [self[one] for one in range(*k.indices(len(self)))]
        return Instant(float(self.t[k]), self.q[k], self.v[k], self.a[k], float(self.singularity_distance[k]))
