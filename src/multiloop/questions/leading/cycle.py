"""Duration of a cycle: the least common period of drives, coupled joints, known efforts and loads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from math import tau
from typing import Any

import numpy as np

from multiloop.kinematics.targets import DrivenTarget, driven_targets
from multiloop.model import Expression, JointSpring, Mechanism, SolveError, period_of
from multiloop.model.expressions import (
    Position,
    Rate,
    Scalar,
    depends_on_time,
    evaluate,
    parameters_of,
)
from multiloop.model.expressions.periods import MOST, STANDING, Course, common_period, course_of
from multiloop.model.expressions.text import shown
from multiloop.model.sources import acting
from multiloop.questions.leading.tied_courses import tie_joints
from multiloop.questions.parameters import refused
from multiloop.questions.refusal import refusal

TIMES = "Give the times with t="

FAR = 1000
"""A common period of up to this many of the longest periods is reported, even if it is too long for a cycle."""


@dataclass(frozen=True, eq=False)
class Cycle:
    """Periodic behaviour of a mechanism: periods in seconds with their owners, and speeds and periods of its joints."""

    mechanism: Mechanism
    parameters: Mapping[str, float] | None
    joints: dict[tuple[str, int], Course] = field(default_factory=dict)
    periods: list[tuple[float, str]] = field(default_factory=list)
    cycles: list[float] = field(default_factory=list)

    def add(self, called: str, course: Course | None, turn: float, said: str = "") -> None:
        """Add the speed and periods of an object.

        A quantity that grows must be an angle, which repeats after a turn.
        """
        if course is None or (course.speed and not turn):
            raise _refused(self.mechanism, f"{called} is not periodic{said}.", _or_turns(self.mechanism))
        own = {abs(turn / course.speed)} if course.speed else set()
        self.periods.extend((period, called) for period in sorted(course.periods | own))
        self.cycles.extend(course.cycles)

    def course(self, value: Scalar) -> Course | None:
        """Speed and periods of an expression, given those of the joints that it reads."""
        return course_of(value, self._read, self.parameters)

    def _read(self, node: Position | Rate) -> Course:
        known = self.joints.get((node.joint, node.component))
        if isinstance(node, Rate):
            return Course(periods=known.periods) if known else STANDING
        turning = self.mechanism.joint(node.joint).turning(self.mechanism.planar)
        may_wind = node.component < len(turning) and turning[node.component]
        return known or Course(winding=1.0 if may_wind else 0.0)


def cycle_time(
    mechanism: Mechanism, turns: float | None = None, parameters: Mapping[str, float] | None = None
) -> float:
    """The least common period of everything, or the time of a given number of turns of the first drive.

    Drives, and joints that relations couple to them, turn at constant speed, oscillate by sines, cosines and periodic
    tables, or both; known efforts and loads depend on time and joints. A joint whose motion is not prescribed is
    assumed to return with the drives; where an effort or load is periodic in its angle, it is assumed to make one turn
    in each of their cycles.
    """
    if not mechanism.drives:
        what = "there is no drive that could make one."
        raise _refused(mechanism, what, "Add a Motion, or give t=.")
    if turns is not None:
        return turns * _turn_of_first_drive(mechanism)
    cycle = Cycle(mechanism, parameters)
    base, whole = _repeating(cycle, acting(mechanism))
    if not whole:
        raise _standing(mechanism)
    for turned in cycle.cycles:
        whole = common_period([whole, turned * (base or whole)]) or whole
    return whole


def forced_period(mechanism: Mechanism, efforts: Mapping[str, Any]) -> float:
    """The least common period of everything that depends on time, with or without drives; 0 where there is none.

    Joints whose motion is not prescribed are assumed to return with it: they oscillate and make no turns.
    """
    given = [
        (f"the effort at '{at}'", value) for at, value in efforts.items() if isinstance(value, Expression)
    ]
    return _repeating(Cycle(mechanism, None), [*acting(mechanism), *given])[1]


def _repeating(cycle: Cycle, efforts: Iterable[tuple[str, Expression]]) -> tuple[float, float]:
    """The period of the drives, and that of the drives together with all efforts and loads; 0 where there is none."""
    for driven in driven_targets(cycle.mechanism):
        _add_drive(cycle, driven)
    tie_joints(cycle)
    base = _common(cycle.mechanism, cycle.periods)
    for called, value in efforts:
        cycle.add(called, cycle.course(value), 0.0, f": {shown(value)}")
    for called, joint, k in _wound_up(cycle.mechanism):
        cycle.add(called, cycle.joints.get((joint, k), STANDING), 0.0, f": '{joint}' turns on and on")
    return base, _common(cycle.mechanism, cycle.periods)


def require_one_period(mechanism: Mechanism, values: Mapping[str, np.ndarray], turns: float | None) -> None:
    """Refuse a cycle whose duration differs between designs."""
    varied = [name for name, given in values.items() if np.ptp(given) > 0]
    remedy = "Give the times with t=, or ask design by design."
    first = driven_targets(mechanism)[0]
    read = [parameter.name for profile in first.profiles for parameter in parameters_of(profile)]
    for name in (name for name in read if name in varied):
        what = f"the drive of '{first.target.of}' reads '{name}', which designs differ in."
        raise refused(mechanism, "cycle", what, remedy)
    for name in varied:
        ends = [
            {**mechanism.parameters, name: float(end)} for end in (values[name].min(), values[name].max())
        ]
        least, most = sorted(cycle_time(mechanism, turns, parameters) for parameters in ends)
        if abs(most - least) > 1e-9 * least:
            what = f"it takes {least:.6g} to {most:.6g} s, by '{name}', which designs differ in."
            raise refused(mechanism, "cycle", what, remedy)


def _add_drive(cycle: Cycle, driven: DrivenTarget) -> None:
    """Add speed and periods of everything that a Motion prescribes."""
    mechanism, target = cycle.mechanism, driven.target
    for component, profile, turn in driven_numbers(mechanism, driven):
        course = cycle.course(profile)
        cycle.add(f"the drive of '{target.of}'", course, turn)
        if course is not None and not target.on_marker:
            components = mechanism.joint(target.of).components(mechanism.planar)
            cycle.joints[target.of, components.index(component)] = course


def driven_numbers(mechanism: Mechanism, driven: DrivenTarget) -> list[tuple[str, Scalar, float]]:
    """The prescribed values of a Motion one by one: component, profile, and 2π for an angle or 0 otherwise.

    An orientation has four of them.
    """
    target = driven.target
    names = [name for name in target.components for _ in range(4 if name == "turn" else 1)]
    turning = {"angle": True}
    if not target.on_marker:
        joint = mechanism.joint(target.of)
        turning = dict(zip(joint.components(mechanism.planar), joint.turning(mechanism.planar), strict=False))
    return [
        (name, profile, tau if turning.get(name, False) else 0.0)
        for name, profile in zip(names, driven.profiles, strict=True)
    ]


def _wound_up(mechanism: Mechanism) -> Iterator[tuple[str, str, int]]:
    """Springs at joints, which do not repeat after a turn: the load, the joint and the index of its coordinate."""
    for load in mechanism.all_loads:
        if isinstance(load, JointSpring) and load.stiffness != 0.0:
            names = mechanism.joint(load.joint).components(mechanism.planar)
            yield f"the load '{load.name}'", load.joint, names.index(load.component) if load.component else 0


def _common(mechanism: Mechanism, periods: list[tuple[float, str]]) -> float:
    """The common period of all, 0 if nothing moves; two periods without a common one are named."""
    ordered = sorted(periods, reverse=True)
    for k in range(len(ordered)):
        if common_period(period for period, _ in ordered[: k + 1]) is None:
            (longest, one), (period, other) = ordered[0], ordered[k]
            also = " and" if other == one else f", {other}"
            what = f"{one} repeats every {longest:.6g} s{also} every {period:.6g} s: these {_far([longest, period])}."
            raise _refused(mechanism, what, _or_turns(mechanism))
    return common_period(period for period, _ in ordered) or 0.0


def _far(periods: list[float]) -> str:
    """Text on the common period of two periods that is too long for a cycle."""
    whole = common_period(periods, FAR)
    if not whole:
        return "have no common period"
    return f"come together after {whole:.6g} s only, more than {MOST} of the longest"


def _turn_of_first_drive(mechanism: Mechanism) -> float:
    """The time of one turn, or of one period of an oscillating drive."""
    driven = driven_targets(mechanism)[0]
    profile, target = driven.profiles[0], driven.target
    period = _own_period(mechanism)
    if period is None and isinstance(profile, Expression) and depends_on_time(profile):
        raise _refused(mechanism, f"the drive of '{target.of}' is not periodic.", f"{TIMES}.")
    if period is None:
        raise _standing(mechanism)
    return period


def _own_period(mechanism: Mechanism) -> float | None:
    _, profile, turn = driven_numbers(mechanism, driven_targets(mechanism)[0])[0]
    return period_of(profile, turn)


def _or_turns(mechanism: Mechanism) -> str:
    """The remedy; it mentions turns of the first drive where these exist."""
    if not mechanism.drives or _own_period(mechanism) is None:
        return f"{TIMES}."
    return f"{TIMES}, or the turns of '{mechanism.drives[0].of}' to take with turns=."


def _standing(mechanism: Mechanism) -> SolveError:
    of, profile = mechanism.drives[0].of, driven_targets(mechanism)[0].profiles[0]
    at = evaluate(profile, time=0.0)
    what = f"the drive of '{of}' stands still at {at:g}."
    hint = "" if isinstance(profile, Expression) else f"; for a speed write constant_speed({at:g})"
    return _refused(mechanism, what, f"{TIMES}{hint}.")


def _refused(mechanism: Mechanism, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, "S02", "cycle", what, remedy)
