"""Traced outputs of a run that integrators need besides its rate: consistent rates, derivatives, link stiffness."""

from __future__ import annotations

from collections.abc import Callable

import casadi as ca
import numpy as np

from multiloop.dynamics.inertia import generalized_inertia
from multiloop.dynamics.projection import Projection
from multiloop.kinematics.skeleton import Skeleton
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


def straightening(model: ForwardModel, projection: Projection) -> dict[str, Matrix]:
    """Consistent rates v + δ, and the work (v + δ/2)ᵀ I δ of the drives, which is not small where a drive jumps."""
    v, rows = projection.straightened()
    eq, work = model.equations, ca.SX(0)
    if eq.drives.count or eq.own.rheonomic:
        push = v - eq.v
        work = ca.dot(eq.v + push / 2, generalized_inertia(eq) @ push)
    return {"v_next": v, "rows": rows, "work": work}


def slopes(rate: dict[str, Matrix], x: dict[str, Matrix]) -> dict[str, Matrix]:
    """Derivatives of the rate with respect to the state, time, and the values of tables."""
    f = ca.vertcat(*rate.values())
    by_state = ca.jacobian(f, ca.vertcat(x["q"], x["v"], x["x"]))
    return {"J": by_state, "by_time": ca.jacobian(f, x["t"]), "by_table": ca.jacobian(f, x["z"])}


def elastic_places(skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Indices in q and in v of all elastic coordinates."""
    links = skeleton.links
    in_q = [k for link in links for k in range(link.eta.start, link.eta.stop)]
    in_v = [k for link in links for k in range(link.eta_rate.start, link.eta_rate.stop)]
    return np.array(in_q, np.int_), np.array(in_v, np.int_)


def link_stiffness(model: ForwardModel, put: Callable[[Traced], dict[str, Matrix]]) -> dict[str, Matrix]:
    """∂v̇/∂η and ∂v̇/∂η̇ as far as they result from the stiffness and damping of the links.

        ∂v̇/∂η ≈ −R K,   ∂v̇/∂η̇ ≈ −R D,      R = ∂v̇/∂τ along the elastic coordinates, loops held

    Other dependencies on η are neglected: they are not stiff, and R costs a tenth of the whole derivative. `put`
    evaluates forward functions on the inputs of the run.
    """
    traced, (_, places) = model.functions.accelerations, elastic_places(model.skeleton)
    tau = ca.vertcat(*[traced.inputs["tau"][k] for k in places.tolist()])
    response = ca.jacobian(ca.SX(traced.outputs["a"]), tau)
    R = put(Traced("modal_forces", traced.inputs, {"R": response}))["R"]
    modes = [link.reduced.modes for link in model.skeleton.links if link.reduced.modes is not None]
    K, D = (ca.diagcat(*[getattr(one, name) for one in modes]) for name in ("stiffness", "damping"))
    return {"by_shape": -R @ K, "by_rate": -R @ D}
