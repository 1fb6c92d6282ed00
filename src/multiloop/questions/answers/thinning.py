"""Sampling of a run at more instants than requested, so that its energy error does not depend on the outputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

import numpy as np

from multiloop.questions.answers.joint_history import JointHistory
from multiloop.questions.answers.result import Result

ENOUGH = 64
"""Smallest number of instants at which every run is sampled."""


def often_enough(begin: float, times: np.ndarray) -> np.ndarray:
    """The requested times, with further ones between them where they are few."""
    return times if len(times) >= ENOUGH else np.union1d(times, np.linspace(begin, times[-1], ENOUGH))


def thinned(result: Result, times: np.ndarray) -> Result:
    """The result at the requested times, with the energy drift of the whole; a stopped run keeps its last instant."""
    kept = np.isin(result.time, times)
    kept[-1:] |= result.notes != "ok"
    if kept.all():
        return result
    poses = _at(kept, result.poses)
    return replace(
        result,
        time=result.time[kept],
        joints={name: _history(joint, kept, poses) for name, joint in result.joints.items()},
        couplings={name: one.at_instants(kept) for name, one in result.couplings.items()},
        poses=poses,
        constraint_violation=result.constraint_violation[kept],
        kinetic_energy=result.kinetic_energy[kept],
        potential_energy=result.potential_energy[kept],
        momentum=result.momentum[kept],
        integrals=_at(kept, result.integrals),
        loads={name: load.at_instants(kept) for name, load in result.loads.items()},
        on_frame=None if result.on_frame is None else result.on_frame[kept],
        work=None if result.work is None else result.work[kept],
        item_work={item: energy[kept] for item, energy in result.item_work.items()},
        links={name: link.at(kept) for name, link in result.links.items()},
        whole_drift=result.energy_drift,
    )


def _history(joint: JointHistory, kept: np.ndarray, poses: Mapping[str, np.ndarray]) -> JointHistory:
    arrays = {entry.name: getattr(joint, entry.name) for entry in fields(joint)}
    changes = {
        name: array[kept] for name, array in arrays.items() if isinstance(array, np.ndarray) and len(array)
    }
    return replace(joint, **changes, poses=poses)


def _at(kept: np.ndarray, histories: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: values[kept] for name, values in histories.items()}
