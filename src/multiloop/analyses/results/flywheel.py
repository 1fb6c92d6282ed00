"""Fluctuation of energy over a cycle, and the flywheel for a given coefficient of speed fluctuation."""

from __future__ import annotations

from dataclasses import dataclass
from math import tau
from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.extremes import crank_of
from multiloop.analyses.results.result_warnings import repetition_warnings
from multiloop.model import short_repr
from multiloop.model.expressions.expression import is_number

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result
    from multiloop.model import SolveError

STEADY = 1e-6
"""Tolerance with which a cycle must be steady.

It is the largest accepted range of the crank speed relative to its mean, the largest accepted deviation of the number
of turns from a whole number, and the largest accepted difference between the efforts at the two ends of the cycle,
relative to the range of the effort."""

SAME = 1e-9
"""Variation of an effort over a cycle, relative to its largest magnitude, below which the effort counts as constant."""

FEWEST = 16
"""Smallest number of instants that a cycle must have for the sizing of a flywheel."""


@dataclass(frozen=True)
class Flywheel:
    """A flywheel on a crank that a constant effort drives.

    joint        name of the crank, the joint to which the flywheel is attached
    Cs           coefficient of speed fluctuation, the range of the crank speed divided by its mean
    inertia      inertia to be added at the crank, in kg m²
    energy       energy that the flywheel stores and returns in a cycle, in J
    effort       the constant effort at the crank that does the work of the cycle, in N m; negative where the machine
                 drives a load
    speed        mean speed of the crank, in rad/s
    fastest, slowest    crank angles of highest and lowest speed, in rad
    """

    joint: str
    Cs: float
    inertia: float
    energy: float
    effort: float
    speed: float
    fastest: float
    slowest: float

    def __repr__(self) -> str:
        fastest, slowest = (np.degrees(angle) for angle in (self.fastest, self.slowest))
        return (
            f"Flywheel at '{self.joint}' for Cs = {self.Cs:g}: {self.inertia:.6g} kg m², since the energy fluctuates "
            f"by {self.energy:.6g} J at {self.speed:.6g} rad/s under {self.effort:.6g} N m; fastest at {fastest:.1f}°, "
            f"slowest at {slowest:.1f}°."
        )


def flywheel_for(result: Result, Cs: float, *, joint: str | None = None) -> Flywheel:
    """The flywheel for a coefficient of speed fluctuation Cs, from a cycle of `inverse` at constant speed.

        I = ΔE / (Cs ω²)

    I is the inertia of the flywheel. The required effort at the crank, τ(t), is replaced by its mean τ̄, and the
    flywheel stores the difference: ΔE = max − min of ∫ (τ̄ − τ) ω dt. With the speeds ω_max and ω_min at the extremes
    of this integral and ω their mean, ½ I (ω_max² − ω_min²) = I Cs ω². The inertia of the machine itself is neglected,
    which is conservative. This simplification, and the use of τ at constant speed, cause an error of the order of Cs
    times the result.

    Source: [shigley], ch. 16. Differs: integrated over time, which at constant speed is the same as over the angle.
    """
    if not (is_number(Cs) and 0 < Cs < 1):
        remedy = "Give the admissible speed fluctuation as a fraction of the mean speed, e.g. Cs=0.02."
        raise analysis_error(result.mechanism, "R05", "Cs", f"is {short_repr(Cs)}.", remedy)
    crank, speed = _steady_crank(result, joint)
    surplus, effort, times = _surplus(result, crank, speed)
    angles = np.interp(times, result.time, result[crank].position)
    energy = float(surplus.max() - surplus.min())
    return Flywheel(
        joint=crank,
        Cs=float(Cs),
        inertia=energy / (float(Cs) * speed**2),
        energy=energy,
        effort=effort if abs(effort) > SAME * np.abs(result[crank].effort).max() else 0.0,
        speed=speed,
        fastest=float(angles[surplus.argmax()]),
        slowest=float(angles[surplus.argmin()]),
    )


def energy_fluctuation(result: Result, *, joint: str | None = None) -> float:
    """ΔE in J, the fluctuation of energy over a cycle if the crank is driven by the mean of the required effort."""
    surplus, _, _ = _surplus(result, *_steady_crank(result, joint))
    return float(surplus.max() - surplus.min())


def _surplus(result: Result, crank: str, speed: float) -> tuple[np.ndarray, float, np.ndarray]:
    """Surplus energy ∫ (τ̄ − τ) ω dt (J) at the instants and at its extrema, the mean effort τ̄, and the times (s).

    ω is the constant speed of the crank, τ a periodic cubic spline through the effort at the instants; the integral is
    extreme where τ = τ̄.
    """
    from scipy.interpolate import CubicSpline

    time, needed = result.time, result[crank].effort.copy()
    needed[-1] = needed[0]
    spline = CubicSpline(time, needed, bc_type="periodic")
    mean = float(spline.integrate(time[0], time[-1]) / (time[-1] - time[0]))
    spent = spline.antiderivative()
    turns = spline.solve(mean, extrapolate=False)
    times = np.concatenate([time, turns[np.isfinite(turns)]])
    surplus: np.ndarray = speed * (mean * (times - time[0]) - spent(times))
    return surplus, mean, times


def _steady_crank(result: Result, joint: str | None) -> tuple[str, float]:
    """Name of the crank joint, and its mean speed in rad/s.

    An error is raised unless the crank makes whole turns at constant speed and the cycle repeats.
    """
    crank = crank_of(result.mechanism) if joint is None else joint
    if not crank:
        raise _flywheel_error(
            result, "no drive turns a joint.", "Name the crank with joint=, or drive it by a Motion."
        )
    found, mechanism = result[crank], result.mechanism
    if crank not in result.joints or mechanism.connection(crank).turning(mechanism.planar) != (True,):
        raise _flywheel_error(result, f"'{crank}' does not turn.", "Name a joint that turns.")
    rates, time = found.rate, result.time
    speed, turned = float(rates.mean()), float(found.position[-1] - found.position[0])
    cycle = "Use `inverse` with cycle= and a Motion of constant speed."
    if not speed or np.ptp(rates) > STEADY * abs(speed):
        raise _flywheel_error(
            result,
            f"the speed of '{crank}' is not constant, {rates.min():g} to {rates.max():g} rad/s.",
            cycle,
        )
    if len(time) < FEWEST or (np.diff(time) <= 0).any():
        raise _flywheel_error(
            result,
            f"a cycle requires at least {FEWEST} increasing instants, but there are {len(time)}.",
            cycle,
        )
    if abs(turned / tau - round(turned / tau)) > STEADY or not round(turned / tau):
        raise _flywheel_error(result, f"'{crank}' makes {turned / tau:.6g} turns, not a whole number.", cycle)
    if np.ptp(found.effort) <= SAME * np.abs(found.effort).max():
        raise _flywheel_error(
            result,
            f"the effort at '{crank}' is constant over the cycle, so that the energy does not fluctuate.",
            "Name the driven joint with joint=.",
        )
    if abs(found.effort[-1] - found.effort[0]) > STEADY * np.ptp(found.effort):
        what = (
            f"the effort at '{crank}' ends at {found.effort[-1]:g} N m, but starts at "
            f"{found.effort[0]:g} N m."
        )
        raise _flywheel_error(result, what, cycle)
    for warning in repetition_warnings(result):
        raise _flywheel_error(result, f"{warning}.", cycle)
    return crank, speed


def _flywheel_error(result: Result, what: str, remedy: str) -> SolveError:
    return analysis_error(result.mechanism, "R05", "flywheel", what, remedy)
