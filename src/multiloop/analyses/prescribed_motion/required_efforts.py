"""The efforts that a prescribed motion requires, as exact functions of time.

If these efforts are given to `simulate`, they move the mechanism without its drives along the same motion. This is an
open-loop control: deviations from the motion are not corrected, and grow or decay by the dynamics of the mechanism.

Source: [koul], §5, forced simulation: driving torques from inverse dynamics.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error, require_rigid
from multiloop.analyses.prescribed_motion.driven_motion import DrivenMotion
from multiloop.analyses.prescribed_motion.driven_plan import driven_plan
from multiloop.analyses.signals import Curve, corners, effort_place, effort_sources
from multiloop.kinematics.assembly import StateValues
from multiloop.model import Mechanism, SuggestsAttributes, suggestion
from multiloop.plan import unknown_efforts

RIGID_REMEDY = (
    'Give the Result of ml.inverse(…, elastic="stable") to `efforts`, or RequiredEfforts of the mechanism with '
    "rigid links, body.rigid()."
)
"""Text of the remedy in the error for mechanisms with flexible links."""


class RequiredEfforts(SuggestsAttributes):
    """Efforts of a driven mechanism as exact functions of time, to be given by joint to `efforts` of other analyses.

    A motion that `inverse` refuses raises the same error when the object is created.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        start: StateValues | None = None,
        guess: Mapping[str, Any] | None = None,
        method: str = "subsystem",
    ) -> None:
        require_rigid(mechanism, "RequiredEfforts", RIGID_REMEDY)
        self.mechanism = mechanism
        self._asked = {"start": start, "guess": guess, "method": method}
        self._motion = DrivenMotion(driven_plan(mechanism, start, guess, 0.0), 0.0, method)
        (self._at,) = self._motion.trajectory_at([0.0])
        self._found = (0.0, self._motion.solve(self._at).tau)
        self._places: dict[str, int] = {}
        self._curves: dict[tuple[float, float], tuple[np.ndarray, np.ndarray]] = {}
        self._named: dict[tuple[str, tuple[float, float]], Curve] = {}

    def effort(self, name: str, t: float) -> float:
        """The effort at time t; `name` is a joint, or "joint.component" for a joint with several coordinates."""
        if name not in self._places:
            self._places[name] = self._effort_index(name)
        return float(self._efforts(t)[self._places[name]])

    def corners(self, begin: float, until: float) -> set[float]:
        """Times at which the prescribed motions or known efforts are not smooth."""
        known = effort_sources(self._motion.equations, None)
        return set(corners(self.mechanism, known, begin, until))

    def curve(self, name: str, begin: float, until: float) -> Curve:
        """The effort of a joint over a time span as a piecewise polynomial, within 1e-11 of its largest value.

        Simulations with flexible bodies take tens of thousands of evaluations per second of motion, each of which would
        solve inverse dynamics in Python. Pieces between the corners of the motion are interpolated at Chebyshev nodes
        and bisected until their last coefficients vanish. The polynomials of a span are cached.
        """
        place, span = self._effort_index(name), (begin, until)
        if span not in self._curves:
            self._curves[span] = _chebyshev_pieces(
                self._all_efforts, [begin, *sorted(self._inner_corners(*span)), until]
            )
        breaks, coefficients = self._curves[span]
        if (name, span) not in self._named:
            kinks = tuple(sorted(self._inner_corners(*span)))
            self._named[name, span] = Curve(self.mechanism, name, breaks, coefficients[place], kinks)
        return self._named[name, span]

    def _inner_corners(self, begin: float, until: float) -> set[float]:
        return {t for t in self.corners(begin, until) if begin < t < until}

    def _all_efforts(self, times: np.ndarray) -> np.ndarray:
        """Generalized forces along all joint rates at increasing times, times × rates."""
        course = self._motion.trajectory_at(times.tolist())
        return self._motion.solve_all(course).tau

    def _effort_index(self, name: str) -> int:
        """The index of the joint rate along which the effort acts; raises an error for joints without drive and
        actuator."""
        joint = name.partition(".")[0]
        known = {joint for joint, _ in unknown_efforts(self.mechanism)}
        known |= {actuator.joint for actuator in self.mechanism.actuators}
        if joint in {pair.name for pair in self.mechanism.binary_joints} - known:
            what = "neither a drive nor an actuator acts there."
            raise analysis_error(self.mechanism, "S03", f"effort at '{name}'", what, suggestion(joint, known))
        return effort_place(self._motion.equations, name)

    def _efforts(self, t: float) -> np.ndarray:
        if self._found[0] != t:
            self._at, forces = self._motion.forces_at(t, self._at)
            self._found = (t, forces)
        return self._found[1]

    def __getstate__(self) -> tuple[Mechanism, dict[str, Any]]:
        """Pickle the arguments only: another process computes the efforts itself."""
        return self.mechanism, self._asked

    def __setstate__(self, state: tuple[Mechanism, dict[str, Any]]) -> None:
        RequiredEfforts.__init__(self, state[0], **state[1])

    def __repr__(self) -> str:
        return f"Efforts required by the motion of '{self.mechanism.name}', computed exactly at every time."


DEGREE = 8
"""Degree of the polynomials. They are written in powers of the time since the beginning of a piece; a higher degree
would lose digits."""

SERIES_TOLERANCE = 1e-11
"""Size of the last Chebyshev coefficients of a piece, relative to the largest value of the function, below which they
count as zero."""

BISECTIONS = 14
"""Largest number of bisections of a piece."""


def _chebyshev_pieces(
    function: Callable[[np.ndarray], np.ndarray], ends: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Breakpoints and coefficients of piecewise polynomials that interpolate functions that are smooth between `ends`.

    The coefficients are an array (functions × powers × pieces), with the highest power first.
    """
    x = np.polynomial.chebyshev.chebpts1(DEGREE + 1)
    to_series = np.linalg.inv(np.polynomial.chebyshev.chebvander(x, DEGREE))
    low = np.concatenate([np.linspace(a, b, 9)[:-1] for a, b in pairwise(ends)])
    high = np.concatenate([np.linspace(a, b, 9)[1:] for a, b in pairwise(ends)])
    done: list[tuple[float, float, np.ndarray]] = []
    largest = np.zeros(0)
    for left in range(BISECTIONS, -1, -1):
        half = (high - low) / 2
        times = (low + half)[:, None] + half[:, None] * x
        values = function(times.ravel()).reshape(*times.shape, -1)
        series = np.einsum("kn,pnf->pkf", to_series, values)
        size = np.abs(values).max(axis=(0, 1))
        largest = size if not largest.size else np.maximum(largest, size)
        settled = (np.abs(series[:, -2:]).max(axis=1) <= SERIES_TOLERANCE * np.maximum(largest, 1e-300)).all(
            axis=1
        )
        settled |= left == 0
        done += [(low[k], high[k], series[k]) for k in np.flatnonzero(settled).tolist()]
        if settled.all():
            break
        middle = (low + half)[~settled]
        low, high = (np.sort(np.concatenate([part[~settled], middle])) for part in (low, high))
    done.sort(key=lambda piece: piece[0])
    breaks = np.array([piece[0] for piece in done] + [done[-1][1]])
    return breaks, np.stack([_power_coefficients(b - a, series) for a, b, series in done], axis=2)


def _power_coefficients(length: float, series: np.ndarray) -> np.ndarray:
    """Coefficients of a Chebyshev series converted to powers of the time since the beginning of a piece.

    The result is an array (functions × powers), with the highest power first; `length` is the duration of the piece.
    """
    along = np.polynomial.Polynomial([-1.0, 2.0 / length])
    found = []
    for column in series.T:
        powers = np.polynomial.Polynomial(np.polynomial.chebyshev.cheb2poly(column))(along).coef
        found.append(np.pad(powers, (0, DEGREE + 1 - len(powers)))[::-1])
    return np.array(found)
