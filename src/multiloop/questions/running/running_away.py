"""Does a link run away? Deflected by its own length its shapes mean nothing, and the run has come to its end."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from multiloop.kinematics.skeleton import Skeleton
from multiloop.model import Mechanism
from multiloop.questions.answers.relative_deflection import relative_deflection

AWAY = 1.0
"""Part of its length by which a link is deflected that has run away."""

BLAMED = 0.3
"""The same of one that is to blame where a run cannot go on."""

Away = tuple[float, str, float]
"""When, which link, and by which part of its length."""


class Deflections:
    """How far the links of one design are deflected along a run; `mechanism` is another design than the skeleton's."""

    def __init__(self, skeleton: Skeleton, mechanism: Mechanism | None = None) -> None:
        design = mechanism or skeleton.mechanism
        bending = [link for link in skeleton.links if link.reduced.modes is not None]
        parts = [relative_deflection(design.body(link.body), skeleton.planar) for link in bending]
        self._links = [
            (link.body, link.eta, part) for link, part in zip(bending, parts, strict=True) if part is not None
        ]

    def first_beyond(self, times: np.ndarray, q: np.ndarray, limit: float = AWAY) -> Away | None:
        """The first of some instants, positions one below the other, at which a link is deflected beyond a limit."""
        found: list[Away] = []
        for name, place, parts_of in self._links:
            parts = parts_of(q[:, place])
            beyond = np.flatnonzero(~(parts <= limit))  # so that what is no number counts
            if len(beyond):
                found.append((float(times[beyond[0]]), name, float(parts[beyond[0]])))
        return min(found, default=None)


def cut_where_away(
    skeleton: Skeleton, values: Mapping[str, np.ndarray], looks: np.ndarray, seen: np.ndarray, q: slice
) -> list[int]:
    """The designs of which a link runs away; states (designs, instants, entries) from there on are no numbers."""
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
