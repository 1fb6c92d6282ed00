"""A mechanism ordered along its spanning tree: links with their parents, coordinates and constants, and recursions.

Every body is expressed in the frame of its inboard joint, so that the recursions of [chaudhary] apply as printed.
Parameters remain symbols; all other numbers enter expressions as constants. `propagate_outward` computes a quantity of
each body from that of its parent, `accumulate_inward` sums quantities from the leaves to the ground.

Theory: docs/theory/02-kinematics.md, eqs. (2.5), (2.7), (2.8), (2.13).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import casadi as ca
import numpy as np

import multiloop.flexible  # noqa: F401  # registers the reductions of beams and solids
from multiloop.kinematics.tree.characteristic_length import (
    characteristic_length,
    farthest_joint,
    resolved_length,
)
from multiloop.model import (
    ETA,
    GROUND,
    Body,
    Connection,
    Expression,
    Fixed,
    Joint,
    Mechanism,
    ReducedBody,
    Resolve,
    additional_states,
    elastic_names,
    initial_states,
)
from multiloop.model.expressions import evaluate, trace
from multiloop.model.joints.joint import check_joint_type
from multiloop.model.states import is_rate_scale
from multiloop.spatial import Matrix
from multiloop.topology import Tree


def parameter_resolver(names: tuple[str, ...], symbols: Matrix) -> Resolve:
    """A function that returns numbers unchanged and replaces the named parameters in expressions by the given
    symbols."""
    parameters = {name: symbols[k] for k, name in enumerate(names)}
    return lambda value: trace(value, parameters=parameters) if isinstance(value, Expression) else value


@dataclass(frozen=True)
class NamedCoordinates:
    """The coordinates of one tree joint or one flexible body: component names, and slices in q and v."""

    names: tuple[str, ...]
    q: slice
    v: slice


def coordinates_by_name(links: Sequence[Link], planar: bool) -> dict[str, NamedCoordinates]:
    """Coordinates of every tree joint by its name, and of every flexible body by "body.eta"."""
    found = {
        link.joint.name: NamedCoordinates(link.joint.components(planar), link.q, link.v) for link in links
    }
    for link in links:
        if link.reduced.elastic:
            names = elastic_names(link.reduced.elastic)
            found[f"{link.body}.{ETA}"] = NamedCoordinates(names, link.eta, link.eta_rate)
    return found


CLOSURE_TOLERANCE = 1e-12
"""A loop counts as closed if its residuals, in radians or relative to the characteristic length, are at most this."""

CLOSURE_DIGITS = 4
"""Smallest residual of a loop that can be expected, in units of the round-off of positions, since a residual is a
difference of positions."""


@dataclass(frozen=True)
class Link:
    """One body of the tree with its inboard joint.

    `parent` is the index of the parent body in `Skeleton.links`, −1 for the ground. The joint connects the marker
    `parent_marker` of the parent with the marker `inboard_marker` of the body; `forward` states whether the parent is
    the joint's first body. `reduced` is the body with its mass properties and markers relative to the inboard joint. q
    and v are the slices of the joint's coordinates and rates in those of the tree; eta and eta_rate are the slices of
    the body's elastic coordinates and rates, which follow directly after those of the joint.
    """

    body: str
    joint: Joint
    forward: bool
    parent: int
    parent_marker: str
    inboard_marker: str
    reduced: ReducedBody
    q: slice
    v: slice
    eta: slice
    eta_rate: slice

    @property
    def rates(self) -> slice:
        """Slice in v of all rates of the link: the rates of its joint, followed by the elastic rates of its body."""
        return slice(self.v.start, self.eta_rate.stop)


@dataclass(frozen=True)
class Cut:
    """A cut joint, which closes a loop, or a pair; `first` and `second` are the indices of its bodies in
    `Skeleton.links`, −1 for the ground."""

    joint: Connection
    first: int
    first_marker: str
    second: int
    second_marker: str
    # indices of the links whose inboard joints are in the loop that this joint closes
    moving_links: tuple[int, ...]

    @property
    def ends(self) -> tuple[tuple[int, str], tuple[int, str]]:
        """Body index and marker of the first and of the second end of the joint."""
        return (self.first, self.first_marker), (self.second, self.second_marker)


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A mechanism ordered along its spanning tree, with all constants of its links and cut joints.

    `parameter_symbols` are the symbols of the parameters, in the order of `parameter_names`; `positions` and `rates`
    are the lengths of q and v; `gravity` is in m/s² in inertial axes. `states` are the names of the state variables
    that are not coordinates: integrals, then state variables of loads.
    """

    mechanism: Mechanism
    tree: Tree
    links: tuple[Link, ...]
    ground: ReducedBody
    cuts: tuple[Cut, ...]
    parameter_names: tuple[str, ...]
    parameter_symbols: Matrix
    gravity: Matrix
    positions: int
    rates: int
    states: tuple[str, ...] = ()

    @property
    def planar(self) -> bool:
        """Whether the mechanism is planar, so that only the components ω_z, v_x and v_y of twists are used."""
        return self.mechanism.planar

    @cached_property
    def is_flexible(self) -> bool:
        """Whether some body is flexible and has elastic coordinates."""
        return any(link.reduced.elastic for link in self.links)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each body in `links`; the ground is −1."""
        return {GROUND: -1} | {link.body: k for k, link in enumerate(self.links)}

    @cached_property
    def link_of_joint(self) -> dict[str, Link]:
        """For each tree joint by name, the link whose inboard joint it is."""
        return {link.joint.name: link for link in self.links}

    @cached_property
    def coordinates(self) -> dict[str, NamedCoordinates]:
        """Coordinates by name: of every tree joint, and of every flexible body under the name "body.eta"."""
        return coordinates_by_name(self.links, self.planar)

    @cached_property
    def characteristic_length(self) -> float:
        """The characteristic length in m: usually the largest distance between two joints on one body, see
        `characteristic_length`."""
        return characteristic_length(self.mechanism)

    @cached_property
    def parametric_length(self) -> Any:
        """The characteristic length as an expression of the parameters, for quantities that differ between designs."""
        return resolved_length(
            self.mechanism, parameter_resolver(self.parameter_names, self.parameter_symbols)
        )

    @cached_property
    def closure_tolerance(self) -> float:
        """Residual, in radians or characteristic lengths, up to which loops count as closed: `CLOSURE_TOLERANCE`, or a
        multiple of `round_off` if this is larger."""
        return max(CLOSURE_TOLERANCE, CLOSURE_DIGITS * self.round_off)

    @cached_property
    def round_off(self) -> float:
        """Round-off of positions, in characteristic lengths: the machine epsilon, multiplied by the largest distance of
        a ground joint from the origin in characteristic lengths if this exceeds 1."""
        farthest = farthest_joint(self.mechanism) / self.characteristic_length
        return float(np.finfo(float).eps) * max(1.0, farthest)

    @cached_property
    def parameter_values(self) -> np.ndarray:
        """Nominal values of the parameters."""
        return np.array([self.mechanism.parameters[name] for name in self.parameter_names])

    @cached_property
    def neutral_position(self) -> np.ndarray:
        """Coordinates q in which every joint is in its neutral position and elastic coordinates are zero."""
        q = np.zeros(self.positions)
        for link in self.links:
            q[link.q] = link.joint.neutral(self.planar)
        return q

    @cached_property
    def characteristic_inertia(self) -> float:
        """Characteristic inertia in kg m²: Σ (m ℓ² + tr I) over all bodies, with masses m, inertias I and the
        characteristic length ℓ; 1 if the sum is zero."""
        parts = [
            ca.SX(
                body.mass * (self.characteristic_length * self.characteristic_length) + ca.trace(body.inertia)
            )
            for body in self._bodies
        ]
        read = ca.Function("inertia", [self.parameter_symbols], [sum(parts, start=ca.SX(0))])
        return float(read(self.parameter_values)) or 1.0

    @property
    def _bodies(self) -> list[ReducedBody]:
        return [link.reduced for link in self.links]

    @cached_property
    def gravity_rate(self) -> float:
        """Rate √(g/ℓ) in 1/s, with the acceleration of gravity g and the characteristic length ℓ; 0 without gravity.
        Outside of simulations, it is the value of the state variables that contain a characteristic rate."""
        read = ca.Function("gravity", [self.parameter_symbols], [ca.SX(ca.densify(self.gravity))])
        return float(
            np.sqrt(np.linalg.norm(np.array(read(self.parameter_values))) / self.characteristic_length)
        )

    def initial_states(self, p: np.ndarray) -> np.ndarray:
        """Initial values of the state variables that are not coordinates, for given parameters."""
        if not self.states:
            return np.zeros(0)
        values = dict(zip(self.parameter_names, p, strict=True))
        found = initial_states(self.mechanism, values)
        return np.array(
            [self.gravity_rate if is_rate_scale(name) else value for name, value in found.items()]
        )

    def body_of(self, k: int) -> ReducedBody:
        """The reduced body of the link with index k, or of the ground for k = −1."""
        return self.ground if k < 0 else self.links[k].reduced

    def numeric_joint(self, joint: ConnectionType, p: np.ndarray) -> ConnectionType:
        """A joint or pair with its expressions evaluated at the given parameters."""
        values = dict(zip(self.parameter_names, p, strict=True))
        return resolve_parameters(joint, lambda value: float(evaluate(value, parameters=values)))


def build_skeleton(mechanism: Mechanism, tree: Tree) -> Skeleton:
    """Order a mechanism along a spanning tree and compute the constants of its links and cut joints."""
    names = tuple(mechanism.parameters)
    symbols = ca.SX.sym("parameters", len(names))
    resolve = parameter_resolver(names, symbols)
    originals = {split.twin: split.body for split in tree.splits}
    # number of splits of each split body: a body that is split once has two parts, one that is split twice has three
    parts = Counter(originals.values())
    joints = {joint.name: resolve_parameters(joint, resolve) for joint in mechanism.binary_joints}
    for joint in joints.values():
        check_joint_type(joint, mechanism.planar)

    def described(body: str) -> Body:
        return mechanism.body(originals.get(body, body))

    links: list[Link] = []
    place: dict[str, int] = {GROUND: -1}
    q = v = 0
    for branch in tree.branches:
        joint = joints[branch.joint]
        ends = (joint.first, joint.second) if branch.forward else (joint.second, joint.first)
        parent_marker, own_marker = (reference.partition(".")[2] for reference in ends)
        share = 1 / (1 + parts[originals.get(branch.body, branch.body)])
        body = described(branch.body).reduced(own_marker, resolve, mechanism.planar, share)
        nq, nv = joint.positions(mechanism.planar), joint.degrees_of_freedom(mechanism.planar)
        place[branch.body] = len(links)
        links.append(
            Link(
                body=branch.body,
                joint=joint,
                forward=branch.forward,
                parent=place[branch.parent],
                parent_marker=parent_marker,
                inboard_marker=own_marker,
                reduced=body,
                q=slice(q, q + nq),
                v=slice(v, v + nv),
                eta=slice(q + nq, q + nq + body.elastic),
                eta_rate=slice(v + nv, v + nv + body.elastic),
            )
        )
        q, v = q + nq + body.elastic, v + nv + body.elastic

    pairs = {pair.name: resolve_parameters(pair, resolve) for pair in mechanism.marker_pairs}
    cuts = _cuts(tree, {**joints, **pairs}, place)
    padded = (*(resolve(g) for g in mechanism.gravity or ()), 0.0)[:3]
    return Skeleton(
        mechanism=mechanism,
        tree=tree,
        links=tuple(links),
        ground=mechanism.body(GROUND).reduced("origin", resolve, mechanism.planar),
        cuts=cuts,
        parameter_names=names,
        parameter_symbols=symbols,
        gravity=ca.sparsify(ca.vertcat(*padded)),
        positions=q,
        rates=v,
        states=tuple(additional_states(mechanism)),
    )


ConnectionType = TypeVar("ConnectionType", bound=Connection)


def resolve_parameters(joint: ConnectionType, resolve: Any) -> ConnectionType:
    """The joint or pair with each expression of parameters replaced by the number or symbols that `resolve` returns for
    it."""
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


Carried = TypeVar("Carried")


def propagate_outward(
    links: Sequence[Link], base: Carried, step: Callable[[int, Link, Carried], Carried]
) -> list[Carried]:
    """A quantity of every body, which `step` computes from the same quantity of its parent; `base` is the quantity of
    the ground."""
    found: list[Carried] = []
    for k, link in enumerate(links):
        found.append(step(k, link, base if link.parent < 0 else found[link.parent]))
    return found


def accumulate_inward(
    links: Sequence[Link],
    own: Sequence[Carried],
    step: Callable[[int, Link, Carried], Carried],
    add: Callable[[Carried, Carried], Carried],
) -> list[Carried]:
    """For every body, the sum of a quantity over the body and all bodies outward of it, computed from the leaves
    inward.

    `own` are the quantities of the single bodies. `step` transforms the sum of body k to the reference of its parent,
    and `add` adds it to the sum of the parent.
    """
    totals = list(own)
    for k in reversed(range(len(links))):
        if links[k].parent >= 0:
            received = step(k, links[k], totals[k])
            totals[links[k].parent] = add(totals[links[k].parent], received)
    return totals


def coordinate_index(skeleton: Skeleton, joint: str, component: str) -> int:
    """Index in v of the rate of a component of a tree joint or flexible body."""
    own = skeleton.coordinates[joint]
    start: int = own.v.start
    return start + own.names.index(component)


def ancestors(skeleton: Skeleton, k: int) -> set[int]:
    """Indices of a body and of all its ancestors, without the ground."""
    found = set()
    while k >= 0:
        found.add(k)
        k = skeleton.links[k].parent
    return found
