"""Simultaneous solution of joint reactions, forces that depend on them (such as friction), and set-valued forces.

    x = h(Y),      Y = [F, g̈, x],      F = F₀ + G x

x are the magnitudes of the reaction-dependent and set-valued forces, h their force laws, F the joint reactions (F₀ at x
= 0), and g̈ the accelerations along set-valued forces. All wrenches of loads are linear in x; therefore the solution of
every formulation and the reactions F are also linear in x, with the derivative G = ∂F/∂x. An exception is the
separating force of gear teeth, which is proportional to the magnitude of their multiplier: G is then evaluated again in
every step. G is computed as a directional derivative of the solution, which reuses the factorisations, as in
`linear_response`. x = h(Y) is solved by a fixed number of Newton steps from x = 0, or, for a set-valued force that
prevents a motion (holds it), from the force stored in its state; the residual x − h is an output. The law of a force
that holds a motion is h = x − w (g̈ + 2 ω ġ + ω² g), where g is its gap or coordinate, w the force per unit of
acceleration, and the terms with the rate ω correct drift: x changes until the bracket vanishes.

The solution is unique if the spectral radius ρ(K) of the matrix of slope bounds K_ij ≥ |∂h_i/∂x_j|, valid for all F, is
less than 1. For a single friction force this is Painlevé's limit: beyond the limit there are two solutions or none.

Source: derived here; [painleve] for the cases without a unique solution.
Theory: docs/theory/05-inverse-dynamics.md, eqs. (5.13), (5.14);
docs/theory/12-contact.md, eqs. (12.1), (12.3), (12.4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca

from multiloop.dynamics.actions import (
    COLUMN_COUNT,
    DRIFT_FACTOR,
    Action,
    JointReactions,
    SetValuedForce,
    actions_of,
    is_held,
)
from multiloop.dynamics.symbolic_solvers import solve_dominant
from multiloop.kinematics import Snapshot
from multiloop.spatial import Matrix

RIGID_RESPONSE = 1e-14
"""Acceleration per unit force, divided by the acceleration of the characteristic inertia of the mechanism per unit
force, below which a motion counts as prescribed by a drive."""

SOFTENING = 1e-7
"""Number added to the diagonal of the matrix 𝔪 𝒢 for forces that hold a motion. 𝒢 contains the accelerations along
these motions per unit of each force, and the diagonal matrix 𝔪 the masses 1/𝒢ₖₖ, so that the diagonal entries of 𝔪 𝒢
are 1 (section 12.2 of the theory manual).

This regularisation makes the equations solvable if several forces hold the same motion; further Newton steps remove its
error. If 𝒢 is symmetric, the change δx of these forces has the smallest weighted norm Σ 𝒢ₖₖ δxₖ². If sliding friction
contributes, 𝒢 is not symmetric, and the change does not have the smallest norm."""

ROUND_OFF = 1e-9
"""Round-off of a force that holds a motion, relative to the force that would be required if no other force held this
motion."""

CONE_ROUND_OFF = 1e-7
"""Round-off of the friction forces of a contact, used instead of `ROUND_OFF` and relative to the largest force of the
contact; larger, because near the limit of the friction cone the direction of sliding is accurate only to the square
root of this number."""

LEAST_ROUND_OFF = 1e-12
"""Lower bound of the round-off of a force that holds a motion, relative to the effective mass times L (ν² + g/ℓ).

L is the size scale (the characteristic length ℓ, or 1 rad), ν the characteristic rate of the connected part, and g the
acceleration of gravity: weights that drives balance cause round-off even at rest. The effective mass is that which the
force moves, the reciprocal of the acceleration along the force per unit of force, so that the round-off of a light body
does not depend on the mass of a heavy body connected to it.
"""


@dataclass(frozen=True, eq=False)
class ForceLaws:
    """The force laws of all reaction-dependent and set-valued forces of a mechanism.

    `joint_names` are the joints on whose reactions the forces depend.
    """

    at: Snapshot
    actions: list[Action]
    joint_names: list[str]
    weights: Matrix | None = None
    """Force w per unit of acceleration along each set-valued force; None until computed by `with_weights`."""
    slack: Matrix | None = None
    """Round-off of each set-valued force in N or N m; None until computed by `with_weights`."""
    _symbol_cache: dict[str, ca.SX] = field(default_factory=dict)
    """The symbols of the vector Y (reactions, accelerations and forces) and of the weights w, created once, so that
    copies with other weights share them."""

    @classmethod
    def of_mechanism(cls, at: Snapshot) -> ForceLaws:
        """The force laws of all loads of a mechanism, without weights."""
        actions = [one for one in actions_of(at.skeleton) if one.load.reaction_dependent_forces]
        return cls(
            at,
            actions,
            list(dict.fromkeys(name for one in actions for name in one.reaction_sources(at.skeleton))),
        )

    # force laws as symbolic expressions ---------------------------------------------------------------------

    @cached_property
    def reactions(self) -> ca.SX:
        """Symbols of the joint reactions F, six for each joint."""
        return self._symbol("F", 6 * len(self.joint_names))

    @cached_property
    def set_valued_places(self) -> tuple[int, ...]:
        """Indices of the set-valued forces among all forces x."""
        flags = [
            bool(one.load.modes) for one in self.actions for _ in range(one.load.reaction_dependent_forces)
        ]
        return tuple(k for k, flag in enumerate(flags) if flag)

    @cached_property
    def _reactions_by_joint(self) -> JointReactions:
        return {name: self.reactions[6 * k : 6 * k + 6] for k, name in enumerate(self.joint_names)}

    @cached_property
    def set_valued_forces(self) -> list[SetValuedForce]:
        """The set-valued forces of all loads in order, with the rate scale and the resolution of the simulation."""
        at, found = self.at, []
        for one in self.actions:
            if one.load.modes:
                scales = {
                    "rate_scale": at.rate_scale(one.name),
                    "gap_tolerance": at.resolution * one.size_scale(at.skeleton),
                    "resolution": at.resolution,
                    "return_rate": at.return_rate(one.name),
                }
                found += [
                    replace(grip, **scales) for grip in one.set_valued_forces(at, self._reactions_by_joint)
                ]
        return found

    @cached_property
    def size_scales(self) -> list[float]:
        """Length or angle scale of each set-valued force (`Action.size_scale`)."""
        skeleton = self.at.skeleton
        return [one.size_scale(skeleton) for one in self.actions for _ in one.load.modes]

    @cached_property
    def modes(self) -> list[Matrix]:
        """Mode of each set-valued force."""
        return [mode for one in self.actions for mode in one.force_modes(self.at)]

    @property
    def initial_forces(self) -> Matrix:
        """Start values of the forces x for Newton's method; components that equilibrium does not determine keep these
        values."""
        m = sum(one.load.reaction_dependent_forces for one in self.actions)
        if not self.set_valued_places:
            return ca.DM(m, 1)
        shares = [share for one in self.actions for share in one.shared_forces(self.at)]
        found = ca.SX(m, 1)
        for place, mode, share in zip(self.set_valued_places, self.modes, shares, strict=True):
            found[place] = ca.if_else(is_held(mode), share, 0.0)
        return found

    def _symbol(self, name: str, count: int) -> ca.SX:
        return self._symbol_cache.setdefault(name, ca.SX.sym(name, count))

    @property
    def _accelerations(self) -> ca.SX:
        return self._symbol("held", len(self.set_valued_places))

    @property
    def _own(self) -> ca.SX:
        return self._symbol("own", len(self.set_valued_places))

    @property
    def _weights(self) -> ca.SX:
        return self._symbol("weights", len(self.set_valued_places))

    @cached_property
    def symbols(self) -> ca.SX:
        """The symbols of the vector Y: reactions F, accelerations g̈ along set-valued forces, and these forces
        themselves."""
        return ca.vertcat(self.reactions, self._accelerations, self._own)

    @cached_property
    def h(self) -> Matrix:
        """The forces h(Y) according to the force laws, as functions of the vector Y of reactions, accelerations and
        forces."""
        found, k = [ca.SX(0, 1)], 0
        for one in self.actions:
            if not one.load.modes:
                found += one.law(self.at, self._reactions_by_joint)
                continue
            for _ in one.load.modes:
                residual = self._weights[k] * self.set_valued_forces[k].held_residual(self._accelerations[k])
                found.append(self.set_valued_forces[k].law(self.modes[k], self._own[k], residual))
                k += 1
        return self._in_own_symbols(ca.vertcat(*found))

    def _in_own_symbols(self, expression: Matrix) -> Matrix:
        """Replace the symbols of set-valued forces in an expression by the corresponding symbols of the vector Y
        (`symbols`).

        Symbols of set-valued forces occur in the laws because the limit of a friction force depends on a normal force
        that is itself set-valued.
        """
        held = ca.vertcat(
            ca.SX(0, 1), *[self.at.reaction_dependent_forces[k] for k in self.set_valued_places]
        )
        (put,) = ca.substitute([ca.SX(expression)], [held], [self._own])
        return put

    @cached_property
    def _slopes(self) -> Matrix:
        return ca.jacobian(self.h, self.symbols)

    @cached_property
    def used_entries(self) -> list[int]:
        """Indices of the entries of the vector Y (`symbols`) on which the force laws h depend."""
        always = range(self.reactions.shape[0], self.symbols.shape[0])
        return [k for k in range(self.symbols.shape[0]) if k in always or self._slopes[:, k].nnz()]

    # evaluation of the force laws ----------------------------------------------------------------------------

    def law_inputs(self, reactions: JointReactions, a: Matrix, x: Matrix) -> Matrix:
        """The entries `used_entries` of the vector Y (`symbols`), from the reactions, accelerations a and forces x of
        the equations of motion."""
        at, found = self.at, [ca.SX(reactions[name]) for name in self.joint_names]
        for grip in self.set_valued_forces:
            rate = ca.SX(grip.rate)
            found.append(ca.jtimes(rate, at.v, a) + ca.jtimes(rate, at.q, at.q_rate))
        return ca.vertcat(ca.SX(0, 1), *found, *[x[k] for k in self.set_valued_places])[self.used_entries]

    def with_weights(self, start: Matrix, response: Matrix) -> ForceLaws:
        """A copy of the laws with the weights w and the round-off of set-valued forces, computed from the vector Y
        (`symbols`) for forces x = 0 (`start`) and from the derivative of Y with respect to x (`response`)."""
        first, count = len(self.used_entries) - 2 * len(self.set_valued_places), len(self.set_valued_places)
        weights, slack = [ca.SX(0, 1)], [ca.SX(0, 1)]
        for k, place in enumerate(self.set_valued_places):
            inertia = self.at.skeleton.characteristic_inertia / (self.size_scales[k] * self.size_scales[k])
            weights.append(1 / (response[first + k, place] + RIGID_RESPONSE / inertia))
            free = weights[-1] * self.set_valued_forces[k].held_residual(start[first + k])
            own = ca.fmin(ca.fabs(weights[-1]), inertia)
            least = (
                LEAST_ROUND_OFF
                * own
                * self.size_scales[k]
                * (self.set_valued_forces[k].rate_scale ** 2 + self._gravity_scale)
            )
            slack.append(
                ROUND_OFF * ca.fmax(ca.fabs(free), self._holding_round_off(response, k, weights[-1])) + least
            )
        if not count:
            return self
        slack = self._with_cone_slack(slack[1:])
        return replace(self, weights=ca.vertcat(*weights), slack=ca.vertcat(*slack))

    def _holding_round_off(self, response: Matrix, k: int, weight: Matrix) -> Matrix:
        """Sum of the magnitudes of the accelerations that all set-valued forces cause along set-valued force k,
        expressed as a force by the factor `weight` (force per unit of acceleration). `response` is the derivative of
        the vector Y (`symbols`) with respect to the forces x.

        The residual of the force law contains the round-off of this sum, which may be large: a light body between a
        heavy body and the floor transmits forces far larger than its own weight.
        """
        row = len(self.used_entries) - 2 * len(self.set_valued_places) + k
        parts = [response[row, place] * self._own[j] for j, place in enumerate(self.set_valued_places)]
        return ca.fabs(weight) * sum((ca.fabs(part) for part in parts), start=ca.SX(0))

    @property
    def _gravity_scale(self) -> Matrix:
        """Acceleration of gravity divided by the characteristic length, |g|/ℓ, in 1/s²."""
        skeleton = self.at.skeleton
        return ca.norm_2(ca.densify(ca.SX(skeleton.gravity))) / skeleton.characteristic_length

    def _with_cone_slack(self, slack: list[Matrix]) -> list[Matrix]:
        """The round-off `slack` of all set-valued forces, in which that of the friction forces of a contact is replaced
        by a fraction of the largest force of the contact (`CONE_ROUND_OFF`)."""
        found, groups = list(slack), list[list[int]]()
        for k, grip in enumerate(self.set_valued_forces):
            if grip.closed is None:
                groups.append([])
            groups[-1].append(k)
        for group in groups:
            most = slack[group[0]]
            for k in group[1:]:
                most = ca.fmax(most, slack[k])
            for k in group[1:]:
                found[k] = CONE_ROUND_OFF / ROUND_OFF * most
        return found

    def evaluate(self, entries: Matrix) -> tuple[Matrix, Matrix]:
        """The forces h(Y) according to the force laws, and their derivatives with respect to the entries `used_entries`
        of the vector Y (`symbols`), for the values `entries` of these entries."""
        found = ca.substitute([self.h, self._slopes[:, self.used_entries]], *self._substitutions(entries))
        return found[0], found[1]

    @property
    def softening(self) -> Matrix:
        """Diagonal matrix with the regularisation `SOFTENING` for set-valued forces that hold a motion, otherwise
        zero."""
        m = sum(one.load.reaction_dependent_forces for one in self.actions)
        found = ca.SX(m, m) if self.set_valued_places else ca.DM(m, m)
        for k, place in enumerate(self.set_valued_places):
            found[place, place] = ca.if_else(is_held(self.modes[k]), SOFTENING, 0.0)
        return found

    def slope_bounds(self, response: Matrix) -> Matrix:
        """Matrix K of slope bounds: entry (i, j) is an upper bound of the change of force i, according to its law, that
        a unit change of force j causes through the reactions. `response` is the derivative of the vector Y (`symbols`)
        with respect to the forces x."""
        columns = []
        for j in range(response.shape[1]):
            change = ca.SX(self.symbols.shape[0], 1)
            change[self.used_entries] = response[:, j]
            changed = {name: change[6 * k : 6 * k + 6] for k, name in enumerate(self.joint_names)}
            parts = [part for one in self.actions for part in one.slope_bound(self.at, changed)]
            columns.append(ca.vertcat(ca.SX(0, 1), *parts))
        return ca.horzcat(*columns)

    def set_valued_outputs(self, entries: Matrix) -> Matrix:
        """Outputs of all set-valued forces, one row for each force, for the values `entries` of the entries
        `used_entries` of the vector Y (`symbols`); `actions.set_valued_force_law` defines the columns."""
        rows = [ca.SX(0, COLUMN_COUNT)]
        for k, grip in enumerate(self.set_valued_forces):
            x, acceleration = self._own[k], self._accelerations[k]
            assert self.slack is not None
            slack = self.slack[k]
            guard = grip.guard(self.modes[k], x, acceleration, slack)
            gap = ca.SX(0) if grip.gap is None else grip.gap
            residual = ca.fabs(self._weights[k]) * grip.held_residual(acceleration)
            slow = ca.if_else(is_held(self.modes[k]), DRIFT_FACTOR, 1.0)
            columns = [guard, x, gap, grip.rate, acceleration, grip.low, grip.upper_limit, residual, slack]
            columns += [slow * grip.gap_tolerance, slow * grip.rest_rate, grip.slow_speed]
            rows.append(ca.horzcat(*[ca.SX(column) for column in columns]))
        (found,) = ca.substitute(
            [ca.densify(self._in_own_symbols(ca.vertcat(*rows)))], *self._substitutions(entries)
        )
        return found

    def _substitutions(self, entries: Matrix) -> tuple[list[Matrix], list[Matrix]]:
        """Symbols in the force laws, and the values to be substituted for them.

        The symbols are the entries `used_entries` of the vector Y of reactions, accelerations and forces (`symbols`),
        with the values `entries`, and, if they are known, the forces w per unit of acceleration (`weights`).
        """
        symbols, values = [self.symbols[self.used_entries]], [ca.densify(entries)]
        if self.weights is not None:
            symbols, values = [*symbols, self._weights], [*values, self.weights]
        return symbols, values


NEWTON_STEPS = 5
"""Number of Newton steps; the relative error of the forces after successive steps is of the order of κ², κ⁴, … κ³²,
where κ is the relative change of the forces due to friction."""

LAW_TOLERANCE = 1e-9
"""Largest residual x − h of a force law, relative to the largest reaction-dependent or set-valued force at the instant,
that counts as solved."""

TINY = 1e-280
"""Forces below this magnitude, in N or N m, count as zero."""


@dataclass(frozen=True, eq=False)
class DependentForceSolution:
    """Outputs of a formulation by name, with the solution for the reaction-dependent and set-valued forces x
    substituted.

    `dependent_force_rows` has a row [x, residual x − h of its law, row of the slope bounds K] for every force;
    `set_valued_rows` has a row for every set-valued force, with the columns defined in
    `actions.set_valued_force_law`."""

    outputs: dict[str, Matrix]
    dependent_force_rows: Matrix
    set_valued_rows: Matrix


def solve_dependent_forces(
    at: Snapshot, outputs: Mapping[str, Matrix], reactions: JointReactions, a: Matrix
) -> DependentForceSolution:
    """Solve the force laws x = h(Y) of the module for the reaction-dependent and set-valued forces x, and substitute
    the solution in the outputs.

    `outputs`, `reactions` and accelerations `a` are expressions in the symbols `at.reaction_dependent_forces` of x;
    they are linear in x, except for separating forces of gear teeth."""
    x, laws = at.reaction_dependent_forces, ForceLaws.of_mechanism(at)
    m, whole = x.shape[0], ca.vertcat(*[ca.vec(ca.densify(ca.SX(part))) for part in outputs.values()])
    both = ca.vertcat(whole, laws.law_inputs(reactions, a, x))
    start, response = ca.substitute(both, x, ca.SX.zeros(m)), ca.jtimes(both, x, ca.DM.eye(m))
    # the response is nonlinear: separating forces of gear teeth are proportional to |λ|
    is_nonlinear = ca.depends_on(response, x)

    def answer(dependent_forces: Matrix) -> tuple[Matrix, Matrix]:
        if is_nonlinear:
            there = ca.substitute([both, response], [x], [ca.densify(ca.SX(dependent_forces))])
            return there[0], there[1]
        return start + response @ dependent_forces, response

    n, found = whole.shape[0], laws.initial_forces
    laws = laws.with_weights(start[n:, :], response[n:, :])
    for _ in range(NEWTON_STEPS):
        entries, G = (part[n:, :] for part in answer(found))
        law_values, slopes = laws.evaluate(entries)
        found = ca.densify(
            found - solve_dominant(ca.DM.eye(m) + laws.softening - slopes @ G, found - law_values)
        )
    solved, response = answer(found)
    law_values, _ = laws.evaluate(solved[n:, :])
    dependent_force_rows = ca.horzcat(found, found - law_values, laws.slope_bounds(response[n:, :]))
    return DependentForceSolution(
        _unstack_outputs(outputs, solved[:n, :]), dependent_force_rows, laws.set_valued_outputs(solved[n:, :])
    )


def is_unique(dependent_force_rows: Matrix) -> Matrix:
    """1 if the force laws are satisfied and the solution is unique, otherwise 0.

    The solution is unique if the spectral radius of the matrix K of slope bounds is less than 1, that is if (1 − K) y =
    [1, …, 1] has a positive solution y."""
    m = dependent_force_rows.shape[0]
    size, residual, least = ca.SX(TINY), ca.SX(0), ca.SX(1)
    y = solve_dominant(ca.DM.eye(m) - dependent_force_rows[:, 2:], ca.SX.ones(m))
    for k in range(m):
        size = ca.fmax(size, ca.fabs(dependent_force_rows[k, 0]))
        residual = ca.fmax(residual, ca.fabs(dependent_force_rows[k, 1]))
        least = ca.fmin(least, y[k])
    return (residual <= LAW_TOLERANCE * size) * (least > 0)


def _unstack_outputs(outputs: Mapping[str, Matrix], column: Matrix) -> dict[str, Matrix]:
    """A column with the entries of all outputs, divided into outputs with the names and shapes of `outputs`."""
    found, place = {}, 0
    for name, part in outputs.items():
        rows, columns = part.shape
        found[name] = ca.reshape(column[place : place + rows * columns, :], rows, columns)
        place += rows * columns
    return found
