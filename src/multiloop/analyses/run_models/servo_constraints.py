"""Servo constraints: prescribed motions that are produced by actuators at other coordinates.

A prescribed motion is produced by an effort along the same coordinate, or, for markers and joints without an actuator,
by the efforts of actuators at other joints. The module finds these efforts and checks that they can produce the
motion.

Theory: docs/theory/06-forward-dynamics.md, eq. (6.23).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.kinematics import Equations
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.tree import coordinate_index
from multiloop.model import Mechanism, SolveError, count_text
from multiloop.plan import MASSLESS_RATIO, Plan, unknown_efforts

REACHABLE_PART = 1e-6
"""Smallest cosine of the angle between the prescribed motions and the motions that the efforts can produce, for which
the efforts count as able to produce the prescribed motions."""


def solved_efforts(mechanism: Mechanism, given: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The actuators with unknown efforts, by joint and component; the efforts in `given` are known."""
    taken = set(given)
    return [
        (joint, component)
        for joint, component in (unknown_efforts(mechanism) if mechanism.actuators else ())
        if joint not in taken and f"{joint}.{component}" not in taken
    ]


def has_servo_constraints(mechanism: Mechanism, given: Iterable[str] = ()) -> bool:
    """Whether some prescribed motion is produced by efforts along other coordinates: a motion of a marker, or of a
    joint that has no actuator while other joints have actuators with unknown efforts."""
    targets = drive_targets(mechanism)
    unknown = solved_efforts(mechanism, given)
    own = [(target.of, c) for target in targets if not target.on_marker for c in target.components]
    return any(target.on_marker for target in targets) or (bool(unknown) and not set(own) <= set(unknown))


def servo_rates(equations: Equations, plan: Plan, given: Iterable[str] = ()) -> tuple[int, ...]:
    """Indices of the joint rates along which the unknown efforts act; empty if every drive acts at its own joint.

    The efforts of actuators are unknown if they produce motions that are prescribed at other coordinates. If all
    degrees of freedom are driven and there are more actuators than degrees of freedom, the efforts of all actuators are
    unknown and share the load, as in inverse dynamics. Actuators whose joints are in `given` have known efforts, and
    are not included.
    """
    mechanism = equations.skeleton.mechanism
    unknown, count = solved_efforts(mechanism, given), equations.drives.count
    shared = len(unknown) > count and count == plan.mobility - len(plan.idle)
    if not equations.targets or not (shared or has_servo_constraints(mechanism, given)):
        return ()
    if len(unknown) < count:
        moved = ", ".join(f"'{target.of}'" for target in equations.targets)
        acting = ", ".join(joint for joint, _ in unknown)
        found = f"only the efforts at {acting} are" if unknown else "no effort is"
        what = f"the motion of {moved} prescribes {count_text(count, 'coordinate')}, but {found} unknown."
        remedy = "Add an Actuator for every prescribed coordinate, and do not specify its effort, which is computed."
        raise analysis_error(mechanism, "S05", "forward dynamics", what, remedy)
    return tuple(coordinate_index(equations.skeleton, *effort) for effort in unknown)


def require_reachable(
    equations: Equations,
    pushing: tuple[int, ...],
    held: int,
    inertia: np.ndarray,
    t: float,
    q: np.ndarray,
    p: np.ndarray,
) -> None:
    """Raise an error if the efforts cannot produce the prescribed motion at a position.

    With a basis N of the null space of the loop constraints, the mass matrix I of the tree, M = Nᵀ I N = L Lᵀ, the
    Jacobian J_s of the prescribed motions, and the directions B of the efforts (columns),

        part = σ_min( (J_s N L⁻ᵀ) (L⁻¹ Nᵀ B) )

    is the cosine of the largest angle between the prescribed motions and those that the efforts produce, if the rows of
    the first factor and the columns of the second have been orthonormalised. In addition Nᵀ B must not vanish: the
    effort of a joint that is at rest while the mechanism moves does no work.

    `pushing` are the indices of the rates along which the efforts act, `held` is the rank of the loop constraints.
    """
    scale, own, count = equations.chart.rate_units, equations.loop_constraints.count, equations.drives.count
    J = equations.rows_jacobian(q, p, t) * scale
    N = np.linalg.svd(J[:own], full_matrices=True)[2][held:].T if own else np.eye(J.shape[1])
    pushed = N[list(pushing)].T
    size, turn = np.linalg.eigh(N.T @ (scale[:, None] * inertia * scale) @ N)
    root = turn / np.sqrt(np.maximum(size, MASSLESS_RATIO * size.max(initial=0.0)))  # L⁻ᵀ, up to a rotation
    prescribed = np.linalg.svd(J[own:] @ N @ root, full_matrices=False)
    produced, sigma, _ = np.linalg.svd(root.T @ pushed, full_matrices=False)
    ways, cosines, _ = np.linalg.svd(
        prescribed[2] @ produced[:, sigma > REACHABLE_PART * sigma.max(initial=0.0)]
    )
    grip = np.linalg.svd(pushed, compute_uv=False)[count - 1 : count]
    if len(cosines) < count or min(cosines[-1], *grip) < REACHABLE_PART:
        raise _unreachable_error(equations, pushing, prescribed[0] @ ways[:, -1], t)


def _unreachable_error(
    equations: Equations, pushing: tuple[int, ...], direction: np.ndarray, t: float
) -> SolveError:
    """The error for efforts that cannot produce the prescribed motion; it names the efforts, and the prescribed
    component that they influence least.

    `pushing` are the indices of the rates along which the efforts act. `direction` is the combination of prescribed
    components that the efforts influence least; its largest entry determines the component that is named.
    """
    links, names = equations.skeleton.links, [row.name for row in equations.drives.rows]
    owners = [target.of for target in equations.targets for _ in range(target.row_count())]
    worst = int(np.argmax(np.abs(direction)))
    acting = ", ".join(
        link.joint.name for link in links if any(link.v.start <= rate < link.v.stop for rate in pushing)
    )
    what = f"the efforts at {acting} cannot produce the motion of '{owners[worst]}' ({names[worst]}) at t = {t:.6g} s."
    remedy = "Move the actuators to joints that produce it, or prescribe another motion."
    return analysis_error(equations.skeleton.mechanism, "S05", "forward dynamics", what, remedy)
