"""Check that all values of a result are finite."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from multiloop.questions.refusal import refusal

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result

LARGEST = 1e150
"""Values beyond this overflow when squared for a magnitude or a power."""

OF_JOINTS = ("position", "rate", "acceleration", "force", "moment", "effort", "effort_force", "effort_moment")


def only_finite(result: Result) -> Result:
    """The result, if all its values are finite and can be squared without overflow; otherwise an error is raised."""
    for what, values in _numbers(result):
        if not np.abs(values).max(initial=0.0) < LARGEST:  # also true for NaN
            size = np.abs(values).reshape(len(values), -1).max(axis=1, initial=0.0)
            k = int(np.argmin(size < LARGEST))
            t, said = float(result.time[k]), f"the {what} is {size[k]:g}, which is no answer."
            remedy = "Look for lengths, masses, loads or speeds that are beyond all measure."
            raise refusal(result.mechanism, "S07", f"t = {t:.6g} s", said, remedy, time=t)
    return result


def _numbers(result: Result) -> Iterator[tuple[str, np.ndarray]]:
    """All arrays of a result over time, with their descriptions."""
    for joint in result.joints.values():
        for name in OF_JOINTS:
            yield f"{name.replace('effort_', 'effort as a ')} of joint '{joint.name}'", getattr(joint, name)
    for load in result.loads.values():
        for name, values in load.values.items():
            yield f"{name} of load '{load.name}'", values
    yield "kinetic energy", result.kinetic_energy
    yield "potential energy", result.potential_energy
    yield "momentum", result.momentum
    for name, values in result.integrals.items():
        yield f"integral '{name}'", values
    if result.work is not None:
        yield "work", result.work
