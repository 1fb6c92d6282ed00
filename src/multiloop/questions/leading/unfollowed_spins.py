"""Warning that a body which `inverse` keeps from turning about its line would begin to turn.

Positions and rates follow the rule e · ω = 0, but no moment acts about the line, so that the acceleration along an
idle spin follows from the body's own inertia (decision 6). Where the two differ, the instants do not form one
motion.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from multiloop.kinematics.course import Course
from multiloop.plan import Idle
from multiloop.questions.answers.result import Result
from multiloop.questions.idle_spins import spin_motions, spin_rates
from multiloop.questions.leading.driven import DrivenMotion

ROUND_OFF = 1e-9
"""A moment about the line below this part of the moments at the body's joints is round-off."""


def unfollowed_spins(
    motion: DrivenMotion, course: Course, a: np.ndarray, result: Result
) -> list[tuple[Idle, float, float]]:
    """Idle spins whose accelerations differ from the rule, the largest difference (rad/s²), and its time.

        Δ = e · (α − α_rule)

    The moment I_e Δ is compared with the moments in the joints.
    """
    eq, idle = motion.equations, motion.plan.idle
    if not idle:
        return []
    spins = [one.spin for one in idle]
    kept = course.part(slice(len(a)))
    extra = np.array(
        [spin_rates(eq, at.q, motion.p, own - at.a, spins) for at, own in zip(kept, a, strict=True)]
    )
    found = []
    for one, Z, along in zip(idle, _about(motion, kept, idle), extra.T, strict=True):
        moments = Z * np.abs(along[: len(result.time)])
        if moments.max(initial=0.0) > ROUND_OFF * _carried(motion, one, result):
            k = int(np.abs(along).argmax())
            found.append((one, float(abs(along[k])), float(kept.t[k])))
    return found


def _about(motion: DrivenMotion, course: Course, idle: tuple[Idle, ...]) -> list[float]:
    """The inertia about the line of every spin, kg m², at the first instant; that of a single body is constant."""
    eq, q = motion.equations, course[0].q
    twists = eq.twists(q, motion.p, spin_motions(eq, q, motion.p, idle))
    masses = eq.masses(q, motion.p)
    return [
        float(sum(twists[k][:, i] @ M @ twists[k][:, i] for k, M in enumerate(masses)))
        for i in range(len(idle))
    ]


def _carried(motion: DrivenMotion, idle: Idle, result: Result) -> float:
    """The largest moment at the outer joints of a group of bodies.

    Forces are multiplied by the characteristic length.
    """
    length = motion.equations.skeleton.length
    joints = [result[name] for name in idle.joints]
    return max(float(max(length * one.load.max(), one.moment_size.max())) for one in joints)


def with_held_spins(
    result: Result, motion: DrivenMotion, course: Course, a: np.ndarray
) -> tuple[Result, list[str]]:
    """The result with the rule for such spins, and the warnings that its efforts assume it."""
    found = unfollowed_spins(motion, course, a, result)
    names = " and ".join(f"'{body}'" for one, _, _ in found for body in one.bodies)
    held = [f"no spin: {names} does not turn about its line, e · ω = 0"] if found else []
    said = [
        f"'{one.spin.body}' would begin to spin about its line with up to {most:.3g} rad/s² (t = {t:.6g} s): efforts "
        "are those of a body which does not turn about it at every instant; `simulate` follows its true motion"
        for one, most, t in found
    ]
    return replace(result, rule="; ".join(filter(None, [result.rule, *held]))), said
