"""Inverse dynamics of many designs: peaks, efforts and loads by name, and a status for each design."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.designs.sweep import OK, OVER_LIMIT, SEPARATED, STATUS_TEXTS
from multiloop.analyses.results import over_limit_warning, separation_warning
from multiloop.kinematics.assembly import StateValues
from multiloop.model import Mechanism, MultiloopError, ResultWarning, SuggestsAttributes, status_text

if TYPE_CHECKING:
    import xarray as xr


@dataclass(frozen=True, eq=False)
class Designs(SuggestsAttributes):
    """Inverse dynamics of many designs (sets of parameter values) over the same times.

    `peak_effort` and `rms_effort` map the name of each drive or actuator to the largest magnitude and the root mean
    square of its effort over time; `peak_load` maps the name of each joint to its largest force (N). These are arrays
    with one value per design, NaN for designs that failed. `effort` and `load` contain the values over time (designs ×
    instants) if keep="all" was given. `least_normal` maps the name of each pair that can only push to its smallest
    normal force (N), `separated_at` to the first time (s) at which this force is negative, NaN if there is none.
    `status` states the outcome of each design, and `failed_at` the time at which the design failed. A design that
    exceeds an actuator's `limit` or loses contact is not `ok`, but its values are computed.
    """

    mechanism: Mechanism
    parameters: Mapping[str, np.ndarray]
    time: np.ndarray
    codes: np.ndarray
    failed_at: np.ndarray
    peak_effort: Mapping[str, np.ndarray]
    rms_effort: Mapping[str, np.ndarray]
    peak_load: Mapping[str, np.ndarray]
    effort: Mapping[str, np.ndarray]
    load: Mapping[str, np.ndarray]
    limit: Mapping[str, np.ndarray]
    start: StateValues | None = None
    guess: Mapping[str, Any] | None = None
    least_normal: Mapping[str, np.ndarray] = field(default_factory=dict)
    separated_at: Mapping[str, np.ndarray] = field(default_factory=dict)

    @property
    def ok(self) -> np.ndarray:
        """Mask of the designs that succeeded within the limits of their actuators and without loss of contact."""
        ok: np.ndarray = self.codes == OK
        return ok

    @cached_property
    def status(self) -> np.ndarray:
        """The outcome of each design as text.

        For a design that exceeds a limit the text names the actuator and its effort; for a design that loses contact,
        the pair and the time. The texts are those of the warnings of `inverse`.
        """
        found: np.ndarray = np.array(STATUS_TEXTS, dtype=object)[self.codes]
        for k in np.flatnonzero(np.isin(self.codes, (OVER_LIMIT, SEPARATED))).tolist():
            found[k] = status_text(self.warnings_of(k))
        return found.astype(str)

    def warnings_of(self, design: int) -> tuple[ResultWarning, ...]:
        """Warnings about a design that loses contact or exceeds a limit; empty for other designs."""
        if self.codes[design] not in (OVER_LIMIT, SEPARATED):
            return ()
        needed = {name: (self.peak_effort[name][design], limit[design]) for name, limit in self.limit.items()}
        separated = [
            separation_warning(name, self.time, float(times[design]))
            for name, times in self.separated_at.items()
            if np.isfinite(times[design])
        ]
        over = [over_limit_warning(self.mechanism, n, x, most) for n, (x, most) in needed.items() if x > most]
        return (*separated, *over)

    def reason(self, design: int) -> str:
        """Reason why a design failed: the error text of `inverse` for this design alone, or its status if `inverse`
        succeeds."""
        from multiloop.analyses.inverse import inverse

        values = {name: float(given[design]) for name, given in self.parameters.items()}
        try:
            alone = inverse(
                self.mechanism, parameters=values, t=self.time, start=self.start, guess=self.guess
            )
            return str(alone.status)
        except MultiloopError as error:
            return str(error)

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def dataset(self) -> xr.Dataset:
        """All quantities as an xarray Dataset with dimension `design`; the parameters are its coordinates."""
        import xarray as xr

        found: dict[str, Any] = {"status": ("design", self.status), "failed_at": ("design", self.failed_at)}
        for kind in ("peak_effort", "rms_effort", "peak_load", "least_normal", "separated_at"):
            found |= {f"{kind} {name}": ("design", values) for name, values in getattr(self, kind).items()}
        for kind in ("effort", "load"):
            found |= {
                f"{kind} {name}": (("design", "time"), values) for name, values in getattr(self, kind).items()
            }
        coordinates: dict[str, Any] = {name: ("design", values) for name, values in self.parameters.items()}
        return xr.Dataset(found, coords=coordinates | {"time": self.time})

    def __repr__(self) -> str:
        ends = [
            f"{int(np.sum(self.codes == code))} {STATUS_TEXTS[code]}"
            for code in range(len(STATUS_TEXTS))
            if (self.codes == code).any()
        ]
        return f"{len(self)} designs of '{self.mechanism.name}' over {len(self.time)} instants: {', '.join(ends)}."
