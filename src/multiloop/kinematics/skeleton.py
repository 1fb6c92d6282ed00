"""The mechanism along its spanning tree: bodies with their parents, places of the coordinates, and all constants.

Every body is expressed in the frame of its inboard joint, so that the recursions of [chaudhary] apply as printed.
Parameters stay symbols; all other numbers are constants, which the expression graph folds.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import casadi as ca
import numpy as np

from multiloop.kinematics.coordinates import Coordinates, coordinates_by_name
from multiloop.kinematics.geometry import characteristic_length, farthest_joint, resolver
from multiloop.model import GROUND, Body, Connection, Fixed, Joint, Mechanism, ReducedBody
from multiloop.model.joints.contract import require_contract
from multiloop.model.own_states import is_pace, own_states, start_values
from multiloop.spatial import Matrix
from multiloop.topology import Tree

CLOSED = 1e-12
"""A loop is closed when its rows, relative to the characteristic length, are below this."""

DIGITS = 4
"""Rows are differences of positions: they can be closed to this many units in the last digit of these at best."""


@dataclass(frozen=True)
class Link:
    """One body of the tree with its inboard joint.

    `parent` is the index of its parent in `Skeleton.links`, −1 for the ground. The joint connects the marker `seat` of
    the parent with the marker `handle` of the body; `forward` states whether the parent is the joint's first body. q
    and v are the slices of the joint's coordinates and rates, eta and eta_rate those of the body's elastic
    coordinates, which follow them.
    """

    body: str
    joint: Joint
    forward: bool
    parent: int
    seat: str
    handle: str
    reduced: ReducedBody
    q: slice
    v: slice
    eta: slice
    eta_rate: slice

    @property
    def rates(self) -> slice:
        """Slice of all rates of the link in v: those of its joint, then the elastic rates of its body."""
        return slice(self.v.start, self.eta_rate.stop)


@dataclass(frozen=True)
class Cut:
    """A cut joint (one that closes a loop) or a pair; bodies by their index in `Skeleton.links`, −1 for the ground."""

    joint: Connection
    first: int
    first_marker: str
    second: int
    second_marker: str
    movers: tuple[int, ...]  # links whose joints move in this loop

    @property
    def ends(self) -> tuple[tuple[int, str], tuple[int, str]]:
        """Body and marker of the first and of the second end."""
        return (self.first, self.first_marker), (self.second, self.second_marker)


@dataclass(frozen=True, eq=False)
class Skeleton:
    """The tree with its constants; `symbols` are the parameters as kernel inputs, in the order of `names`.

    `states` are the names of the state variables that are not coordinates: integrals, then those of loads.
    """

    mechanism: Mechanism
    tree: Tree
    links: tuple[Link, ...]
    ground: ReducedBody
    cuts: tuple[Cut, ...]
    names: tuple[str, ...]
    symbols: Matrix
    gravity: Matrix
    positions: int
    rates: int
    states: tuple[str, ...] = ()

    @property
    def planar(self) -> bool:
        """Whether only the rows ω_z, v_x, v_y are used."""
        return self.mechanism.planar

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each body in `links`; the ground is −1."""
        return {GROUND: -1} | {link.body: k for k, link in enumerate(self.links)}

    @cached_property
    def carrier(self) -> dict[str, Link]:
        """The link of which each tree joint is the inboard joint, by the joint's name."""
        return {link.joint.name: link for link in self.links}

    @cached_property
    def coordinates(self) -> dict[str, Coordinates]:
        """Coordinates by name: of every joint in the tree, and "body.eta" of every elastic body."""
        return coordinates_by_name(self.links, self.planar)

    @cached_property
    def length(self) -> float:
        """The characteristic length: the largest distance between two joints on one body."""
        return characteristic_length(self.mechanism)

    @cached_property
    def closed(self) -> float:
        """Rows below this count as closed: `CLOSED`, or the round-off of positions far from the origin if larger."""
        return max(CLOSED, DIGITS * self.round_off)

    @cached_property
    def round_off(self) -> float:
        """Round-off of positions in characteristic lengths: ε, or ε times the distance of joints from the origin."""
        farthest = farthest_joint(self.mechanism) / self.length
        return float(np.finfo(float).eps) * max(1.0, farthest)

    @cached_property
    def values(self) -> np.ndarray:
        """Nominal values of the parameters."""
        return np.array([self.mechanism.parameters[name] for name in self.names])

    @cached_property
    def neutral(self) -> np.ndarray:
        """q with every joint at its zero pose."""
        q = np.zeros(self.positions)
        for link in self.links:
            q[link.q] = link.joint.neutral(self.planar)
        return q

    @cached_property
    def inertia(self) -> float:
        """Characteristic inertia in kg m²: Σ (m ℓ² + tr I) over all bodies, with the characteristic length ℓ."""
        parts = [
            ca.SX(body.mass * (self.length * self.length) + ca.trace(body.inertia)) for body in self._bodies
        ]
        read = ca.Function("inertia", [self.symbols], [sum(parts, start=ca.SX(0))])
        return float(read(self.values)) or 1.0

    @property
    def _bodies(self) -> list[ReducedBody]:
        return [link.reduced for link in self.links]

    @cached_property
    def pace(self) -> float:
        """√(g/ℓ) in 1/s, the scale of rates outside of simulations; ℓ is the characteristic length. 0 if g = 0."""
        read = ca.Function("gravity", [self.symbols], [ca.SX(ca.densify(self.gravity))])
        return float(np.sqrt(np.linalg.norm(np.array(read(self.values))) / self.length))

    def initial(self, p: np.ndarray) -> np.ndarray:
        """Initial values of the state variables that are not coordinates, for given parameters."""
        values = dict(zip(self.names, p, strict=True))
        found = start_values(self.mechanism, values)
        return np.array([self.pace if is_pace(name) else value for name, value in found.items()])

    def body_of(self, k: int) -> ReducedBody:
        """The reduced body of a link, or of the ground for −1."""
        return self.ground if k < 0 else self.links[k].reduced


def build_skeleton(mechanism: Mechanism, tree: Tree) -> Skeleton:
    """Build the skeleton of a mechanism along a spanning tree."""
    names = tuple(mechanism.parameters)
    symbols = ca.SX.sym("parameters", len(names))
    resolve = resolver(names, symbols)
    originals = {split.twin: split.body for split in tree.splits}
    parts = Counter(originals.values())  # a body that is split once is in two parts, twice in three
    joints = {joint.name: resolved(joint, resolve) for joint in mechanism.binary_joints}
    for joint in joints.values():
        require_contract(joint, mechanism.planar)

    def described(body: str) -> Body:
        return mechanism.body(originals.get(body, body))

    links: list[Link] = []
    place: dict[str, int] = {GROUND: -1}
    q = v = 0
    for branch in tree.branches:
        joint = joints[branch.joint]
        ends = (joint.first, joint.second) if branch.forward else (joint.second, joint.first)
        seat, handle = (reference.partition(".")[2] for reference in ends)
        share = 1 / (1 + parts[originals.get(branch.body, branch.body)])
        body = described(branch.body).reduced(handle, resolve, mechanism.planar, share)
        nq, nv = joint.positions(mechanism.planar), joint.freedoms(mechanism.planar)
        place[branch.body] = len(links)
        links.append(
            Link(
                body=branch.body,
                joint=joint,
                forward=branch.forward,
                parent=place[branch.parent],
                seat=seat,
                handle=handle,
                reduced=body,
                q=slice(q, q + nq),
                v=slice(v, v + nv),
                eta=slice(q + nq, q + nq + body.elastic),
                eta_rate=slice(v + nv, v + nv + body.elastic),
            )
        )
        q, v = q + nq + body.elastic, v + nv + body.elastic

    pairs = {pair.name: resolved(pair, resolve) for pair in mechanism.marker_pairs}
    cuts = _cuts(tree, {**joints, **pairs}, place)
    padded = (*(resolve(g) for g in mechanism.gravity or ()), 0.0)[:3]
    return Skeleton(
        mechanism=mechanism,
        tree=tree,
        links=tuple(links),
        ground=mechanism.body(GROUND).reduced("origin", resolve, mechanism.planar),
        cuts=cuts,
        names=names,
        symbols=symbols,
        gravity=ca.sparsify(ca.vertcat(*padded)),
        positions=q,
        rates=v,
        states=tuple(own_states(mechanism)),
    )


Held = TypeVar("Held", bound=Connection)


def resolved(joint: Held, resolve: Any) -> Held:
    """The joint or pair with its expressions replaced by numbers or symbols."""
    return joint.resolved(resolve)


def _cuts(tree: Tree, joints: dict[str, Connection], place: dict[str, int]) -> tuple[Cut, ...]:
    closures = {split.closure: split for split in tree.splits}
    carried = {branch.joint: place[branch.body] for branch in tree.branches}
    cuts: list[Cut] = []
    for loop in tree.loops:
        if loop.cut in closures:
            split = closures[loop.cut]
            joint: Connection = Fixed(loop.cut, f"{split.twin}.origin", f"{split.body}.origin")
        else:
            joint = joints[loop.cut]
        (first, _, first_marker), (second, _, second_marker) = (
            joint.first.partition("."),
            joint.second.partition("."),
        )
        movers = tuple(sorted(carried[name] for name in loop.tree_joints))
        cuts.append(Cut(joint, place[first], first_marker, place[second], second_marker, movers))
    return tuple(cuts)
