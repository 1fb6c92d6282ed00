"""Profiles along a link: a quantity over the position, at the instant of its largest value and between its bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from multiloop.view.colours import GREY, INK
from multiloop.view.curves import DASHED, PARTS
from multiloop.view.kinds.panel import Profile
from multiloop.view.labels import plain
from multiloop.view.peaks import number
from multiloop.view.units import Units

BY_SHAPES = (DASHED, (0, (7, 2, 1, 2)))
"""Line styles of the bending moment computed from the mode shapes, for each component."""

TICKS = 5
"""Largest number of intervals along an axis."""


def draw_profile(axes: Any, profile: Profile, colours: dict[str, str], units: Units) -> None:
    """Draw curves over the position along a link; the largest value is marked and labelled."""
    across, across_unit = units.scale("length")
    factor, unit = units.scale(profile.quantity, profile.largest)
    s, low, high = profile.bounds
    colour = colours[profile.lines[0].of]
    axes.fill_between(across * s, factor * low, factor * high, color=colour, alpha=0.14, lw=0, zorder=1)
    axes.axhline(0.0, color=GREY, lw=0.7, zorder=2)
    for line in profile.lines:
        styles = BY_SHAPES if line.doubtful else PARTS
        style = styles[line.part % len(styles)]
        look = {"color": INK if line.doubtful else colour, "lw": 0.9 if line.doubtful else 1.7, "ls": style}
        place, value = line.values.T
        axes.plot(across * place, factor * value, label=plain(line.label), zorder=3, **look)
    _mark_largest(axes, profile, (across, factor), unit, colour)
    axes.set_xlim(across * s[0], across * s[-1])
    axes.margins(y=0.18)
    axes.locator_params(nbins=TICKS)
    if min(float(low.min()), *(float(line.values[:, 1].min()) for line in profile.lines)) >= 0.0:
        axes.set_ylim(bottom=0.0)
    axes.set_xlabel(f"place from 'a' ({across_unit})", fontsize=9, color=INK)
    axes.set_ylabel(f"{profile.up} ({unit})", fontsize=9, color=INK)
    axes.set_title(plain(profile.words), loc="left", fontsize=8.5, color=INK, pad=15)
    look = {"textcoords": "offset points", "fontsize": 7.0, "color": GREY, "annotation_clip": False}
    axes.annotate(plain(profile.note), (0, 1), (0, 4), xycoords="axes fraction", **look)
    if len(profile.lines) > 1:
        axes.legend(fontsize=7.5, frameon=False, loc="best")


def _mark_largest(axes: Any, profile: Profile, scale: tuple[float, float], unit: str, colour: str) -> None:
    """Mark the largest value with a dot and its number."""
    solid = [line for line in profile.lines if not line.doubtful]
    line = max(solid, key=lambda one: float(np.abs(one.values[:, 1]).max()))
    k = int(np.abs(line.values[:, 1]).argmax())
    place, value = line.values[k] * np.array(scale)
    axes.plot(place, value, "o", ms=3.5, color=colour, zorder=4)
    right = place > scale[0] * 0.6 * profile.bounds[0][-1]
    look = {
        "textcoords": "offset points",
        "fontsize": 8.0,
        "color": colour,
        "ha": "right" if right else "left",
    }
    axes.annotate(
        f"{number(float(value))} {unit}",
        (place, value),
        (-6 if right else 6, 6 if value >= 0 else -12),
        **look,
    )
