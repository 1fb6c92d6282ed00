"""How do I(θ) and C(θ, θ̇) of the five machines of [saha] vary over a turn, and do they agree with the closed forms?

The matrices are those of `state.matrices(independent=[…]).reduced`, the closed forms those of the paper but for the
errata; C has the sign of the paper, I θ̈ = C θ̇ + τ. The paper prints no data; those of the tests are used.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure
from published.saha.machines import (
    EQUATIONS,
    INPUTS,
    SPEED,
    inertia_and_convective,
    printed_inertia_and_convective,
    states_over_a_turn,
)

from benchmarks.peers.text import as_text, grid
from multiloop.view.figure import BODIES
from multiloop.view.plots.page_layout import style_axes

ANGLES = 73


def measure(angles: int = ANGLES) -> list[dict[str, Any]]:
    """One row for each machine."""
    return [_row(name, angles) for name in INPUTS]


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text: ranges over a turn, and the largest differences from the closed forms."""
    cells = [
        (
            row["machine"],
            EQUATIONS[row["machine"]],
            *(f"{1e3 * bound:.4f}" for name in ("I", "C") for bound in (min(row[name]), max(row[name]))),
            f"{row['of I']:.0e}",
            f"{row['of C']:.0e}",
        )
        for row in rows
    ]
    head = ("machine", "equations", "I from", "to", "C from", "to", "difference of I", "of C")
    title = f"I in 1e-3 kg m², C in 1e-3 N m s at {SPEED:g} rad/s; differences relative to the largest value"
    return as_text(grid(title, head, cells))


def figure(rows: list[dict[str, Any]]) -> Figure:
    """I and C over the input angle; dots are the closed forms of the paper."""
    page = Figure(figsize=(12.5, 5.0), layout="constrained")
    upper, lower = page.subplots(2, len(rows), sharex=True)
    for row, inertia, convective in zip(rows, upper, lower, strict=True):
        psi = np.degrees(row["psi"][:-1]) % 360  # a turn need not begin at zero
        order = np.argsort(psi)
        around = np.concatenate([psi[order] - 360, psi[order], psi[order] + 360])
        for axes, name, colour in ((inertia, "I", BODIES[0]), (convective, "C", BODIES[1])):
            axes.plot(around, 1e3 * np.tile(np.array(row[name])[order], 3), color=colour)
            axes.plot(psi[::6], 1e3 * np.array(row[f"{name} printed"][:-1:6]), "o", ms=3, color="0.2")
            style_axes(axes)
            axes.set(xlim=(0, 360), xticks=range(0, 361, 90))
        if np.ptp(row["I"]) < 1e-9 * max(row["I"]):
            inertia.set_ylim(0, 2e3 * max(row["I"]))
            convective.set_ylim(-1, 1)
        inertia.set_title(f"{row['machine']}, {EQUATIONS[row['machine']]}", fontsize=9)
        convective.set_xlabel("input angle (°)", fontsize=9)
    upper[0].set_ylabel("I (10⁻³ kg m²)", fontsize=9)
    lower[0].set_ylabel(f"C at {SPEED:g} rad/s (10⁻³ N m s)", fontsize=9)
    return page


def _row(name: str, angles: int) -> dict[str, Any]:
    states = states_over_a_turn(name, angles)
    psi = [float(state[INPUTS[name]].position) for state in states]
    I, C = np.transpose([inertia_and_convective(name, state) for state in states]) + 0.0
    printed_I, printed_C = np.transpose([printed_inertia_and_convective(name, state) for state in states])
    return {
        "machine": name,
        "psi": psi,
        "I": I.tolist(),
        "C": C.tolist(),
        "I printed": printed_I.tolist(),
        "C printed": printed_C.tolist(),
        "of I": float(np.abs(I - printed_I).max() / I.max()),
        "of C": float(np.abs(C - printed_C).max() / max(np.abs(C).max(), 1e-9)),
    }
