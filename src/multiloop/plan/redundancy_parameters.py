"""Parameters whose values make constraints redundant.

Constraints are redundant only for special dimensions: the axes of a four-bar in space are parallel, the cranks of a
parallelogram are equal. If one such dimension changes alone, the loops open,

    Φ(q, p + δ e_k) ≠ 0      for all q near the assembled configuration,

or the rank of the Jacobian Φ_q changes. Φ are the loop constraints, q the coordinates and p the parameters, of which
only p_k is changed, by δ (e_k is the unit vector along p_k). Both conditions are tested for a small finite change δ,
since a change that the loops permit to first order may open them to second order.

Theory: docs/theory/09-redundancy.md, eqs. (9.2), (9.3).
"""

from __future__ import annotations

import casadi as ca
import numpy as np

from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.conditioning import RANK_TOLERANCE
from multiloop.plan.plan import Plan
from multiloop.plan.rank import first_order_motions

CHANGE = 0.01
"""Change of a parameter, relative to its value or, if this is zero, to the characteristic length."""


def redundancy_parameters(plan: Plan) -> tuple[str, ...]:
    """Names of the parameters that cannot change alone without a change of redundancy or mobility.

    The test is made near the assembled configuration with flexible bodies in their initial shape. The result is empty
    for a mechanism without redundant constraints: the rank of independent constraints does not change with small
    changes of parameters. The cost is that of closing the loops once for every parameter of the loop constraints.
    """
    names = plan.assembly.equations.skeleton.parameter_names
    if not names or not plan.redundant or plan.gap > RANK_TOLERANCE:
        return ()
    equations, s = plan.assembly.rigid_equations()
    symbols = equations.skeleton.parameter_symbols
    used = np.array(ca.DM(ca.jacobian(equations.phi, symbols).sparsity(), 1.0)).any(axis=0)
    q, p = first_order_motions(plan.assembly).positions()[-1], plan.assembly.p
    rank = _rank(equations, q, s, p)
    found = []
    for k in np.flatnonzero(used).tolist():
        changed = p.copy()
        changed[k] += CHANGE * (abs(p[k]) or plan.length)
        closing = close_loops(equations, q, s, changed)
        if not closing.closed or _rank(equations, closing.q, s, changed) != rank:
            found.append(names[k])
    return tuple(found)


def _rank(equations: Equations, q: np.ndarray, s: np.ndarray, p: np.ndarray) -> int:
    """Rank of the Jacobian of all loop constraints, with lengths divided by the characteristic length."""
    J = equations.row_scale[:, None] * equations.jacobian(q, s, p) * equations.chart.rate_units
    sizes = np.linalg.svd(J, compute_uv=False)
    return int((sizes > RANK_TOLERANCE * sizes.max(initial=0.0)).sum())
