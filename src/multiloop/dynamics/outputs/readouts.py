"""Outputs at one instant as CasADi functions, for known accelerations, multipliers and efforts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import (
    JointReactions,
    LimitParts,
    WrenchOnMarker,
    actions_of,
    dependent_force_inputs,
    effort_wrench,
    ground_wrench,
    load_inputs,
    load_readouts,
    units_of,
)
from multiloop.dynamics.joint_reactions import exerted_on_ground, joint_reactions, workless_reactions
from multiloop.dynamics.newton_euler import carried_wrenches, generalized_forces, required_wrenches
from multiloop.dynamics.outputs.energy import dissipated_power, kinetic_energy, momentum, potential_energy
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.constraints import (
    Constraint,
    EffortInteraction,
    RowSet,
    constraint_jacobian,
    end_poses,
)
from multiloop.kinematics.tree import Link
from multiloop.spatial import Matrix, Pose, as_column
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class Readouts:
    """CasADi functions of the outputs of one mechanism along one tree: joint reactions, poses, energies and outputs
    of loads.

    Joints are in the order of the mechanism."""

    equations: Equations

    def _ordered(self, found: dict[str, Matrix]) -> Matrix:
        joints = self.equations.skeleton.mechanism.connections
        return ca.horzcat(ca.SX(6, 0), *[found.get(joint.name, ca.DM(6, 1)) for joint in joints])

    @cached_property
    def reactions(self) -> Traced:
        """CasADi function (q, v, a, multipliers λ of the loop constraints, efforts τ, p) → constraint wrenches of all
        joints, 6 × joints."""
        eq = self.equations
        lam, tau = ca.SX.sym("lam", eq.loop_constraints.count), as_column(ca.SX.sym("tau", eq.skeleton.rates))
        needed = self._needed
        inputs = {"q": eq.q, "v": eq.v, "a": eq.a, "lam": lam, "tau": tau, **load_inputs(eq)}
        inputs |= {**dependent_force_inputs(eq), "p": eq.skeleton.parameter_symbols}
        return Traced("reactions", inputs, {"wrenches": self._ordered(joint_reactions(eq, needed, lam, tau))})

    def workless_reactions(self, t: float, q: np.ndarray, lam: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Joint reactions, 6 × joints, to forces without power, such as separating forces of gear teeth; zero for cut
        joints."""
        return self._workless_reactions(q, np.array([t]), lam, p)[0].reshape(6, -1)

    @cached_property
    def _workless_reactions(self) -> Traced:
        eq, lam = self.equations, ca.SX.sym("lam", self.equations.loop_constraints.count)
        inputs = {"q": eq.q, "t": eq.t, "lam": lam, "p": eq.skeleton.parameter_symbols}
        return Traced("accompanying", inputs, {"wrenches": self._ordered(workless_reactions(eq, lam))})

    def dissipated(self, v: np.ndarray, p: np.ndarray) -> float:
        """Power, in W, dissipated by the damping of flexible bodies."""
        if all(link.reduced.modes is None for link in self.equations.skeleton.links):
            return 0.0
        return float(np.sum(self._dissipated(v, p)[0]))

    @cached_property
    def _dissipated(self) -> Traced:
        return self.equations.function("dissipated", "v", power=dissipated_power(self.equations))

    @cached_property
    def _needed(self) -> list[Matrix]:
        """Wrench w* − wᵉ that every body requires: inertia wrench, weight included, minus applied wrench."""
        return required_wrenches(self.equations, self.equations.a)

    @cached_property
    def other_constraints(self) -> tuple[Constraint, ...]:
        """The loop constraints that are not joints or pairs of the mechanism: couplings, and closing joints of split
        bodies."""
        names = {joint.name for joint in self.equations.skeleton.mechanism.connections}
        return tuple(one for one in self.equations.loop_constraints.constraints if one.name not in names)

    @cached_property
    def balance(self) -> Traced:
        """CasADi function (q, v, a, efforts τ, joint wrenches, p) → generalized forces h − τ − Σ w_cut along the
        rates, the Jacobian J_other of `other_constraints`, and the part of J_other that is due to the efforts that
        these constraints exert on joint coordinates, not to their wrenches on bodies.

        h(q, v, a) are the forces that the motion requires, and w_cut the generalized forces of the wrenches of cut
        joints. The multipliers λ of the other constraints satisfy h − τ − Σ w_cut = J_otherᵀ λ.
        """
        eq, skeleton = self.equations, self.equations.skeleton
        names = [joint.name for joint in skeleton.mechanism.connections]
        tau = as_column(ca.SX.sym("tau", skeleton.rates))
        flat = ca.SX.sym("wrenches", 6 * len(names))
        wrenches, own = ca.reshape(flat, 6, len(names)), list(self._needed)
        for cut in eq.cut_joints:
            if cut.name in names:
                point = end_poses(eq, *cut.ends).S.p
                for end, sign in zip(cut.ends, (-1, 1), strict=True):
                    if end.body >= 0:
                        w = sign * wrenches[:, names.index(cut.name)]
                        on_body = WrenchOnMarker(end.body, end.marker, point, w).at_origin(eq)
                        own[end.body] = own[end.body] - on_body
        left = generalized_forces(eq, carried_wrenches(eq, own)) - tau
        J = RowSet(self.other_constraints).jacobian(eq)
        inputs = {
            "q": eq.q,
            "v": eq.v,
            "a": eq.a,
            "tau": tau,
            "wrenches": flat,
            "p": skeleton.parameter_symbols,
        }
        return Traced(
            "balance",
            inputs | load_inputs(eq) | dependent_force_inputs(eq),
            {"left": left, "J": ca.densify(J), "pushing": ca.densify(self._effort_jacobian)},
        )

    @property
    def _effort_jacobian(self) -> Matrix:
        eq = self.equations
        blocks = [
            constraint_jacobian(
                eq,
                tuple(x for x in one.exerted_interactions(eq) if isinstance(x, EffortInteraction)),
                len(one.rows),
            )
            for one in self.other_constraints
        ]
        return ca.vertcat(ca.DM(0, eq.skeleton.rates), *blocks)

    @cached_property
    def constraint_outputs(self) -> Traced:
        """CasADi function (q, t, multipliers λ of `other_constraints`, p) → outputs of all these constraints, stacked,
        and the sum of their wrenches on the ground.
        """
        eq, rows = self.equations, RowSet(self.other_constraints)
        lam = ca.SX.sym("lam", rows.count)
        outputs = [
            one.outputs(eq, lam[place]) for one, place in zip(rows.constraints, rows.slices, strict=True)
        ]
        columns = [ca.SX(x) for named in outputs for x in named.values()]
        frame = exerted_on_ground(eq, rows, lam)
        stacked = {"outputs": ca.vertcat(ca.SX(0, 1), *columns)} | ({} if frame is None else {"frame": frame})
        inputs = {"q": eq.q, "t": eq.t, "lam": lam, "p": eq.skeleton.parameter_symbols}
        return Traced("constraint_outputs", inputs, stacked)

    @cached_property
    def constraint_output_sizes(self) -> dict[str, dict[str, int]]:
        """For every constraint in `other_constraints`, the names of its outputs with their numbers of entries."""
        zero = {
            one.name: one.outputs(self.equations, ca.SX(len(one.rows), 1)) for one in self.other_constraints
        }
        return {
            name: {word: ca.SX(x).numel() for word, x in outputs.items()} for name, outputs in zero.items()
        }

    def effort_links(self, constraint: Constraint) -> list[Link]:
        """The links of the joints along which a constraint exerts efforts."""
        pushes = (
            one
            for one in constraint.exerted_interactions(self.equations)
            if isinstance(one, EffortInteraction)
        )
        return [self.equations.skeleton.links[k] for k in dict.fromkeys(one.link for one in pushes)]

    @cached_property
    def readings(self) -> Traced:
        """CasADi function (q, v, a, efforts τ, p) → all outputs at an instant except joint reactions.

        The outputs are poses [R | p] of the frames of all bodies, and of the second marker of every cut joint relative
        to its first; rates and accelerations of the cut joints; wrenches of the efforts; energies, momentum, and
        residuals of the position constraints, in which lengths are divided by the characteristic length; if there are
        loads, also the sum of their wrenches on the ground and their outputs.
        """
        eq, skeleton = self.equations, self.equations.skeleton
        tau = as_column(ca.SX.sym("tau", skeleton.rates))
        rates, accelerations = eq.tree_functions.cut_motion_symbols
        held = len(eq.loop_constraints.position_rows)
        outputs = {
            "poses": ca.horzcat(ca.SX(3, 0), *[_pose_matrix(pose) for pose in self._own_poses()]),
            "cut_poses": ca.horzcat(ca.SX(3, 0), *[_pose_matrix(ends.relative) for ends in eq.cut_ends]),
            "cut_rates": rates,
            "cut_accelerations": accelerations,
            "efforts": self._effort_wrenches(tau),
            "kinetic": kinetic_energy(eq),
            "potential": potential_energy(eq),
            "momentum": momentum(eq),
            "open": ca.diag(ca.DM(eq.row_scale[:held])) @ eq.phi[:held, :],
        }
        inputs = {
            "q": eq.q,
            "v": eq.v,
            "a": eq.a,
            "tau": tau,
            **load_inputs(eq),
            **dependent_force_inputs(eq),
        }
        if any(load.states for load in skeleton.mechanism.all_loads):
            inputs["x"] = eq.x
        if eq.reaction_dependent_forces.shape[0]:
            inputs["wrenches"] = ca.vertcat(*self._reaction_symbols.values())
        if skeleton.mechanism.all_loads:
            outputs |= {"frame": ground_wrench(eq), "loads": ca.vertcat(*self._load_columns())}
        return Traced("readings", inputs | {"p": skeleton.parameter_symbols}, outputs)

    @cached_property
    def _reaction_symbols(self) -> JointReactions:
        """Symbols of the constraint wrenches of all joints, by name."""
        connections = self.equations.skeleton.mechanism.connections
        return {joint.name: ca.SX.sym(f"wrench_{k}", 6) for k, joint in enumerate(connections)}

    def _load_columns(self) -> list[Matrix]:
        """Outputs of all loads, in the order of the loads."""
        readouts = load_readouts(self.equations, self._reaction_symbols).values()
        return [ca.SX(x) for one in readouts for x in one.values()]

    @cached_property
    def load_slopes(self) -> Traced:
        """CasADi function (t, q, v, x, dependent forces, joint wrenches, p) → derivatives of the outputs of loads
        with respect to the reaction-dependent forces `dependent_forces`."""
        eq = self.equations
        inputs = {
            "t": eq.t,
            "q": eq.q,
            "v": eq.v,
            "x": eq.x,
            "dependent_forces": eq.reaction_dependent_forces,
        }
        inputs |= {
            "wrenches": ca.vertcat(*self._reaction_symbols.values()),
            "p": eq.skeleton.parameter_symbols,
        }
        slopes = ca.jacobian(ca.vertcat(*self._load_columns()), eq.reaction_dependent_forces)
        return Traced("load_slopes", inputs, {"slopes": ca.densify(slopes)})

    @cached_property
    def limit_places(self) -> dict[str, list[slice]]:
        """For each load whose stiction limit depends on reactions, the slices of the vectors Fᵢ and of the shift f
        (`LimitParts`) among the rows of `limit_slopes`."""
        found, first = {}, 0
        for name, parts in self._limit_parts.items():
            ends = np.cumsum([first, *(vector.shape[0] for vector in parts.vectors), 1]).tolist()
            found[name] = [slice(begin, end) for begin, end in pairwise(ends)]
            first = ends[-1]
        return found

    @cached_property
    def _limit_parts(self) -> dict[str, LimitParts]:
        eq = self.equations
        sticking = [action for action in actions_of(eq.skeleton) if action.load.modes]
        found = {action.name: action.limit_parts(eq, self._reaction_symbols) for action in sticking}
        return {name: parts for name, parts in found.items() if parts is not None}

    @cached_property
    def limit_slopes(self) -> Traced:
        """CasADi function (t, q, v, x, p) → derivatives, with respect to the joint wrenches, of the vectors and
        shifts of stiction limits (`LimitParts`); `limit_places` assigns the rows to loads."""
        eq, wrenches = self.equations, ca.vertcat(*self._reaction_symbols.values())
        inputs = {"t": eq.t, "q": eq.q, "v": eq.v, "x": eq.x, "p": eq.skeleton.parameter_symbols}
        rows = [ca.SX(row) for parts in self._limit_parts.values() for row in (*parts.vectors, parts.shift)]
        slopes = ca.jacobian(ca.vertcat(ca.SX(0, 1), *rows), wrenches)
        return Traced("limit_slopes", inputs, {"slopes": ca.densify(slopes)})

    @cached_property
    def load_output_sizes(self) -> dict[str, dict[str, int]]:
        """For every load, the names of its outputs with their numbers of entries, in the order of `readings`."""
        found = load_readouts(self.equations, self._reaction_symbols)
        return {
            load: {name: ca.SX(x).numel() for name, x in outputs.items()} for load, outputs in found.items()
        }

    @property
    def load_units(self) -> dict[str, Mapping[str, str]]:
        """Units of the outputs of every load, by name of the load and of the output."""
        skeleton = self.equations.skeleton
        return {action.name: units_of(action, skeleton) for action in actions_of(skeleton)}

    def _effort_wrenches(self, tau: Matrix) -> Matrix:
        """Wrench of the efforts at every joint, on its second body at its second marker, 6 × joints."""
        eq = self.equations
        links = zip(eq.skeleton.links, eq.placements, strict=True)
        return self._ordered(
            {
                link.joint.name: effort_wrench(link, place, tau[link.v], eq.skeleton.planar)
                for link, place in links
            }
        )

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the moving bodies in the order of the output poses, without the twins of split bodies."""
        skeleton = self.equations.skeleton
        twins = {split.twin for split in skeleton.tree.splits}
        return tuple(link.body for link in skeleton.links if link.body not in twins)

    def _own_poses(self) -> list[Pose]:
        """Inertial poses of the frames of the moving bodies as defined by the user, in the order of `bodies`; the
        library computes with other body frames, which are at the inboard joints."""
        eq, index = self.equations, self.equations.skeleton.index
        places = [(eq.placements[index[body]], eq.skeleton.body_of(index[body])) for body in self.bodies]
        return [place.pose @ body.markers["origin"] for place, body in places]


def _pose_matrix(pose: Pose) -> Matrix:
    """The pose as a 3×4 matrix [R | p]."""
    return ca.horzcat(pose.R, pose.p)


@lru_cache(maxsize=CACHE_SIZE)
def readouts_of(equations: Equations) -> Readouts:
    """The CasADi functions of the outputs of a mechanism, cached for repeated use."""
    return Readouts(equations)
