"""Range of the efforts at instants with stiction, at which the motion determines the efforts only between two limits.

Theory: docs/theory/05-inverse-dynamics.md, section 5.7.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.analyses.prescribed_motion.inverse_solver import InstantLoads, InverseSolver
from multiloop.analyses.results import Result
from multiloop.dynamics.actions import Action, actions_of, load_inputs
from multiloop.kinematics.continuation import Instant
from multiloop.symbols import Traced

ROUNDS = 60
"""Largest number of fixed-point iterations between friction limits and the reactions on which they depend."""

AGREED = 1e-13
"""Relative change of the largest limit below which the iteration has converged."""


@dataclass(frozen=True, eq=False)
class StictionRange:
    """The range of every effort at instants at which joints stick.

    The friction of a sticking joint may have any value between −L and L, with the friction limit L. Each effort is
    largest (smallest) if every such friction force is at the limit that increases (decreases) it; L depends on the
    reactions that result.
    """

    loads: InverseSolver

    @cached_property
    def _limits(self) -> Traced:
        """Traced function (q, v, wrenches, directions, p) → for all loads with stiction, the friction limits L and the
        friction as a fraction of its limit (`slips`).

        `directions` are the signs ±1 of the motions for which the limits are evaluated.
        """
        eq = self.loads.equations
        reactions = {
            joint.name: ca.SX.sym(f"wrench_{k}", 6)
            for k, joint in enumerate(eq.skeleton.mechanism.connections)
        }
        directions = ca.SX.sym("directions", len(self._friction_loads))
        limits = [one.limit(eq, reactions, directions[k]) for k, one in enumerate(self._friction_loads)]
        slips = [one.slip(eq) for one in self._friction_loads]
        inputs = {
            "q": eq.q,
            "v": eq.v,
            **load_inputs(eq),
            "wrenches": ca.vertcat(*reactions.values()),
            "directions": directions,
        }
        outputs = {"limits": ca.vertcat(*limits), "slips": ca.vertcat(*slips)}
        return Traced("limits", inputs | {"p": eq.skeleton.parameter_symbols}, outputs)

    @property
    def names(self) -> list[str]:
        """The names of the loads with stiction."""
        return [one.name for one in self._friction_loads]

    @cached_property
    def _friction_loads(self) -> list[Action]:
        return [one for one in actions_of(self.loads.equations.skeleton) if one.can_stick]

    def effort_range(self, instant: Instant, sticks: Sequence[bool]) -> np.ndarray:
        """Smallest and largest values of the generalized forces along all joint rates, 2 × rates.

        `sticks` states for every load with stiction whether the load sticks at this instant.
        """
        loads, skeleton = self.loads, self.loads.equations.skeleton
        places = [one.rates(skeleton)[0] for one in self._friction_loads]
        free = loads.solve(instant)
        unit = np.eye(skeleton.rates)
        slopes = np.zeros((len(places), skeleton.rates))
        for j in np.flatnonzero(sticks):
            slopes[j] = loads.solve(instant, unit[places[j]]).tau - free.tau - unit[places[j]]
        found = np.stack([free.tau, free.tau])
        for i in (int(np.argmax(column)) for column in loads.B.T):
            for end, sign in enumerate((-1.0, 1.0)):
                pushes = sign * np.sign(slopes[:, i]) * np.asarray(sticks, float)
                beyond, held = self._solve_at_limits(instant, pushes, places)
                found[end, i] = held.tau[i] - beyond[i]
        return found

    def _solve_at_limits(
        self, instant: Instant, pushes: np.ndarray, places: list[int]
    ) -> tuple[np.ndarray, InstantLoads]:
        """The generalized forces along the rates that sticking friction adds at its limits ±L, and the solution with
        these forces.

        `pushes` has +1 or −1 for friction at its upper or lower limit, and 0 for friction that does not stick.
        `places` are the indices of the rates along which the loads act.
        """
        rates, before = self.loads.equations.skeleton.rates, np.full(len(pushes), np.inf)
        beyond, found = np.zeros(rates), self.loads.solve(instant)
        for _ in range(ROUNDS):
            known = {
                "q": instant.q,
                "v": instant.v,
                "t": instant.t,
                "x": self.loads.own_states,
                "p": self.loads.p,
            }
            limits, slips = self._limits(**known, wrenches=found.wrenches.T.ravel(), directions=-pushes)
            if np.abs(limits - before).max(initial=0.0) <= AGREED * np.abs(limits).max(initial=0.0):
                break
            before, beyond = limits, np.zeros(rates)
            for place, push, limit, slip in zip(places, pushes, limits, slips, strict=True):
                beyond[place] += (push + slip) * limit if push else 0.0
            found = self.loads.solve(instant, beyond)
        return beyond, found


def with_effort_ranges(result: Result, loads: InverseSolver, instants: Sequence[Instant]) -> Result:
    """The result with the range of every effort at the instants at which joints stick."""
    ranges = StictionRange(loads)
    held = [result.loads[name] for name in ranges.names]
    if not held:
        return result
    sticks = np.stack([load.values.get("creeping", load.sticking) for load in held], axis=1)
    joints = dict(result.joints)
    rates = loads.equations.skeleton.rates
    found = np.full((len(sticks), 2, rates), np.nan)
    for k in np.flatnonzero(sticks.any(axis=1)).tolist():
        found[k] = ranges.effort_range(instants[k], sticks[k])
    for link in loads.equations.skeleton.links:
        if link.joint.name in joints:
            joint, part = joints[link.joint.name], found[:, :, link.v]
            ends = part[:, :, 0] if joint.effort.ndim == 1 else part.transpose(0, 2, 1)
            known = joint.effort[..., None]
            joints[joint.name] = replace(joint, holding=np.where(np.isnan(ends), known, ends))
    return replace(result, joints=joints)
