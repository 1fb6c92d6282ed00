"""Errors and warnings of a run, with the same texts for compiled and interpreted integration."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.prescribed import drive_values
from multiloop.model import Mechanism, SolveError
from multiloop.questions.refusal import refusal

NEARLY = 0.02
"""Closeness to a singular position below which a warning is given."""

PASSING = 'method="augmented" and integrator="dop853", which pass it'
"""The settings with which a run passes through a singular position."""

PASSED = 1e-5
"""Closeness below which the singular position itself is passed, within the accuracy of the search."""


def singular_position(mechanism: Mechanism, t: float, closeness: float) -> SolveError:
    """The error for a singular position: constraint rows lose rank, so that forces are not determined."""
    what = f"the position is singular (closeness {closeness:.1e}): the constraints lose a direction."
    return _stopped(
        mechanism, "S04", t, what, f"Use `simulate` with {PASSING}, or keep the motion away from it."
    )


def too_light(
    mechanism: Mechanism, t: float, lightest: tuple[float, str], heaviest: tuple[float, str]
) -> SolveError:
    """The error for masses whose ratio exceeds double precision; each mass is given with its body."""
    (light, link), (heavy, other) = lightest, heaviest
    what = f"'{link}' is too light, {light:.1e} kg, beside '{other}', {heavy:.1e} kg: sixteen digits do not hold both."
    return _stopped(mechanism, "S06", t, what, f"Give '{link}' more mass, or 0.0 to declare a massless link.")


def loops_open(mechanism: Mechanism, t: float, gap: float) -> SolveError:
    """The error for loops that cannot be closed near the last position."""
    what = f"the loops cannot be kept closed (gap {gap:.1e}): a drive may have reached a dead point."
    return _stopped(mechanism, "S07", t, what, "Shorten the stroke, or drive another joint.")


def gave_up(
    mechanism: Mechanism,
    t: float,
    closeness: float,
    why: str = "its steps became too short",
    *,
    passing: bool,
    path: Mechanism | None = None,
) -> SolveError:
    """The error for an integrator that cannot meet its tolerance; `passing`: the method passes singular positions.

    If a marker follows a prescribed path, by the drives or by those of `path`, the path may have left the workspace.
    """
    led = _on_path(mechanism if path is None else path, t)
    if led and (closeness < NEARLY or path is not None):
        near = f" (closeness {closeness:.1e})" if closeness < NEARLY else ""
        what = f"the path of {led} leads to a singular position or out of reach{near}: {why}."
        return _stopped(mechanism, "S07", t, what, "Keep the path within reach of the mechanism.")
    if closeness >= NEARLY:
        what, remedy = f"the integrator gave up: {why}.", "Loosen rtol, or look for a singular position."
    else:
        what = f"the integrator gave up beside a singular position (closeness {closeness:.1e}): {why}."
        remedy = "Loosen rtol." if passing else f"Use {PASSING}, or keep the motion away from it."
    return _stopped(mechanism, "S07", t, what, remedy)


def ran_away(mechanism: Mechanism, t: float, link: str, part: float, *, led: bool = False) -> SolveError:
    """The error for a link that is deflected by its own length, or by a large part of it where the run cannot continue.

    `led` states that actuators prescribe motions of other markers or joints than those at which they act: flexible
    links in between may then be unstable.
    """
    by = f"{part:.2g} of its length" if np.isfinite(part) else "more than numbers can tell"
    what = f"link '{link}' runs away: it is deflected by {by}."
    remedy = f"See whether '{link}' is too soft for what moves or presses it, and make it stiffer or damp it."
    if led:
        remedy = (
            "Motors that lead what lies beyond links that bend may make them unstable: find the efforts by "
            '`inverse` with elastic="stable", and give these.'
        )
    return _stopped(mechanism, "S20", t, what, remedy)


def not_finite(mechanism: Mechanism, t: float) -> SolveError:
    """The error for accelerations that are infinite or NaN."""
    remedy = "Look at the efforts and loads, or for a singular position."
    return _stopped(mechanism, "S07", t, "the accelerations are not finite.", remedy)


def near_singular(closeness: float, t: float) -> list[str]:
    """The warning for the smallest closeness to a singular position along a run; none if it is large enough."""
    if closeness >= NEARLY:
        return []
    near = f"{closeness:.1e}" if closeness >= PASSED else f"below {PASSED:.0e}"
    return [f"came near a singular position at t = {t:.6g} s (closeness {near})"]


def _on_path(mechanism: Mechanism, t: float) -> str:
    """The markers that drives prescribe, with their prescribed positions, as text."""
    said = []
    for asked in drive_values(mechanism, t):
        if asked.target.on_marker:
            place = ", ".join(f"{value:.6g}" for value in asked.values)
            said.append(f"'{asked.target.of}' at ({place})")
    return " and ".join(said)


def _stopped(mechanism: Mechanism, code: str, t: float, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, code, f"t = {t:.6g} s", what, remedy, time=t)
