"""Redundant constraints, uniqueness of reactions, idle degrees of freedom, and elastic modes that are locked by loops.

Reactions in null(Aᵀ) of the constraint matrix A are self-equilibrated and not determined by equilibrium. Modes
of flexible bodies are locked by the loops to first or to second order:

    J n = 0                        motions n with drives released; a mode without a component in any n is locked
    uᵀ J = 0,  uᵀ dJ[n] m ≠ 0      a combination u of redundant rows that constrains deformation along the motions
                                   n and m to second order

with the Jacobian J of the loop constraints and its derivative dJ[n] along n.

The second case is an inextensible flexible link between ends whose distance the loops fix: it cannot bend by
any amount, and the equations are singular in its straight configuration. With an axial mode it can bend.

Source: ours, first-order perturbation of the rank of J along its null space.
Theory: docs/theory/02-kinematics.md, eq. (2.20);
docs/theory/09-redundancy.md, eqs. (9.2), (9.3), (9.5), (9.6);
docs/theory/10-flexible-bodies.md, eq. (10.17).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np

from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.assembly import Assembly
from multiloop.kinematics.conditioning import RANK_TOLERANCE, factor_sparse_qr, largest_singular_value
from multiloop.kinematics.constraints import Constraint, Spin
from multiloop.kinematics.tree import Link
from multiloop.model import GROUND, Beam, Fault, Mechanism, ResultWarning, SolveError
from multiloop.plan.constraint_matrix import ConstraintMatrix
from multiloop.plan.rank import Rank

SMALLEST_SHARE = 1e-7
"""A reaction component takes part in self-equilibrated reactions if the projection of its unit vector onto null(Aᵀ) is
longer than this, where A is the constraint matrix."""


@dataclass(frozen=True)
class IdleMotion:
    """An idle degree of freedom: a rigid group of bodies turns about the line through its outer joints.

    `spin` is the constraint that sets the rate of this rotation to zero where the rate is otherwise undetermined.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    spin: Spin

    def __str__(self) -> str:
        names = " and ".join(f"'{body}'" for body in self.bodies)
        ends = " and ".join(f"'{joint}'" for joint in self.joints)
        return f"spin of {names} about the line through joints {ends}"


def self_equilibrated_reactions(screws: ConstraintMatrix, rank: Rank) -> np.ndarray:
    """Orthonormal basis (in columns) of the self-equilibrated reactions, which equilibrium does not determine.

    These reactions form null(Aᵀ), where A is the constraint matrix `screws`.
    """
    if rank.redundant == 0:
        return np.zeros((rank.rows, 0))
    U, _, _ = np.linalg.svd(screws.A, full_matrices=True)
    return U[:, rank.rank :]


def unique_reactions(screws: ConstraintMatrix, rank: Rank) -> dict[str, tuple[tuple[str, bool], ...]]:
    """For every joint its reaction components, in the frame of the first marker, and whether each is unique.

    Component i is unique if its unit vector eᵢ is orthogonal to null(Aᵀ), where A is the constraint matrix `screws`.
    """
    touched = _dependence(screws, rank) > SMALLEST_SHARE
    found: dict[str, list[tuple[str, bool]]] = {name: [] for name in (*screws.ends, *screws.couplings)}
    for k, (joint, component) in enumerate(screws.rows):
        found[joint].append((component, not bool(touched[k])))
    return {joint: tuple(components) for joint, components in found.items()}


def with_undetermined_bearings(
    unique: dict[str, tuple[tuple[str, bool], ...]], constraints: Iterable[Constraint]
) -> dict[str, tuple[tuple[str, bool], ...]]:
    """The result of `unique_reactions`, with joints marked whose reactions are undetermined because of workless forces.

    An example of such a force is the separating force of a belt without known pretension. Workless forces do not affect
    the rank.
    """
    left = {
        joint
        for one in constraints
        for joint in one.undetermined_joints(all(flag for _, flag in unique.get(one.name, ())))
    }
    return {
        name: tuple((word, flag and name not in left) for word, flag in parts)
        for name, parts in unique.items()
    }


def _dependence(screws: ConstraintMatrix, rank: Rank) -> np.ndarray:
    """For every row i of the constraint matrix A, the norm of the projection of the unit vector eᵢ onto null(Aᵀ).

    It is computed by sparse elimination, or by the SVD if elimination finds a different rank.
    """
    if rank.redundant == 0:
        return np.zeros(rank.rows)
    stairs = factor_sparse_qr(screws.sparse, RANK_TOLERANCE * largest_singular_value(screws.sparse))
    if stairs.rank == rank.rank:
        return stairs.row_dependence()
    shared: np.ndarray = np.linalg.norm(self_equilibrated_reactions(screws, rank), axis=1)
    return shared


def idle_motions(mechanism: Mechanism, screws: ConstraintMatrix) -> tuple[IdleMotion, ...]:
    """The idle degrees of freedom: groups of bodies that can spin as one rigid body while all other bodies rest.

    Groups are single bodies and chains of binary links. A group with a drive, an actuator or a coupling at one of its
    outer joints, or with joints to one other body only, is not idle; Free joints are not counted as joints to other
    bodies.
    """
    if mechanism.planar:  # a body that moves in a plane cannot turn about a line in this plane
        return ()
    driven = {motion.of for motion in mechanism.drives} | {actuator.joint for actuator in mechanism.actuators}
    driven |= {joint for joints in mechanism.tied_joints.values() for joint in joints}
    found: list[IdleMotion] = []
    for group in _rigid_groups(mechanism, screws):
        if any(set(idle.bodies) & group for idle in found):
            continue
        if driven & set(screws.boundary_joints(group)):
            continue
        rim = {
            joint: ends
            for joint, ends in screws.boundary_joints(group).items()
            if screws.wrenches[joint].shape[1]
        }
        neighbours = {body for ends in rim.values() for body in ends if body not in group}
        if len(neighbours) < 2:
            continue
        spin = _spin(mechanism, screws, group, sorted(rim))
        if spin is not None:
            ordered = tuple(body for body in screws.bodies if body in group)
            found.append(IdleMotion(ordered, tuple(sorted(rim)), spin))
    return tuple(found)


def _spin(
    mechanism: Mechanism, screws: ConstraintMatrix, group: frozenset[str], outer_joints: list[str]
) -> Spin | None:
    """The rotation of a group about the line through two outer joints, if all outer joints allow it; otherwise None.

    The line goes through the markers of the group at these joints. A free motion that is not such a rotation, for
    example that of a body sliding on a plane, is an ordinary degree of freedom.
    """
    held = []
    for name in outer_joints:
        joint = mechanism.connection(name)
        held.append(joint.first if joint.first.partition(".")[0] in group else joint.second)
    block, midst = screws.rigid_block(group), screws.centroid(group)
    largest = float(np.linalg.svd(block, compute_uv=False).max(initial=1e-300))
    body = next(name for name in screws.bodies if name in group)
    for start, end in combinations(held, 2):
        e = screws.markers[end] - screws.markers[start]
        length = float(np.linalg.norm(e))
        if length > RANK_TOLERANCE:
            twist = np.concatenate([e, np.cross(e, midst - screws.markers[start])]) / length
            if np.linalg.norm(block @ twist) <= RANK_TOLERANCE * largest * np.linalg.norm(twist):
                return Spin(body, start, end)
    return None


def _rigid_groups(mechanism: Mechanism, screws: ConstraintMatrix) -> list[frozenset[str]]:
    """Groups of bodies that may move as one rigid body: single bodies first, then chains of two to four binary
    links."""
    graph = nx.Graph()
    graph.add_nodes_from(screws.bodies)
    degree = dict.fromkeys(screws.bodies, 0)
    for first, second in screws.ends.values():
        for body in (first, second):
            if body != GROUND:
                degree[body] += 1
        if GROUND not in (first, second):
            graph.add_edge(first, second)
    groups = [frozenset([body]) for body in screws.bodies]
    binary = graph.subgraph([body for body in screws.bodies if degree[body] == 2])
    chains = {frozenset([body]) for body in binary}
    for _ in range(3):
        chains = {
            chain | {near} for chain in chains for body in chain for near in binary[body] if near not in chain
        }
        groups += sorted(chains, key=sorted)
    return groups


DIFFERENCE_STEP = 1e-4
"""Step of the finite difference of the loop Jacobian J, in radians or characteristic lengths."""

SMALLEST_MODE_SHARE = 1e-6
"""An elastic mode counts as locked if the norm of its components in an orthonormal basis of all motions is at most
this; a combination of motions counts as rigid if the singular value of its elastic components is at most this."""

SIGNIFICANT = 1e-3
"""Magnitude of uᵀ dJ[n] m (module docstring: redundant rows u, motions n and m) above which deformation is locked to
second order, with lengths divided by the characteristic length.

Values due to round-off are about 1e-11, values due to locking about 1.
"""

BENDING_DIRECTIONS = ("y", "z", "space")
"""Deformations of a beam that are bending modes: in y, in z, or in all directions ("space"). Locked axial and
torsional modes are often intended and are not reported."""

DIRECTION_TEXTS = {"y": "along y", "z": "along z", "space": "in any direction"}
"""Text of each bending direction in messages."""

BENDING_CODES = {"y": "W18", "z": "W19", "space": "W20"}
"""Code of the warning that all modes of a bending direction are locked."""


INEXTENSIBLE = (
    "has bending modes only, and loops fix the distance between its ends: it cannot bend without stretching"
)
ADD_AXIAL_MODE = (
    'Add an axial mode, modes={"y": 2, "x": 1}; in space also "twist": 1 (bending in y and z twists a link).'
)


@dataclass(frozen=True)
class LockedModes:
    """Result of the search for locked modes.

    `first_order` are the links with a bending direction in which the loops lock all modes to first order; `locked` are
    the links whose bending the loops lock to second order.
    """

    first_order: tuple[tuple[str, str, int], ...] = ()  # (link, direction, number of modes)
    locked: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[ResultWarning, ...]:
        """One warning for each link and direction in which all modes are locked to first order."""
        found = []
        for link, direction, count in self.first_order:
            shapes = {1: "its only mode", 2: "both of its modes"}.get(count, f"all {count} of its modes")
            where = DIRECTION_TEXTS[direction]
            cause = f"because its joints lock {shapes}: give it more modes"
            code, text = BENDING_CODES[direction], f"'{link}' cannot bend {where}, {cause}"
            found.append(ResultWarning(code, link, text, float(count), "1"))
        return tuple(found)


def require_unlocked(mechanism: Mechanism, modes: LockedModes) -> None:
    """Raise `SolveError` if the loops prevent a link from bending without stretching, and the link has no axial mode
    (bending locked to second order): while such a link is straight, its loads are undetermined."""
    if modes.locked:
        faults = [Fault("S21", f"link '{name}'", f"{INEXTENSIBLE}.", ADD_AXIAL_MODE) for name in modes.locked]
        raise SolveError(f"mechanism '{mechanism.name}'", faults)


def find_locked_modes(assembly: Assembly) -> LockedModes:
    """Find the elastic modes that the loops lock at an assembled configuration, with flexible bodies in their initial
    shape."""
    equations = equations_of(assembly.mechanism, assembly.equations.skeleton.tree)
    links = [link for link in equations.skeleton.links if link.reduced.elastic]
    if not links or not equations.loop_constraints.count:
        return LockedModes()
    J = _scaled_rows(equations, assembly, assembly.q)
    left, sizes, right = np.linalg.svd(J)
    rank = int((sizes > RANK_TOLERANCE * sizes.max(initial=0.0)).sum())
    U, N = left[:, rank:], right[rank:].T
    first_order = tuple(found for link in links for found in _locked_to_first_order(equations, link, N))
    return LockedModes(first_order, _locked_to_second_order(equations, assembly, links, U, N))


def _scaled_rows(equations: Equations, assembly: Assembly, q: np.ndarray) -> np.ndarray:
    return np.asarray(equations.scaled_loop_jacobian(q, assembly.p, assembly.t).toarray())


def _locked_to_first_order(equations: Equations, link: Link, N: np.ndarray) -> list[tuple[str, str, int]]:
    """Bending directions in which every mode of a link is locked to first order, as (link, direction, number of modes).

    The columns of N are a basis of the motions that the loops allow.
    """
    body = equations.skeleton.mechanism.body(link.body)
    if not isinstance(body, Beam):
        return []
    moves = np.linalg.norm(N[link.eta_rate], axis=1) > SMALLEST_MODE_SHARE
    directions = [direction for direction, _ in body.ways]
    found = []
    for direction in dict.fromkeys(directions):
        own = [moved for other, moved in zip(directions, moves, strict=True) if other == direction]
        if direction in BENDING_DIRECTIONS and not any(own):
            found.append((link.body, direction, len(own)))
    return found


def _locked_to_second_order(
    equations: Equations, assembly: Assembly, links: list[Link], U: np.ndarray, N: np.ndarray
) -> tuple[str, ...]:
    """Links whose bending the loops lock to second order.

    Along a locked deformation, redundant constraint rows become independent; of the links that deform, the link with
    the largest elastic coordinates is returned. U is a basis of the combinations of redundant rows, N a basis of the
    motions that the loops allow to first order.
    """
    places = np.concatenate([np.arange(link.eta_rate.start, link.eta_rate.stop) for link in links])
    if not U.shape[1] or not N.shape[1]:
        return ()
    _, sizes, turned = np.linalg.svd(N[places], full_matrices=False)
    bending = N @ turned[sizes > SMALLEST_MODE_SHARE].T
    found: dict[str, None] = {}
    for n in bending.T:
        step = DIFFERENCE_STEP * n * equations.chart.rate_units
        ahead, behind = (
            _scaled_rows(equations, assembly, equations.chart.apply_step(assembly.q, way * step))
            for way in (1, -1)
        )
        felt = np.abs(U.T @ (ahead - behind) @ bending / (2 * DIFFERENCE_STEP)).max(axis=0)
        for m in bending.T[felt > SIGNIFICANT]:
            worst = max(links, key=lambda link: float(np.linalg.norm(m[link.eta_rate])))
            found[worst.body] = None
    return tuple(found)
