"""Excessive deflection of flexible links: at deflections of about their length, linear mode shapes are not valid."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import Mechanism
from multiloop.questions.answers.relative_deflection import relative_deflection

AWAY = 1.0
"""Deflection of a link relative to its length beyond which a run is refused."""

BLAMED = 0.3
"""Relative deflection beyond which a link is taken as the cause of a run that cannot be continued."""

Away = tuple[float, str, float]
"""Time, name of the link, and deflection relative to its length."""


class Deflections:
    """Relative deflections of the links of one design; `mechanism` is given for a design other than the skeleton's."""

    def __init__(self, skeleton: Skeleton, mechanism: Mechanism | None = None) -> None:
        design = mechanism or skeleton.mechanism
        bending = [link for link in skeleton.links if link.reduced.modes is not None]
        parts = [relative_deflection(design.body(link.body), skeleton.planar) for link in bending]
        self._links = [
            (link.body, link.eta, part) for link, part in zip(bending, parts, strict=True) if part is not None
        ]

    def first_beyond(self, times: np.ndarray, q: np.ndarray, limit: float = AWAY) -> Away | None:
        """The first instant at which the deflection of a link exceeds a limit; q has one row for each instant."""
        found: list[Away] = []
        for name, place, parts_of in self._links:
            parts = parts_of(q[:, place])
            beyond = np.flatnonzero(~(parts <= limit))  # NaN counts as beyond
            if len(beyond):
                found.append((float(times[beyond[0]]), name, float(parts[beyond[0]])))
        return min(found, default=None)


def cut_where_away(
    skeleton: Skeleton, values: Mapping[str, np.ndarray], looks: np.ndarray, seen: np.ndarray, q: slice
) -> list[int]:
    """Numbers of the designs with excessive deflections, whose states from then on are set to NaN.

    `seen` holds the states, (designs, instants, entries).
    """
    if not any(body.elastic for body in skeleton.mechanism.all_bodies):
        return []
    away = []
    for k in np.flatnonzero(np.isfinite(seen[:, 0, 0])).tolist():
        design = {name: float(given[k]) for name, given in values.items()}
        done = int(np.isfinite(seen[k, :, 0]).sum())
        links = Deflections(skeleton, skeleton.mechanism.with_parameters(design))
        found = links.first_beyond(looks[:done], seen[k, :done, q])
        if found is not None:
            seen[k, looks >= found[0]] = np.nan
            away.append(k)
    return away
