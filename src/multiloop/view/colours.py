"""Colours of drawings and plots, distinguishable by colour-blind readers."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.model import GROUND

BODIES = (
    "#4477aa",
    "#cc6677",
    "#44aa99",
    "#ddaa33",
    "#aa4499",
    "#117733",
    "#77bbdd",
    "#882255",
    "#999933",
    "#332288",
    "#a0693f",
)
"""Source: P. Tol, Colour Schemes, SRON technical note (2021): the muted scheme. Differs: another order, and a brown."""

INK = "#2b2b2b"
GREY = "#8a8a8a"
PALE = "#e9e9e9"
PAPER = "#ffffff"
DRIVE = "#c2410c"
LOAD = "#1d4ed8"
BEARING = "#0f766e"


def colours_of(bodies: Iterable[str]) -> dict[str, str]:
    """A colour for each moving body in turn, and grey for the ground."""
    moving = [body for body in bodies if body != GROUND]
    return {body: BODIES[k % len(BODIES)] for k, body in enumerate(moving)} | {GROUND: GREY}


def tinted(colour: str, share: float) -> str:
    """The colour mixed with white; `share` is the fraction of the colour."""
    return _mixed(colour, 255, share)


def shaded(colour: str, share: float) -> str:
    """The colour mixed with black; `share` is the fraction of the colour."""
    return _mixed(colour, 0, share)


def _mixed(colour: str, other: int, share: float) -> str:
    channels = [int(colour[k : k + 2], 16) for k in (1, 3, 5)]
    return "#" + "".join(f"{round(share * channel + (1 - share) * other):02x}" for channel in channels)


UNNAMED = tinted(GREY, 0.6)
"""Colour of curves without a label."""
