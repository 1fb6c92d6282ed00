"""Continuation along prescribed motions: the positions of a mechanism in one assembly mode, up to a dead-centre
position.

Each step predicts the position from rates and accelerations and closes the loops again. If the prediction is far from
the closed position, the step was too long, and it is halved until both agree. A step is also halved if a coordinate
changes much, or if a drive leaves the range between its values at the two ends of the step, because the step could pass
over positions that cannot be reached. If two assembly modes nearly meet, a step may end in the other mode, beyond the
singular configuration between them; the sign of det J then changes (J is the constraint Jacobian), and shorter steps
avoid the crossing. If the modes do meet, every step crosses the singular configuration, and the motion is continued
smoothly through it. If no step is short enough, the drive has reached a dead-centre position: the constraint Jacobian
is singular there, and a joint would have to jump.

Drives are also sampled within a step, at irrational fractions of the step and at the knots and corners of tables,
because a cam that dwells at the requested instants may rise between them.

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
from multiloop.kinematics.tree import coordinates_with_unit
from multiloop.model import AssemblyError, Fault, Mechanism
from multiloop.model.expressions.breakpoints import recurring_breakpoints

STEP_FRACTIONS = tuple(sorted(k * (5**0.5 - 1) / 2 % 1 for k in range(1, 8)))
"""Fractions of a step at which drives are sampled, multiples of the golden ratio modulo 1: .09, .24, .33, .47, .62,
.71, .85."""

MAX_KNOTS = 64
"""Largest number of knots (breakpoints of a profile) at which one drive is sampled; of more knots, every second, third,
… is used."""


def sample_times_within_steps(
    mechanism: Mechanism, begin: np.ndarray, span: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Sample times within steps, and for each sample time the index of its step.

    `begin` are the times at which the steps begin, `span` their lengths, negative for steps backward in time. A knot
    that recurs periodically is sampled once in each step.
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
    """Times of the knots and corners of every drive, each with the period after which they recur, or 0 if they do not
    recur."""
    found = [one for profile in drive_profiles(mechanism) for one in recurring_breakpoints(profile)]
    return tuple((np.array(times[:: -(-len(times) // MAX_KNOTS)]), every) for times, every in found)


PREDICTION_TOLERANCE = 0.02
"""Largest permitted difference between predicted and closed position after a step, in radians or characteristic
lengths."""

MAX_STEP = 0.5
"""Largest permitted change of a coordinate in one step, in radians or characteristic lengths."""

CONTRADICTION_TOLERANCE = 1e-6
"""Largest permitted residual of the prescribed rates, relative to the largest rate; above it the drives contradict each
other."""

NONSINGULAR_DISTANCE = 1e-5
"""Distance from singularity (`LinearisedRows.singularity_distance`) above which rates that cannot be met are attributed
to contradictory drives and not to a singular configuration."""

MODE_MEETING_STEP = 1e-6
"""Largest change of a drive, in radians or characteristic lengths, in a step that is not divided further to stay in one
assembly mode; if such a step still crosses a singular configuration, two assembly modes meet there."""

SHORTEST_STEP_FRACTION = 1e-9
"""Length of the shortest step that is tried, as a fraction of the requested interval; if even this step is too long, a
dead-centre position is reported."""


def instant_at(equations: Equations, t: float, q: np.ndarray, drive: Drive, p: np.ndarray) -> Instant:
    """The instant at a closed position q and time t: rates and accelerations computed from the constraints."""
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
    """The driven motion at the given times, starting from a position q that is closed at the first time."""
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
    """The instant at time t, which may be before or after the instant `before`, reached by steps that are short enough
    to stay in the same assembly mode.

    A step that crosses a singular configuration, so that the sign in `crosses_singularity` changes, is divided. If the
    sign still changes in a step in which the drives move by at most `MODE_MEETING_STEP` (1e-6), two assembly modes meet
    there, and the undivided step is accepted.

    Raises AssemblyError if the drives cannot be followed, or if they require more than `most_steps` steps, including
    rejected steps.
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
    """Whether a singular configuration lies between two instants: det (Jᵀ J′) < 0, where J and J′ are the constraint
    Jacobians at the two instants, with at least as many rows as joint rates."""
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
    """The instant at time t, reached by steps that do not cross a singular configuration; None if even the shortest
    step crosses one."""
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
    equations: Equations, t: float, h: float, drive: Drive, limit: float = PREDICTION_TOLERANCE
) -> bool:
    """Whether all drives change by at most `limit` (radians or characteristic lengths) in a time step h from t."""
    change = equations.value_scale * (drive(t + h, 0) - drive(t, 0))
    return bool(np.abs(change).max(initial=0.0) <= limit)


def _predict_and_close(
    equations: Equations, at: Instant, ahead: float, drive: Drive, p: np.ndarray
) -> np.ndarray | None:
    """The closed position at the time `ahead`, reached in one step from the instant `at`; None if this step is too long
    to be reliable."""
    h, s = ahead - at.t, drive(ahead, 0)
    change = h * at.v + 0.5 * h * h * at.a
    if _may_skip_unreachable(equations, change, at.t, h, s, drive):
        return None
    predicted = equations.chart.apply_step(at.q, change)
    closing = close_loops(equations, predicted, s, p, limit=12)
    agreed = closing.closed and equations.chart.distance(predicted, closing.q) <= PREDICTION_TOLERANCE
    return closing.q if agreed else None


def _may_skip_unreachable(
    equations: Equations, change: np.ndarray, t: float, h: float, s: np.ndarray, drive: Drive
) -> bool:
    """Whether a step from time t to t + h may pass over positions that cannot be reached.

    This is possible if a coordinate changes by more than `MAX_STEP`, or if a drive leaves the range between its values
    at the two ends of the step. `change` are the predicted changes of the coordinates, s the prescribed values at the
    end of the step.
    """
    if not equations.loop_constraints.count and not any(target.on_marker for target in equations.targets):
        return False  # without loops every position can be reached
    if np.abs(change / equations.chart.rate_units).max(initial=0.0) > MAX_STEP:
        return True
    ends = np.array([drive(t, 0), s])
    times, _ = sample_times_within_steps(equations.skeleton.mechanism, np.array([t]), np.array([h]))
    between = np.array([drive(time, 0) for time in times.tolist()])
    outside = np.maximum(between - ends.max(axis=0), ends.min(axis=0) - between)
    return bool((equations.value_scale * outside).max(initial=0.0) > PREDICTION_TOLERANCE)


def most_sensitive_joint(linear: LinearisedRows) -> str:
    """Name of the joint with the largest entry in the right singular vector of the smallest nonzero singular value of
    the constraint Jacobian."""
    return most_moved_joint(linear.equations, linear.Vt[max(linear.rank - 1, 0)])


def most_moved_joint(equations: Equations, rates: np.ndarray) -> str:
    """Name of the joint with the largest of the `rates`, in which lengths are divided by the characteristic length."""
    links = equations.skeleton.links
    return max(links, key=lambda link: np.abs(rates[link.v]).max(initial=0.0)).joint.name


def _contradiction_error(equations: Equations, t: float, part: float) -> AssemblyError:
    """The error for drives that contradict each other at time t; `part` is the residual of the prescribed rates, as a
    fraction of the largest rate."""
    names = " and ".join(f"'{target.of}'" for target in equations.targets)
    fault = Fault(
        "K09",
        f"drives of {names}",
        f"contradict each other at t = {t:.6g} s: no motion has all prescribed rates "
        f"(relative residual {part:.2g}).",
        "Prescribe no more motions than there are degrees of freedom, or compatible motions.",
    )
    return AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault], gap=part)


def _many_steps_error(equations: Equations, at: Instant, t: float) -> AssemblyError:
    """The error for drives that can be followed only in too many steps."""
    what = f"the motion of the drives from t = {at.t:.6g} s to {t:.6g} s requires more than a few thousand steps."
    fault = Fault("K10", "t", what, "Give an earlier time, or a guess for this time.")
    return AssemblyError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault])


def _dead_point_error(equations: Equations, at: Instant, drive: Drive, p: np.ndarray) -> AssemblyError:
    """The error for a drive at a dead-centre position; it states the drive values, the distance from singularity, and
    the joint that would jump."""
    skeleton = equations.skeleton
    linear = linearise_rows(equations, at.q, drive(at.t, 0), p)
    joint, values, names = most_sensitive_joint(linear), drive(at.t, 0).tolist(), []
    place = equations.time_count
    for target in equations.targets:
        own = values[place : place + target.value_count()]
        names.append(f"{target.of} = {coordinates_with_unit(target.components, own, 9)}")
        place += target.value_count()
    when = f"{', '.join(names)} (t = {at.t:.6g} s)" if names else f"t = {at.t:.6g} s"
    where = jamming_drive(linear, equations.bias(at.q, [drive(at.t, order) for order in range(2)], p))
    position = (
        f"at {when}: joint '{joint}' would have to jump (distance from singularity "
        f"{at.singularity_distance:.1e})."
    )
    what = f"reaches a dead-centre position {position}"
    remedy = "Drive another joint, shorten the stroke, change the lengths, or start in another assembly mode."
    if any(where.endswith(f"'{target.of}'") for target in equations.targets if target.on_marker):
        what = f"leaves the workspace or reaches a singular configuration {position}"
        remedy = "Keep the path within the workspace, or start in another assembly mode."
    fault = Fault("K06", where, what, remedy)
    best = {link.joint.name: tuple(map(float, at.q[link.q])) for link in skeleton.links}
    return AssemblyError(f"mechanism '{skeleton.mechanism.name}'", [fault], gap=0.0, best=best)


def jamming_drive(linear: LinearisedRows, rates: np.ndarray) -> str:
    """Text that names the drive that jams near a singular configuration.

    At a singular configuration the Jacobian of the constraint equations J v = ṡ (rates v, prescribed rates ṡ) has a
    left singular vector u with uᵀ J ≈ 0, so that rates exist only if uᵀ ṡ vanishes: the drive with the largest
    contribution to uᵀ ṡ jams. If all drives are at rest, their entries of u are compared; without drives a relation
    that depends on time is named.
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
    """Coordinates q, rates v and accelerations a of the tree joints at one time t."""

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
        """The trajectory that consists of the given instants."""
        return cls(*(np.array([getattr(at, one.name) for at in instants]) for one in fields(Instant)))

    @classmethod
    def concatenate(cls, parts: Sequence[Trajectory]) -> Trajectory:
        """Join successive parts of a motion into one trajectory."""
        return cls(*(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls)))

    def subset(self, which: slice) -> Trajectory:
        """The trajectory that consists of the instants in a slice."""
        return Trajectory(*(getattr(self, one.name)[which] for one in fields(self)))

    def replace_instant(self, k: int, at: Instant) -> None:
        """Replace the instant with index k, in place."""
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
