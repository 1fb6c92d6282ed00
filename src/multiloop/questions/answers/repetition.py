"""Warning that a cycle does not end as it began: a joint without prescribed motion may not return."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import tau

import numpy as np

from multiloop.model import JointSpring, Mechanism
from multiloop.model.expressions import Position, nodes_of
from multiloop.model.names import counted
from multiloop.model.sources import acting
from multiloop.questions.answers.result import Result

REPEATED = 1e-5
"""Part of the largest effort or load by which the two ends of a cycle may differ."""

VANISH = 1e-6
"""Part of the largest force times the characteristic length, or of the kinetic energy, below which efforts are
round-off.
"""

BACK = 1e-6
"""Tolerance for a coordinate that returns, or advances by whole turns, in radians or metres."""


def not_repeating(result: Result) -> list[str]:
    """The warning that efforts or forces differ at the ends of a cycle, with the joint that causes it."""
    worst, what = max(_differences(result), default=(0.0, ""))
    if worst <= REPEATED:
        return []
    return ["; ".join([f"the cycle does not repeat: {what}", *list(_not_back(result))[:1]])]


def _differences(result: Result) -> Iterator[tuple[float, str]]:
    """Differences of efforts and forces at the two ends relative to their largest value, with texts."""
    efforts = {name: joint.effort.reshape(len(result.time), -1) for name, joint in result.joints.items()}
    forces = {name: joint.force for name, joint in result.joints.items()}
    strongest, energy = _largest(forces), float(np.abs(result.kinetic_energy).max(initial=0.0))
    least = VANISH * max(strongest * result.plan.length, energy)
    for called, values, floor in (
        ("effort at", efforts, least),
        ("force in", forces, least / result.plan.length),
    ):
        largest = max(_largest(values), floor) or 1.0
        for name, x in values.items():
            first, last = (float(x[k, 0] if x.shape[1] == 1 else np.linalg.norm(x[k])) for k in (0, -1))
            part = float(np.abs(x[-1] - x[0]).max(initial=0.0)) / largest
            yield (
                part,
                f"the {called} '{name}' is {first:.4g} at its first and {last:.4g} at its last instant",
            )


def _largest(values: Mapping[str, np.ndarray]) -> float:
    return max((float(np.abs(x).max(initial=0.0)) for x in values.values()), default=0.0)


def _not_back(result: Result) -> Iterator[str]:
    """Texts for joints that have not returned, driven joints excluded; those on which forces depend come first."""
    mechanism = result.mechanism
    driven, read = {motion.of for motion in mechanism.drives}, set(_read(mechanism))
    for name in sorted(set(result.joints) - driven, key=lambda name: name not in read):
        position = result.joints[name].position
        turning = name in mechanism.joints_by_name and any(mechanism.joint(name).turning(mechanism.planar))
        if position.ndim > 1 or not turning:
            continue
        off = float(position[-1] - position[0])
        turns = round(off / tau)
        if abs(off - tau * turns) > BACK:
            yield f"joint '{name}' ends {off:.4g} rad from where it began"
        elif turns:
            yield f"joint '{name}' has turned on by {counted(abs(turns), 'turn')}"


def _read(mechanism: Mechanism) -> Iterator[str]:
    """Joints on whose coordinates a spring, a known effort or a load depends."""
    yield from (load.joint for load in mechanism.all_loads if isinstance(load, JointSpring))
    for _, value in acting(mechanism):
        yield from (node.joint for node in nodes_of(value) if isinstance(node, Position))
