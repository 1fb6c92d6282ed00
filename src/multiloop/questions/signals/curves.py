"""Efforts over time from other analyses: a curve through the instants of a Result, or an exact function of time."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol, runtime_checkable

import numpy as np

from multiloop.model import Mechanism, SolveError
from multiloop.questions.answers.result import Result
from multiloop.questions.refusal import refusal


@runtime_checkable
class Exact(Protocol):
    """An object that computes efforts at any time."""

    def effort(self, joint: str, t: float) -> float:
        """The effort at a joint at time t."""


@dataclass(frozen=True, eq=False)
class Known:
    """The effort at one joint from an object that computes it at any time."""

    source: Exact
    name: str

    def __call__(self, t: float) -> float:
        return self.source.effort(self.name, t)

    def corners(self, begin: float, until: float) -> set[float]:
        """Times at which it is not smooth, if the source provides them."""
        told = getattr(self.source, "corners", None)
        return set() if told is None else set(told(begin, until))


@dataclass(frozen=True, eq=False)
class Curve:
    """A piecewise polynomial of time with breaks and coefficients as in SciPy's PPoly; it is not extrapolated."""

    mechanism: Mechanism
    name: str
    breaks: np.ndarray
    coefficients: np.ndarray
    kinks: tuple[float, ...] | None = None  # where it is not smooth, if not at all of its breaks

    def __call__(self, t: float) -> float:
        self.require_covered(t)
        from scipy.interpolate import PPoly  # takes a fifth of a second to import

        inside = min(max(t, float(self.breaks[0])), float(self.breaks[-1]))
        return float(PPoly(self.coefficients, self.breaks)(inside))

    def require_covered(self, t: float) -> None:
        """Refuse a time outside the breaks."""
        begin, end = float(self.breaks[0]), float(self.breaks[-1])
        slack = 1e-9 * max(1.0, abs(end))
        if not begin - slack <= t <= end + slack:
            what = f"the Result covers {begin:g} to {end:g} s, asked at {t:g} s."
            raise refusal(
                self.mechanism,
                "S03",
                f"effort at '{self.name}'",
                what,
                "Ask the inverse question for all of the time.",
                time=t,
            )


def curve_through(mechanism: Mechanism, name: str, result: Result, corners: Collection[float] = ()) -> Curve:
    """A cubic spline through the efforts of a Result, with a corner at instants where the motion has one."""
    from scipy.interpolate import CubicSpline

    joint, _, component = name.partition(".")
    effort = result[joint].effort
    if effort.ndim == 2:
        effort = effort[:, mechanism.joint(joint).components(mechanism.planar).index(component)]
    if len(result.time) < 2 or (np.diff(result.time) <= 0).any():
        what = f"the Result has {len(result.time)} instants" + (
            " that do not rise." if len(result.time) > 1 else "."
        )
        raise refused_effort(mechanism, name, what, "Ask for several instants in rising order.")
    inner = [k for t in sorted(corners) for k in _instant_at(result.time, t) if 0 < k < len(effort) - 1]
    ends = [0, *dict.fromkeys(inner), len(effort) - 1]
    pieces = [CubicSpline(result.time[a : b + 1], effort[a : b + 1]) for a, b in pairwise(ends)]
    return Curve(mechanism, name, result.time, np.hstack([piece.c for piece in pieces]))


def _instant_at(time: np.ndarray, t: float) -> list[int]:
    """The index of the instant at a time, if there is one."""
    k = int(np.argmin(np.abs(time - t)))
    return [k] if abs(time[k] - t) <= 1e-9 * (time[-1] - time[0]) else []


def refused_effort(mechanism: Mechanism, name: str, what: str, remedy: str) -> SolveError:
    """The error for an invalid effort."""
    return refusal(mechanism, "S03", f"effort at '{name}'", what, remedy)
