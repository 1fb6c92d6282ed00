"""The state of a mechanism at one instant as symbols, and the expressions that several outputs have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import casadi as ca

from multiloop.dynamics.actions import effort_wrench, ground_wrench, load_readouts
from multiloop.dynamics.joint_reactions import constraint_wrenches, exerted_on_ground, joint_reactions
from multiloop.dynamics.newton_euler import required_wrenches
from multiloop.kinematics import CACHE_SIZE, Equations, marker_motion
from multiloop.kinematics.constraints import Constraint, EffortInteraction, RowSet, constraint_jacobian
from multiloop.kinematics.tree import Link
from multiloop.model import GROUND, Connection, Mechanism
from multiloop.spatial import Matrix, Pose, as_column, transport_wrench


@dataclass(frozen=True, eq=False)
class TracedInstant:
    """Symbols of one instant along the spanning tree of `equations`: `lam` are the multipliers of the loop constraints,
    `tau` the efforts of drives and actuators along the rates.

    The expressions hold for any accelerations, multipliers and efforts; only those that satisfy the equations of motion
    are those of a real motion.
    """

    equations: Equations

    @cached_property
    def lam(self) -> Matrix:
        """Multipliers λ of the loop constraints."""
        return ca.SX.sym("lam", self.equations.loop_constraints.count)

    @cached_property
    def tau(self) -> Matrix:
        """Efforts τ of drives and actuators along the rates of the spanning tree; efforts of couplings not included."""
        return as_column(ca.SX.sym("tau", self.equations.skeleton.rates))

    @property
    def mechanism(self) -> Mechanism:
        """The mechanism along whose spanning tree the instant is described, with its implied parts."""
        return self.equations.skeleton.mechanism

    @property
    def planar(self) -> bool:
        """Whether the mechanism is planar."""
        return self.equations.skeleton.planar

    @property
    def inputs(self) -> dict[str, Matrix]:
        """All symbols by name: t, q, v, a, lam, tau, x, dependent_forces and p."""
        eq = self.equations
        motion = {"t": eq.t, "q": eq.q, "v": eq.v, "a": eq.a, "lam": self.lam, "tau": self.tau, "x": eq.x}
        forces = {"dependent_forces": eq.reaction_dependent_forces}
        return motion | forces | {"p": eq.skeleton.parameter_symbols}

    @cached_property
    def reactions(self) -> dict[str, Matrix]:
        """Constraint wrenches [n; f] of all joints and pairs by name, on the second body at the origin of the second
        marker, in inertial axes; zero for a joint without constraints."""
        eq = self.equations
        found = joint_reactions(eq, required_wrenches(eq, eq.a), self.lam, self.tau)
        return {one.name: self._wrench(one, found) for one in self.mechanism.connections}

    def _wrench(self, joint: Connection, found: dict[str, Matrix]) -> Matrix:
        return found[joint.name] if joint.wrench_names(self.planar) else ca.DM(6, 1)

    @cached_property
    def coupling_efforts(self) -> Matrix:
        """Generalized forces along the rates that couplings such as relations exert."""
        return constraint_wrenches(self.equations, self.lam)[2]

    @cached_property
    def effort_wrenches(self) -> dict[str, Matrix]:
        """Wrenches of all efforts, those of couplings included, on the second bodies of the tree joints at the origins
        of their second markers, by joint."""
        eq, tau = self.equations, as_column(self.tau + self.coupling_efforts)
        links = zip(eq.skeleton.links, eq.placements, strict=True)
        return {
            link.joint.name: effort_wrench(link, place, tau[link.v], self.planar) for link, place in links
        }

    @cached_property
    def load_outputs(self) -> dict[str, dict[str, Matrix]]:
        """Outputs of every load, by the name of the load and of the output."""
        return load_readouts(self.equations, self.reactions)

    @cached_property
    def couplings(self) -> dict[str, tuple[Constraint, slice]]:
        """The loop constraints that are couplings, by name, each with the slice of its multipliers in λ."""
        own, names = self.equations.loop_constraints, {one.name for one in self.mechanism.couplings}
        found = zip(own.constraints, own.slices, strict=True)
        return {one.name: (one, place) for one, place in found if one.name in names}

    def effort_links(self, coupling: str) -> list[Link]:
        """The links of the joints along whose coordinates a coupling exerts efforts."""
        interactions = self.couplings[coupling][0].exerted_interactions(self.equations)
        found = (one.link for one in interactions if isinstance(one, EffortInteraction))
        return [self.equations.skeleton.links[k] for k in dict.fromkeys(found)]

    def efforts_of_coupling(self, coupling: str) -> Matrix:
        """Generalized forces along all rates of the efforts that a coupling exerts along joint coordinates."""
        constraint, place = self.couplings[coupling]
        efforts = tuple(
            one
            for one in constraint.exerted_interactions(self.equations)
            if isinstance(one, EffortInteraction)
        )
        J = constraint_jacobian(self.equations, efforts, len(constraint.rows))
        return J.T @ self.lam[place]

    def jacobian_of_coupling(self, coupling: str) -> Matrix:
        """The rows of the loop Jacobian J that belong to a coupling."""
        return self.equations.loop_jacobian[self.couplings[coupling][1], :]

    def body_pose(self, body: str) -> Pose:
        """Inertial pose of the frame of a moving body as defined by the user."""
        eq = self.equations
        k = eq.skeleton.index[body]
        return eq.placements[k].pose @ eq.skeleton.body_of(k).markers["origin"]

    @cached_property
    def ground_wrench(self) -> Matrix:
        """Wrench [n; f] of the whole mechanism on the ground, at the inertial origin: the sum of the wrenches of
        joints, efforts, loads and couplings on the ground."""
        eq = self.equations
        total = ca.SX(6, 1) + self.load_wrench_on_ground
        for joint in self.mechanism.connections:
            bodies = (joint.first.partition(".")[0], joint.second.partition(".")[0])
            if GROUND in bodies:
                sign = -1 if bodies[0] == GROUND else 1
                w = self.reactions[joint.name] + self.effort_wrenches.get(joint.name, ca.DM(6, 1))
                total += sign * transport_wrench(w, marker_motion(eq, joint.second)[0].p)
        return total

    @cached_property
    def load_wrench_on_ground(self) -> Matrix:
        """Wrench [n; f] of all loads and couplings on the ground, at the inertial origin."""
        eq = self.equations
        total = ground_wrench(eq) if self.mechanism.all_loads else ca.DM(6, 1)
        held = RowSet(tuple(one for one, _ in self.couplings.values()))
        lam = ca.vertcat(ca.SX(0, 1), *[self.lam[place] for _, place in self.couplings.values()])
        exerted = exerted_on_ground(eq, held, lam)
        return total if exerted is None else total + exerted


@lru_cache(maxsize=CACHE_SIZE)
def traced_instant_of(equations: Equations) -> TracedInstant:
    """The symbols of an instant along a spanning tree, cached for repeated use."""
    return TracedInstant(equations)
