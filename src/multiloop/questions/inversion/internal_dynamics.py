"""Internal dynamics: the motion that remains when all outputs are prescribed, evaluated at many instants at once.

Along a prescribed motion as many equations g(t, ζ, u, w) = 0 remain as there are independent coordinates,

    g = T(q)ᵀ F(q, v, a, λ),      Tᵀ [Jᵀ B] = 0

M = ∂g/∂w is neither symmetric nor definite where the efforts B act elsewhere than at the outputs: the internal
dynamics may then be unstable, and M may be singular.

Source: [seifried], internal dynamics of flexible multibody systems; [devasia_chen_paden].
Differs: T is orthonormal at each instant separately, since g = 0 does not depend on it; M is not inverted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from multiloop.dynamics.residual import Residual
from multiloop.questions.inversion.independent_shapes import elastic_rates
from multiloop.questions.inversion.internal_traces import InternalTraces, internal_traces
from multiloop.questions.inversion.led_motion import Instants, LedMotion
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class Slopes:
    """g and its derivatives ∂g/∂ζ, ∂g/∂u, ∂g/∂w at every instant."""

    g: np.ndarray
    K: np.ndarray
    D: np.ndarray
    M: np.ndarray


@dataclass(frozen=True, eq=False)
class InternalDynamics(LedMotion):
    """The internal dynamics of one mechanism along its plan."""

    @cached_property
    def traces(self) -> InternalTraces:
        """Its equations as traced functions."""
        return internal_traces(self.balance)

    @property
    def residual(self) -> Residual:
        """F and the constraint rows, with prescribed values as symbols."""
        return self.traces.residual

    def at_rest(self, t: np.ndarray, q: np.ndarray) -> Instants:
        """Instants at rest at positions whose loops need not be closed yet."""
        count, n = len(t), self.equations.skeleton.rates
        still = np.zeros((count, n))
        return Instants(t, self.prescribed(t), q, still, still, np.zeros((count, self.residual.lam.shape[0])))

    def _asked(self, traced: Traced, at: Instants) -> dict[str, np.ndarray]:
        own = self.equations.times
        named = {"t": at.t[None], "q": at.q.T, "v": at.v.T, "a": at.a.T, "lam": at.lam.T, "p": self.p}
        named |= {"x": self.x, "z": self.signals.tables.read(at.t)}
        s, rate, second = (part.T for part in at.s)
        found = traced.many(**named, s=s[own:], s_rate=rate, s_second=second)
        shapes = [output.shape for output in traced.outputs.values()]
        return {
            name: value.reshape(len(at.t), *shape)
            for (name, value), shape in zip(zip(traced.outputs, found, strict=True), shapes, strict=True)
        }

    def solve_balance(self, at: Instants) -> tuple[Instants, np.ndarray, np.ndarray]:
        """Multipliers that minimise the residual, g in units of moments, and T."""
        scale, k = self.equations.chart.scale, len(self.S)
        found = self._asked(self.traces.force, at)
        force, holding = scale * found["force"][:, :, 0], scale[:, None] * found["holding"]
        if not holding.shape[2]:  # no constraint or effort acts
            return at, force, np.broadcast_to(np.eye(k), (len(force), k, k))
        U, sigma, Vt = np.linalg.svd(holding, full_matrices=True)
        held = force.shape[1] - k
        T, gain = (
            U[:, :, held:],
            (U[:, :, :held].transpose(0, 2, 1) @ force[:, :, None]) / sigma[:, :held, None],
        )
        lam = at.lam + (Vt[:, :held].transpose(0, 2, 1) @ gain)[:, :, 0]
        return replace(at, lam=lam), (T.transpose(0, 2, 1) @ force[:, :, None])[:, :, 0], T

    def held_at(self, at: Instants) -> tuple[np.ndarray, np.ndarray]:
        """All scaled constraint rows at the first instant, and the scaled forces of multipliers and efforts."""
        eq, scale = self.equations, self.equations.chart.scale
        J = eq._rows_jacobian.many(at.q.T, at.t[None], self.p)[0].reshape(-1, len(scale))
        holding = self._asked(self.traces.force, at)["holding"][0]
        return eq.rate_row_scale[:, None] * J * scale, scale[:, None] * holding

    def residuals(self, at: Instants, u: np.ndarray, w: np.ndarray) -> tuple[Instants, np.ndarray]:
        """g at instants with closed loops, with the motion for given u and w."""
        moving, _ = self.moving(at, u, w)
        found, g, _ = self.solve_balance(moving)
        return found, g

    def slopes(self, at: Instants, u: np.ndarray, w: np.ndarray) -> tuple[Instants, Slopes]:
        """g and its derivatives at instants with closed loops, with the motion for given u and w."""
        moving, inverse = self.moving(at, u, w)
        at, g, T = self.solve_balance(moving)
        found = self._asked(self.traces.slopes, at)
        rows, C = np.split(inverse, [inverse.shape[2] - len(self.S)], axis=2)
        scaled = T.transpose(0, 2, 1) * self.equations.chart.scale
        by_q = -rows @ (found["rates_q"] @ C)
        second = -rows @ (found["second_q"] @ C + found["second_v"] @ by_q)
        K = scaled @ (found["F_q"] @ C + found["F_v"] @ by_q + found["I"] @ second)
        D = scaled @ (found["F_v"] @ C - found["I"] @ (rows @ (found["second_v"] @ C)))
        return at, Slopes(g, K, D, scaled @ (found["I"] @ C))

    def directions(self, at: Instants) -> tuple[np.ndarray, np.ndarray]:
        """Rates of all coordinates per unit of the independent ones at the first instant, drives held.

        And the inertia.
        """
        inverse = self._inverse(at)[0]
        return inverse[:, inverse.shape[1] - len(self.S) :], self._asked(self.traces.slopes, at)["I"][0]

    def link_matrices(self, at: Instants) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and inertia at the first instant in the independent elastic coordinates, dependent ones included.

            Cᵀ K C,  Cᵀ I C

        C are the rates of all elastic coordinates per unit of the independent ones, with the joints at rest.
        """
        found, places = self._asked(self.traces.slopes, at), elastic_rates(self.equations.skeleton)
        inverse = self._inverse(at)[0][places]
        C = inverse[:, inverse.shape[1] - len(self.S) :]
        K, inertia = (found[name][0][np.ix_(places, places)] for name in ("F_q", "I"))
        return C.T @ K @ C, C.T @ inertia @ C
