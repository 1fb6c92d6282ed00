"""Idle spins: free rotations of bodies about the line through their joints, their rates and accelerations.

A rod between two ball joints can turn about the line through their centres without any effect on the rest of the
mechanism. The module computes the motions along such degrees of freedom, removes them from given rates, computes their
accelerations, and finds which other degrees of freedom the prescribed values leave undetermined.

A body without inertia about its line, with unit vector e, is given a rotor with a small inertia ε about e, and starts
with an angular velocity ω such that e · ω = 0 (docs/decisions/0006). No moment acts about the line, so that ε e · ω
stays zero for any ε, and the rotor adds no force to the other equations: d/dt (ε (e · ω) e) = 0.

Theory: docs/theory/05-inverse-dynamics.md, eq. (5.12).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.dynamics.actions import action_wrenches, actions_of, dependent_force_inputs, load_inputs
from multiloop.kinematics import Equations, equations_of, marker_frames, marker_motion
from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.conditioning import RANK_TOLERANCE, linearise_rows
from multiloop.kinematics.constraints import Spin, Target
from multiloop.model import Body, Fault, Mechanism, SolveError
from multiloop.plan import (
    MASSLESS_RATIO,
    IdleMotion,
    MasslessLinks,
    Plan,
    constraint_matrix_at,
    idle_motions,
    massless_links,
    plan_at,
)
from multiloop.spatial import numeric
from multiloop.symbols import Traced

OBSERVED = 1e-6
"""Smallest singular value that counts as nonzero in the rank of rows taken from a matrix with orthonormal columns, the
directions of motion of the mechanism; smaller values mean directions in which the coordinates of the rows are at
rest."""


def spin_motions(
    equations: Equations, q: np.ndarray, p: np.ndarray, idle: Iterable[IdleMotion]
) -> np.ndarray:
    """Matrix (rates × idle spins): joint rates at which the bodies of a spin turn about their line at 1 rad/s (angular
    velocity ω, velocity v of the body's origin), and all other bodies are at rest.

    ω = e,   v = e × r          (e the unit vector of the line, r from the line to the body's origin)

    """
    frames, origins = marker_frames(equations, q, p), equations.tree_functions.inboard_poses(q, p)
    skeleton, scale = equations.skeleton, equations.chart.rate_units
    originals = {split.twin: split.body for split in skeleton.tree.splits}
    moved = equations.tree_functions.twists(q, p, np.diag(scale))
    found = []
    for one in idle:
        start = numeric(frames[one.spin.start].p)
        e = numeric(frames[one.spin.end].p) - start
        e = e / np.linalg.norm(e)
        wanted = [np.zeros(len(moved[k])) for k in range(len(skeleton.links))]
        for link, twist in zip(skeleton.links, wanted, strict=True):
            if originals.get(link.body, link.body) in one.bodies:
                twist[:6] = [*e, *np.cross(e, numeric(origins[link.body].p) - start)]
        rows = np.vstack([moved[k] for k in range(len(wanted))])
        found.append(scale * np.linalg.lstsq(rows, np.concatenate(wanted), rcond=RANK_TOLERANCE)[0])
    return np.array(found).reshape(-1, skeleton.rates).T


def spin_rates(
    equations: Equations, q: np.ndarray, p: np.ndarray, v: np.ndarray, spins: Sequence[Spin]
) -> np.ndarray:
    """Angular velocity e · ω of every spinning body about its line with the unit vector e, for the joint rates v.

    If v are joint accelerations, the result is the part of the angular acceleration e · α that is linear in v.
    """
    frames, index = marker_frames(equations, q, p), equations.skeleton.index
    twists = equations.tree_functions.twists(q, p, v[:, None])
    lines = [numeric(frames[spin.end].p) - numeric(frames[spin.start].p) for spin in spins]
    turning = [twists[index[spin.body]][:3, 0] for spin in spins]
    return np.array([e @ omega / np.linalg.norm(e) for e, omega in zip(lines, turning, strict=True)])


def without_spins(
    equations: Equations,
    q: np.ndarray,
    p: np.ndarray,
    v: np.ndarray,
    idle: Sequence[IdleMotion],
    requested: np.ndarray | None = None,
) -> np.ndarray:
    """The joint rates v without idle spins: every spinning body gets an angular velocity ω without a component along
    the unit vector e of its line, e · ω = 0, and all other bodies move as with v.

    `requested` is the matrix (requests × rates) that maps v to the requested rates; a spin that changes a requested
    rate is kept.
    """
    Z = spin_motions(equations, q, p, idle)
    free = np.eye(Z.shape[1]) if requested is None else _null_space_basis(requested @ Z)
    turning = spin_rates(equations, q, p, v, [one.spin for one in idle])
    least: np.ndarray = v - Z @ (free @ (free.T @ turning))
    return least


def _null_space_basis(rows: np.ndarray) -> np.ndarray:
    """Orthonormal basis, in columns, of the null space of a matrix whose entries are of order 1."""
    _, sigma, Vt = np.linalg.svd(rows, full_matrices=True)
    return Vt[int(np.sum(sigma > RANK_TOLERANCE)) :].T


@lru_cache(maxsize=16)
def idle_spins(assembly: Assembly) -> tuple[IdleMotion, ...]:
    """The idle spins of an assembled mechanism that exist at its position and at neighbouring positions."""
    here = constraint_matrix_at(assembly.equations, assembly.q, assembly.p, assembly.t)
    return plan_at(assembly).idle if idle_motions(assembly.mechanism, here) else ()


@dataclass(frozen=True, eq=False)
class UndeterminedMotions:
    """Motions that drives and prescribed values leave undetermined, as matrices with one row per joint rate; lengths
    are divided by the characteristic length.

    The columns of `directions` are a basis of all these motions, those of `idle` a basis of the idle spins among them.
    """

    equations: Equations
    directions: np.ndarray
    idle: np.ndarray

    @property
    def count(self) -> int:
        """Number of undetermined degrees of freedom that are not idle spins."""
        return int(self.directions.shape[1] - self.idle.shape[1])

    def joints(self) -> list[str]:
        """Names of the joints whose values could determine an undetermined motion; joints that only idle spins move are
        omitted."""
        return [
            link.joint.name
            for link in self.equations.skeleton.links
            if _independent_directions(self.directions[link.v]) > _independent_directions(self.idle[link.v])
        ]


def undetermined_motions(assembly: Assembly) -> UndeterminedMotions:
    """The motions that loops, drives and prescribed values leave undetermined, with lengths divided by the
    characteristic length."""
    eq, scale = assembly.equations, assembly.equations.chart.rate_units
    linear = linearise_rows(eq, assembly.q, assembly.s, assembly.p, placed=True)
    ways = linear.null_space() / scale[:, None]
    Z = spin_motions(eq, assembly.q, assembly.p, idle_spins(assembly)) / scale[:, None]
    Z = Z / np.linalg.norm(Z, axis=0)
    moved = Z - ways @ (ways.T @ Z)  # zero for spins that prescribed joint values leave undetermined
    return UndeterminedMotions(eq, ways, np.linalg.qr(Z @ _null_space_basis(moved))[0])


def _independent_directions(rows: np.ndarray) -> int:
    """Rank of some rows of a matrix whose columns are directions of motion: the number of independent directions that
    move the coordinates of these rows."""
    return int(np.sum(np.linalg.svd(rows, compute_uv=False) > OBSERVED))


def idle_accelerations(
    equations: Equations, q: np.ndarray, p: np.ndarray, Z: np.ndarray, h: np.ndarray, carried: np.ndarray
) -> np.ndarray:
    """Accelerations Z x to be added to the joint accelerations v̇, such that the forces along the motions Z balance.

    The columns of Z are motions on which no effort acts. With the required forces h and the mass matrix I of the tree,
    Zᵀ h(v̇ + Z x) = 0 is solved for x: Zᵀ I Z x = −Zᵀ h. `carried` is, for each joint rate, the inertia that it moves
    while all other rates are zero. Along motions whose inertia is negligible compared with these inertias, nothing is
    added.
    """
    twists, masses = equations.tree_functions.twists(q, p, Z), equations.tree_functions.mass_matrices(q, p)
    inertia = sum(twists[k].T @ M @ twists[k] for k, M in enumerate(masses))
    scale = np.sqrt(np.maximum(carried @ Z**2, np.finfo(float).tiny))
    weights, ways = np.linalg.eigh(inertia / np.outer(scale, scale))
    decided = weights > MASSLESS_RATIO
    W = (ways / scale[:, None])[:, decided]
    added: np.ndarray = -Z @ (W @ ((W.T @ (Z.T @ h)) / weights[decided]))
    return added


ROTOR_INERTIA = 1e-2
"""Moment of inertia of an added rotor, as a fraction of the largest moment of inertia of the body about an axis
perpendicular to the line."""


def equations_with_rotors(
    plan: Plan, targets: tuple[Target, ...]
) -> tuple[Equations, MasslessLinks, dict[IdleMotion, float]]:
    """The equations of a plan, with a rotor added for every idle spin without inertia; the result of the test for
    massless links; and these spins with the inertias from which those of the rotors are computed (`massless_spins`)."""
    if plan.massless.rule == "regular":
        return equations_of(plan.mechanism, plan.tree, targets), plan.massless, {}
    spins = massless_spins(equations_of(plan.mechanism, plan.tree), plan)
    mechanism = with_rotors(plan.mechanism, spins)
    plain = equations_of(mechanism, plan.tree)
    verdict = massless_links(plain, plan.assembly.coordinates_on(plain), plan.assembly.p, plan.assembly.t)
    return equations_of(mechanism, plan.tree, targets), verdict, spins


def undetermined_motion_error(mechanism: Mechanism, massless: MasslessLinks) -> SolveError:
    """The error for a motion that no inertia determines, with the body and its axis if it is a rotation."""
    joints = ", ".join(massless.undetermined)
    what, remedy = f"no inertia resists the motion at {joints}.", "Give the links there a mass or inertia."
    if massless.turning:
        body, axis = massless.turning[0]
        shown = ", ".join(f"{x:.3g}" for x in axis)
        what = f"no inertia resists the rotation of '{body}' about its axis ({shown}), at {joints}."
        remedy = (
            f"Give '{body}' a moment of inertia about this axis, inertia=(xx, yy, zz); a thin rod has "
            "none about its axis."
        )
    fault = Fault("S06", "forward dynamics", what, remedy)
    return SolveError(f"mechanism '{mechanism.name}'", [fault])


def massless_spins(equations: Equations, plan: Plan) -> dict[IdleMotion, float]:
    """Idle spins of single bodies without inertia about their lines, each with the largest moment of inertia of the
    body about an axis perpendicular to the line."""
    q, p = plan.assembly.coordinates_on(equations), plan.assembly.p
    frames, masses = marker_frames(equations, q, p), equations.tree_functions.mass_matrices(q, p)
    origins = equations.tree_functions.inboard_poses(q, p)
    found: dict[IdleMotion, float] = {}
    for idle in plan.idle:
        if (
            len(idle.bodies) > 1 or plan.mechanism.body(idle.spin.body).derived_fields
        ):  # no inertia can be added to this body
            continue
        start, end = (numeric(frames[marker].p) for marker in (idle.spin.start, idle.spin.end))
        M, r = masses[equations.skeleton.index[idle.spin.body]], numeric(origins[idle.spin.body].p) - start
        axes = np.linalg.svd(np.atleast_2d(end - start))[
            2
        ]  # direction of the line, then perpendicular directions
        twists = np.vstack([axes.T, np.cross(axes, r).T])
        along, *across = np.sum(twists * (M @ twists), axis=0)
        if along <= MASSLESS_RATIO * max(across):
            found[idle] = float(max(across))
    return found


def with_rotors(mechanism: Mechanism, spins: dict[IdleMotion, float]) -> Mechanism:
    """The mechanism with a rotor, a small inertia about the line, for every massless spin.

    `spins` maps each spin to the largest moment of inertia of its body about an axis perpendicular to the line.
    """
    extra = {idle.spin.body: (idle.spin, ROTOR_INERTIA * across) for idle, across in spins.items()}
    bodies = [
        _with_rotor(body, *extra[body.name]) if body.name in extra else body for body in mechanism.bodies
    ]
    return mechanism.replace(bodies=bodies) if extra else mechanism


def _with_rotor(body: Body, spin: Spin, inertia: float) -> Body:
    """The body with an added rotor: its inertia matrix I becomes I + ε e eᵀ, with ε = `inertia`, the moment of inertia
    of the rotor, and the unit vector e of the line of the spin. The entries of I may be expressions."""
    start, end = (
        (*body.marker(reference.partition(".")[2]).point, 0.0, 0.0)[:3]
        for reference in (spin.start, spin.end)
    )
    e = [b - a for a, b in zip(start, end, strict=True)]
    length = sum(x * x for x in e)
    own: Any = body.inertia
    if not isinstance(own[0], tuple):
        own = tuple(tuple(own[i] if i == j else 0.0 for j in range(3)) for i in range(3))
    rows = [[own[i][j] + inertia * e[i] * e[j] / length for j in range(3)] for i in range(3)]
    return replace(body, inertia=tuple(map(tuple, rows)))


MOMENT_ROUND_OFF = 1e-9
"""Moment of a load about the line, relative to the magnitude of its wrench, up to which it counts as round-off."""


def require_no_spin_moment(
    equations: Equations, spins: Iterable[IdleMotion], q: np.ndarray, p: np.ndarray
) -> None:
    """Raise an error for a load that exerts a moment on a body about a line about which the body has no inertia.

    Moments about the line are evaluated at a few random times and rates: a moment that is zero at all of them is zero
    because of the geometry.
    """
    eq, rng = equations, np.random.default_rng(1)
    for spin in [idle.spin for idle in spins] if eq.skeleton.mechanism.all_loads else ():
        k = eq.skeleton.index[spin.body]
        start, end = (marker_motion(eq, marker)[0].p for marker in (spin.start, spin.end))
        e, r = (end - start) / ca.norm_2(end - start), eq.placements[k].pose.p - start
        for action in actions_of(eq.skeleton):
            w = sum((w for body, w in action_wrenches(eq, action) if body == k), ca.SX(6, 1))
            outputs = {"about": ca.dot(e, w[:3] + ca.cross(r, w[3:])), "size": ca.norm_1(w)}
            turning = Traced(
                "turning",
                {
                    "q": eq.q,
                    "v": eq.v,
                    **load_inputs(eq),
                    **dependent_force_inputs(eq),
                    "p": eq.skeleton.parameter_symbols,
                },
                outputs,
            )
            for t in rng.uniform(0.1, 1.0, 3):
                known = {
                    "t": t,
                    "q": q,
                    "v": rng.normal(size=eq.skeleton.rates),
                    "x": eq.skeleton.initial_states(p),
                    "dependent_forces": np.ones(eq.reaction_dependent_forces.shape[0]),
                    "p": p,
                }
                about, size = turning(**known)
                if abs(about[0]) > MOMENT_ROUND_OFF * (1 + eq.skeleton.characteristic_length) * size[0]:
                    what = (
                        f"applies a moment to '{spin.body}' about its own axis, about which the body has no "
                        "inertia."
                    )
                    remedy = (
                        f"Give '{spin.body}' a moment of inertia about the axis, or let the load act on the "
                        "axis."
                    )
                    raise analysis_error(eq.skeleton.mechanism, "S06", f"load '{action.name}'", what, remedy)
