"""Choice of independent coordinates for small motions: joint coordinates, resting ones before rotating ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.independence import null_space
from multiloop.questions.steady.standing import Standing

RESTING = 1e-9
"""Scaled rates below this part of the largest are treated as zero."""

PLAIN = 0.05
"""Smallest part of a motion that a coordinate must contain to be preferred."""

LEAST = 1e-7
"""Smallest part of a motion that a coordinate must contain to be chosen at all."""


EARLY = 0.3
"""Part of the best pivot from which a coordinate is preferred if it is described earlier."""


def rate_names(equations: Equations) -> list[tuple[str, bool]]:
    """Name of each rate of the tree, "A" or "A.x", and whether it is a length."""
    found: list[tuple[str, bool]] = [("", False)] * equations.skeleton.rates
    for name, own in equations.skeleton.coordinates.items():
        for k, component in enumerate(own.names):
            called = name if len(own.names) == 1 else f"{name}.{component}"
            found[own.v.start + k] = (called, component in LENGTHS)
    for link in equations.skeleton.links:
        units = equations.skeleton.mechanism.body(link.body).elastic_units if link.reduced.modes else ()
        for place, unit in zip(range(link.eta_rate.start, link.eta_rate.stop), units, strict=True):
            found[place] = (found[place][0], unit == "m")
    return found


def spinning(standing: Standing) -> np.ndarray:
    """Mask of the rates of the tree that are not zero."""
    v = np.abs(standing.v / standing.scale)
    moving: np.ndarray = v > RESTING * v.max(initial=0.0)
    return moving if v.max(initial=0.0) > 0 else np.zeros(len(v), bool)


def mattering(standing: Standing) -> np.ndarray:
    """Mask of the coordinates of the tree on which forces or constraints depend; the others may have any value."""
    slopes = standing.slopes
    found = np.zeros(len(standing.v), bool)
    for name in ("force", "rates", "accelerations", "x_rate"):
        by_q = np.abs(slopes[f"{name}_q"] * standing.scale)
        found |= by_q.max(axis=0, initial=0.0) > RESTING * by_q.max(initial=1e-300)
    return found


def independent_places(ways: np.ndarray, groups: Sequence[np.ndarray]) -> list[int]:
    """Independent rows of `ways` (rates × degrees of freedom), as many as there are columns.

    Among rows of large pivots the first is chosen, from the first group as long as it has good ones, then from the
    following groups; the remaining rows are chosen from all.
    """
    left, chosen = np.array(ways, float), list[int]()
    everywhere = np.ones(len(ways), bool)
    for group, least in [*((group, PLAIN) for group in groups), (everywhere, LEAST)]:
        while len(chosen) < ways.shape[1]:
            sizes = np.where(group, np.linalg.norm(left, axis=1), 0.0)
            if sizes.max() < least:
                break
            k = int(np.argmax(sizes >= EARLY * sizes.max()))
            way = left[k] / sizes[k]
            left = left - np.outer(left @ way, way)
            chosen.append(k)
    return sorted(chosen)


def with_named_coordinates(standing: Standing, preferred: Sequence[int] = ()) -> Standing:
    """The same steady state, described by coordinates and rates of joints.

    Constant rates are preferred, and among these angular ones: in a steady motion along a circle the components of
    velocity along fixed axes are not constant.
    """
    rest, n = ~spinning(standing), len(standing.v)
    wanted = np.isin(np.arange(n), list(preferred))
    steady = np.abs(standing.a / standing.scale) <= RESTING * max(
        float(np.abs(standing.v / standing.scale).max(initial=0.0)) ** 2, 1e-300
    )
    matter = mattering(standing)
    turns = ~np.array([is_length for _, is_length in rate_names(standing.balance.equations)], bool)
    groups = [wanted & steady, matter & rest & steady, turns & steady, steady]
    in_v = independent_places(null_space(standing.J), groups)
    in_q = independent_places(null_space(standing.held), [wanted & rest, matter & rest, rest])
    unit = np.eye(n)
    u = (standing.v / standing.scale)[in_v]
    return Standing(standing.balance, standing.place, unit[in_v], u, unit[in_q])
