"""Redundant constraints, uniqueness of reactions and idle degrees of freedom, from the constraint matrix A."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations

import networkx as nx
import numpy as np

from multiloop.kinematics.constraints import Constraint, Spin
from multiloop.kinematics.fronts import eliminate
from multiloop.kinematics.independence import RANK, largest_singular_value
from multiloop.model import GROUND, Mechanism
from multiloop.plan.rank import Rank
from multiloop.plan.screws import Screws

TOUCHED = 1e-7
"""A component takes part in self-equilibrated reactions if its share in null(Aᵀ) exceeds this."""


@dataclass(frozen=True)
class Idle:
    """An idle degree of freedom: a rigid group of bodies turns about the line through its outer joints.

    `spin` is the constraint of its rate that holds it where nothing else determines it.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    spin: Spin

    def __str__(self) -> str:
        names = " and ".join(f"'{body}'" for body in self.bodies)
        ends = " and ".join(f"'{joint}'" for joint in self.joints)
        return f"spin of {names} about the line through joints {ends}"


def shared_reactions(screws: Screws, rank: Rank) -> np.ndarray:
    """Basis of the self-equilibrated reactions, null(Aᵀ), which equilibrium does not determine."""
    if rank.redundant == 0:
        return np.zeros((rank.rows, 0))
    U, _, _ = np.linalg.svd(screws.A, full_matrices=True)
    return U[:, rank.rank :]


def unique_reactions(screws: Screws, rank: Rank) -> dict[str, tuple[tuple[str, bool], ...]]:
    """For every joint its reaction components, in the frame of the first marker, and whether each is unique.

    Component i is unique if the unit vector eᵢ ⊥ null(Aᵀ).
    """
    touched = _dependence(screws, rank) > TOUCHED
    found: dict[str, list[tuple[str, bool]]] = {name: [] for name in (*screws.ends, *screws.couplings)}
    for k, (joint, component) in enumerate(screws.rows):
        found[joint].append((component, not bool(touched[k])))
    return {joint: tuple(components) for joint, components in found.items()}


def with_open_bearings(
    unique: dict[str, tuple[tuple[str, bool], ...]], constraints: Iterable[Constraint]
) -> dict[str, tuple[tuple[str, bool], ...]]:
    """The result of `unique_reactions` after marking joints whose reactions workless forces leave undetermined.

    Such forces, as the separating force of a belt without known pretension, do not affect the rank.
    """
    left = {
        joint
        for one in constraints
        for joint in one.leaves_open(all(flag for _, flag in unique.get(one.name, ())))
    }
    return {
        name: tuple((word, flag and name not in left) for word, flag in parts)
        for name, parts in unique.items()
    }


def _dependence(screws: Screws, rank: Rank) -> np.ndarray:
    """Length of the projection of each eᵢ on null(Aᵀ); by the SVD if elimination finds a different rank."""
    if rank.redundant == 0:
        return np.zeros(rank.rows)
    stairs = eliminate(screws.matrix, RANK * largest_singular_value(screws.matrix))
    if stairs.rank == rank.rank:
        return stairs.dependence()
    shared: np.ndarray = np.linalg.norm(shared_reactions(screws, rank), axis=1)
    return shared


def idle_freedoms(mechanism: Mechanism, screws: Screws) -> tuple[Idle, ...]:
    """Rigid groups of bodies between at least two other bodies that can spin while everything else is at rest.

    Groups are single bodies and chains of binary links. A degree of freedom that is driven, or that belongs to a body
    connected to one other body only, is not idle. A body connected by a Free joint is not counted as a neighbour.
    """
    if mechanism.planar:  # in the plane no body can turn about a line in it
        return ()
    driven = {motion.of for motion in mechanism.drives} | {actuator.joint for actuator in mechanism.actuators}
    driven |= {joint for joints in mechanism.tied_joints.values() for joint in joints}
    found: list[Idle] = []
    for group in _groups(mechanism, screws):
        if any(set(idle.bodies) & group for idle in found):
            continue
        if driven & set(screws.rim(group)):
            continue
        rim = {joint: ends for joint, ends in screws.rim(group).items() if screws.wrenches[joint].shape[1]}
        neighbours = {body for ends in rim.values() for body in ends if body not in group}
        if len(neighbours) < 2:
            continue
        spin = _spin(mechanism, screws, group, sorted(rim))
        if spin is not None:
            ordered = tuple(body for body in screws.bodies if body in group)
            found.append(Idle(ordered, tuple(sorted(rim)), spin))
    return tuple(found)


def _spin(mechanism: Mechanism, screws: Screws, group: frozenset[str], rim: list[str]) -> Spin | None:
    """The rotation about the line through two outer joints that all outer joints allow; None if there is none.

    The line goes through the markers of the group at these joints. A free motion that is not such a rotation, for
    example that of a body sliding on a plane, is an ordinary degree of freedom.
    """
    held = []
    for name in rim:
        joint = mechanism.connection(name)
        held.append(joint.first if joint.first.partition(".")[0] in group else joint.second)
    block, midst = screws.rigid_block(group), screws.midst(group)
    largest = float(np.linalg.svd(block, compute_uv=False).max(initial=1e-300))
    body = next(name for name in screws.bodies if name in group)
    for start, end in combinations(held, 2):
        e = screws.markers[end] - screws.markers[start]
        length = float(np.linalg.norm(e))
        if length > RANK:
            twist = np.concatenate([e, np.cross(e, midst - screws.markers[start])]) / length
            if np.linalg.norm(block @ twist) <= RANK * largest * np.linalg.norm(twist):
                return Spin(body, start, end)
    return None


def _groups(mechanism: Mechanism, screws: Screws) -> list[frozenset[str]]:
    """Single bodies first, then chains of two to four binary links."""
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
