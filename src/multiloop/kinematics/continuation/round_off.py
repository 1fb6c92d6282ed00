"""Effect of round-off on a motion near a singular configuration, and more accurate motions by decimal arithmetic.

If loops are closed up to round-off ε, the position has an error of the order ε/σ along the right singular vector of
each singular value σ of the constraint Jacobian; the rates have an error of the order ε/σ², the accelerations ε/σ³.
Near a singular configuration these errors are not small. ε is 2.2e-16 times the size of the mechanism, or times the
distance of its joints from the origin if this is larger (`Skeleton.round_off`). The error of the position is estimated
by

    δq = Σ (ε/σₖ) vₖ      over the directions of small singular values

with the sign of each singular vector vₖ such that its first large entry is positive, so that the estimate does not
depend on the arbitrary signs that a singular value decomposition returns. The change of a quantity due to this
displacement is its uncertainty. If round-off changes a motion noticeably, the constraint rows are evaluated in decimal
arithmetic of high precision, and Newton's method is continued,

    q ← q − J⁺ Φ(q),      v ← v + J⁺ (b − J v),      a ← a + J⁺ (γ − J a)

with the residuals Φ, the right-hand sides b and γ of the velocity and acceleration constraints, and the pseudo-inverse
J⁺ in double precision, which affects the rate of convergence and not the result.

Theory: docs/theory/08-singular-configurations.md, eqs. (8.3)–(8.5).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import localcontext
from functools import lru_cache

import numpy as np

from multiloop.kinematics.assembly import Drive
from multiloop.kinematics.conditioning import RANK_TOLERANCE, LinearisedRows, linearise_rows
from multiloop.kinematics.continuation.drive_continuation import Instant, Trajectory
from multiloop.kinematics.continuation.singular_approach import NEAR_SINGULAR
from multiloop.kinematics.equations import Equations, PrescribedValues
from multiloop.symbols.decimals import CONTEXT, DecimalArray, DecimalFunction, as_decimals

MAX_CORRECTIONS = 40
"""Number of corrections after which the iteration is taken to have failed."""

CORRECTION_TOLERANCE = 1e-28
"""Size of a correction, as a fraction of the largest coordinate, up to which the iteration counts as converged."""


class ExactRows:
    """The constraint equations of a mechanism in decimal arithmetic of high precision, and their solution by Newton's
    method."""

    def __init__(self, equations: Equations) -> None:
        eq = self.equations = equations
        self._closure = DecimalFunction(eq.function("closure", ("q", "s"), phi=eq.phi))
        rates = {"J": eq.full_jacobian, "bias": eq.rows.bias(eq, eq.prescribed)}
        self._rates = DecimalFunction(eq.function("rates", ("q", "s", "s_rate"), **rates))
        gamma = eq.rows.gamma(eq, eq.prescribed)
        self._gamma = DecimalFunction(
            eq.function("gamma", ("q", "v", "s", "s_rate", "s_second"), gamma=gamma)
        )

    def position(self, q: np.ndarray, s: np.ndarray, p: np.ndarray, count: int) -> DecimalArray | None:
        """Coordinates q for which all position constraints are satisfied in decimal arithmetic; None if the iteration
        fails.

        `count` is the number of independent constraint rows."""
        G = self._pseudo_inverse(q, s, p, count, placed=True)
        if G is None:
            return None

        def correction(at: DecimalArray) -> np.ndarray:
            return np.asarray(-G @ self._closure(at, s, p)[0].astype(float))

        return self._iterate(
            self._apply_step(as_decimals(q), np.zeros(len(G))), correction, self._apply_step, 1.0
        )

    def rates(
        self, q: DecimalArray, v: np.ndarray, given: PrescribedValues, p: np.ndarray, count: int
    ) -> DecimalArray | None:
        """The rates nearest to v that satisfy the constraints at the coordinates q, which are a result of `position`;
        None if the iteration fails.

        `count` is the number of independent constraint rows."""
        J, bias = self._rates(q, *given[:2], p)
        return self._solve_linear(
            as_decimals(v), J, bias, self._pseudo_inverse(q.astype(float), given[0], p, count)
        )

    def accelerations(
        self, q: DecimalArray, v: DecimalArray, given: PrescribedValues, p: np.ndarray, count: int
    ) -> DecimalArray | None:
        """Minimum-norm accelerations that satisfy the constraints at the coordinates q and rates v, which are results
        of `position` and `rates`; None if the iteration fails.

        `count` is the number of independent constraint rows."""
        J, _ = self._rates(q, *given[:2], p)
        (gamma,) = self._gamma(q, v, *given, p)
        nothing = as_decimals(np.zeros(len(v)))
        return self._solve_linear(
            nothing, J, gamma, self._pseudo_inverse(q.astype(float), given[0], p, count)
        )

    def _solve_linear(
        self, x: DecimalArray, J: DecimalArray, right: DecimalArray, G: np.ndarray | None
    ) -> DecimalArray | None:
        """Solution y of J y = `right`, computed from the start value x by repeated corrections with the pseudo-inverse
        G of J; None if the corrections do not converge or G is None."""
        if G is None:
            return None
        rows = J.reshape(len(right), len(x))
        size = sum(
            float(np.abs(part).max(initial=0.0)) for part in (G @ right.astype(float), x.astype(float))
        )

        def correction(x: DecimalArray) -> np.ndarray:
            return np.asarray(G @ (right - rows @ x).astype(float))

        return self._iterate(x, correction, lambda x, step: x + as_decimals(step), size)

    def _iterate(
        self,
        x: DecimalArray,
        correction: Callable[[DecimalArray], np.ndarray],
        corrected: Callable[[DecimalArray, np.ndarray], DecimalArray],
        size: float,
    ) -> DecimalArray | None:
        """Correct x repeatedly until the corrections are negligible relative to `size`; None if they do not decrease.

        `correction` returns the next correction of x, `corrected` the value of x after a correction."""
        least = np.inf
        with localcontext(CONTEXT):
            for _ in range(MAX_CORRECTIONS):
                step = correction(x)
                left = float(np.abs(step / self.equations.chart.rate_units).max(initial=0.0))
                if left <= CORRECTION_TOLERANCE * size:
                    return x
                if not left <= 2 * least:
                    return None
                least = min(least, left)
                x = corrected(x, step)
        return None

    def _pseudo_inverse(
        self, q: np.ndarray, s: np.ndarray, p: np.ndarray, count: int, *, placed: bool = False
    ) -> np.ndarray | None:
        """Pseudo-inverse J⁺ of the Jacobian in double precision, of all constraints or, with `placed`, of the position
        constraints; the `count` largest singular values are used.

        None if the rank is lower than `count`.
        """
        eq = self.equations
        linear = linearise_rows(eq, q, s, p, placed=placed)
        if linear.rank < count:
            return None
        scale = eq.row_scale if placed else eq.rate_row_scale
        inverse = (linear.Vt[:count].T / linear.sigma[:count]) @ (linear.U[:, :count].T * scale)
        return np.asarray(eq.chart.rate_units[:, None] * inverse)

    def _apply_step(self, q: DecimalArray, step: np.ndarray) -> DecimalArray:
        """The coordinates q after a small step in the joint rates; quaternions keep unit length."""
        new, (in_q, in_v) = q.copy(), self.equations.chart.direct_coordinates
        with localcontext(CONTEXT):
            new[in_q] = q[in_q] + as_decimals(step)[in_v]
            for place, rate in self.equations.chart.quaternions:
                e, x = q[place], as_decimals(step)[rate] / 2
                turned = np.concatenate([[e[0] - x @ e[1:]], e[1:] + e[0] * x + np.cross(x, e[1:])])
                new[place] = turned / CONTEXT.sqrt(turned @ turned)
        return new


@lru_cache(maxsize=16)
def exact_rows(equations: Equations) -> ExactRows:
    """The constraint equations of a mechanism in decimal arithmetic, cached for repeated use."""
    return ExactRows(equations)


ROUND_OFF_TOLERANCE = 1e-11
"""Relative change of a motion due to round-off above which the motion is computed in decimal arithmetic."""

MAX_CHECKED_INSTANTS = 8
"""Largest number of instants at which the effect of round-off is computed; the instants with the largest expected
effect are used."""

Motion = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Type of the motion at one instant: coordinates q, rates v and accelerations a."""


def round_off_displacement(linear: LinearisedRows, count: int) -> np.ndarray:
    """Estimate of the displacement of the tree coordinates by round-off, along the singular vectors of small singular
    values; the largest `count` singular values belong to independent constraint rows."""
    sigma = linear.sigma[:count]
    weak = sigma < NEAR_SINGULAR * linear.sigma.max(initial=0.0)
    equations = linear.equations
    open_by = equations.skeleton.round_off / sigma[weak]
    displacement: np.ndarray = equations.chart.rate_units * (_fix_signs(linear.Vt[:count][weak]).T @ open_by)
    return displacement


def _fix_signs(directions: np.ndarray) -> np.ndarray:
    """The rows of a matrix with signs such that, in each row, the first entry of at least half the largest magnitude is
    positive."""
    sizes = np.abs(directions)
    first = np.argmax(sizes >= sizes.max(axis=1, initial=0.0, keepdims=True) / 2, axis=1)
    signs = np.sign(np.take_along_axis(directions, first[:, None], axis=1))
    signed: np.ndarray = signs * directions
    return signed


def expected_round_off(
    equations: Equations, singularity_distance: np.ndarray, v: np.ndarray, a: np.ndarray
) -> np.ndarray:
    """Expected effect of round-off on the motion at every instant, up to a constant factor.

        (1 + |v|² / (c (|a| + |v|²))) / c²

    c is the distance from singularity; |v| and |a| are the magnitudes of the largest rate and acceleration. The effect
    is c⁻² for a mechanism at rest and of the order c⁻³ if velocities contribute to the accelerations.
    """
    scale, c = equations.chart.rate_units, np.maximum(singularity_distance, RANK_TOLERANCE)
    bend, push = (np.abs(x / scale).max(axis=1, initial=0.0) ** n for x, n in ((v, 2), (a, 1)))
    turning = bend / np.where(bend > 0, bend + push, 1.0)
    found: np.ndarray = (1 + turning / c) / c**2
    return found


def most_affected_instants(expected: np.ndarray) -> list[int]:
    """Indices of the instants at which the effect of round-off is to be computed: the highest local maxima of
    `expected` over time, then other instants."""
    around = np.concatenate([[-np.inf], expected, [-np.inf]])
    peaks = (expected > around[:-2]) & (expected >= around[2:])
    order: list[int] = np.lexsort((-expected, ~peaks)).tolist()
    return order[:MAX_CHECKED_INSTANTS]


def motion_change(
    equations: Equations, v: np.ndarray, a: np.ndarray, *others: np.ndarray, least: float = 0.0
) -> float:
    """Largest relative difference between the rates and accelerations (v, a) and a second set `others`.

    Differences of rates are relative to the largest |v|, differences of accelerations to the sum of the largest |a|,
    the square of the largest |v|, and `least`. Rates that are negligible compared with √`least` count as zero.
    """
    scale = equations.chart.rate_units
    v, a, v_other, a_other = (x / scale for x in (v, a, *others))
    speed = float(np.abs(v).max(initial=0.0))
    parts = [0.0]
    for found, other, size in (
        (v, v_other, speed + ROUND_OFF_TOLERANCE * least**0.5),
        (a, a_other, float(np.abs(a).max(initial=0.0)) + speed**2 + least),
    ):
        difference = float(np.abs(found - other).max(initial=0.0))
        parts.append(difference / size if size else 0.0)
    return max(parts)


def displaced_motion(
    equations: Equations, motion: Motion, given: PrescribedValues, p: np.ndarray, count: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The motion (q, v, a) after a displacement of q by round-off; v and a are changed by the minimum that satisfies
    the constraints again. `given` are the prescribed values, `count` is the number of independent constraint rows."""
    q, v, a = motion
    q = equations.chart.apply_step(
        q, round_off_displacement(linearise_rows(equations, q, given[0], p), count)
    )
    linear, J = linearise_rows(equations, q, given[0], p), equations.rate_jacobian(q, given[0], p)
    v = v + linear.solve(equations.bias(q, given, p) - J @ v)
    return q, v, a + linear.solve(equations.gamma(q, v, given, p) - J @ a)


def round_off_matters(
    equations: Equations, motion: Motion, given: PrescribedValues, p: np.ndarray, count: int
) -> bool:
    """Whether a displacement by round-off changes the rates or accelerations by more than `ROUND_OFF_TOLERANCE`
    (relative). `given` are the prescribed values, `count` is the number of independent constraint rows."""
    other = displaced_motion(equations, motion, given, p, count)
    return motion_change(equations, *motion[1:], *other[1:]) > ROUND_OFF_TOLERANCE


def remove_round_off(
    equations: Equations, path: Sequence[Instant], drive: Drive, p: np.ndarray
) -> list[Instant]:
    """The instants of a motion; instants at which round-off matters are recomputed in decimal arithmetic.

    Instants are checked in decreasing order of the expected effect, until `MAX_CHECKED_INSTANTS` in a row are not
    affected.
    """
    found, hidden = list(path), 0
    for k in _moving_near_singular(equations, path):
        at = path[k]
        given = [drive(at.t, order) for order in range(3)]
        count = linearise_rows(equations, at.q, given[0], p).expected_rank
        if count and round_off_matters(equations, (at.q, at.v, at.a), given, p, count):
            found[k], hidden = _exact_instant(equations, at, given, p, count), 0
        elif (hidden := hidden + 1) == MAX_CHECKED_INSTANTS:
            break
    return found


def _moving_near_singular(equations: Equations, path: Sequence[Instant]) -> list[int]:
    """Indices of the instants at which the mechanism moves and is near a singular configuration, but not in one; in
    decreasing order of the expected effect of round-off."""
    beside = [
        k
        for k, at in enumerate(path)
        if RANK_TOLERANCE < at.singularity_distance < NEAR_SINGULAR and (at.v.any() or at.a.any())
    ]
    if not beside:
        return []
    near = Trajectory.from_instants([path[k] for k in beside])
    expected = expected_round_off(equations, near.singularity_distance, near.v, near.a)
    return [beside[k] for k in np.argsort(-expected, kind="stable").tolist()]


def _exact_instant(
    equations: Equations, at: Instant, given: PrescribedValues, p: np.ndarray, count: int
) -> Instant:
    """The instant `at` recomputed in decimal arithmetic, or unchanged if this fails; `count` is the number of
    independent constraint rows."""
    rows = exact_rows(equations)
    q = rows.position(
        at.q, given[0], p, linearise_rows(equations, at.q, given[0], p, placed=True).expected_rank
    )
    v = None if q is None else rows.rates(q, at.v, given, p, count)
    a = None if q is None or v is None else rows.accelerations(q, v, given, p, count)
    if q is None or v is None or a is None:
        return at
    return replace(at, q=q.astype(float), v=v.astype(float), a=a.astype(float))
