"""Traced functions of the internal dynamics: the residual F, the forces of constraints and efforts, and derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import casadi as ca

from multiloop.dynamics.residual import Residual
from multiloop.questions.running.pushing import pushing_rates
from multiloop.questions.steady.balance import Balance
from multiloop.symbols import Traced

KEPT = 4
"""Number of cached traces."""


@dataclass(frozen=True, eq=False)
class InternalTraces:
    """Traced functions of one mechanism along its plan."""

    balance: Balance

    @cached_property
    def residual(self) -> Residual:
        """F and the constraint rows, with prescribed values as symbols."""
        balance, eq = self.balance, self.balance.equations
        pushing = pushing_rates(eq, balance.plan, balance.efforts)
        return Residual(eq, balance.signals.tau, eq.given, pushing)

    @cached_property
    def inputs(self) -> dict[str, Any]:
        """Inputs of the equations by name."""
        eq, signals = self.balance.equations, self.balance.signals
        found = {"t": eq.t, "q": eq.q, "v": eq.v, "a": eq.a, "lam": self.residual.lam, "x": eq.x}
        s = eq.s[eq.times :]
        found |= {"s": s, "s_rate": eq.s_rate, "s_second": eq.s_second}
        return found | {"z": signals.z, "p": eq.skeleton.symbols}

    @cached_property
    def force(self) -> Traced:
        """F and −∂F/∂λ."""
        found = self.residual
        follows = self.balance.follows
        holding = -ca.jacobian(found.force, found.lam) if follows else ca.SX(found.holding)
        return Traced("force", self.inputs, {"force": found.force, "holding": ca.densify(holding)})

    @cached_property
    def slopes(self) -> Traced:
        """∂F/∂q (in the tangent space), ∂F/∂v, ∂F/∂a, and derivatives of the constraint rows."""
        eq, found = self.balance.equations, self.residual
        E = eq.chart.rate_map(eq.q)
        inertia = ca.jacobian(found.force, eq.a) if self.balance.follows else found.inertia
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


@lru_cache(maxsize=KEPT)
def internal_traces(balance: Balance) -> InternalTraces:
    """The traced functions of one balance, for all parameters and all choices of independent coordinates."""
    return InternalTraces(balance)
