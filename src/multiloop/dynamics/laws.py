"""Laws x = h(Y) of all strengths of loads together, on symbols for what they follow.

    Y = [F, g̈, x]      reactions, accelerations of what is held, and the strengths themselves

Most strengths are given by reactions alone. One that holds a motion in place (`actions.grip`) is changed until what is
left of the acceleration is nothing, x = x − w (g̈ + …), with w the force that it takes for a unit of it.
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
"""An acceleration by unit force below this part of what the characteristic inertia yields is none: a drive prescribes
it."""

SOFT = 1e-7
"""Softens what several strengths hold together, so that it is shared; Newton's steps take the error out again."""

ROUND_OFF = 1e-9
"""What of a holding force is round-off, as a part of the force that would hold alone, …"""

CONE = 1e-7
"""… of a friction cone the same: near its end directions of sliding are known by no more than the root of this, …"""

LEAST = 1e-12
"""… and at least, as a part of the force that moves what it holds at the pace of its connected part, or lets it fall.

What it holds has the mass 1/(G M⁻¹ Gᵀ): a light body beside a heavy one is measured by itself. Weights that are
balanced by drives leave round-off of their own, at whatever pace."""


@dataclass(frozen=True, eq=False)
class Laws:
    """The laws of the actions that have strengths; `names` are the joints whose reactions they follow."""

    at: Snapshot
    actions: list[Action]
    names: list[str]
    weights: Matrix | None = None
    """w of every strength that holds something."""
    slack: Matrix | None = None
    """What of each of these is round-off."""
    _keeps: dict[str, ca.SX] = field(default_factory=dict)
    """The symbols of Y and w, made once, so that a copy with other weights speaks of the same."""

    @classmethod
    def of(cls, at: Snapshot) -> Laws:
        """Those of a mechanism."""
        actions = [one for one in actions_of(at.skeleton) if one.load.strengths]
        return cls(
            at, actions, list(dict.fromkeys(name for one in actions for name in one.follows(at.skeleton)))
        )

    # on symbols ---------------------------------------------------------------------------------------------

    @cached_property
    def reactions(self) -> ca.SX:
        """F, six numbers a joint."""
        return self._symbol("F", 6 * len(self.names))

    @cached_property
    def holding(self) -> tuple[int, ...]:
        """Which strengths hold something."""
        flags = [bool(one.load.modes) for one in self.actions for _ in range(one.load.strengths)]
        return tuple(k for k, flag in enumerate(flags) if flag)

    @cached_property
    def _felt(self) -> Felt:
        return {name: self.reactions[6 * k : 6 * k + 6] for k, name in enumerate(self.names)}

    @cached_property
    def grips(self) -> list[Grip]:
        """What is held, in the order of the strengths that hold it, with the scales of the run."""
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
        """By what each is measured (`Action.reach`)."""
        skeleton = self.at.skeleton
        return [one.reach(skeleton) for one in self.actions for _ in one.load.modes]

    @cached_property
    def modes(self) -> list[Matrix]:
        """The mode of each."""
        return [mode for one in self.actions for mode in one.grip_modes(self.at)]

    @property
    def start(self) -> Matrix:
        """The strengths from which Newton's steps begin: what balance leaves open of those that hold stays as it is."""
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
        """The strengths as their laws make them."""
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
        """An expression with the symbols of Y for strengths that hold: a friction cone depends on its normal force."""
        held = ca.vertcat(ca.SX(0, 1), *[self.at.strengths[k] for k in self.holding])
        (put,) = ca.substitute([ca.SX(found)], [held], [self._own])
        return put

    @cached_property
    def _slopes(self) -> Matrix:
        return ca.jacobian(self.h, self.symbols)

    @cached_property
    def used(self) -> list[int]:
        """Which entries of Y count."""
        always = range(self.reactions.shape[0], self.symbols.shape[0])
        return [k for k in range(self.symbols.shape[0]) if k in always or self._slopes[:, k].nnz()]

    # as they are ---------------------------------------------------------------------------------------------

    def followed(self, felt: Felt, a: Matrix, x: Matrix) -> Matrix:
        """Y as the equations have it, those entries that count."""
        at, found = self.at, [ca.SX(felt[name]) for name in self.names]
        for grip in self.grips:
            rate = ca.SX(grip.rate)
            found.append(ca.jtimes(rate, at.v, a) + ca.jtimes(rate, at.q, at.q_rate))
        return ca.vertcat(ca.SX(0, 1), *found, *[x[k] for k in self.holding])[self.used]

    def weighed(self, start: Matrix, response: Matrix) -> Laws:
        """The same with w and round-off known, from Y at x = 0 and its response to x."""
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
        """What all that holds changes of the acceleration of one, added up, as a force: its round-off is in the rest.

        A light body between a heavy one and the floor carries forces that are far larger than its own weight.
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
        """The same, where friction of a contact has that of its cone: a part of the largest force of its contact."""
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
        """h and its slopes along the entries of Y that count."""
        found = ca.substitute([self.h, self._slopes[:, self.used]], *self._known(Y))
        return found[0], found[1]

    @property
    def soft(self) -> Matrix:
        """On the diagonal of the slopes where something is held."""
        m = sum(one.load.strengths for one in self.actions)
        found = ca.SX(m, m) if self.holding else ca.DM(m, m)
        for k, place in enumerate(self.holding):
            found[place, place] = ca.if_else(is_held(self.modes[k]), SOFT, 0.0)
        return found

    def slope_bounds(self, response: Matrix) -> Matrix:
        """K, column by column: what one strength changes of the reactions changes the others by so much at most."""
        columns = []
        for j in range(response.shape[1]):
            change = ca.SX(self.symbols.shape[0], 1)
            change[self.used] = response[:, j]
            felt = {name: change[6 * k : 6 * k + 6] for k, name in enumerate(self.names)}
            parts = [part for one in self.actions for part in one.slope_bound(self.at, felt)]
            columns.append(ca.vertcat(ca.SX(0, 1), *parts))
        return ca.horzcat(*columns)

    def told(self, Y: Matrix) -> Matrix:
        """What is to be known of every grip, one row each (`grip.TOLD` columns)."""
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
        """Symbols and what stands for them."""
        symbols, values = [self.symbols[self.used]], [ca.densify(Y)]
        if self.weights is not None:
            symbols, values = [*symbols, self._weights], [*values, self.weights]
        return symbols, values
