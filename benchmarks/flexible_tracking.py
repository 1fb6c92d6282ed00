"""How far do Fattah's planar manipulators deviate under the torques of rigid links, and under those of flexible ones?

[fattah], §§4.6, 5.2.2 and 5.3.2, in joint space and without damping: two arms with an object, and the 3-RRR along a
path of its platform (fast) and along angles of its motors (slow). "rigid": simulated with flexible links under the
torques of rigid ones, undeformed at first, as in the thesis. "flexible": under the torques of a stable inversion of the
same links, `inverse(…, elastic="stable")`, from its start; the thesis leaves this inverse dynamics to future work. The
error is that of the prescribed quantity over the manoeuvre: of the hand (m), or of the motors (rad). "before" is the
time by which the torques of flexible links begin earlier.

The first table is the convergence with the modes of all links of the two arms: distance of the hand from its path, and
from that with the most modes in the same frames, of natural modes clamped at the motor, of constraint and
fixed-interface modes, and of default ones.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import multiloop as ml
from benchmarks.peers.machine import described
from benchmarks.peers.text import as_text, grid

NAMES, CHAPTERS = ("cooperating", "fast", "slow"), {"cooperating": "4", "fast": "5.2", "slow": "5.3"}
MODES, INSTANTS, RTOL = (1, 2, 3), 501, 1e-9

BASES: dict[str, dict[str, Any]] = {
    "natural, clamped": {"frame": "a", "basis": "natural"},
    "interface, clamped": {"frame": "a", "basis": "interface"},
    "default": {},
}
COUNTS = {"natural, clamped": (1, 2, 3, 4, 5, 6), "interface, clamped": (2, 3, 4), "default": ("auto", 5)}
"""Numbers of modes of every link."""

REFERENCES = {"natural, clamped": ("interface, clamped", 4), "interface, clamped": ("interface, clamped", 4)}
REFERENCES["default"] = ("default", 5)
"""The most accurate results with the same frames; the links are deflected by up to 14 % of their length, and by frames
through both ends the hand differs by 5 % of its deviation."""


def measure() -> dict[str, Any]:
    """Both tables."""
    return {"machine": described(), "convergence": convergence(), "tracking": tracking()}


def convergence() -> list[dict[str, Any]]:
    """The largest deviations of the hand of the two arms, and their differences from the most accurate ones."""
    from published.fattah.manipulators import HANDS, driven, needed

    name = "cooperating"
    rigid = needed(name)
    path, paths, seconds = rigid.marker(HANDS[name])[::10], {}, {}
    for basis, options in BASES.items():
        for count in COUNTS[basis]:
            began = time.thread_time()
            paths[basis, count] = driven(name, count, rtol=RTOL, rigid=rigid, **options).marker(HANDS[name])
            seconds[basis, count] = time.thread_time() - began
    return [
        {
            "basis": basis,
            "modes": count,
            "deviation": _largest(found - path),
            "missing": _largest(found - paths[REFERENCES[basis]]) / _largest(paths[REFERENCES[basis]] - path),
            "seconds": seconds[basis, count],
        }
        for (basis, count), found in paths.items()
    ]


def tracking() -> list[dict[str, Any]]:
    """For each manipulator and number of modes: errors under both torques, and the peaks of these."""
    from published.fattah.manipulators import MANOEUVRES, MOTORS, driven, needed

    rows = []
    for name in NAMES:
        made, end = MANOEUVRES[name]
        rigid = needed(name, INSTANTS)
        for modes in MODES:
            began = time.thread_time()
            found = ml.inverse(made(modes), t=np.linspace(0.0, end, INSTANTS), elastic="stable")
            took = time.thread_time() - began
            inside = (found.time > -1e-12) & (found.time < end + 1e-12)
            bent = driven(name, modes, rigid=rigid, samples=INSTANTS, rtol=RTOL)
            run = ml.simulate(
                made(modes).without_drives(),
                start=found.initial,
                efforts=found.efforts,
                until=float(found.time[-1]),
                samples=found.time.tolist(),
                rtol=RTOL,
            )
            off = (
                _prescribed(name, bent) - _prescribed(name, rigid),
                (_prescribed(name, run) - _prescribed(name, found))[inside],
            )
            rows.append(
                {
                    "manipulator": name,
                    "modes": modes,
                    "rigid": _largest(off[0]),
                    "flexible": _largest(off[1]),
                    "rigid rms": _rms(off[0]),
                    "flexible rms": _rms(off[1]),
                    "rigid peak": max(np.abs(rigid[motor].effort).max() for motor in MOTORS[name]),
                    "flexible peak": max(np.abs(found[motor].effort).max() for motor in MOTORS[name]),
                    "before": abs(float(found.time[0])),
                    "seconds": took,
                }
            )
    return rows


def _prescribed(name: str, run: ml.Result) -> np.ndarray:
    """The prescribed quantity, instants × components: the path of the hand, or the angles of the motors."""
    from published.fattah.manipulators import HANDS, MOTORS

    if name == "slow":
        return np.column_stack([run[motor].position for motor in MOTORS[name]])
    return np.asarray(run.marker(HANDS[name]))


def _largest(off: np.ndarray) -> float:
    return float(np.linalg.norm(off, axis=1).max())


def _rms(off: np.ndarray) -> float:
    return float(np.sqrt(np.mean(np.sum(off**2, axis=1))))


def table(found: dict[str, Any]) -> str:
    """The rows as text."""
    first = [
        (
            row["basis"],
            row["modes"],
            f"{1e3 * row['deviation']:.4f}",
            f"{100 * row['missing']:.2f}",
            f"{row['seconds']:.1f}",
        )
        for row in found["convergence"]
    ]
    second = [
        (
            CHAPTERS[row["manipulator"]],
            row["manipulator"],
            row["modes"],
            *(f"{row[key]:.1e}" for key in ("rigid", "flexible", "rigid rms", "flexible rms")),
            f"{row['rigid'] / row['flexible']:.0f}",
            *(f"{row[key]:.3f}" for key in ("rigid peak", "flexible peak")),
            f"{row['before']:.2f}",
            f"{row['seconds']:.1f}",
        )
        for row in found["tracking"]
    ]
    return as_text(
        grid(
            "Two arms under rigid torques: modes of every link",
            ("basis", "modes", "deviation (mm)", "missing (%)", "CPU (s)"),
            first,
        ),
        grid(
            f"Largest and RMS errors, m (4, 5.2) or rad (5.3), {INSTANTS} instants, rtol {RTOL:g}",
            (
                "chapter",
                "manipulator",
                "modes",
                "rigid",
                "flexible",
                "rigid, rms",
                "flexible, rms",
                "ratio",
                "peak, rigid (N m)",
                "peak, flexible",
                "before (s)",
                "inverse, CPU (s)",
            ),
            second,
        ),
    )
