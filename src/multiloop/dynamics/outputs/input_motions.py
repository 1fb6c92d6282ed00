"""Motion of the whole mechanism per unit rate of each input, as expressions: the basis of Jacobians and ratios.

    [J; J_spin; J_in] C = [0; 0; 1],      v = C θ̇

The inputs θ are the coordinates along which drives and actuators act. J is the Jacobian of the loop constraints, J_in
the rows of the inputs, and J_spin sets the idle spins of bodies between two ball joints to zero. Elastic coordinates
are held: C contains the motion of the mechanism with its flexible bodies rigid in their present shape. Constraints that
depend on time are taken at a fixed time.

Theory: docs/theory/04-orthogonal-complement.md, eq. (4.14); docs/theory/08-singular-configurations.md, section 8.1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca
import networkx as nx
import numpy as np

from multiloop.dynamics.symbolic_solvers import solve_general
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.constraints import RowSet, Spin, SpinRow, drive_targets
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import GROUND, Connection, Mechanism, Spherical, body_of
from multiloop.plan import unknown_efforts
from multiloop.spatial import Matrix

LARGEST_RATE = 1e10
"""Rate per unit of an input, in radians or characteristic lengths, beyond which the inputs do not determine the
motion."""

CONSISTENT = 1e-7
"""Largest residual of the equations for C at which they count as consistent; it is of the order of one if an input
depends on others."""


@dataclass(frozen=True)
class Coordinate:
    """One coordinate of a joint; `name` is "joint", or "joint.component" if the joint has several."""

    joint: str
    component: str
    name: str

    @property
    def is_length(self) -> bool:
        """Whether the coordinate is a length, not an angle."""
        return self.component in LENGTH_COMPONENTS


def coordinate_of(mechanism: Mechanism, joint: str, component: str) -> Coordinate:
    """A coordinate of a joint by the names of the joint and of the component."""
    several = len(mechanism.connection(joint).components(mechanism.planar)) > 1
    return Coordinate(joint, component, f"{joint}.{component}" if several else joint)


def inputs_of(mechanism: Mechanism) -> tuple[Coordinate, ...]:
    """The inputs: coordinates along which actuators act and, unless the efforts of some actuators are unknown,
    coordinates of driven joints."""
    planar, driven = mechanism.planar, list[tuple[str, str]]()
    if not (mechanism.actuators and unknown_efforts(mechanism)):
        targets = [target for target in drive_targets(mechanism) if not target.on_marker]
        driven = [(target.of, component) for target in targets for component in target.components]
    acting = [
        (one.joint, one.component or mechanism.connection(one.joint).components(planar)[0])
        for one in mechanism.actuators
    ]
    return tuple(coordinate_of(mechanism, *pair) for pair in dict.fromkeys((*driven, *acting)))


def idle_spins_by_graph(mechanism: Mechanism) -> tuple[Spin, ...]:
    """The idle spins of bodies between two ball joints, or of groups of bodies that other joints connect.

    A group with exactly two ball joints to two different other bodies can turn about the line through both.
    """
    graph: nx.Graph = nx.Graph()
    graph.add_nodes_from([GROUND, *(body.name for body in mechanism.all_bodies)])
    balls = [joint for joint in mechanism.connections if isinstance(joint, Spherical)]
    graph.add_edges_from(map(bodies_of, (one for one in mechanism.connections if one not in balls)))
    group_of = {body: k for k, group in enumerate(nx.connected_components(graph)) for body in group}
    ends: dict[int, list[tuple[str, str]]] = {}  # markers on the group, and bodies outside it
    for ball in balls:
        for own, other in ((ball.first, ball.second), (ball.second, ball.first)):
            body, outside = body_of(own), body_of(other)
            if group_of[body] != group_of[outside]:
                ends.setdefault(group_of[body], []).append((own, outside))
    ends.pop(group_of[GROUND], None)
    return tuple(
        Spin(body_of(own[0][0]), own[0][0], own[1][0])
        for own in ends.values()
        if len(own) == 2 and own[0][1] != own[1][1]
    )


def bodies_of(joint: Connection) -> tuple[str, str]:
    """Names of the two bodies that a joint or pair connects."""
    return body_of(joint.first), body_of(joint.second)


@dataclass(frozen=True, eq=False)
class InputMotions:
    """The constraint rows of loops, idle spins and inputs, and the motion per unit rate of each input.

    Rows and columns of matrices that are called scaled are divided by the characteristic length where they are
    lengths.
    """

    equations: Equations

    @cached_property
    def inputs(self) -> tuple[Coordinate, ...]:
        """The inputs of the mechanism."""
        return inputs_of(self.equations.skeleton.mechanism)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the inputs as parts of names of entries, without dots."""
        return tuple(one.name.replace(".", "_") for one in self.inputs)

    @cached_property
    def joint_rates(self) -> list[int]:
        """Indices in v of the rates of joints, without the elastic rates."""
        return [k for link in self.equations.skeleton.links for k in range(link.v.start, link.v.stop)]

    @cached_property
    def units(self) -> np.ndarray:
        """Units of the rates of joints: the characteristic length for lengths, 1 for angles."""
        return self.equations.chart.rate_units[self.joint_rates]

    @cached_property
    def _spins(self) -> RowSet:
        skeleton = self.equations.skeleton
        return RowSet(tuple(SpinRow(spin, skeleton) for spin in idle_spins_by_graph(skeleton.mechanism)))

    @property
    def refusal(self) -> str:
        """Why the motion per unit rate of the inputs is not defined; empty if it is defined.

        The rank of the rows is that of their structure, which numerical dependence may make smaller.
        """
        if not self.inputs:
            return "the mechanism has no drive or actuator at a joint, to whose rates the quantity refers."
        lengths = [one.is_length for one in self.inputs]
        missing = len(self.joint_rates) - ca.sprank(ca.sparsify(self.scaled_rows(self.input_rows, lengths)))
        if missing <= 0:
            return ""
        listed = ", ".join(one.name for one in self.inputs)
        return f"the inputs {listed} leave {missing} degree{'s' * (missing > 1)} of freedom undetermined."

    def rate_row(self, coordinate: Coordinate) -> Matrix:
        """The row that maps the rates of joints to the rate of a coordinate, of a cut joint too."""
        eq, planar = self.equations, self.equations.skeleton.planar
        link = eq.skeleton.link_of_joint.get(coordinate.joint)
        if link is not None:
            k = link.v.start + link.joint.components(planar).index(coordinate.component)
            row = ca.SX(1, eq.skeleton.rates)
            row[0, k] = 1
            return row[:, self.joint_rates]
        first = 0
        for cut in eq.skeleton.cuts:
            parts = cut.joint.components(planar)
            if cut.joint.name == coordinate.joint:
                rate = eq.tree_functions.cut_motion_symbols[0][first + parts.index(coordinate.component)]
                return ca.jacobian(ca.SX(rate), eq.v)[:, self.joint_rates]
            first += len(parts)
        raise KeyError(coordinate.joint)

    def scaled_rows(self, outputs: Matrix, lengths: Sequence[bool]) -> Matrix:
        """Scaled rows of the loops and idle spins, followed by the rows `outputs`, which are lengths where `lengths`
        says so."""
        eq, ell = self.equations, self.equations.skeleton.characteristic_length
        held = ca.vertcat(ca.SX(eq.loop_jacobian), self._spins.jacobian(eq))[:, self.joint_rates]
        own = [1 / ell if is_length else 1.0 for is_length in lengths]
        scale = np.concatenate([eq.loop_constraints.scale(ell), np.ones(self._spins.count), own])
        return ca.diag(ca.DM(scale)) @ ca.vertcat(held, outputs) @ ca.diag(ca.DM(self.units))

    @property
    def input_rows(self) -> Matrix:
        """The rows of all inputs."""
        return ca.vertcat(*[self.rate_row(one) for one in self.inputs])

    @cached_property
    def motions(self) -> Matrix:
        """The matrix C, rates of joints × inputs; NaN where the inputs do not determine the motion, or are not
        independent."""
        lengths, ell = [one.is_length for one in self.inputs], self.equations.skeleton.characteristic_length
        A = ca.sparsify(self.scaled_rows(self.input_rows, lengths))
        B = ca.DM(A.shape[0], len(lengths))
        for k, is_length in enumerate(lengths):
            B[A.shape[0] - len(lengths) + k, k] = 1 / ell if is_length else 1.0
        Y = ca.SX(solve_general(A, ca.SX(B)))
        residual = ca.mmax(ca.fabs(ca.densify(A @ Y - B)))
        defined = ca.logic_and(residual < CONSISTENT, ca.mmax(ca.fabs(ca.densify(Y))) < LARGEST_RATE)
        # √(2·0 − 1) is NaN in every language to which expressions are compiled
        return ca.diag(ca.DM(self.units)) @ Y * ca.sqrt(2 * defined - 1)


@lru_cache(maxsize=CACHE_SIZE)
def input_motions_of(equations: Equations) -> InputMotions:
    """The motions per unit rate of the inputs of a mechanism along a spanning tree, cached for repeated use."""
    return InputMotions(equations)
