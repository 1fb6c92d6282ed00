"""Errors that the analyses raise: invalid arguments and choices, results too large for memory, and failed runs.

Error texts of failed runs are defined here, so that compiled and interpreted runs report the same.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from multiloop.kinematics.assembly import drive_values
from multiloop.model import Fault, Mechanism, ResultWarning, SolveError, name_text, suggestion

INVERSE_DYNAMICS = "inverse dynamics"
"""Name of the analysis `inverse` in error messages."""


def analysis_error(
    mechanism: Mechanism, code: str, where: str, what: str, remedy: str, *, time: float | None = None
) -> SolveError:
    """A SolveError with one fault: its `code`, the place `where` it occurs, the description `what`, and the
    `remedy`."""
    return SolveError(f"mechanism '{mechanism.name}'", [Fault(code, where, what, remedy)], time=time)


def require_rigid(mechanism: Mechanism, where: str, remedy: str = "") -> None:
    """Raise an error if a mechanism has flexible links, because prescribed motion does not determine their elastic
    coordinates; `where` names the analysis, `remedy` replaces the default remedy."""
    bending = [f"'{body.name}'" for body in mechanism.all_bodies if body.elastic]
    if bending:
        what = (
            f"{', '.join(bending)} {'is' if len(bending) == 1 else 'are'} flexible, and "
            "prescribed motion does not determine the elastic coordinates."
        )
        forward = (
            "Use `simulate` with the same Motions, also for many designs: its Results contain "
            "efforts and reactions."
        )
        if where == INVERSE_DYNAMICS:
            forward = (
                'For a motion from rest to rest or over a cycle, give elastic="stable"; otherwise use '
                "`simulate` with the same Motions."
            )
        raise analysis_error(mechanism, "S14", where, what, remedy or forward)


MOST_INSTANTS = 10_000_000
"""Largest number of instants that may be requested for one result, so that it fits into memory."""


BYTES_PER_BODY = 1200
"""Memory of a result per instant and moving body, in bytes."""

MOST_BYTES = 4e9
"""Largest memory of one result, in bytes."""


def require_memory(mechanism: Mechanism, name: str, instants: int) -> None:
    """Raise an error if a result with so many instants needs more memory than MOST_BYTES."""
    each = BYTES_PER_BODY * max(len(mechanism.moving), 1)
    if instants * each > MOST_BYTES:
        what = f"requests {instants:,} instants, which take about {instants * each / 1e9:.3g} GB of memory."
        remedy = (
            f"Give up to {int(MOST_BYTES / each):,} instants, or divide the time span into several calls."
        )
        raise analysis_error(mechanism, "S02", name, what, remedy)


def require_choice(mechanism: Mechanism, kind: str, name: str, known: Iterable[str]) -> None:
    """Raise an error if `name` is not among the `known` names; the message suggests the nearest known name."""
    if not isinstance(name, str) or name not in known:
        raise analysis_error(
            mechanism, "S08", f"{kind} '{name_text(name)}'", "does not exist.", suggestion(name, known)
        )


REPORTED_DISTANCE = 0.02
"""Distance from singularity (0 at a singular configuration, at most 1) below which a warning is given."""

PASSING_METHOD = 'method="augmented" and integrator="dop853", which pass it'
"""Part of the text of error messages: settings with which a simulation passes through a singular position."""

SINGULAR_DISTANCE = 1e-5
"""Distance from singularity below which a motion is taken to pass through the singular configuration itself: the search
for the smallest distance is not more accurate."""


def singular_position_error(
    mechanism: Mechanism, t: float, singularity_distance: float, *, driven: bool = False
) -> SolveError:
    """The error for a singular position: the constraint Jacobian loses rank, so that forces are not determined.

    `driven` states that the efforts along the motion of drives were requested, which `simulate` computes too.
    """
    near = f"distance from singularity {singularity_distance:.1e}"
    what = f"the configuration is singular ({near}): the constraints lose rank."
    remedy = f"Use `simulate` with {PASSING_METHOD}, or keep the motion away from it."
    if driven:
        remedy = (
            f"Use `simulate` with {PASSING_METHOD}: the drives follow the same motion, and the result contains the "
            "efforts. Or keep the motion away from the singular configuration."
        )
    return _error_at_time(mechanism, "S04", t, what, remedy)


def mass_ratio_error(
    mechanism: Mechanism, t: float, lightest: tuple[float, str], heaviest: tuple[float, str]
) -> SolveError:
    """The error for masses whose ratio is too large for double precision; each mass is given with its body."""
    (light, link), (heavy, other) = lightest, heaviest
    what = (
        f"'{link}' is too light, {light:.1e} kg, compared with '{other}', {heavy:.1e} kg: their "
        "ratio is too large for double precision."
    )
    return _error_at_time(
        mechanism, "S06", t, what, f"Give '{link}' more mass, or 0.0 to declare a massless link."
    )


def open_loops_error(mechanism: Mechanism, t: float, gap: float) -> SolveError:
    """The error for loops that cannot be closed near the last computed position."""
    what = (
        f"the loops cannot be kept closed (gap {gap:.1e}): a drive may have reached a dead-centre position."
    )
    return _error_at_time(mechanism, "S07", t, what, "Shorten the stroke, or drive another joint.")


def integration_error(
    mechanism: Mechanism,
    t: float,
    singularity_distance: float,
    why: str = "the integration steps became too short",
    *,
    passing: bool,
    path: Mechanism | None = None,
) -> SolveError:
    """The error for an integrator that cannot meet its tolerance; `passing` states whether the method passes singular
    positions, `why` states the cause.

    If the drives of `mechanism`, or of the mechanism `path` if it is given, prescribe the path of a marker, the message
    states that this path may leave the workspace.
    """
    led = _prescribed_markers(mechanism if path is None else path, t)
    if led and (singularity_distance < REPORTED_DISTANCE or path is not None):
        near = (
            f" (distance from singularity {singularity_distance:.1e})"
            if singularity_distance < REPORTED_DISTANCE
            else ""
        )
        what = f"the path of {led} reaches a singular configuration or leaves the workspace{near}: {why}."
        return _error_at_time(
            mechanism, "S07", t, what, "Keep the path within the workspace of the mechanism."
        )
    if singularity_distance >= REPORTED_DISTANCE:
        what, remedy = (
            f"the integrator failed: {why}.",
            "Increase rtol, or check for a singular configuration.",
        )
    else:
        near = f"a singular configuration (distance from singularity {singularity_distance:.1e})"

        what = f"the integrator failed near {near}: {why}."
        remedy = "Increase rtol." if passing else f"Use {PASSING_METHOD}, or keep the motion away from it."
    return _error_at_time(mechanism, "S07", t, what, remedy)


def large_deflection_error(
    mechanism: Mechanism, t: float, link: str, part: float, *, is_servo: bool = False
) -> SolveError:
    """The error for a link whose deflection reaches its own length, or a large fraction of it in a run that cannot be
    continued.

    `part` is the deflection divided by the length of the link. `is_servo` states that the motion of markers or joints
    is prescribed while the actuators act at other joints; the motion may be unstable if flexible links lie in between.
    """
    by = f"{part:.2g} times its length" if np.isfinite(part) else "not finite"
    what = f"the deflection of link '{link}' grows without bound: it is {by}."
    remedy = (
        f"Check whether '{link}' is too compliant for its motion and loads; increase its "
        "stiffness or damping."
    )
    if is_servo:
        remedy = (
            "A prescribed motion may be unstable if flexible links separate it from the actuators: compute the "
            'efforts with `inverse` and elastic="stable", and apply these instead.'
        )
    return _error_at_time(mechanism, "S20", t, what, remedy)


def not_finite_error(mechanism: Mechanism, t: float) -> SolveError:
    """The error for accelerations that are infinite or NaN."""
    remedy = "Check the efforts and loads, and check for a singular configuration."
    return _error_at_time(mechanism, "S07", t, "the accelerations are not finite.", remedy)


def near_singular_warnings(
    mechanism: Mechanism, singularity_distance: float, t: float
) -> list[ResultWarning]:
    """The warning for the smallest distance from a singular position along a run; none if it is large enough."""
    if singularity_distance >= REPORTED_DISTANCE:
        return []
    near = (
        f"{singularity_distance:.1e}"
        if singularity_distance >= SINGULAR_DISTANCE
        else f"below {SINGULAR_DISTANCE:.0e}"
    )
    text = f"the mechanism came near a singular configuration at t = {t:.6g} s (distance from singularity {near})"
    return [ResultWarning("W41", mechanism.name, text, float(singularity_distance), "1", float(t))]


def _prescribed_markers(mechanism: Mechanism, t: float) -> str:
    """The markers that drives prescribe, with their prescribed positions, as text."""
    said = []
    for asked in drive_values(mechanism, t):
        if asked.target.on_marker:
            place = ", ".join(f"{value:.6g}" for value in asked.values)
            said.append(f"'{asked.target.of}' at ({place})")
    return " and ".join(said)


def _error_at_time(mechanism: Mechanism, code: str, t: float, what: str, remedy: str) -> SolveError:
    return analysis_error(mechanism, code, f"t = {t:.6g} s", what, remedy, time=t)
