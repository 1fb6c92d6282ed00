"""Linearised equations as one first-order system with named states, and its poles.

    E ẏ = A y,      y = [ζ, δu, δx],      E = diag(1, M, 1)

Coordinates that rotate steadily are left out of ζ: nothing may depend on them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from multiloop.questions.steady.coordinates import rate_names
from multiloop.questions.steady.small_motion import SmallMotion

FASTEST = 1e8
"""Poles beyond this multiple of the norm of A belong to motions without inertia, and are omitted as infinite."""

GROWS = 1e-6
"""Real parts of poles above this part of the largest pole are growth; smaller ones may be round-off."""


@dataclass(frozen=True, eq=False)
class Pencil:
    """Matrix pencil of the linearised equations, over the resting coordinates."""

    small: SmallMotion
    turning: np.ndarray  # mask of the coordinates of the tree that rotate steadily

    @cached_property
    def kept(self) -> list[int]:
        """Indices of the independent coordinates that are at rest."""
        return [k for k, place in enumerate(self.in_q) if not self.turning[place]]

    @cached_property
    def in_q(self) -> list[int]:
        """Indices of the independent coordinates among the rates of the tree."""
        return [int(np.argmax(row)) for row in self.small.standing.B_q]

    @cached_property
    def in_v(self) -> list[int]:
        """Indices of the independent rates among the rates of the tree."""
        return [int(np.argmax(row)) for row in self.small.standing.B]

    @cached_property
    def states(self) -> tuple[str, ...]:
        """Names of the entries of y."""
        names = [name for name, _ in rate_names(self.small.standing.balance.equations)]
        positions = [names[self.in_q[k]] for k in self.kept]
        rates = [f"{names[k]} rate" for k in self.in_v]
        return (*positions, *rates, *self.small.standing.balance.states)

    @cached_property
    def unit(self) -> np.ndarray:
        """Factors by which scaled entries of y are multiplied to obtain SI units."""
        scale = self.small.standing.scale
        lengths = [*(scale[self.in_q[k]] for k in self.kept), *(scale[k] for k in self.in_v)]
        return np.array([*lengths, *(1.0 for _ in self.small.standing.x_rate)])

    @cached_property
    def scaled(self) -> tuple[np.ndarray, np.ndarray]:
        """E and A for scaled states."""
        small, kept = self.small, self.kept
        by_q, by_u, by_x = small.x_slopes()
        zeta, u, x = len(kept), len(small.M), len(by_x)
        E = np.zeros((zeta + u + x,) * 2)
        E[:zeta, :zeta], E[zeta + u :, zeta + u :] = np.eye(zeta), np.eye(x)
        E[zeta : zeta + u, zeta : zeta + u] = small.M
        A = np.block(
            [
                [small.S[np.ix_(kept, kept)], small.N[kept], np.zeros((zeta, x))],
                [-small.K[:, kept], -small.D, -small.K_x],
                [by_q[:, kept], by_u, by_x],
            ]
        )
        return E, A

    @cached_property
    def left_out(self) -> np.ndarray:
        """Derivatives with respect to the omitted coordinates, which must be zero."""
        small = self.small
        out = [k for k in range(len(self.in_q)) if k not in self.kept]
        return np.vstack([small.S[np.ix_(self.kept, out)], small.K[:, out], small.x_slopes()[0][:, out]])

    @cached_property
    def poles(self) -> np.ndarray:
        """Finite poles, with the largest real part first."""
        return self.modes[0]

    @cached_property
    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Poles and their eigenvectors in scaled states, one column each."""
        E, A = self.scaled
        if not len(E):
            return np.zeros(0, complex), np.zeros((0, 0), complex)
        if self.regular:
            poles, vectors = np.linalg.eig(np.linalg.solve(E, A))
        else:
            poles, vectors = _finite_modes(E, A)
        order = np.lexsort((-poles.imag, -np.round(poles.real, 12)))
        return poles[order], vectors[:, order]

    @cached_property
    def regular(self) -> bool:
        """Whether the masses determine all motions, so that E is regular."""
        return self.small.standing.balance.decided

    @property
    def grows(self) -> bool:
        """Whether some small motion grows."""
        size = float(np.abs(self.poles).max(initial=0.0))
        return bool((self.poles.real > GROWS * size).any())


def _finite_modes(E: np.ndarray, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Finite poles of E ẏ = A y and their eigenvectors, for a singular E due to motions without mass."""
    from scipy.linalg import eig

    (alpha, beta), vectors = eig(A, E, homogeneous_eigvals=True)
    fastest = FASTEST * max(float(np.linalg.norm(A) / np.linalg.norm(E)), 1e-300)
    finite = np.abs(alpha) < fastest * np.abs(beta)
    return alpha[finite] / beta[finite], vectors[:, finite]
