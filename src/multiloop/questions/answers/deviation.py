"""Deviation of one motion from another, and its exponential growth rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multiloop.questions.answers.quantities import labels_of, units_of
from multiloop.questions.refusal import refusal

if TYPE_CHECKING:
    from multiloop.questions.answers.result import Result

FLOOR = 1e-14
"""Deviations below this are round-off and are not used for the growth rate."""

LARGE = 0.1
"""Above this, in rad or m, two motions no longer diverge exponentially."""


@dataclass(frozen=True, eq=False)
class Deviation:
    """Differences of all joint positions over time, by name."""

    time: np.ndarray
    joints: Mapping[str, np.ndarray]
    units: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of the entries of each

    @property
    def largest(self) -> np.ndarray:
        """The largest difference of any coordinate at every instant."""
        each = [np.abs(np.atleast_2d(d.T)).max(axis=0) for d in self.joints.values()]
        most: np.ndarray = np.max(each, axis=0)
        return most

    @property
    def growth_rate(self) -> float:
        """Exponential growth rate λ of the envelope while it is small, |d| ~ exp(λ t), in 1/s.

        By least squares on its logarithm; 0 if there are fewer than three suitable instants.
        """
        envelope = np.maximum.accumulate(self.largest)
        used = (envelope > FLOOR) & (envelope < LARGE)
        if used.sum() < 3:
            return 0.0
        return float(np.polyfit(self.time[used], np.log(envelope[used]), 1)[0])

    def until(self, t: float) -> float:
        """The largest deviation up to time t."""
        return float(self.largest[self.time <= t].max(initial=0.0))

    def __repr__(self) -> str:
        most = max(self.joints, key=lambda name: float(np.abs(self.joints[name]).max(initial=0.0)))
        columns = np.abs(np.atleast_2d(self.joints[most].T))
        k = int(columns.max(axis=1).argmax())
        unit = dict(enumerate(self.units.get(most, ()))).get(k, "").replace("1", "")
        largest = f"{columns[k].max():.2e} {unit}{' ' if unit else ''}at '{most}'"
        first = f", in the first second {self.until(1.0):.2e}" if self.time[-1] > 1.0 else ""
        growing = f", growing as exp({self.growth_rate:.2f} t)" if self.growth_rate else ""
        return f"Deviation over {self.time[-1]:g} s: largest {largest}{first}{growing}."


def deviation(found: Result, desired: Result) -> Deviation:
    """Actual less desired positions, joint by joint, at the same times."""
    if len(found.time) != len(desired.time) or not np.allclose(
        found.time, desired.time, rtol=1e-12, atol=1e-12
    ):
        what = (
            f"the two results have different times: {len(found.time)} instants up to {found.time[-1]:g} s and "
            f"{len(desired.time)} up to {desired.time[-1]:g} s."
        )
        raise refusal(found.mechanism, "R03", "deviation", what, "Ask both for the same times.")
    joints = {name: found[name].position - desired[name].position for name in found.joints}
    units: dict[str, list[str]] = {}
    for label, unit in zip(labels_of(found)["place"], units_of(found, "position"), strict=True):
        units.setdefault(label.owner, []).append(unit)
    return Deviation(found.time, joints, units)
