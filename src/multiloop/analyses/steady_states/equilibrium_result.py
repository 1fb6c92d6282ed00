"""Result of `equilibrium`: position, loads in all joints, stiffness, poles and stability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.idle_spins import spin_motions
from multiloop.analyses.results import (
    MOST_NAMED,
    JointState,
    Result,
    State,
    equilibrium_friction_warnings,
    over_limit_warnings,
    undetermined_note,
    with_warnings,
)
from multiloop.analyses.steady_states.equilibrium_search import moment_scale, unbalanced_part
from multiloop.analyses.steady_states.linearised_equations import (
    REST_TOLERANCE,
    LinearisedMotion,
    Pencil,
    independent_rows,
    rate_names,
    with_named_coordinates,
)
from multiloop.analyses.steady_states.steadiness import steady_pencil
from multiloop.analyses.steady_states.steady_state import SteadyState, result_at, state_at
from multiloop.model import ResultWarning, SuggestsAttributes, implemented_in, status_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEUTRAL_STIFFNESS = 1e-9
"""Largest magnitude of an eigenvalue of the stiffness matrix (N m per radian) that counts as zero when stability is
decided, as a fraction of the largest acting moment (`moment_scale`)."""

STIFFNESS_ROUND_OFF = 1e-13
"""Largest singular value of the stiffness matrix (N m per radian) that counts as round-off, so that no force resists
the corresponding displacement, as a fraction of the largest acting moment (`moment_scale`)."""


@dataclass(frozen=True, eq=False)
class Equilibrium(SuggestsAttributes):
    """A position, or a steady motion, in which all forces are in equilibrium.

    `state` is the State from which other functions can start, `result` the Result at this instant: loads in all
    joints, efforts of the drives, outputs of springs and other loads. `eigenvalues` are the poles of small motions.
    `smallest` is the smallest eigenvalue of the stiffness matrix for small displacements, in N·m, with lengths divided
    by the characteristic length; it is zero at a fold point. `stable` is True if no small motion grows. `status` is
    "ok", or the warnings to read before the position and its forces are used.
    """

    pencil: Pencil

    @implemented_in("multiloop.view", "draw_equilibrium")
    def draw(
        self,
        *,
        traces: Sequence[Any] | Mapping[str, Any] = (),
        path: str | Path | None = None,
        axes: Any = None,
    ) -> Figure:
        """Draw the mechanism in its equilibrium; the keywords are those of `Mechanism.draw`."""
        raise NotImplementedError

    @cached_property
    def state(self) -> State:
        """The State of the equilibrium: positions and rates of all joints."""
        return state_at(self.steady_state)

    @cached_property
    def result(self) -> Result:
        """The equilibrium as a Result of one instant, with the reactions in all joints."""
        result = result_at(self.steady_state)
        warnings = [
            *over_limit_warnings(result),
            *equilibrium_friction_warnings(result),
            *_neutral_warnings(self.neutral),
        ]
        return with_warnings(result, warnings)

    @cached_property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """The warnings of `result`, and one about forces that equilibrium does not determine."""
        left = undetermined_note(self.result)
        if not left:
            return self.result.warnings
        text = f"{left[0].lower()}{left[1:]}"
        return (*self.result.warnings, ResultWarning("W91", self.result.mechanism.name, text))

    @property
    def status(self) -> str:
        """ "ok", or the texts of all warnings."""
        return status_text(self.warnings)

    @property
    def positions(self) -> Mapping[str, tuple[float, ...]]:
        """Coordinates of each joint, as in a State."""
        return self.state.positions

    def __getitem__(self, joint: str) -> JointState:
        return self.state[joint]

    @property
    def _linearised(self) -> LinearisedMotion:
        return self.pencil.linearised

    @property
    def steady_state(self) -> SteadyState:
        """The steady state in the coordinates of the spanning tree."""
        return self.pencil.linearised.steady_state

    @property
    def eigenvalues(self) -> np.ndarray:
        """Poles of small motions about the equilibrium, in 1/s, with the largest real part first.

        The array is empty for a mechanism without masses.
        """
        return self.pencil.poles

    @cached_property
    def smallest(self) -> float:
        """Smallest eigenvalue of the stiffness matrix, in N·m, with lengths divided by the characteristic length."""
        return float(self._stiffness.min(initial=np.inf))

    @cached_property
    def _stiffness(self) -> np.ndarray:
        """Eigenvalues of the stiffness matrix in ascending order, in N·m, with lengths divided by the characteristic
        length."""
        return np.sort(np.linalg.eigvals(self._stiffness_along_motions[0]).real)

    @cached_property
    def _stiffness_along_motions(self) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness matrix for an orthonormal basis of the small displacements of coordinates that do not rotate
        steadily, and this basis (displacements as columns, with lengths divided by the characteristic length)."""
        st, small, kept = self.steady_state, self._linearised, self.pencil.resting
        motions, ways = (
            np.linalg.qr(st.C_q[:, kept]) if kept else (np.zeros((len(st.v), 0)), np.zeros((0, 0)))
        )
        change = np.linalg.inv(ways) if kept else ways
        own = [k for k, place in enumerate(self.pencil.in_v) if place in {self.pencil.in_q[j] for j in kept}]
        if len(own) != len(kept):
            return np.zeros((0, 0)), motions[:, :0]
        return change.T @ small.K[np.ix_(own, kept)] @ change, motions

    @cached_property
    def neutral(self) -> tuple[str, ...]:
        """Names of coordinates that no force holds, one for each small displacement that no force resists.

        These displacements are the null vectors of the stiffness matrix; idle spins of single bodies are omitted.
        """
        st = self.steady_state
        K, motions = self._stiffness_along_motions
        _, sizes, vectors = np.linalg.svd(K)
        free = motions @ vectors[sizes <= STIFFNESS_ROUND_OFF * moment_scale(st)].T
        plan, eq, at = st.balance.plan, st.balance.equations, st.configuration
        if plan.idle and free.size:
            idle = np.linalg.qr(spin_motions(eq, at.q, at.p, plan.idle) / st.scale[:, None])[0]
            left, sizes, _ = np.linalg.svd(free - idle @ (idle.T @ free), full_matrices=False)
            free = left[:, sizes > REST_TOLERANCE]
        names = [name for name, _ in rate_names(eq)]
        places = independent_rows(free, [np.isin(np.arange(len(names)), self.pencil.in_q)])
        return tuple(dict.fromkeys(names[k] for k in places))

    @cached_property
    def stable(self) -> bool:
        """Whether no small motion about the equilibrium grows.

        At rest with conservative forces this is decided by the stiffness matrix, which must be positive semidefinite.
        """
        still = not self.steady_state.v.any() and not len(self.steady_state.x_rate)
        K, found, size = self._linearised.K, self._stiffness, moment_scale(self.steady_state)
        if still and len(found) == len(K) and np.abs(K - K.T).max(initial=0.0) <= NEUTRAL_STIFFNESS * size:
            return bool((found >= -NEUTRAL_STIFFNESS * size).all())
        return not self.pencil.has_growing_motion

    @property
    def residual(self) -> float:
        """Largest unbalanced moment, divided by the largest acting moment (`moment_scale`), or largest rate of a state
        variable if larger."""
        return unbalanced_part(self.steady_state)

    def __repr__(self) -> str:
        kind = "stable" if self.stable else "unstable"
        warned = "" if self.status == "ok" else f" Status: {self.status}."
        return f"Equilibrium, {kind}. {self.state!r}{warned}"


def _neutral_warnings(names: Sequence[str]) -> list[ResultWarning]:
    """A warning that the position may belong to a continuous range of equilibria; empty if `names` is empty."""
    if not names:
        return []
    listed = ", ".join(f"'{name}'" for name in names[:MOST_NAMED]) + (
        ", …" if len(names) > MOST_NAMED else ""
    )
    text = (
        f"no force resists a small displacement of {listed}: neighbouring positions may be in equilibrium too"
    )
    return [ResultWarning("W90", names[0], text)]


def equilibrium_of(steady: SteadyState) -> Equilibrium:
    """The Equilibrium of a steady state, in joint coordinates; an error is raised if the motion is not steady."""
    return Equilibrium(steady_pencil(with_named_coordinates(steady)))
