"""A motion that its drives lead, ready to be asked for efforts and loads; refused where the question has no answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from multiloop.kernels.tolerances import SINGULAR_BELOW
from multiloop.kinematics.assembly import drive_of
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.path import Instant, advance, follow
from multiloop.kinematics.rates import linearised
from multiloop.kinematics.round_off import displaced, sharpened
from multiloop.kinematics.singularity import Nearness, Singularity, closest_approaches, driving
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism, SolveError
from multiloop.model.names import counted
from multiloop.plan import Plan, efforts_of, plan_at
from multiloop.questions.assembling import chosen_closure
from multiloop.questions.leading.loads import Loads
from multiloop.questions.load_refusals import require_untwisted
from multiloop.questions.massless_spins import massless_spins
from multiloop.questions.refusal import refusal
from multiloop.questions.run_errors import singular_position
from multiloop.questions.signals.efforts import joints_in


def driven_plan(
    mechanism: Mechanism,
    start: Mapping[str, Any] | None,
    guess: Mapping[str, Any] | None,
    t: float,
    cuts: Sequence[str] | None = None,
) -> Plan:
    """The plan around the closure that the drives at time t, the start and the guess single out."""
    return plan_at(chosen_closure(mechanism, start, guess, t), cuts, joints_in(mechanism))


def undriven(plan: Plan) -> int:
    """How many freedoms, idle ones apart, have no effort that could lead them."""
    return max(0, plan.mobility - len(plan.idle) - len(efforts_of(plan.mechanism)))


class DrivenMotion:
    """One mechanism moved by its drives: equations along its plan, and the loads at any instant of the motion.

    `plan` belongs to a position closed at the time `begin`. Freedoms without an effort are refused at once,
    freedoms without a prescribed motion at the first instant that is solved, singular positions and efforts that
    do not reach every freedom at every one.
    """

    def __init__(
        self, plan: Plan, begin: float, method: str, weights: Mapping[str, float] | None = None
    ) -> None:
        mechanism = plan.mechanism
        if undriven(plan):
            raise under_actuated(plan, "Drive {them}, or add actuators.")
        spins = tuple(idle.spin for idle in plan.idle)
        self.plan, self.p, self.begin = plan, plan.assembly.p, begin
        self.equations = equations_of(mechanism, plan.tree, drive_targets(mechanism), spins)
        if plan.idle and mechanism.loads:
            q = plan.assembly.on(self.equations)
            require_untwisted(self.equations, massless_spins(self.equations, plan), q, self.p)
        self.drive = drive_of(self.equations)
        self.loads = Loads(plan, self.equations, self.p, method, weights)
        self._examined = False

    def along(self, times: Sequence[float]) -> list[Instant]:
        """Instants at the given times, followed from the assembly."""
        q = self.plan.assembly.on(self.equations)
        path = follow(self.equations, q, [self.begin, *times], self.drive, self.p)[1:]
        return sharpened(self.equations, path, self.drive, self.p)

    def at(self, t: float, before: Instant) -> Instant:
        """The instant at time t, followed from another one, which may be later."""
        instant = advance(self.equations, before, t, self.drive, self.p)
        return sharpened(self.equations, [instant], self.drive, self.p)[0]

    def displaced(self, at: Instant) -> Instant:
        """An instant as it would be with loops open by round-off."""
        given = [self.drive(at.t, order) for order in range(3)]
        count = linearised(self.equations, at.q, given[0], self.p).expected
        q, v, a = displaced(self.equations, (at.q, at.v, at.a), given, self.p, count)
        return replace(at, q=q, v=v, a=a)

    def approaches(self, path: Sequence[Instant]) -> tuple[Singularity, ...]:
        """Closest approaches to singular positions along instants of the motion."""
        watched = [replace(instant, closeness=self.closeness(instant)) for instant in path]
        return closest_approaches(self.equations, watched, self.drive, self.p, self._nearness)

    def closeness(self, instant: Instant) -> float:
        """The least closeness of all that is watched."""
        return min(
            instant.closeness, *(near.closeness for near in self.loads.nearness(instant.t, instant.q)), 1.0
        )

    def _nearness(self, t: float, q: np.ndarray) -> Nearness:
        """How near a closed position is to one where a joint runs away or a force grows without bound."""
        by_drives = driving(self.equations, self.drive, self.p)(t, q)
        return min([by_drives, *self.loads.nearness(t, q)], key=lambda near: near.closeness)

    def solve(self, instant: Instant) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Accelerations, forces along every rate, and constraint wrenches (6 × joints)."""
        if instant.closeness < SINGULAR_BELOW:
            raise singular_position(self.plan.mechanism, instant.t, instant.closeness)
        if not self._examined:
            self._require_whole_motion(instant)
            self._examined = True
        return self.loads.solve(instant)

    def _require_whole_motion(self, at: Instant) -> None:
        """Refuse freedoms that actuators could move but that no Motion prescribes."""
        linear = linearised(self.equations, at.q, self.drive(at.t, 0), self.p)
        if len(linear.sigma) >= self.equations.skeleton.rates or linear.freedoms == 0:
            return
        ways = np.abs(linear.open_directions()).max(axis=1, initial=0.0)
        links = self.equations.skeleton.links
        loose = [link.joint.name for link in links if ways[link.v].max(initial=0.0) > 1e-6]
        raise refusal(
            self.plan.mechanism,
            "S01",
            "inverse dynamics",
            f"{counted(linear.freedoms, 'freedom')} without a prescribed motion: {', '.join(loose)} may move anyhow.",
            "Add a Motion for every freedom, or use `simulate` with known efforts.",
        )


def under_actuated(plan: Plan, remedy: str) -> SolveError:
    """The error of freedoms that nothing drives, with the joints that they move and what to do about these."""
    mechanism, assembly = plan.mechanism, plan.assembly
    efforts, freedoms = efforts_of(mechanism), plan.mobility - len(plan.idle)
    locked = equations_of(mechanism, assembly.equations.skeleton.tree, drive_targets(mechanism))
    linear = linearised(locked, assembly.on(locked), np.zeros(locked.s.shape[0]), assembly.p)
    ways = np.abs(linear.open_directions()).max(axis=1, initial=0.0)
    loose = [link.joint.name for link in locked.skeleton.links if ways[link.v].max(initial=0.0) > 1e-6]
    blame = f"nothing drives {', '.join(loose)}"
    if not loose:
        idle = [motion.of for motion in mechanism.drives if motion.of not in {joint for joint, _ in efforts}]
        blame = f"no actuator supplies what the motion of {', '.join(idle)} needs"
        remedy = "Where there are actuators, only they supply effort: add one for every freedom."
    what = f"{counted(freedoms, 'freedom')} but {counted(len(efforts), 'effort')}: {blame}."
    few = min(freedoms - len(efforts), len(loose))
    them = "them" if few == len(loose) else "one of them" if few == 1 else f"{few} of them"
    return refusal(mechanism, "S01", "inverse dynamics", what, remedy.format(them=them))
