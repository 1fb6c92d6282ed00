"""Why a run could not go on, in words that are the same whoever carried it."""

from __future__ import annotations

import numpy as np

from multiloop.kinematics.prescribed import drive_values
from multiloop.model import Mechanism, SolveError
from multiloop.questions.refusal import refusal

NEARLY = 0.02
"""Closeness below which a singular position is said to be near."""

PASSING = 'method="augmented" and integrator="dop853", which pass it'
"""What to ask for where a run is to go through a singular position."""

PASSED = 1e-5
"""A closeness below which the position itself is passed, to the accuracy of its search."""


def singular_position(mechanism: Mechanism, t: float, closeness: float) -> SolveError:
    """The constraints lose a direction: forces there are not determined."""
    what = f"the position is singular (closeness {closeness:.1e}): the constraints lose a direction."
    return _stopped(
        mechanism, "S04", t, what, f"Use `simulate` with {PASSING}, or keep the motion away from it."
    )


def too_light(
    mechanism: Mechanism, t: float, lightest: tuple[float, str], heaviest: tuple[float, str]
) -> SolveError:
    """Masses differ so much that sixteen digits do not hold them together; each with its body."""
    (light, link), (heavy, other) = lightest, heaviest
    what = f"'{link}' is too light, {light:.1e} kg, beside '{other}', {heavy:.1e} kg: sixteen digits do not hold both."
    return _stopped(mechanism, "S06", t, what, f"Give '{link}' more mass, or 0.0 to declare a massless link.")


def loops_open(mechanism: Mechanism, t: float, gap: float) -> SolveError:
    """No position near the one that was reached closes the loops."""
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
    """The integrator cannot meet its tolerance; `passing` says whether the method is one for singular positions.

    Where a marker is led along a path, by the drives or by those of `path`, that may have left what can be reached.
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
    """A link is deflected by its own length, or by much of it where the run cannot go on.

    `led` says whether motors move markers or joints elsewhere than they are: what bends between may be unstable.
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
    """Accelerations are infinite, or no numbers at all."""
    remedy = "Look at the efforts and loads, or for a singular position."
    return _stopped(mechanism, "S07", t, "the accelerations are not finite.", remedy)


def near_singular(closeness: float, t: float) -> list[str]:
    """What a run says of the most nearly singular position that it came by; nothing where that was far enough."""
    if closeness >= NEARLY:
        return []
    near = f"{closeness:.1e}" if closeness >= PASSED else f"below {PASSED:.0e}"
    return [f"came near a singular position at t = {t:.6g} s (closeness {near})"]


def _on_path(mechanism: Mechanism, t: float) -> str:
    """The markers that drives lead, with where they are to be."""
    said = []
    for asked in drive_values(mechanism, t):
        if asked.target.on_marker:
            place = ", ".join(f"{value:.6g}" for value in asked.values)
            said.append(f"'{asked.target.of}' at ({place})")
    return " and ".join(said)


def _stopped(mechanism: Mechanism, code: str, t: float, what: str, remedy: str) -> SolveError:
    return refusal(mechanism, code, f"t = {t:.6g} s", what, remedy, time=t)
