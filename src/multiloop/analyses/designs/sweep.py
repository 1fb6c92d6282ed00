"""Inverse dynamics of many designs, each with its own parameters, over the same times.

All designs are computed at once, except for mechanisms with nonholonomic constraints: their motion is integrated in
time, and the designs are computed one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.analyses.designs.driven_step import CLOSED, DrivenStep, close_designs
from multiloop.analyses.designs.feasibility import INFEASIBLE_BODY, INFEASIBLE_LOAD
from multiloop.analyses.errors import analysis_error
from multiloop.analyses.progress import progress_display
from multiloop.analyses.results import ROUND_OFF, ContactHistory, Result, effort_name
from multiloop.kernels.runtime import SINGULAR_LIMIT
from multiloop.model import AssemblyError, Mechanism, MultiloopError, accept_partial_result
from multiloop.plan import unknown_efforts

MOST_STEPS = 1_000_000
"""Largest number of time steps of one sweep; they correspond to 16,000 turns of the fastest drive and take minutes."""

LONGEST_STEP = 0.1
"""Largest motion of a drive in one time step of a sweep, in radians or characteristic lengths."""

FINE, FINEST = 24, 600
"""Number of parts into which a step is divided if it is repeated: first for designs that failed or whose Jacobian
determinant changed its sign, then for designs whose determinant still changes its sign."""

MOST_PREDICTION_ERROR = 0.1
"""Largest difference between a coordinate (rad or m) of the predicted position and of the closed position after a step;
a larger difference shows that the design has jumped to another assembly mode."""

LOW_PIVOT_RATIO = 1e-4
"""Pivot ratio of the Jacobian of loops and drives (`DrivenStep.pivot_ratio`) below which its singular values are
computed to decide whether the position is singular."""

(
    OK,
    CANNOT_CLOSE,
    DEAD_POINT,
    AT_SINGULAR,
    UNREACHED,
    OVER_LIMIT,
    INTERRUPTED,
    NO_BODY,
    NO_VALUE,
    NO_LOAD,
    SEPARATED,
) = range(11)
STATUS_TEXTS = (
    "ok",
    "cannot be assembled",
    "stopped at a dead-centre position",
    "stopped at a singular configuration",
    "with uncontrolled degrees of freedom",
    "above an actuator limit",
    "interrupted",
    INFEASIBLE_BODY,
    "with an undefined load",
    INFEASIBLE_LOAD,
    "with lost contact",
)
"""Status texts of designs; the index of a text is the status code."""


def require_step_count(mechanism: Mechanism, times: np.ndarray, speed: float) -> None:
    """Raise an error if the motion of the drives over `times` requires more than `MOST_STEPS` steps.

    `speed` is the speed of the fastest drive, in radians or characteristic lengths per second.
    """
    steps = speed * float(times[-1] - times[0]) / LONGEST_STEP
    if not steps <= MOST_STEPS:
        what = (
            f"spans {times[0]:g} to {times[-1]:g} s, over which the drives move by "
            f"{steps * LONGEST_STEP:.3g} rad or m, more than {MOST_STEPS * LONGEST_STEP:,.0f}."
        )
        raise analysis_error(mechanism, "S02", "t", what, "Give a shorter time span.")


@dataclass(frozen=True, eq=False)
class Sweep:
    """Inverse dynamics of many designs over the same times, computed for all designs at once.

    The nominal design has the parameter values in the description: `first` are its coordinates q at the first time,
    and `speed` is the speed of its fastest drive. If `whole` is true, efforts and loads over time are kept.
    """

    driven: DrivenStep
    times: np.ndarray
    first: np.ndarray
    speed: float
    whole: bool
    threads: int | None = None

    def block(
        self, p: np.ndarray, report: Callable[[float], None] = lambda part: None
    ) -> dict[str, np.ndarray]:
        """Assemble designs and compute them along the motion of their drives; p has the shape parameters × designs.

        The arrays returned are, by name, status codes and times of failure, peaks and root mean squares of efforts,
        peaks of loads, least normal forces and times of separation, and with `whole` efforts and loads over time.
        Designs are the second axis, or the only one. `report` is called with the completed fraction of the time span.
        """
        step, count = self.driven.step, p.shape[1]
        q = self.closed_positions(p)
        v, a = np.zeros((2, self.driven.traces.equations.skeleton.rates, count))
        codes = np.where(np.isnan(q).any(axis=0), CANNOT_CLOSE, OK).astype(np.int8)
        failed_at = np.where(codes == OK, np.nan, self.times[0])
        outputs = [np.empty((array.size, count)) for array in step.outputs]
        efforts = len(unknown_efforts(self.driven.traces.plan.mechanism))
        peak, squares = np.zeros((efforts, count)), np.zeros((efforts, count))
        loads = np.zeros((len(self.driven.traces.plan.mechanism.connections), count))
        normal = np.full((len(self.driven.one_sided), count), np.inf)
        separated_at = np.full(normal.shape, np.nan)
        kept: list[tuple[np.ndarray, np.ndarray]] = []
        side = np.zeros(count)
        for before, t, recorded in self._steps():
            self._advance(before, t, (q, v, a), p, outputs)
            if t > before:
                self._retry_in_parts(before, t, (q, v, a), p, outputs, codes == OK, side)
            lost = self._lost(outputs) & (codes == OK)
            outputs, (q, v, a) = [q, v, a, *outputs[3:]], outputs[:3]
            pivot_ratio, effort, load, push = outputs[5:]
            side = np.sign(pivot_ratio[0])
            codes[lost] = DEAD_POINT
            if recorded:
                self._mark_singular(t, codes, q, p, np.abs(pivot_ratio[0]))
                codes[(codes == OK) & ~np.isfinite([*effort, *load]).all(axis=0)] = NO_VALUE
            failed = (codes != OK) & np.isnan(failed_at)
            failed_at[failed] = t
            q[:, failed] = effort[:, failed] = load[:, failed] = push[:, failed] = np.nan
            if recorded:
                report((t - self.times[0]) / max(self.times[-1] - self.times[0], 1e-300))
                np.maximum(peak, np.abs(effort), out=peak)
                np.maximum(loads, load, out=loads)
                squares += effort * effort
                np.minimum(normal, push, out=normal)
                note_separation(t, push, normal, loads, separated_at)
                if self.whole:
                    kept.append((effort.copy(), load.copy()))
        found = {"codes": codes, "failed_at": failed_at, "peak": peak, "loads": loads}
        found["rms"] = np.sqrt(squares / len(self.times))
        found |= {"normal": normal, "separated_at": separated_at}
        for name in ("peak", "rms", "loads", "normal", "separated_at"):
            found[name][:, codes != OK] = np.nan
        if self.whole:
            found["effort"], found["load"] = (np.stack(parts, axis=-1) for parts in zip(*kept, strict=True))
        return found

    def interrupted_block(self, count: int) -> dict[str, np.ndarray]:
        """The arrays that `block` would return, for `count` designs that were not computed due to an interruption."""
        efforts, joints = (
            len(unknown_efforts(self.driven.traces.plan.mechanism)),
            len(self.driven.traces.plan.mechanism.connections),
        )
        contacts = len(self.driven.one_sided)
        sizes: dict[str, tuple[int, ...]] = {
            "peak": (efforts, count),
            "loads": (joints, count),
            "rms": (efforts, count),
            "normal": (contacts, count),
            "separated_at": (contacts, count),
        }
        if self.whole:
            sizes |= {
                name: (*sizes[of], len(self.times)) for name, of in (("effort", "peak"), ("load", "loads"))
            }
        found = {"codes": np.full(count, INTERRUPTED, np.int8), "failed_at": np.full(count, np.nan)}
        return found | {name: np.full(size, np.nan) for name, size in sizes.items()}

    def _advance(
        self,
        before: float,
        t: float,
        at: tuple[np.ndarray, np.ndarray, np.ndarray],
        p: np.ndarray,
        outputs: list[np.ndarray],
    ) -> None:
        """Advance all designs from time `before` to t.

        `at` are q, v and a at time `before`; the outputs of `DrivenStep.step` are written into the arrays `outputs`.
        """
        h, now = np.array([t - before]), np.array([t])
        self.driven.step.batch(
            h, now, self.driven.traces.tables(t), *at, p, out=outputs, threads=self.threads
        )

    def _mark_singular(
        self, t: float, codes: np.ndarray, q: np.ndarray, p: np.ndarray, pivot_ratio: np.ndarray
    ) -> None:
        """Set the status codes of designs that `inverse` would reject at time t.

        These are designs at a singular position, and designs with a degree of freedom on which no effort acts. Only
        designs whose `pivot_ratio` is small are examined.
        """
        doubted = np.flatnonzero((codes == OK) & ~(pivot_ratio > LOW_PIVOT_RATIO))
        if not len(doubted):
            return
        singularity_distance, grip = self._singularity_distance(
            t, np.ascontiguousarray(q[:, doubted]), p[:, doubted]
        )
        codes[doubted[grip < SINGULAR_LIMIT]] = UNREACHED
        codes[doubted[singularity_distance < SINGULAR_LIMIT]] = AT_SINGULAR

    def _singularity_distance(self, t: float, q: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """For every design, the distances from singularity of the constraints and of the efforts at coordinates q.

        The first distance is the ratio of the smallest to the largest singular value of the Jacobian of loops and
        drives. For the second, let the orthonormal columns of N span the motions that the loops allow, with one row for
        each rate: it is the smallest singular value of the rows of N for the rates along which efforts act, and is zero
        if no effort acts along one of the motions.
        """
        driven, skeleton = self.driven, self.driven.traces.equations.skeleton
        own, count = driven.traces.equations.loop_constraints.count, driven.traces.equations.rows.count
        rows = driven.rows.batch(np.array([t]), q, p).reshape(count, skeleton.rates, -1).transpose(2, 0, 1)
        sigma = np.linalg.svd(rows, compute_uv=False)
        motions = np.linalg.svd(rows[:, :own], full_matrices=True)[2][:, own:]
        parts = np.linalg.svd(motions[:, :, list(driven.traces.effort_rates)], compute_uv=False)
        return sigma[:, -1] / sigma[:, 0], parts[:, -1]

    @staticmethod
    def _lost(outputs: list[np.ndarray]) -> np.ndarray:
        """Mask of the designs which, by the `outputs` of `DrivenStep.step`, have open loops, jumped to another assembly
        mode, or have coordinates that are not finite."""
        q, away, gap = outputs[0], outputs[3], outputs[4]
        lost: np.ndarray = ~(
            (gap[0] < CLOSED) & (away[0] < MOST_PREDICTION_ERROR) & np.isfinite(q).all(axis=0)
        )
        return lost

    def _retry_in_parts(
        self,
        before: float,
        t: float,
        at: tuple[np.ndarray, np.ndarray, np.ndarray],
        p: np.ndarray,
        outputs: list[np.ndarray],
        selected: np.ndarray,
        side: np.ndarray,
    ) -> None:
        """Repeat the step in shorter steps for designs that failed, or whose Jacobian determinant changed its sign.

        Failed designs may have faster drives than the nominal design. Where the determinant of the Jacobian of loops
        and drives changes its sign, two assembly modes nearly coincide, and short steps determine which of them the
        motion continues in. If the two modes coincide, the sign changes with short steps as well, and the first result
        is kept. The step leads from the time `before` to t; `outputs` is its result and is corrected. `side` is the
        sign before the step, and `selected` masks the designs to be examined.
        """
        for parts in (FINE, FINEST):
            lost = self._lost(outputs) & selected
            again = (np.sign(outputs[5][0]) * side < 0) & selected & ~lost
            again |= lost & (parts == FINE)
            if again.any():
                self._refine(before, t, at, p, outputs, again, side, parts)

    def _refine(
        self,
        before: float,
        t: float,
        at: tuple[np.ndarray, np.ndarray, np.ndarray],
        p: np.ndarray,
        outputs: list[np.ndarray],
        again: np.ndarray,
        side: np.ndarray,
        parts: int,
    ) -> None:
        """Repeat the step from the time `before` to t for the designs in the mask `again`, divided into `parts` shorter
        steps.

        The new result replaces the previous one in `outputs` if its loops are closed and the determinant of the
        Jacobian of loops and drives keeps its sign `side`, or if the previous step had failed.
        """
        few = [np.ascontiguousarray(part[:, again]) for part in at]
        own = np.ascontiguousarray(p[:, again])
        answers = [np.empty((array.shape[0], few[0].shape[1])) for array in outputs]
        edges = np.linspace(before, t, parts + 1).tolist()
        for earlier, later in pairwise(edges):
            self._advance(earlier, later, (few[0], few[1], few[2]), own, answers)
            answers[0][:, self._lost(answers)] = np.nan
            few, answers = answers[:3], [*few, *answers[3:]]
        found = [*few, *answers[3:]]
        better = ~self._lost(found) & (np.sign(found[5][0]) * side[again] >= 0)
        better |= self._lost(outputs)[again]
        for output, one in zip(outputs, found, strict=True):
            output[:, np.flatnonzero(again)[better]] = one[:, better]

    def closed_positions(self, p: np.ndarray) -> np.ndarray:
        """Coordinates q of all designs at the first time, with closed loops; NaN for designs that are not assembled."""
        driven, t = self.driven, float(self.times[0])
        still = np.zeros((driven.traces.equations.skeleton.rates, 1))

        def close(q: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            rest = np.repeat(still, q.shape[1], axis=1)
            given = (np.zeros(1), np.array([t]), driven.traces.tables(t), q, rest, rest, p)
            closed, _, _, away, gap, *_ = driven.step.batch(*given, threads=self.threads)
            return closed, away[0], gap[0]

        return close_designs(close, self.first, driven.traces.plan.assembly.p, p)

    def _steps(self) -> Iterator[tuple[float, float, bool]]:
        """The time steps as (previous time, time, whether the time is one of `times`); the first has zero length."""
        yield float(self.times[0]), float(self.times[0]), True
        for before, t in zip(self.times[:-1].tolist(), self.times[1:].tolist(), strict=True):
            parts = max(1, int(np.ceil(self.speed * (t - before) / LONGEST_STEP)))
            edges = np.linspace(before, t, parts + 1).tolist()
            for k in range(parts):
                yield edges[k], edges[k + 1], k == parts - 1


def note_separation(
    t: float, push: np.ndarray, least: np.ndarray, loads: np.ndarray, separated_at: np.ndarray
) -> None:
    """Set `separated_at` to t for pairs and designs whose normal force `push` is negative for the first time.

    `least` are the smallest normal forces and `loads` the largest joint loads up to t. As in a Result, negative normal
    forces that are round-off of the largest loads are ignored.
    """
    floor = -ROUND_OFF * loads.max(axis=0, initial=0.0)
    separated_at[least >= floor] = np.nan
    separated_at[(push < floor) & np.isnan(separated_at)] = t


def integrate_designs(
    mechanism: Mechanism,
    values: Mapping[str, np.ndarray],
    times: np.ndarray,
    whole: bool,
    progress: bool | None,
    **asked: Any,
) -> tuple[list[str], dict[str, np.ndarray]]:
    """Names of the pairs that can only push, and the arrays of `Sweep.block`, with each design computed by `inverse`.

    This is required for nonholonomic constraints: the position of a design then depends on its path and cannot be
    computed by closing loops at a later time. The design with the parameter values in the description is computed
    first; if it fails, its error is raised. With `whole` the arrays include efforts and loads over time. `asked`
    contains the arguments `start` and `guess` of `inverse`.
    """
    described = _inverse_of_design(mechanism, {}, times, asked)
    count, names = len(next(iter(values.values()))), effort_names(mechanism)
    codes, failed_at = np.full(count, INTERRUPTED, np.int8), np.full(count, np.nan)
    effort = np.full((len(names), count, len(times)), np.nan)
    load = np.full((len(mechanism.connections), count, len(times)), np.nan)
    pairs = [contact.name for contact in one_sided_contacts(described)]
    normal, separated_at = np.full((2, len(pairs), count), np.nan)
    try:
        with progress_display(0.0, float(count), progress, "designs", "asking") as shown:
            for k in range(count):
                design = {name: float(given[k]) for name, given in values.items()}
                codes[k], failed_at[k], result = _design_outcome(mechanism, design, times, asked)
                if result is not None:
                    effort[:, k] = [result.effort_along(name) for name in names]
                    load[:, k] = [result[joint.name].load for joint in mechanism.connections]
                    contacts = one_sided_contacts(result)
                    normal[:, k] = [contact.normal.min() for contact in contacts]
                    separated_at[:, k] = [contact.separated_at for contact in contacts]
                shown(k + 1)
    except KeyboardInterrupt:
        accept_partial_result()  # the remaining designs are marked as interrupted
    found = {"codes": codes, "failed_at": failed_at}
    found |= {"peak": np.abs(effort).max(axis=2), "rms": np.sqrt((effort**2).mean(axis=2))}
    found |= {"loads": load.max(axis=2), "normal": normal, "separated_at": separated_at}
    return pairs, found | ({"effort": effort, "load": load} if whole else {})


def effort_names(mechanism: Mechanism) -> list[str]:
    """Names of the unknown efforts of drives and actuators: "joint", or "joint.component" for several coordinates."""
    parts = {
        joint: mechanism.joint(joint).components(mechanism.planar) for joint, _ in unknown_efforts(mechanism)
    }
    return [
        effort_name(joint, component if len(parts[joint]) > 1 else None)
        for joint, component in unknown_efforts(mechanism)
    ]


def one_sided_contacts(result: Result) -> list[ContactHistory]:
    """Histories of the pairs of a result whose contact can only push."""
    histories = result.joints.values()
    return [pair for pair in histories if isinstance(pair, ContactHistory) and not pair.two_sided]


def _design_outcome(
    mechanism: Mechanism, design: Mapping[str, float], times: np.ndarray, asked: Mapping[str, Any]
) -> tuple[int, float, Result | None]:
    """Status code of one design, the time at which it failed (or NaN), and its Result, None if it failed.

    `asked` contains the arguments `start` and `guess` of `inverse`.
    """
    try:
        result = _inverse_of_design(mechanism, design, times, asked)
    except AssemblyError:
        return CANNOT_CLOSE, float(times[0]), None
    except MultiloopError:
        return DEAD_POINT, float("nan"), None
    if len(result.time) < len(times):
        return DEAD_POINT, float(result.time[-1]), None
    return OK, float("nan"), result


def _inverse_of_design(
    mechanism: Mechanism, design: Mapping[str, float], times: np.ndarray, asked: Mapping[str, Any]
) -> Result:
    from multiloop.analyses.inverse import inverse  # imported only here, since `inverse` imports this module

    return inverse(mechanism, parameters=design, t=times, progress=False, **asked)
