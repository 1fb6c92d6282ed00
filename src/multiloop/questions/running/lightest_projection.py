"""Mass-orthogonal projection onto the constraints that also works at singular configurations.

The traced projection (`dynamics/projection`) has no branches: it cannot leave out rows with vanishing gradient, and it
squares the condition number. Where a method passes singular configurations, all integrators use this one instead.
"""

from __future__ import annotations

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.newton import close
from multiloop.kinematics.rates import linearised
from multiloop.questions.running.forward_model import ForwardModel

FLAT = 1e-6
"""Relative singular value below which directions are not corrected: near a singular configuration a step has a small
error in directions that no row measures, and gradients no larger than that error are wrong."""


def lightest_projection(
    model: ForwardModel,
    layout: StateLayout,
    t: float,
    y: np.ndarray,
    p: np.ndarray,
    *,
    at_once: bool = False,
) -> tuple[np.ndarray, float]:
    """The state projected onto the constraints, with quaternions of unit length, and the largest remaining gap.

    x is unchanged. The work of the correction is counted as work of the drives: with `at_once` at the mean of the rates
    before and after (a jump), otherwise at the rate at the end of the step.
    """
    equations = model.equations
    s, v = model.drive(t, 0), y[layout["v"]]
    q = equations.chart.moved(y[layout["q"]], np.zeros(layout.v))
    missing = -equations.closure(q, s, p)
    gap = float(np.abs(equations.row_scale * missing).max(initial=0.0))
    I = model.inertia(q, p)
    # The gap left by this single step is of second order.
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
    """The smallest change in the mass metric that corrects the residual of the rows.

        δᵀ I δ → min,   J δ = missing

    An error of a multiplier acts along I⁻¹ Jᵀ, and the projection removes just that component: to first order neither
    the motion nor its energy changes. Because the rows are open by `gap`, their gradient near a singular configuration
    is known to gap / gradient only; directions with singular values below √gap are not corrected.
    J has all rows, or only those that constrain positions (`placed`).

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
