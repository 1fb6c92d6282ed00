"""Branch of equilibria over a parameter: fold points, branch points and stability, as a table or a plot.

Branches are followed past fold points by pseudo-arclength continuation.

    r(ζ, x, p) = 0,      (ζ̇, ẋ, ṗ) tangent to the branch;      predictor along the tangent, corrector normal to it

ζ are independent coordinates, x state variables, p is the parameter, r the residual of the equilibrium equations; dots
denote derivatives with respect to arclength. At a fold point ṗ changes its sign: p is stationary there, so that its
value has twice as many correct digits as the arclength.

Source: [keller], pseudo-arclength continuation.
Differs: arclength is measured in the coordinates of the spanning tree, with lengths divided by the characteristic
length and the parameter divided by its range; the loops are closed at each step.
Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.5).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.designs import require_fixed_reduction, require_shared_reduction
from multiloop.analyses.run_models import RelativeDeflections
from multiloop.analyses.steady_states.equilibrium_result import Equilibrium
from multiloop.analyses.steady_states.equilibrium_search import (
    BALANCE_TOLERANCE,
    displaced_configuration,
    moment_scale,
    residual_jacobian,
    steady_state_at,
    unbalanced_part,
)
from multiloop.analyses.steady_states.force_balance import ForceBalance
from multiloop.analyses.steady_states.linearised_equations import (
    LinearisedMotion,
    Pencil,
    with_named_coordinates,
)
from multiloop.analyses.steady_states.steady_state import SteadyState
from multiloop.kinematics.assembly import Request
from multiloop.model import (
    Mechanism,
    SuggestsAttributes,
    UnknownNameError,
    implemented_in,
    parameter_error,
    short_repr,
    suggestion,
)
from multiloop.model.expressions.expression import finite_number

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Branch(SuggestsAttributes):
    """Equilibria along a solution branch over a parameter; `branch[k]` is one of them.

    For each equilibrium, `values` contains the value of the parameter, `stable` whether no small motion grows, and
    `smallest` the smallest eigenvalue of the stiffness matrix (N·m). `folds` are the fold points, at which the
    parameter is stationary and two equilibria merge. `branchings` are the branch points, at which stability changes
    without a fold and other branches begin. `ended` states why the branch ends.
    """

    mechanism: Mechanism
    parameter: str
    equilibria: tuple[Equilibrium, ...]
    folds: tuple[Equilibrium, ...]
    branchings: tuple[Equilibrium, ...]
    ended: str

    @implemented_in("multiloop.view", "plot_branch")
    def plot(
        self,
        *,
        show: str | Sequence[str] | None = None,
        path: str | Path | None = None,
        axes: Any = None,
    ) -> Figure:
        """Plot coordinates of joints over the parameter: stable equilibria solid, unstable ones dashed, folds as dots.

        `show` names joints; by default those that move most are shown. `axes` are Matplotlib axes to plot in. With
        `path` the picture is saved.
        """
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.equilibria)

    def __getitem__(self, k: int) -> Equilibrium:
        return self.equilibria[k]

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self.equilibria)

    def value(self, equilibrium: Equilibrium) -> float:
        """Value of the continuation parameter at an equilibrium of the branch."""
        names = equilibrium.steady_state.balance.equations.skeleton.parameter_names
        return float(equilibrium.steady_state.configuration.p[names.index(self.parameter)])

    @property
    def values(self) -> np.ndarray:
        """Values of the parameter along the branch."""
        return np.array([self.value(one) for one in self.equilibria])

    @property
    def stable(self) -> np.ndarray:
        """Whether each equilibrium is stable."""
        return np.array([one.stable for one in self.equilibria])

    @property
    def smallest(self) -> np.ndarray:
        """Smallest eigenvalue of the stiffness matrix at each equilibrium of the branch, in N·m."""
        return np.array([one.smallest for one in self.equilibria])

    def position(self, joint: str) -> np.ndarray:
        """Coordinates of a joint along the branch, (equilibria,) or (equilibria, coordinates)."""
        known = self.equilibria[0].positions
        if joint not in known:
            raise UnknownNameError(self.mechanism.name, "joint", joint, suggestion(joint, known))
        found = np.array([one.positions[joint] for one in self.equilibria])
        return found[:, 0] if found.shape[1] == 1 else found

    def to_table(self) -> Any:
        """A pandas DataFrame: the parameter, all coordinates, `smallest` and `stable`, one row per equilibrium."""
        import pandas as pd

        columns: dict[str, Any] = {self.parameter: self.values}
        for joint, q in self.equilibria[0].positions.items():
            names = [joint] if len(q) == 1 else [f"{joint}.{k + 1}" for k in range(len(q))]
            table = np.array([one.positions[joint] for one in self.equilibria])
            columns |= {name: table[:, k] for k, name in enumerate(names)}
        return pd.DataFrame(columns | {"smallest": self.smallest, "stable": self.stable})

    def __repr__(self) -> str:
        at = ", ".join(f"{self.value(fold):.9g}" for fold in self.folds)
        more = ", ".join(f"{self.value(one):.9g}" for one in self.branchings)
        folds = f" via {'a fold' if len(self.folds) == 1 else 'folds'} at {at}" if self.folds else ""
        others = (
            f", with {'a bifurcation' if len(self.branchings) == 1 else 'bifurcations'} at {more}"
            if self.branchings
            else ""
        )
        values = self.values
        return (
            f"{len(self)} equilibria of '{self.mechanism.name}': {self.parameter} varies from {values[0]:g}{folds} to "
            f"{values[-1]:g}{others}. The branch {self.ended}."
        )


def continuation_range(mechanism: Mechanism, along: Any) -> tuple[str, float, float]:
    """Name of the continuation parameter, and its first and last value, from the argument `along`."""
    remedy = 'Write along={"P": (0, 500)}.'
    if not isinstance(along, Mapping) or len(along) != 1:
        raise parameter_error(mechanism, "along", f"is {short_repr(along)}.", remedy)
    ((name, ends),) = along.items()
    if name not in mechanism.parameters:
        raise parameter_error(
            mechanism, f"parameter '{name}'", "does not exist.", suggestion(name, mechanism.parameters)
        )
    numbers = (
        [finite_number(end) for end in ends] if isinstance(ends, Sequence) and len(ends) == 2 else [None]
    )
    if None in numbers or numbers[0] == numbers[1]:
        raise parameter_error(
            mechanism, f"along '{name}'", f"is {short_repr(ends)}.", f"Give two different numbers. {remedy}"
        )
    require_fixed_reduction(mechanism, [name])
    require_shared_reduction(mechanism, {name: np.array(ends, float)})
    return name, float(ends[0]), float(ends[1])


def follow_branch(
    steady: SteadyState,
    first: Equilibrium,
    requests: Sequence[Request],
    name: str,
    begin: float,
    end: float,
) -> Branch:
    """The branch of equilibria that begins at the steady state `steady` when the parameter `name` varies from `begin`
    to `end`.

    `first` is the Equilibrium of `steady`; `requests` are the prescribed rates.
    """
    balance = steady.balance
    places = balance.equations.skeleton.parameter_names
    way = ArclengthContinuation(balance, requests, places.index(name), begin, end)
    points, ended = way.trace(steady)
    folds, branchings = list[Equilibrium](), list[Equilibrium]()
    turning = first.pencil.turning

    def equilibrium(point: BranchPoint) -> Equilibrium:
        return Equilibrium(Pencil(LinearisedMotion(with_named_coordinates(point.steady_state)), turning))

    def smallest(point: BranchPoint) -> float:
        return equilibrium(point).smallest

    equilibria = [equilibrium(points[0])]
    for one, other in pairwise(points):
        folding = one.parameter_rate * other.parameter_rate < 0
        if folding or equilibria[-1].smallest * smallest(other) < 0:
            measure = (lambda point: point.parameter_rate) if folding else smallest
            if (found := way.locate_sign_change(one, other.step, measure)) is not None:
                equilibria.append(equilibrium(found))
                (folds if folding else branchings).append(equilibria[-1])
        equilibria.append(equilibrium(other))
    return Branch(balance.mechanism, name, tuple(equilibria), tuple(folds), tuple(branchings), ended)


LONGEST_STEP, SHORTEST_STEP = 0.05, 1e-7
"""Largest and smallest arclength step, in radians, characteristic lengths, or fractions of the parameter's range."""

LEAST_TANGENT_COSINE = 0.985
"""Cosine of the angle between the tangents at both ends of a step; a step with a smaller cosine is halved."""

MOST_STEPS = 2000
"""Largest number of steps of a continuation."""

CORRECTIONS = 10
"""Largest number of Newton steps of the corrector in one continuation step."""

BRACKET_STEPS = 60
"""Largest number of steps of Brent's method for a fold or branch point between two points of a branch."""


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """A point of a branch of equilibria, with the unit tangent of the branch.

    The entries of the tangent are the coordinates of the spanning tree, with lengths divided by the characteristic
    length, state variables, and the parameter divided by its range.
    """

    steady_state: SteadyState
    tangent: np.ndarray
    step: float = 0.0  # length of the step from the previous point

    @property
    def parameter_rate(self) -> float:
        """Derivative of the parameter with respect to arclength."""
        return float(self.tangent[-1])


@dataclass(frozen=True, eq=False)
class ArclengthContinuation:
    """Continuation of an equilibrium over a parameter, given by its index, from the value `begin` to `end`."""

    balance: ForceBalance
    requests: Sequence[Request]
    parameter: int
    begin: float
    end: float

    @property
    def range(self) -> float:
        """Width of the range of the parameter, by which steps of the parameter are divided."""
        return abs(self.end - self.begin)

    def value(self, steady: SteadyState) -> float:
        """Value of the continuation parameter at a steady state."""
        return float(steady.configuration.p[self.parameter])

    # one continuation step ----------------------------------------------------------------------------

    def _matrices(self, steady: SteadyState) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Residual r of the equilibrium equations, its derivative with respect to [ζ, x, p], and the matrix that maps
        [ζ, x, p] to [q, x, p].

        ζ are the independent coordinates, x the state variables, q the coordinates of the spanning tree, with lengths
        divided by the characteristic length, and p the parameter divided by its range.
        """
        small, size = LinearisedMotion(steady), self._moment_scale(steady)
        q_p, f_p, x_p = (part * self.range for part in small.parameter_derivatives(self.parameter))
        R = np.column_stack([residual_jacobian(small, size), np.concatenate([f_p / size, x_p])])
        states = len(steady.x_rate)
        way = np.zeros((len(q_p) + states + 1, R.shape[1]))
        way[: len(q_p), : steady.C_q.shape[1]], way[: len(q_p), -1] = steady.C_q, q_p
        way[len(q_p) :, steady.C_q.shape[1] :] = np.eye(states + 1)
        return np.concatenate([steady.force / size, steady.x_rate]), R, way

    def point(self, steady: SteadyState, before: np.ndarray | None = None) -> BranchPoint:
        """The point of the branch at a steady state, with the unit tangent of the branch.

        The tangent has a positive component along `before`, the tangent at the previous point; without `before` it
        points towards the end of the parameter's range.
        """
        _, R, way = self._matrices(steady)
        ahead = np.zeros(len(way)) if before is None else before
        if before is None:
            ahead[-1] = 1.0 if self.end > self.begin else -1.0
        found, *_ = np.linalg.lstsq(np.vstack([R, ahead @ way]), np.eye(len(R) + 1)[-1], rcond=None)
        tangent = way @ found
        tangent = tangent / np.linalg.norm(tangent)
        return BranchPoint(steady, tangent if tangent @ ahead >= 0 else -tangent)

    def _displaced(self, steady: SteadyState, step: np.ndarray) -> SteadyState | None:
        """The steady state, with closed loops, after a step in coordinates (lengths divided by the characteristic
        length), state variables and the parameter (divided by its range); None if the loops cannot be closed."""
        at, n = steady.configuration, len(steady.v)
        p = at.p.copy()
        p[self.parameter] += step[-1] * self.range
        place = displaced_configuration(
            self.balance, at, step[:n], x=self.balance.with_states(at.x, step[n:-1]), p=p
        )
        return None if place is None else steady_state_at(self.balance, place, self.requests)

    def next_point(self, point: BranchPoint, h: float) -> BranchPoint | None:
        """The point of the branch at arclength h after `point`; None if the corrector does not converge."""
        at = self._displaced(point.steady_state, h * point.tangent)
        for _ in range(CORRECTIONS):
            if at is None:
                return None
            r, R, way = self._matrices(at)
            left = np.vstack([R, point.tangent @ way])
            step, *_ = np.linalg.lstsq(left, np.concatenate([-r, [0.0]]), rcond=None)
            done = np.abs(step).max(initial=0.0) < 1e-13
            if np.abs(step).max(initial=0.0) > 2 * LONGEST_STEP:
                return None
            better = at if done else self._displaced(at, way @ step)
            if better is None or (not done and self._stagnates(at, better)):
                break
            at = better
            if done:
                break
        return (
            self.point(at, point.tangent)
            if at is not None and self._unbalanced_part(at) <= BALANCE_TOLERANCE
            else None
        )

    def _unbalanced_part(self, steady: SteadyState) -> float:
        """Largest unbalanced moment, divided by a reference moment, or largest rate of a state variable if larger.

        The reference moment is the scale of the acting moments (`moment_scale`) or, if larger, their change over the
        parameter's range, because the acting moments vanish at a fold point of a mechanism without loops.
        """
        return unbalanced_part(steady, self._moment_scale(steady))

    def _moment_scale(self, steady: SteadyState) -> float:
        f_p = LinearisedMotion(steady).parameter_derivatives(self.parameter)[1] * self.range
        return float(max(moment_scale(steady), np.abs(f_p).max(initial=0.0)))

    def _stagnates(self, one: SteadyState, other: SteadyState) -> bool:
        """Whether `one` is in equilibrium and the unbalanced moment of the corrected state `other` is no smaller."""
        return self._unbalanced_part(one) <= BALANCE_TOLERANCE / 100 and self._unbalanced_part(
            other
        ) >= self._unbalanced_part(one)

    # whole branch -------------------------------------------------------------------------------------

    def trace(self, first: SteadyState) -> tuple[list[BranchPoint], str]:
        """All points of the branch, beginning with `first`, and a text that states why the branch ends."""
        at, h = self.point(first), 0.2 * LONGEST_STEP
        found, links = [at], RelativeDeflections(self.balance.equations.skeleton)
        for _ in range(MOST_STEPS):
            ahead = self.next_point(at, h)
            while ahead is None or ahead.tangent @ at.tangent < LEAST_TANGENT_COSINE:
                h = h / 2
                if h < SHORTEST_STEP:
                    return found, "ended because no further step converged"
                ahead = self.next_point(at, h)
            low, high = sorted((self.begin, self.end))
            if not low <= self.value(ahead.steady_state) <= high:
                last = self._range_end(at, h, low if self.value(ahead.steady_state) < low else high)
                return (
                    (found, "ended because no further step converged")
                    if last is None
                    else ([*found, last], "reached the end of the range")
                )
            away = links.first_beyond(np.zeros(1), ahead.steady_state.configuration.q[None])
            if away is not None:
                return (
                    found,
                    f"ended where '{away[1]}' would be deflected by its whole length, beyond the validity "
                    "of its modes",
                )
            found.append(replace(ahead, step=h))
            at, h = ahead, min(1.4 * h, LONGEST_STEP)
        return found, f"ended after {MOST_STEPS} steps"

    def _range_end(self, at: BranchPoint, h: float, edge: float) -> BranchPoint | None:
        """The point within a step of length h after `at` at which the parameter has the value `edge`, or None."""
        found = self.locate_sign_change(at, h, lambda point: self.value(point.steady_state) - edge)
        if found is None:
            return None
        place = found.steady_state.configuration
        p = np.where(np.arange(len(place.p)) == self.parameter, edge, place.p)
        return replace(found, steady_state=steady_state_at(self.balance, replace(place, p=p), self.requests))

    def locate_sign_change(
        self, at: BranchPoint, h: float, measure: Callable[[BranchPoint], float]
    ) -> BranchPoint | None:
        """The point within a step of length h after `at` at which `measure` is zero; None if its sign is constant."""
        from scipy.optimize import brentq

        points: dict[float, BranchPoint] = {0.0: at}

        def value(length: float) -> float:
            if length not in points:
                point = self.next_point(at, length)
                if point is None:
                    raise _NoPointError
                points[length] = point
            return measure(points[length])

        try:
            if value(0.0) * value(h) > 0:
                return None
            length = brentq(value, 0.0, h, xtol=1e-14 * max(h, 1e-3), maxiter=BRACKET_STEPS, disp=False)
        except _NoPointError:
            return None
        return replace(points[length], step=length)


class _NoPointError(Exception):
    """The corrector did not converge to a point of the branch at a requested arclength."""
