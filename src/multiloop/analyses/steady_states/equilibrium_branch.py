"""Branch of equilibria over a parameter: fold points, branch points and stability, as a table or a plot.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eq. (13.5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.designs.feasibility import require_fixed_reduction, require_shared_reduction
from multiloop.analyses.steady_states.arclength_continuation import ArclengthContinuation, BranchPoint
from multiloop.analyses.steady_states.equilibrium_result import Equilibrium
from multiloop.analyses.steady_states.linearised_equations import (
    LinearisedMotion,
    Pencil,
    with_named_coordinates,
)
from multiloop.analyses.steady_states.steady_state import SteadyState
from multiloop.kinematics.assembly import Request
from multiloop.model import Mechanism, UnknownNameError, suggestion
from multiloop.model.expressions.expression import finite_number
from multiloop.model.lazy_methods import implemented_in
from multiloop.model.messages.formatting import short_repr
from multiloop.model.parameter_values import parameter_error
from multiloop.model.synonyms import SuggestsAttributes

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True, eq=False)
class Branch(SuggestsAttributes):
    """Equilibria along a solution branch over a parameter; `branch[k]` is one of them.

    `values` are those of the parameter; `stable` and `smallest` are those of the equilibria. `folds` are the fold
    points, at which the parameter is stationary and two equilibria merge. `branchings` are the branch points, at which
    stability changes otherwise and other branches begin. `ended` states why the branch ends.
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
        """Value of the parameter at an equilibrium."""
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
        """Smallest eigenvalue of the stiffness along the branch, N·m."""
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
        folds = f"folds at {at}" if self.folds else "no fold"
        more = ", ".join(f"{self.value(one):.9g}" for one in self.branchings)
        others = f", bifurcation at {more}" if self.branchings else ""
        values = self.values
        return (
            f"{len(self)} equilibria of '{self.mechanism.name}' over {self.parameter} from {values[0]:g} to "
            f"{values[-1]:g}: {folds}{others}; {self.ended}."
        )


def continuation_range(mechanism: Mechanism, along: Any) -> tuple[str, float, float]:
    """Name of the continuation parameter, and its first and last value."""
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
    standing: SteadyState,
    first: Equilibrium,
    requests: Sequence[Request],
    name: str,
    begin: float,
    end: float,
) -> Branch:
    """Follow the branch that begins at an equilibrium."""
    balance = standing.balance
    places = balance.equations.skeleton.parameter_names
    way = ArclengthContinuation(balance, requests, places.index(name), begin, end)
    points, ended = way.trace(standing)
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
