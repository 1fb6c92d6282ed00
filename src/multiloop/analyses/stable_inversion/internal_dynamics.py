"""Internal dynamics: the motion that remains when all outputs are prescribed, evaluated at many instants at once.

The outputs are the coordinates that drives prescribe. With independent coordinates ζ (elastic ones first), u = ζ̇ and
w = u̇, positions q, rates v and accelerations a follow from the constraints

    Φ(q, t) = 0,      [J; S] v = [b; u],      [J; S] a = [γ; w]

where Φ are the constraints of loops and drives with the Jacobian J, b and γ their right-hand sides for rates and
accelerations, and S selects the independent rates. Along a prescribed motion as many equations g(t, ζ, u, w) = 0 remain
as there are independent coordinates ζ,

    g = T(q)ᵀ F(q, v, a, λ),      Tᵀ [Jᵀ B] = 0

with the residual F of the equations of motion, the multipliers λ and the directions B of the efforts; along the columns
of T neither constraint forces nor efforts do work. If the efforts act at other coordinates than the outputs, M = ∂g/∂w
is neither symmetric nor definite: the internal dynamics may then be unstable, and M may be singular.

Source: [seifried], internal dynamics of flexible multibody systems; [devasia_chen_paden].
Differs: T is orthonormal at each instant separately, since g = 0 does not depend on it; M is not inverted.
Theory: docs/theory/11-stable-inversion.md, eqs. (11.1), (11.2).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.run_models import servo_rates
from multiloop.analyses.signals import Signals, prescribed_values
from multiloop.analyses.stable_inversion.independent_rates import elastic_rates
from multiloop.analyses.steady_states import ForceBalance
from multiloop.dynamics import Residual
from multiloop.kinematics import Equations
from multiloop.symbols import Traced

NEWTON_STEPS = 30
"""Largest number of Newton steps in the closure of loops."""

REDUNDANT_ROWS = 1e-10
"""Fraction of the largest singular value of the constraint Jacobian below which its rows count as redundant."""


@dataclass(frozen=True, eq=False)
class Instants:
    """Motion at many instants, with one row per instant: time t, prescribed values s with ṡ and s̈, coordinates q,
    rates v, accelerations a, and multipliers λ.
    """

    t: np.ndarray
    s: tuple[np.ndarray, np.ndarray, np.ndarray]
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    lam: np.ndarray

    def part(self, which: Any) -> Instants:
        """The motion at the instants selected by the index, mask or slice `which`."""
        parts = (getattr(self, name)[which] for name in ("q", "v", "a", "lam"))
        return Instants(self.t[which], tuple(one[which] for one in self.s), *parts)


def stacked_inverses(rows: np.ndarray) -> np.ndarray:
    """Inverses of a stack of matrices (instants × rows × columns); pseudo-inverses if they have redundant rows."""
    if rows.shape[1] == rows.shape[2]:
        return np.linalg.inv(rows)
    return np.linalg.pinv(rows, rcond=REDUNDANT_ROWS)


CACHED_TRACES = 4
"""Number of mechanisms whose traced functions are cached."""


@dataclass(frozen=True, eq=False)
class InternalTraces:
    """Traced functions of the internal dynamics of one mechanism."""

    balance: ForceBalance

    @cached_property
    def residual(self) -> Residual:
        """Symbolic expressions of the residual F of the equations of motion and of the constraint equations, in which
        the prescribed values are symbols."""
        balance, eq = self.balance, self.balance.equations
        pushing = servo_rates(eq, balance.plan, balance.efforts)
        return Residual(eq, balance.signals.tau, eq.prescribed, pushing)

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """Input symbols of the traced functions, by name: time, coordinates, rates, accelerations, multipliers, states
        of loads, prescribed values, tables and parameters."""
        eq, signals = self.balance.equations, self.balance.signals
        found = {"t": eq.t, "q": eq.q, "v": eq.v, "a": eq.a, "lam": self.residual.lam, "x": eq.x}
        s = eq.s[eq.time_count :]
        found |= {"s": s, "s_rate": eq.s_rate, "s_second": eq.s_second}
        return found | {"z": signals.z, "p": eq.skeleton.parameter_symbols}

    @cached_property
    def force(self) -> Traced:
        """Traced function of `inputs` with two outputs: the residual F of the equations of motion, and the negative of
        its derivative with respect to the multipliers λ, −∂F/∂λ."""
        found = self.residual
        follows = self.balance.has_reaction_dependent_loads
        holding = -ca.jacobian(found.force, found.lam) if follows else ca.SX(found.multiplier_matrix)
        return Traced("force", self.inputs, {"force": found.force, "holding": ca.densify(holding)})

    @cached_property
    def derivatives(self) -> Traced:
        """Traced function of `inputs` with the derivatives of the residual F of the equations of motion with respect to
        coordinates q (in their tangent space), rates v and accelerations a, and of the constraint equations for rates
        and accelerations with respect to q and v."""
        eq, found = self.balance.equations, self.residual
        E = eq.chart.rate_map(eq.q)
        inertia = (
            ca.jacobian(found.force, eq.a) if self.balance.has_reaction_dependent_loads else found.inertia
        )
        outputs = {
            "F_q": ca.jacobian(found.force, eq.q) @ E,
            "F_v": ca.jacobian(found.force, eq.v),
            "I": inertia,
        }
        outputs |= {"rates_q": ca.jacobian(found.rates, eq.q) @ E}
        outputs |= {"second_q": ca.jacobian(found.accelerations, eq.q) @ E}
        outputs |= {"second_v": ca.jacobian(found.accelerations, eq.v)}
        return Traced(
            "slopes", self.inputs, {name: ca.densify(ca.SX(part)) for name, part in outputs.items()}
        )


@lru_cache(maxsize=CACHED_TRACES)
def internal_traces(balance: ForceBalance) -> InternalTraces:
    """The traced functions of a force balance; they serve all parameter values and sets of independent coordinates."""
    return InternalTraces(balance)


@dataclass(frozen=True, eq=False)
class LinearisedResidual:
    """Residual g of the internal dynamics at every instant, and its derivatives K, D and M with respect to the
    independent coordinates ζ, their rates u and their accelerations w."""

    g: np.ndarray
    K: np.ndarray
    D: np.ndarray
    M: np.ndarray


@dataclass(frozen=True, eq=False)
class InternalDynamics:
    """The internal dynamics of one mechanism with prescribed outputs.

    The matrix `S` (independent coordinates × rates) selects the independent rates; its first rows are unit rows at
    elastic coordinates. The drives move in the time interval `moving`; before and after it they are at rest, with their
    values at its beginning and end. `design` are parameter values that replace those of the description.
    """

    balance: ForceBalance
    S: np.ndarray
    moving: tuple[float, float] = (-np.inf, np.inf)
    design: np.ndarray | None = None

    @property
    def equations(self) -> Equations:
        """The constraint equations of the mechanism on the spanning tree of its plan."""
        return self.balance.equations

    @property
    def signals(self) -> Signals:
        """Prescribed motions and known efforts as symbolic functions."""
        return self.balance.signals

    @property
    def p(self) -> np.ndarray:
        """Values of the parameters."""
        return self.balance.plan.assembly.p if self.design is None else self.design

    @cached_property
    def x(self) -> np.ndarray:
        """Initial values of the state variables other than coordinates and rates.

        A prescribed motion does not depend on these variables.
        """
        return self.equations.skeleton.initial_states(self.p)

    # prescribed values ----------------------------------------------------------------------------------

    def prescribed(self, t: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Prescribed values s and derivatives ṡ, s̈ at times t; the drives are at rest outside the time interval
        `moving`."""
        begin, end = self.moving
        inside, own = np.clip(t, begin, end), self.equations.time_count
        z = self.signals.tables.read(inside)
        s, rate, second = prescribed_values(self.signals).evaluate_many(t=inside[None], z=z, p=self.p)
        still = ((t < begin) | (t > end))[:, None]
        rate, second = (np.where(still, 0.0, part) for part in (rate, second))
        if own:  # constraint equations that depend on time use the actual time
            s, rate = s.copy(), rate.copy()
            s[:, 0], rate[:, 0] = t, 1.0
        return s, rate, second

    # motion ---------------------------------------------------------------------------------------------

    @cached_property
    def elastic_places(self) -> np.ndarray:
        """Indices in q of the independent elastic coordinates, which the first rows of the matrix `S` select."""
        eq = self.equations
        in_q, in_v = eq.chart.direct_coordinates
        elastic = {k for link in eq.skeleton.links for k in range(link.eta_rate.start, link.eta_rate.stop)}
        places = [int(np.argmax(row)) for row in self.S if np.count_nonzero(row) == 1]
        return np.array([in_q[list(in_v).index(k)] for k in places if k in elastic], int)

    @property
    def elastic_count(self) -> int:
        """Number of independent elastic coordinates."""
        return len(self.elastic_places)

    def close_loops(self, at: Instants, eta: np.ndarray) -> tuple[Instants, np.ndarray]:
        """The motion with loops closed for the elastic coordinates `eta`, and the loop-closure residual per instant."""
        eq, q, count = self.equations, at.q.copy(), len(at.t)
        q[:, self.elastic_places] = eta
        row, scale, S = eq.row_scale, eq.chart.rate_units, np.broadcast_to(self.S, (count, *self.S.shape))
        gap, before = np.zeros(count), np.inf
        for _ in range(NEWTON_STEPS):
            phi = row * eq._position_residual.evaluate_many(q.T, at.s[0].T, self.p)[0].reshape(count, -1)
            gap = np.abs(phi).max(axis=1, initial=0.0)
            worst = gap.max(initial=0.0)
            if not np.isfinite(worst) or worst == 0.0 or before <= eq.skeleton.closure_tolerance:
                break
            before = worst
            J = eq._jacobian.evaluate_many(q.T, at.s[0].T, self.p)[0].reshape(count, -1, len(scale))
            rows = np.concatenate([row[:, None] * J * scale, S * scale], axis=1)
            step = stacked_inverses(rows)[:, :, : len(row)] @ -phi[:, :, None]
            q = self._displaced(q, scale * step[:, :, 0])
        return replace(at, q=q), gap

    def _displaced(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        chart = self.equations.chart
        if chart.quaternions:
            return np.array([chart.apply_step(one, way) for one, way in zip(q, step, strict=True)])
        found, (in_q, in_v) = q.copy(), chart.direct_coordinates
        found[:, in_q] += step[:, in_v]
        return found

    def rates_and_accelerations(
        self, at: Instants, u: np.ndarray, w: np.ndarray
    ) -> tuple[Instants, np.ndarray]:
        """The motion with all rates and accelerations, from the independent rates u and accelerations w, and the
        inverse [J; S]⁻¹ of the constraint Jacobian J and the selection S, at every instant."""
        eq, count = self.equations, len(at.t)
        inverse = self._inverse(at)
        bias = eq._bias.evaluate_many(at.q.T, at.s[0].T, at.s[1].T, self.p)[0].reshape(count, -1)
        v = (inverse @ np.concatenate([bias, u], axis=1)[:, :, None])[:, :, 0]
        given = (part.T for part in at.s)
        gamma = eq._gamma.evaluate_many(at.q.T, v.T, *given, self.p)[0].reshape(count, -1)
        a = (inverse @ np.concatenate([gamma, w], axis=1)[:, :, None])[:, :, 0]
        return replace(at, v=v, a=a), inverse

    def _inverse(self, at: Instants) -> np.ndarray:
        """Inverse [J; S]⁻¹ of the constraint Jacobian J and the selection S at every instant, computed with constraints
        and rates scaled to radians or characteristic lengths."""
        eq, count, n = self.equations, len(at.t), self.equations.skeleton.rates
        J = eq._rows_jacobian.evaluate_many(at.q.T, at.t[None], self.p)[0].reshape(count, -1, n)
        rows = np.concatenate([J, np.broadcast_to(self.S, (count, *self.S.shape))], axis=1)
        scale = eq.chart.rate_units
        row = np.concatenate([eq.rate_row_scale, 1 / (np.abs(self.S) @ scale)])
        found: np.ndarray = scale[:, None] * stacked_inverses(row[:, None] * rows * scale) * row
        return found

    # dynamics -------------------------------------------------------------------------------------------

    @cached_property
    def traces(self) -> InternalTraces:
        """The equations of the internal dynamics as traced functions."""
        return internal_traces(self.balance)

    @property
    def residual(self) -> Residual:
        """Symbolic expressions of the residual F of the equations of motion and of the constraint equations, in which
        the prescribed values are symbols."""
        return self.traces.residual

    def at_rest(self, t: np.ndarray, q: np.ndarray) -> Instants:
        """The motion with zero rates, accelerations and multipliers at times t and positions q, with loops open or
        closed."""
        count, n = len(t), self.equations.skeleton.rates
        still = np.zeros((count, n))
        return Instants(t, self.prescribed(t), q, still, still, np.zeros((count, self.residual.lam.shape[0])))

    def _evaluate(self, traced: Traced, at: Instants) -> dict[str, np.ndarray]:
        own = self.equations.time_count
        named = {"t": at.t[None], "q": at.q.T, "v": at.v.T, "a": at.a.T, "lam": at.lam.T, "p": self.p}
        named |= {"x": self.x, "z": self.signals.tables.read(at.t)}
        s, rate, second = (part.T for part in at.s)
        found = traced.evaluate_many(**named, s=s[own:], s_rate=rate, s_second=second)
        shapes = [output.shape for output in traced.outputs.values()]
        return {
            name: value.reshape(len(at.t), *shape)
            for (name, value), shape in zip(zip(traced.outputs, found, strict=True), shapes, strict=True)
        }

    def solve_balance(self, at: Instants) -> tuple[Instants, np.ndarray, np.ndarray]:
        """The motion with the multipliers that minimise the residual F of the equations of motion.

        Also returned are the residual g = Tᵀ F of the internal dynamics, with forces multiplied by the characteristic
        length, and the matrix T of the motions along which neither constraint forces nor efforts do work.
        """
        scale, k = self.equations.chart.rate_units, len(self.S)
        found = self._evaluate(self.traces.force, at)
        force, holding = scale * found["force"][:, :, 0], scale[:, None] * found["holding"]
        if not holding.shape[2]:  # there are neither constraint forces nor efforts
            return at, force, np.broadcast_to(np.eye(k), (len(force), k, k))
        U, sigma, Vt = np.linalg.svd(holding, full_matrices=True)
        held = force.shape[1] - k
        T, gain = (
            U[:, :, held:],
            (U[:, :, :held].transpose(0, 2, 1) @ force[:, :, None]) / sigma[:, :held, None],
        )
        lam = at.lam + (Vt[:, :held].transpose(0, 2, 1) @ gain)[:, :, 0]
        return replace(at, lam=lam), (T.transpose(0, 2, 1) @ force[:, :, None])[:, :, 0], T

    def constraint_matrices(self, at: Instants) -> tuple[np.ndarray, np.ndarray]:
        """At the first instant, the Jacobian of all constraints, with lengths divided by the characteristic length, and
        the generalized forces per unit of multipliers and efforts, with forces multiplied by that length."""
        eq, scale = self.equations, self.equations.chart.rate_units
        J = eq._rows_jacobian.evaluate_many(at.q.T, at.t[None], self.p)[0].reshape(-1, len(scale))
        holding = self._evaluate(self.traces.force, at)["holding"][0]
        return eq.rate_row_scale[:, None] * J * scale, scale[:, None] * holding

    def residuals(self, at: Instants, u: np.ndarray, w: np.ndarray) -> tuple[Instants, np.ndarray]:
        """The motion and the residual g of the internal dynamics for independent rates u and accelerations w, at
        instants with closed loops."""
        moving, _ = self.rates_and_accelerations(at, u, w)
        found, g, _ = self.solve_balance(moving)
        return found, g

    def linearise(self, at: Instants, u: np.ndarray, w: np.ndarray) -> tuple[Instants, LinearisedResidual]:
        """The motion, and the residual g of the internal dynamics with its derivatives, for independent rates u and
        accelerations w.

        The loops must be closed at the given instants.
        """
        moving, inverse = self.rates_and_accelerations(at, u, w)
        at, g, T = self.solve_balance(moving)
        found = self._evaluate(self.traces.derivatives, at)
        rows, C = np.split(inverse, [inverse.shape[2] - len(self.S)], axis=2)
        scaled = T.transpose(0, 2, 1) * self.equations.chart.rate_units
        by_q = -rows @ (found["rates_q"] @ C)
        second = -rows @ (found["second_q"] @ C + found["second_v"] @ by_q)
        K = scaled @ (found["F_q"] @ C + found["F_v"] @ by_q + found["I"] @ second)
        D = scaled @ (found["F_v"] @ C - found["I"] @ (rows @ (found["second_v"] @ C)))
        return at, LinearisedResidual(g, K, D, scaled @ (found["I"] @ C))

    def directions(self, at: Instants) -> tuple[np.ndarray, np.ndarray]:
        """At the first instant, the rates of all coordinates per unit of the independent rates with drives at rest, and
        the inertia matrix."""
        inverse = self._inverse(at)[0]
        return inverse[:, inverse.shape[1] - len(self.S) :], self._evaluate(self.traces.derivatives, at)["I"][
            0
        ]

    def link_matrices(self, at: Instants) -> tuple[np.ndarray, np.ndarray]:
        """Stiffness and inertia matrices of the links at the first instant, in the independent elastic coordinates.

            Cᵀ K C,  Cᵀ I C

        C are the rates of all elastic coordinates per unit of the independent ones, with the joints at rest; the
        dependent elastic coordinates are thus included.
        """
        found, places = self._evaluate(self.traces.derivatives, at), elastic_rates(self.equations.skeleton)
        inverse = self._inverse(at)[0][places]
        C = inverse[:, inverse.shape[1] - len(self.S) :]
        K, inertia = (found[name][0][np.ix_(places, places)] for name in ("F_q", "I"))
        return C.T @ K @ C, C.T @ inertia @ C
