"""The largest efforts and bearing loads of a run, as a table that prints itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multiloop.kinematics.chart import LENGTHS

if TYPE_CHECKING:
    from multiloop.questions.result import Result


@dataclass(frozen=True)
class Extreme:
    """A largest magnitude: of what, how much, when, and at which value of the first drive."""

    joint: str
    what: str
    value: float
    unit: str
    time: float
    drive: float


@dataclass(frozen=True, repr=False)
class Extremes:
    """Rows of extremes: the efforts first, then the loads of the bearings, largest first."""

    rows: tuple[Extreme, ...]
    drive: str

    def __iter__(self) -> Iterator[Extreme]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, place: int) -> Extreme:
        return self.rows[place]

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        width = max([len(row.joint) for row in self.rows] + [len("joint")])
        turn = f"at {self.drive}" if self.drive else ""
        lines = [f"{'joint':<{width}}  {'what':<8} {'largest':>12}        {'t (s)':>9}  {turn}"]
        for row in self.rows:
            angle = f"{np.degrees(row.drive):8.2f}°" if self.drive else ""
            lines.append(
                f"{row.joint:<{width}}  {row.what:<8} {row.value:12.6g} {row.unit:<6} {row.time:9.4f}  {angle}"
            )
        return "\n".join(lines)


def extremes_of(result: Result) -> Extremes:
    """Largest |effort| of every drive and largest load of every joint."""
    mechanism = result.mechanism
    turning = [
        motion.of
        for motion in mechanism.drives
        if not motion.on_marker and mechanism.joint(motion.of).turning(mechanism.planar) == (True,)
    ]
    drive = turning[0] if turning else ""
    angle = result[drive].position if drive else np.zeros(len(result.time))
    efforts, loads = [], []
    for name, joint in result.joints.items():
        effort = np.atleast_2d(joint.effort.T).T
        if effort.size and np.abs(effort).max() > 0:
            k, column = divmod(int(np.abs(effort).argmax()), effort.shape[1])
            unit = "N" if mechanism.joint(name).components(mechanism.planar)[column] in LENGTHS else "N m"
            efforts.append(
                Extreme(
                    name, "effort", float(effort[k, column]), unit, float(result.time[k]), float(angle[k])
                )
            )
        k = int(joint.load.argmax())
        loads.append(Extreme(name, "load", float(joint.load[k]), "N", float(result.time[k]), float(angle[k])))
    loads.sort(key=lambda row: -row.value)
    return Extremes((*efforts, *loads), drive)
