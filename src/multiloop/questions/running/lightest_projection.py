"""Back onto the constraints through singular positions, with the least inertia moved.

Straight code (`dynamics/projection`) cannot tell flat rows from steep ones, and what it squares loses half of the
digits there. Where a method passes singular positions, every integrator takes this instead, the compiled loop too.
"""

from __future__ import annotations

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.newton import close
from multiloop.kinematics.rates import linearised
from multiloop.questions.running.forward_model import ForwardModel

FLAT = 1e-6
"""Rows flatter than this are left alone: a step that ends beside a singular position is off by a small error across the
path, which no row shows, and slopes no larger than that error are wrong."""


def lightest_projection(
    model: ForwardModel,
    layout: StateLayout,
    t: float,
    y: np.ndarray,
    p: np.ndarray,
    *,
    at_once: bool = False,
) -> tuple[np.ndarray, float]:
    """The state with positions closed, rates consistent and quaternions of unit length; and how open it still is.

    x stays what it is. What the drives' push does is theirs: `at_once` with the mean rate, over a step with the one
    that it ends at.
    """
    equations = model.equations
    s, v = model.drive(t, 0), y[layout["v"]]
    q = equations.chart.moved(y[layout["q"]], np.zeros(layout.v))
    missing = -equations.closure(q, s, p)
    gap = float(np.abs(equations.row_scale * missing).max(initial=0.0))
    I = model.inertia(q, p)
    # What this one step leaves open is of second order.
    q = equations.chart.moved(q, _lightest(model, I, q, s, p, missing, gap, placed=True))
    closing = close(equations, q, s, p, limit=6)
    right = equations.bias(closing.q, (s, model.drive(t, 1)), p)
    missing = right - equations.rate_jacobian(closing.q, s, p) @ v
    push = _lightest(model, I, closing.q, s, p, missing, closing.gap)
    work = y[layout["work"]].copy()
    work[0] += (v + (push / 2 if at_once else push)) @ I @ push
    return layout.pack(q=closing.q, v=v + push, x=y[layout["x"]], work=work), closing.gap


def _lightest(
    model: ForwardModel,
    I: np.ndarray,
    q: np.ndarray,
    s: np.ndarray,
    p: np.ndarray,
    missing: np.ndarray,
    gap: float,
    *,
    placed: bool = False,
) -> np.ndarray:
    """The change that gives the rows what they miss and moves the least inertia.

        δᵀ I δ → min,   J δ = missing

    A multiplier that is not quite right pushes along I⁻¹Jᵀ, and just that is taken out again: to first
    order neither the motion nor its energy is changed. Rows are open by `gap`, so that near a singular
    position their slope is known to gap / slope; those flatter than √gap tell nothing and are left alone.
    J has all rows, or those that hold positions (`placed`).

    Source: E. Bayo and R. Ledesma, Nonlinear Dynamics 9 (1996) 113–130, mass-orthogonal projection.
    Differs: along the singular vectors of J, where redundant rows and massless links do no harm.
    """
    equations = model.equations
    linear = linearised(equations, q, s, p, placed=placed)
    scale = equations.row_scale if placed else equations.rate_row_scale
    flattest = max(np.sqrt(gap), FLAT) * linear.sigma.max(initial=0.0)
    k = int(np.sum(linear.sigma > flattest))
    scaled = linear.U[:, :k].T @ (scale * missing) / linear.sigma[:k]
    change = equations.chart.scale * (linear.Vt[:k].T @ scaled)
    free = equations.chart.scale[:, None] * linear.Vt[k:].T
    along = np.linalg.lstsq(free.T @ I @ free, free.T @ (I @ change), rcond=None)[0]
    lightest: np.ndarray = change - free @ along
    return lightest
