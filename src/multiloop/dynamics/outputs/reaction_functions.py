"""Joint reactions and their balance as CasADi functions of an instant, and derivatives of outputs by reactions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import (
    JointReactions,
    LimitParts,
    WrenchOnMarker,
    actions_of,
    dependent_force_inputs,
    load_inputs,
    load_readouts,
    units_of,
)
from multiloop.dynamics.joint_reactions import joint_reactions, workless_reactions
from multiloop.dynamics.newton_euler import carried_wrenches, generalized_forces, required_wrenches
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.kinematics.constraints import Constraint, CutJoint, RowSet, end_poses
from multiloop.spatial import Matrix, as_column
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class ReactionFunctions:
    """CasADi functions of the joint reactions of one mechanism along one spanning tree, and of outputs of loads for
    given reactions.

    Joints are in the order of the mechanism."""

    equations: Equations

    def _ordered(self, found: dict[str, Matrix]) -> Matrix:
        joints = self.equations.skeleton.mechanism.connections
        return ca.horzcat(ca.SX(6, 0), *[found.get(joint.name, ca.DM(6, 1)) for joint in joints])

    @cached_property
    def reactions(self) -> Traced:
        """CasADi function (q, v, a, multipliers λ of the loop constraints, efforts τ, p) → constraint wrenches of all
        joints, 6 × joints; time, state variables and reaction-dependent forces are inputs where loads depend on
        them."""
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
        """CasADi function (q, v, a, efforts τ, joint wrenches, p) → generalized forces `left` that the joint wrenches
        and efforts do not balance, and the Jacobian J_other of `other_constraints`.

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
            {"left": left, "J": ca.densify(J)},
        )

    def multipliers(self, columns: Mapping[str, Any], wrenches: np.ndarray) -> np.ndarray:
        """Multipliers λ of all loop constraints, instants × rows, that belong to given joint reactions `wrenches`,
        instants × 6 × joints.

        They are needed where equilibrium does not determine the reactions, so that the reported reactions are not those
        of the multipliers of the solver. The reaction of a cut joint is w = W λ with its unit wrenches W. The
        multipliers of couplings and of the closing joints of split bodies follow from the balance of generalized
        forces. `columns` are the inputs of traced functions by name, with one column per instant.
        """
        eq, own = self.equations, self.equations.loop_constraints
        lam = np.zeros((len(wrenches), own.count))
        names = [joint.name for joint in eq.skeleton.mechanism.connections]
        cut = [
            (one.name, place)
            for one, place in zip(own.constraints, own.slices, strict=True)
            if isinstance(one, CutJoint) and one.name in names
        ]
        (W,) = self._unit_wrenches.evaluate_many(**columns)
        W, first = W.reshape(len(W), 6, -1), 0  # a single column comes without its axis
        for name, place in cut:
            last = first + place.stop - place.start
            block = np.broadcast_to(W[:, :, first:last], (len(wrenches), 6, last - first))
            lam[:, place] = np.einsum("trk,tk->tr", np.linalg.pinv(block), wrenches[:, :, names.index(name)])
            first = last
        if self.other_constraints:
            places = {one.name: place for one, place in zip(own.constraints, own.slices, strict=True)}
            rows = np.r_[tuple(places[other.name] for other in self.other_constraints)]
            lam[:, rows] = self._balancing_multipliers(columns, wrenches)
        return lam

    def _balancing_multipliers(self, columns: Mapping[str, Any], wrenches: np.ndarray) -> np.ndarray:
        """Multipliers λ of `other_constraints`, instants × rows: the least-squares solution of Jᵀ λ = r, where r is the
        residual of the balance of generalized forces."""
        count, rates = len(wrenches), self.equations.skeleton.rates
        flat = wrenches.transpose(2, 1, 0).reshape(-1, count)
        left, J = self.balance.evaluate_many(**columns, wrenches=flat)
        J = J.reshape(count, -1, rates)
        found: np.ndarray = (np.linalg.pinv(J.transpose(0, 2, 1)) @ left.reshape(count, -1, 1))[:, :, 0]
        return found

    @cached_property
    def _unit_wrenches(self) -> Traced:
        """CasADi function (q, t, p) → unit wrenches W of all cut joints and pairs side by side, 6 × rows."""
        eq, names = self.equations, {joint.name for joint in self.equations.skeleton.mechanism.connections}
        own = (one for one in eq.loop_constraints.constraints if isinstance(one, CutJoint))
        blocks = [one.interactions(eq)[0].W for one in own if one.name in names]
        W = ca.densify(ca.horzcat(ca.SX(6, 0), *blocks))
        return eq.function("unit_wrenches", "qt", W=W)

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
        """For every load, the names of its outputs with their numbers of entries, in the order of `load_slopes`."""
        found = load_readouts(self.equations, self._reaction_symbols)
        return {
            load: {name: ca.SX(x).numel() for name, x in outputs.items()} for load, outputs in found.items()
        }

    @property
    def load_units(self) -> dict[str, Mapping[str, str]]:
        """Units of the outputs of every load, by name of the load and of the output."""
        skeleton = self.equations.skeleton
        return {action.name: units_of(action, skeleton) for action in actions_of(skeleton)}


@lru_cache(maxsize=CACHE_SIZE)
def reaction_functions_of(equations: Equations) -> ReactionFunctions:
    """The CasADi functions of the joint reactions of a mechanism, cached for repeated use."""
    return ReactionFunctions(equations)
