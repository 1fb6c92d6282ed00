"""Time histories of a result that are plotted: efforts, coordinates, loads and moments of joints, with their labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import joints_with_moments, noise_floor
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.view.figure import BODIES, UNNAMED, shaded

NAMED, SMALL = 7, 0.2
"""Largest number of joints whose load or moment is labelled, and smallest value that is labelled, relative to the
largest value of all joints."""


@dataclass(frozen=True, eq=False)
class CoordinateHistory:
    """A coordinate of a joint, or its rate, acceleration or effort, over time.

    `part` is the index of the coordinate in the joint, and `label` its name in a plot.
    """

    joint: str
    label: str
    part: int
    length: bool  # whether the coordinate is a length (m) and its effort a force (N)
    values: np.ndarray

    @property
    def effort_unit(self) -> str:
        """Unit of the effort along the coordinate, "N" or "N m"."""
        return "N" if self.length else "N m"


def nonzero_efforts(result: Result) -> list[CoordinateHistory]:
    """All efforts at joints that exceed round-off at some instant, whether of drives, of actuators or given by the
    user."""
    floor = noise_floor(result)
    found = [history for name in result.joints for history in along_coordinates(result, name, "effort")]
    return [
        history for history in found if np.abs(history.values).max(initial=0.0) > floor[history.effort_unit]
    ]


def effort_panels(result: Result, joints: Iterable[str] | None = None) -> dict[str, list[CoordinateHistory]]:
    """Efforts by panel: one panel if all efforts have the same unit, otherwise separate panels of torques and forces.

    If `joints` is given, the efforts of these joints are included even if they are zero.
    """
    found = nonzero_efforts(result)
    if joints is not None:
        found = [history for name in joints for history in along_coordinates(result, name, "effort")]
    if len({history.length for history in found}) < 2:
        return {"efforts": found} if found else {}
    torques, forces = ([h for h in found if h.length == length] for length in (False, True))
    return {"torques": torques, "forces": forces}


def free_positions(result: Result) -> list[CoordinateHistory]:
    """Histories of undriven joint coordinates, as many as are needed to describe a simulated free motion.

    This is the number of degrees of freedom without a drive, not counting idle degrees of freedom. Coordinates whose
    initial values were given by the user come first. The list is empty if the result is not from a simulation.
    """
    if result.work is None:
        return []
    mechanism = result.mechanism
    driven = {motion.of for motion in mechanism.drives}
    open_ = (
        result.plan.mobility
        - len(result.plan.idle)
        - sum(target.row_count() for target in drive_targets(mechanism))
    )
    held = [request.target.of for request in result.plan.assembly.held]
    found: list[CoordinateHistory] = []
    for name in dict.fromkeys([*held, *result.joints]):
        if name in result.joints and name not in driven:
            for history in coordinate_histories(result, name):
                if open_ > 0 and (name in held or np.ptp(history.values) > 0):
                    found.append(history)
                    open_ -= 3 if history.label.endswith("(turn)") else 1
    return found


def joint_loads(result: Result) -> dict[str, np.ndarray]:
    """Magnitude of the force in every joint over time, by the name of the joint, the largest first."""
    least = noise_floor(result)["N"]
    return _ranked(
        {name: np.where(joint.load > least, joint.load, 0.0) for name, joint in result.joints.items()}
    )


def joint_moments(result: Result) -> dict[str, np.ndarray]:
    """Magnitude of the moment over time in every joint that transmits a moment, the largest first."""
    return _ranked({name: result[name].moment_size for name in joints_with_moments(result)})


def _ranked(curves: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    return dict(sorted(curves.items(), key=lambda item: -float(item[1].max(initial=0.0))))


def largest_named(curves: dict[str, np.ndarray]) -> list[str]:
    """Names of the curves to be labelled, those with the largest values; `curves` must be in descending order."""
    peaks = {name: float(values.max(initial=0.0)) for name, values in curves.items()}
    largest = max(peaks.values(), default=0.0)
    return [name for name in list(peaks)[:NAMED] if peaks[name] > SMALL * largest]


def joint_colours(result: Result) -> dict[str, str]:
    """Colour of each joint, by its name: one of the colours `BODIES`, darkened, or pale grey if no default panel labels
    the joint."""
    told = [history.joint for history in (*nonzero_efforts(result), *free_positions(result))]
    strong = dict.fromkeys(
        [*told, *largest_named(joint_loads(result)), *largest_named(joint_moments(result))]
    )
    colours = {name: shaded(BODIES[k % len(BODIES)], 0.85) for k, name in enumerate(strong)}
    return dict.fromkeys(result.joints, UNNAMED) | colours


def coordinate_histories(result: Result, name: str) -> list[CoordinateHistory]:
    """Time histories of the coordinates of a joint; an orientation in space is represented by its rotation angle."""
    joint, planar = result.mechanism.connection(name), result.mechanism.planar
    parts, columns = joint.components(planar), np.atleast_2d(result[name].position.T)
    if joint.positions(planar) != len(parts):
        e = columns[-4:]
        turn = 2 * np.arctan2(np.linalg.norm(e[1:], axis=0), e[0])
        parts, columns = (*parts[:-3], "turn"), np.vstack([columns[:-4], turn])
    return [
        CoordinateHistory(
            name,
            f"{name} (turn)" if part == "turn" else _label(name, part, parts),
            k,
            part in LENGTH_COMPONENTS,
            q,
        )
        for k, (part, q) in enumerate(zip(parts, columns, strict=True))
    ]


def along_coordinates(result: Result, name: str, what: str) -> list[CoordinateHistory]:
    """Time histories of the "rate", "acceleration" or "effort" (`what`) along every coordinate of a joint."""
    parts = result.mechanism.connection(name).components(result.mechanism.planar)
    columns = np.atleast_2d(getattr(result[name], what).T)
    return [
        CoordinateHistory(name, _label(name, part, parts), k, part in LENGTH_COMPONENTS, values)
        for k, (part, values) in enumerate(zip(parts, columns, strict=True))
    ]


def _label(name: str, part: str, parts: tuple[str, ...]) -> str:
    return name if len(parts) == 1 else f"{name} ({part})"
