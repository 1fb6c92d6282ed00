"""Force laws x = h(Y) of all reaction-dependent and set-valued forces together, on symbols for their arguments.

    Y = [F, g̈, x]      joint reactions, accelerations along set-valued forces, and these forces

Most of these forces depend on reactions only. A set-valued force (`actions.grip`) that holds a motion is corrected
until the remaining acceleration vanishes, x = x − w (g̈ + …), where w is the force per unit of acceleration.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca

from multiloop.dynamics.actions import Action, Felt, actions_of
from multiloop.dynamics.actions.grip import DRIFT, TOLD, Grip, is_held
from multiloop.kinematics.snapshot import Snapshot
from multiloop.spatial import Matrix

RIGID = 1e-14
"""Acceleration per unit force, relative to that of the characteristic inertia, below which a drive prescribes the
motion."""

SOFT = 1e-7
"""Regularisation that distributes a load over several forces that hold it; Newton steps remove the error."""

ROUND_OFF = 1e-9
"""Round-off of a force that holds a motion, relative to the force that would hold it alone, …"""

CONE = 1e-7
"""… for a friction cone: near the limit directions of sliding are known to the square root of this only, …"""

LEAST = 1e-12
"""… and a lower bound, relative to the force for an acceleration by the characteristic rate of the part, or gravity.

The effective mass along the force is 1/(G M⁻¹ Gᵀ), so that a light body is not measured by a heavy one connected to it.
Weights that are balanced by drives cause round-off at any rate."""


@dataclass(frozen=True, eq=False)
class Laws:
    """The laws of all reaction-dependent and set-valued forces; `names` are the joints whose reactions are used."""

    at: Snapshot
    actions: list[Action]
    names: list[str]
    weights: Matrix | None = None
    """w of every set-valued force."""
    slack: Matrix | None = None
    """Round-off of every set-valued force."""
    _keeps: dict[str, ca.SX] = field(default_factory=dict)
    """The symbols of Y and w, created once, so that copies with other weights share them."""

    @classmethod
    def of(cls, at: Snapshot) -> Laws:
        """The laws of a mechanism."""
        actions = [one for one in actions_of(at.skeleton) if one.load.strengths]
        return cls(
            at, actions, list(dict.fromkeys(name for one in actions for name in one.follows(at.skeleton)))
        )

    # on symbols ---------------------------------------------------------------------------------------------

    @cached_property
    def reactions(self) -> ca.SX:
        """Symbols of the reactions F, six numbers per joint."""
        return self._symbol("F", 6 * len(self.names))

    @cached_property
    def holding(self) -> tuple[int, ...]:
        """Indices of the set-valued forces among all forces x."""
        flags = [bool(one.load.modes) for one in self.actions for _ in range(one.load.strengths)]
        return tuple(k for k, flag in enumerate(flags) if flag)

    @cached_property
    def _felt(self) -> Felt:
        return {name: self.reactions[6 * k : 6 * k + 6] for k, name in enumerate(self.names)}

    @cached_property
    def grips(self) -> list[Grip]:
        """The set-valued forces in order, with the scales of the simulation."""
        at, found = self.at, []
        for one in self.actions:
            if one.load.modes:
                scales = {
                    "pace": at.pace(one.name),
                    "touches": at.grain * one.reach(at.skeleton),
                    "grain": at.grain,
                    "returns": at.returns(one.name),
                }
                found += [replace(grip, **scales) for grip in one.grips(at, self._felt)]
        return found

    @cached_property
    def reaches(self) -> list[float]:
        """Length or angle scale of each set-valued force (`Action.reach`)."""
        skeleton = self.at.skeleton
        return [one.reach(skeleton) for one in self.actions for _ in one.load.modes]

    @cached_property
    def modes(self) -> list[Matrix]:
        """Mode of each set-valued force."""
        return [mode for one in self.actions for mode in one.grip_modes(self.at)]

    @property
    def start(self) -> Matrix:
        """Start values of Newton's method; components that equilibrium leaves undetermined keep them."""
        m = sum(one.load.strengths for one in self.actions)
        if not self.holding:
            return ca.DM(m, 1)
        shares = [share for one in self.actions for share in one.shares(self.at)]
        found = ca.SX(m, 1)
        for place, mode, share in zip(self.holding, self.modes, shares, strict=True):
            found[place] = ca.if_else(is_held(mode), share, 0.0)
        return found

    def _symbol(self, name: str, count: int) -> ca.SX:
        return self._keeps.setdefault(name, ca.SX.sym(name, count))

    @property
    def _accelerations(self) -> ca.SX:
        return self._symbol("held", len(self.holding))

    @property
    def _own(self) -> ca.SX:
        return self._symbol("own", len(self.holding))

    @property
    def _weights(self) -> ca.SX:
        return self._symbol("weights", len(self.holding))

    @cached_property
    def symbols(self) -> ca.SX:
        """Y."""
        return ca.vertcat(self.reactions, self._accelerations, self._own)

    @cached_property
    def h(self) -> Matrix:
        """h(Y): the forces according to their laws."""
        found, k = [ca.SX(0, 1)], 0
        for one in self.actions:
            if not one.load.modes:
                found += one.law(self.at, self._felt)
                continue
            for _ in one.load.modes:
                left = self._weights[k] * self.grips[k].unheld(self._accelerations[k])
                found.append(self.grips[k].law(self.modes[k], self._own[k], left))
                k += 1
        return self._by_own(ca.vertcat(*found))

    def _by_own(self, found: Matrix) -> Matrix:
        """Replace set-valued forces in an expression by symbols of Y: a friction cone depends on its normal force."""
        held = ca.vertcat(ca.SX(0, 1), *[self.at.strengths[k] for k in self.holding])
        (put,) = ca.substitute([ca.SX(found)], [held], [self._own])
        return put

    @cached_property
    def _slopes(self) -> Matrix:
        return ca.jacobian(self.h, self.symbols)

    @cached_property
    def used(self) -> list[int]:
        """Indices of the entries of Y on which h depends."""
        always = range(self.reactions.shape[0], self.symbols.shape[0])
        return [k for k in range(self.symbols.shape[0]) if k in always or self._slopes[:, k].nnz()]

    # evaluated -----------------------------------------------------------------------------------------------

    def followed(self, felt: Felt, a: Matrix, x: Matrix) -> Matrix:
        """Y from the equations of motion, entries `used` only."""
        at, found = self.at, [ca.SX(felt[name]) for name in self.names]
        for grip in self.grips:
            rate = ca.SX(grip.rate)
            found.append(ca.jtimes(rate, at.v, a) + ca.jtimes(rate, at.q, at.q_rate))
        return ca.vertcat(ca.SX(0, 1), *found, *[x[k] for k in self.holding])[self.used]

    def weighed(self, start: Matrix, response: Matrix) -> Laws:
        """The laws with w and round-off, from Y at x = 0 and its response to x."""
        first, count = len(self.used) - 2 * len(self.holding), len(self.holding)
        weights, slack = [ca.SX(0, 1)], [ca.SX(0, 1)]
        for k, place in enumerate(self.holding):
            inertia = self.at.skeleton.inertia / (self.reaches[k] * self.reaches[k])
            weights.append(1 / (response[first + k, place] + RIGID / inertia))
            free = weights[-1] * self.grips[k].unheld(start[first + k])
            own = ca.fmin(ca.fabs(weights[-1]), inertia)
            least = LEAST * own * self.reaches[k] * (self.grips[k].pace ** 2 + self._fall)
            slack.append(ROUND_OFF * ca.fmax(ca.fabs(free), self._carried(response, k, weights[-1])) + least)
        if not count:
            return self
        slack = self._together(slack[1:])
        return replace(self, weights=ca.vertcat(*weights), slack=ca.vertcat(*slack))

    def _carried(self, response: Matrix, k: int, weight: Matrix) -> Matrix:
        """Sum of the magnitudes by which all set-valued forces change the acceleration along one, as a force.

        Its round-off enters the residual: a light body between a heavy one and the floor carries forces far larger than
        its own weight.
        """
        row = len(self.used) - 2 * len(self.holding) + k
        parts = [response[row, place] * self._own[j] for j, place in enumerate(self.holding)]
        return ca.fabs(weight) * sum((ca.fabs(part) for part in parts), start=ca.SX(0))

    @property
    def _fall(self) -> Matrix:
        """|g|/ℓ, the acceleration of gravity in characteristic lengths."""
        skeleton = self.at.skeleton
        return ca.norm_2(ca.densify(ca.SX(skeleton.gravity))) / skeleton.length

    def _together(self, slack: list[Matrix]) -> list[Matrix]:
        """Round-off with that of friction cones: relative to the largest force of the contact."""
        found, groups = list(slack), list[list[int]]()
        for k, grip in enumerate(self.grips):
            if grip.closed is None:
                groups.append([])
            groups[-1].append(k)
        for group in groups:
            most = slack[group[0]]
            for k in group[1:]:
                most = ca.fmax(most, slack[k])
            for k in group[1:]:
                found[k] = CONE / ROUND_OFF * most
        return found

    def at_felt(self, Y: Matrix) -> tuple[Matrix, Matrix]:
        """h and its derivatives by the entries `used` of Y."""
        found = ca.substitute([self.h, self._slopes[:, self.used]], *self._known(Y))
        return found[0], found[1]

    @property
    def soft(self) -> Matrix:
        """Regularisation on the diagonal for set-valued forces that hold a motion."""
        m = sum(one.load.strengths for one in self.actions)
        found = ca.SX(m, m) if self.holding else ca.DM(m, m)
        for k, place in enumerate(self.holding):
            found[place, place] = ca.if_else(is_held(self.modes[k]), SOFT, 0.0)
        return found

    def slope_bounds(self, response: Matrix) -> Matrix:
        """K, column by column: bounds of the change of all forces by a unit change of one, through the reactions."""
        columns = []
        for j in range(response.shape[1]):
            change = ca.SX(self.symbols.shape[0], 1)
            change[self.used] = response[:, j]
            felt = {name: change[6 * k : 6 * k + 6] for k, name in enumerate(self.names)}
            parts = [part for one in self.actions for part in one.slope_bound(self.at, felt)]
            columns.append(ca.vertcat(ca.SX(0, 1), *parts))
        return ca.horzcat(*columns)

    def told(self, Y: Matrix) -> Matrix:
        """Outputs of every set-valued force, one row each, with the columns defined in `grip`."""
        rows = [ca.SX(0, TOLD)]
        for k, grip in enumerate(self.grips):
            x, acceleration = self._own[k], self._accelerations[k]
            assert self.slack is not None
            slack = self.slack[k]
            guard = grip.guard(self.modes[k], x, acceleration, slack)
            gap = ca.SX(0) if grip.gap is None else grip.gap
            left = ca.fabs(self._weights[k]) * grip.unheld(acceleration)
            slow = ca.if_else(is_held(self.modes[k]), DRIFT, 1.0)
            entries = [guard, x, gap, grip.rate, acceleration, grip.low, grip.end, left, slack]
            entries += [slow * grip.touches, slow * grip.stands, grip.slow]
            rows.append(ca.horzcat(*[ca.SX(entry) for entry in entries]))
        (found,) = ca.substitute([ca.densify(self._by_own(ca.vertcat(*rows)))], *self._known(Y))
        return found

    def _known(self, Y: Matrix) -> tuple[list[Matrix], list[Matrix]]:
        """Symbols and the values to be substituted for them."""
        symbols, values = [self.symbols[self.used]], [ca.densify(Y)]
        if self.weights is not None:
            symbols, values = [*symbols, self._weights], [*values, self.weights]
        return symbols, values
