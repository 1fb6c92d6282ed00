"""Free motion of a mechanism, its motion under torques of inverse dynamics without feedback, and a picture of both.

Source: [koul], §5, Figs. 7 and 8.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

import multiloop as ml
from multiloop.analyses.results import Deviation

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TORQUES = {"exact torque": None, "spline, 10 ms": "cubic", "linear, 10 ms": "linear"}
"""Kinds of torque by name: computed at every instant, or a table with a value every 10 ms and a curve through them."""

LOOSE, TIGHT = 1e-3, 1e-12


@dataclass(frozen=True, eq=False)
class FreeAndForced:
    """Runs of a driven mechanism: free of its drives for `free_time`, and forced for `forced_time` (s).

    The free runs begin with the positions `start` and the rates `rates` of the driven joints, the forced runs with
    those of the desired motion.
    """

    mechanism: ml.Mechanism
    start: dict[str, float]
    rates: dict[str, float] = field(default_factory=dict)
    free_time: float = 15.0
    forced_time: float = 5.0
    runs: dict[tuple[str, Any], ml.Result] = field(default_factory=dict, repr=False)

    @property
    def times(self) -> np.ndarray:
        """Instants of the forced runs, 10 ms apart."""
        return np.linspace(0.0, self.forced_time, round(100 * self.forced_time) + 1)

    @cached_property
    def desired(self) -> ml.Result:
        """The motion that the drives prescribe, with its torques."""
        return ml.inverse(self.mechanism, t=self.times)

    def free(self, rtol: float = TIGHT) -> ml.Result:
        """The free motion, integrated with a relative tolerance."""
        samples = round(100 * self.free_time) + 1
        given = {"start": self.start, "rates": self.rates}
        return self._run(("free", rtol), until=self.free_time, samples=samples, rtol=rtol, **given)

    def forced(self, torque: str = "exact torque", rtol: float = 1e-8) -> ml.Result:
        """The motion under torques of one of the kinds `TORQUES`, without feedback."""
        kind = TORQUES[torque]
        efforts: dict[str, Any] = {
            joint: ml.RequiredEfforts(self.mechanism)
            if kind is None
            else ml.table(self.times, self.desired[joint].effort, kind=kind)
            for joint in self.start
        }
        given = {
            "start": {joint: self.desired[joint].position[0] for joint in self.start},
            "rates": {joint: self.desired[joint].rate[0] for joint in self.start},
            "efforts": efforts,
        }
        return self._run((torque, rtol), until=self.forced_time, samples=self.times, rtol=rtol, **given)

    def disagreement(self, rtol: float, until: float) -> float:
        """Largest difference of any joint angle of free runs with the tolerances `rtol` and 1e-12, up to a time."""
        return self.free(rtol).deviation_from(self.free()).until(until)

    def error(self, torque: str = "exact torque") -> Deviation:
        """Deviation of a forced run from the desired motion."""
        return self.forced(torque).deviation_from(self.desired)

    def energy(self) -> np.ndarray:
        """Kinetic and potential energy of the free motion over time (J)."""
        total: np.ndarray = self.free().kinetic_energy + self.free().potential_energy
        return total

    def figure(self, shown: Sequence[str]) -> Figure:
        """Joint angles of the free motion, those of the driven joints in forced motion, and the error of the latter."""
        from matplotlib.figure import Figure

        from multiloop.view.figure import BODIES

        page = Figure(figsize=(12.5, 4.2))
        page.set_layout_engine("constrained", w_pad=0.12)
        free, forced, error = page.subplots(1, 3)
        for axes in (free, forced, error):
            axes.set_prop_cycle(color=BODIES)
        for joint in shown:
            (line,) = free.plot(self.free().time, self.free()[joint].position, label=joint)
            loose = self.free(LOOSE)
            free.plot(loose.time, loose[joint].position, ":", lw=1.2, color=line.get_color())
        for joint in self.start:
            forced.plot(self.times, self.desired[joint].position, label=f"{joint}, desired")
            angle = self.forced("spline, 10 ms")[joint].position
            (line,) = forced.plot(self.times, angle, "--", lw=1.2, color="0.15")
        line.set_label("forced, spline")
        for torque in TORQUES:
            error.semilogy(self.times[1:], self.error(torque).largest[1:], label=torque)
        _label(free, "Free motion (dotted: rtol = 1e-3)", "angle (rad)")
        _label(forced, "Driven joints in forced motion", "angle (rad)")
        _label(error, "Error of the forced motion", "largest error of any joint (rad)")
        return page

    def _run(self, key: tuple[str, Any], **how: Any) -> ml.Result:
        if key not in self.runs:
            released = self.mechanism.without_drives()
            self.runs[key] = ml.simulate(released, **how)
        return self.runs[key]


def _label(axes: Any, title: str, words: str) -> None:
    from multiloop.view.plots.page_layout import style_axes

    style_axes(axes)
    axes.set_title(title, fontsize=10)
    axes.set(xlabel="time (s)", ylabel=words, xlim=(0.0, axes.dataLim.x1))
    axes.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3)
