"""Quantities that integrators need besides the time derivative of the state: velocity projection, partial
derivatives of this time derivative, stiffness of flexible links, and scales of the state.

Theory: docs/theory/07-time-integration.md, eqs. (7.4), (7.5), (7.10), (7.12).
"""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np

from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.dynamics import ConstraintProjection, generalized_inertia
from multiloop.dynamics.actions import actions_of
from multiloop.kernels.runtime import UNKNOWN_DIMENSION, StateLayout, StateScales
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.conditioning import linearise_rows
from multiloop.kinematics.tree import Skeleton, elastic_frequencies
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


def velocity_projection(model: ForwardModel, projection: ConstraintProjection) -> dict[str, Matrix]:
    """Outputs of the velocity projection: the consistent rates v + δ, with the correction δ of the rates v, and the
    work (v + δ/2)ᵀ I δ of the drives.

    I is the mass matrix of the tree. The work is large if the speed of a drive jumps.
    """
    v, rows = projection.project_velocities()
    eq, work = model.equations, ca.SX(0)
    if eq.drives.count or eq.loop_constraints.rheonomic:
        push = v - eq.v
        work = ca.dot(eq.v + push / 2, generalized_inertia(eq) @ push)
    return {"v_next": v, "rows": rows, "work": work}


def rate_derivatives(rate: dict[str, Matrix], x: dict[str, Matrix]) -> dict[str, Matrix]:
    """Symbolic derivatives of the time derivative of the state (`rate`) with respect to the state, the time, and the
    values of tables; x are the symbols of these inputs by name."""
    f = ca.vertcat(*rate.values())
    by_state = ca.jacobian(f, ca.vertcat(x["q"], x["v"], x["x"]))
    return {"J": by_state, "by_time": ca.jacobian(f, x["t"]), "by_table": ca.jacobian(f, x["z"])}


def elastic_indices(skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Indices in q and in v of all elastic coordinates."""
    links = skeleton.links
    in_q = [k for link in links for k in range(link.eta.start, link.eta.stop)]
    in_v = [k for link in links for k in range(link.eta_rate.start, link.eta_rate.stop)]
    return np.array(in_q, np.int_), np.array(in_v, np.int_)


def link_stiffness(model: ForwardModel, put: Callable[[Traced], dict[str, Matrix]]) -> dict[str, Matrix]:
    """Derivatives of the accelerations v̇ with respect to elastic coordinates η and their rates η̇, as far as they
    result from the stiffness K and damping D of the links.

        ∂v̇/∂η ≈ −R K,   ∂v̇/∂η̇ ≈ −R D,      R = ∂v̇/∂τ for forces τ along the elastic coordinates, with closed loops

    Other dependencies on η are neglected: they are not stiff, and R costs a tenth of the whole derivative. `put`
    returns the outputs of a function of forward dynamics as expressions in the inputs of the simulation.
    """
    traced, (_, places) = model.functions.accelerations, elastic_indices(model.skeleton)
    tau = ca.vertcat(*[traced.inputs["tau"][k] for k in places.tolist()])
    response = ca.jacobian(ca.SX(traced.outputs["a"]), tau)
    R = put(Traced("modal_forces", traced.inputs, {"R": response}))["R"]
    modes = [link.reduced.modes for link in model.skeleton.links if link.reduced.modes is not None]
    K, D = (ca.diagcat(*[getattr(one, name) for one in modes]) for name in ("stiffness", "damping"))
    return {"by_shape": -R @ K, "by_rate": -R @ D}


ENERGY_UNIT = "J"
"""The unit by which a state variable of a load is recognised as an energy."""


def state_sizes(model: ForwardModel, layout: StateLayout) -> StateScales:
    """Scales of the entries of the state, for the control of integration errors.

    The scale of a coordinate is 1 for an angle and the characteristic length for a length; the scale of a rate is that
    of its coordinate, multiplied by the characteristic rate ν of the run. The scale of energies is the sum of the
    inertias of all rates (the diagonal of the mass matrix), each multiplied by the squared scale of its rate. The
    dimensions of other state variables (integrals, state variables of user-defined loads) are not known.
    """
    skeleton, chart = model.skeleton, model.equations.chart
    in_q, in_v = chart.direct_coordinates
    q, v = np.ones(skeleton.positions), chart.rate_units.copy()
    q[in_q] = chart.rate_units[in_v]
    q_omega, v_omega = np.zeros(len(q)), np.zeros(len(v))
    for link in skeleton.links:
        q_omega[link.eta] = v_omega[link.eta_rate] = elastic_frequencies(skeleton, link)
    moved = np.diag(model.inertia(skeleton.neutral_position)) * chart.rate_units**2
    energy = float(moved.sum()) or 1.0
    heats = _energy_states(model)
    known = np.array([name in heats for name in skeleton.states], bool)
    work = np.full(layout.work, np.inf)  # the energies of single items are not error-controlled
    work[0] = energy
    return StateScales(
        layout.pack(q=q, v=v, x=np.where(known, energy, 1.0), work=work),
        layout.pack(q=0.0, v=1.0, x=np.where(known, 2.0, UNKNOWN_DIMENSION), work=2.0),
        layout.pack(q=q_omega, v=v_omega, x=0.0, work=0.0),
    )


def _energy_states(model: ForwardModel) -> set[str]:
    """The states of loads that are energies, such as the heat of friction."""
    skeleton = model.skeleton
    return {
        f"{action.name}.{state}"
        for action in actions_of(skeleton)
        for state in action.load.states
        if action.units(skeleton).get(state) == ENERGY_UNIT
    }


FLAT_ROW = 1e-6
"""Singular value of the constraint Jacobian, as a fraction of the largest one, below which the projection does not
correct the position in the direction of this singular value.

Near a singular configuration the computed gradients of the constraints have errors, so that smaller gradients are
wrong.
"""


def mass_orthogonal_projection(
    model: ForwardModel,
    layout: StateLayout,
    t: float,
    y: np.ndarray,
    p: np.ndarray,
    *,
    at_once: bool = False,
) -> tuple[np.ndarray, float]:
    """The state projected onto the constraints, with quaternions of unit length, and the largest remaining residual of
    the position constraints.

    The state variables x do not change. The work of the correction of the rates is counted as work of the drives: with
    `at_once` (the rates jump) it is computed from the mean of the rates before and after the correction, otherwise from
    the rates after it.
    """
    equations = model.equations
    s, v = model.drive(t, 0), y[layout["v"]]
    q = equations.chart.apply_step(y[layout["q"]], np.zeros(layout.v))
    missing = -equations.position_residual(q, s, p)
    gap = float(np.abs(equations.row_scale * missing).max(initial=0.0))
    I = model.inertia(q, p)
    # The gap left by this single step is of second order.
    q = equations.chart.apply_step(q, _smallest_change(model, I, q, s, p, missing, gap, placed=True))
    closing = close_loops(equations, q, s, p, limit=6)
    right = equations.bias(closing.q, (s, model.drive(t, 1)), p)
    missing = right - equations.rate_jacobian(closing.q, s, p) @ v
    push = _smallest_change(model, I, closing.q, s, p, missing, closing.gap)
    work = y[layout["work"]].copy()
    work[0] += (v + (push / 2 if at_once else push)) @ I @ push
    return layout.pack(q=closing.q, v=v + push, x=y[layout["x"]], work=work), closing.gap


def _smallest_change(
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
    """The change δ of the rates, or of the positions, that corrects the residual `missing` of the constraints and is
    smallest in the metric of the mass matrix I.

        δᵀ I δ → min,   J δ = missing

    An error of a multiplier causes an error along I⁻¹ Jᵀ, and the projection removes just this component: to first
    order neither the motion nor its energy changes. Because the constraints are violated by `gap`, their gradients near
    a singular configuration are known only up to gap / gradient; directions with singular values below √gap are not
    corrected. J has the rows of all constraints, or with `placed` only those that constrain positions.

    Source: [bayo_ledesma], mass-orthogonal projection.
    Differs: computed along the singular vectors of J, so that redundant rows and massless links are allowed.
    """
    equations = model.equations
    linear = linearise_rows(equations, q, s, p, placed=placed)
    scale = equations.row_scale if placed else equations.rate_row_scale
    flattest = max(np.sqrt(gap), FLAT_ROW) * linear.sigma.max(initial=0.0)
    k = int(np.sum(linear.sigma > flattest))
    scaled = linear.U[:, :k].T @ (scale * missing) / linear.sigma[:k]
    change = equations.chart.rate_units * (linear.Vt[:k].T @ scaled)
    free = equations.chart.rate_units[:, None] * linear.Vt[k:].T
    along = np.linalg.lstsq(free.T @ I @ free, free.T @ (I @ change), rcond=None)[0]
    lightest: np.ndarray = change - free @ along
    return lightest
