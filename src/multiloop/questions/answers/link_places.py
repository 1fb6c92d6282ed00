"""Places along a link at which quantities are requested, and errors for places and quantities that do not exist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.model import Fault, SolveError
from multiloop.model.beam_line import SAME_PLACE
from multiloop.model.brief import brief


@dataclass(frozen=True, eq=False)
class Places:
    """ξ of some places; `single` if one number was given."""

    xi: np.ndarray
    single: bool

    def shaped(self, found: np.ndarray) -> np.ndarray:
        """Instants × places × …; the axis of places is dropped for a single number."""
        return found[:, 0] if self.single else found


def places_on(mechanism: str, link: str, length: float, s: Any) -> Places:
    """Places in metres from marker `a`, which must lie on the link."""
    try:
        given = np.asarray(s, float)
    except (TypeError, ValueError):
        given = np.array(np.nan)
    if given.ndim > 1 or not given.size or not np.isfinite(given).all():
        remedy = "Give metres from its marker 'a', one number or a list of them."
        raise refusal(mechanism, link, f"a place on it is {brief(s)}.", remedy)
    xi = np.atleast_1d(given) / length
    off = np.flatnonzero((xi < -SAME_PLACE) | (xi > 1 + SAME_PLACE))
    if off.size:
        what = f"it has no place at s = {length * xi[off[0]]:g} m."
        raise refusal(mechanism, link, what, f"Ask within its length, 0 to {length:g} m.")
    return Places(np.clip(xi, 0.0, 1.0), given.ndim == 0)


def without_line(mechanism: str, link: str) -> SolveError:
    """The error for a link whose modes are known at its markers only."""
    what = "it is described by modal integrals, and knows its shapes at its markers only."
    remedy = "Describe it as a `beam`, or ask `result.marker` where it has markers."
    return refusal(mechanism, link, what, remedy)


def without_fibres(mechanism: str, link: str, axis: str) -> SolveError:
    """The error for a section that does not define its outer fibres."""
    across = {"y": "Iz", "z": "Iy"}[axis]
    what = f"its section does not say how far its outer fibres lie along {axis}, or what its {across} is."
    remedy = f"Give Section(…, {across}=…, {axis}=…), or a rectangle or tube."
    return refusal(mechanism, link, what, remedy)


def without_stretch(mechanism: str, link: str) -> SolveError:
    """The error for a link without axial modes."""
    what = "it has no shapes along its line, and keeps its length."
    return refusal(mechanism, link, what, 'Give it one, modes={…, "x": 1}.')


def refusal(mechanism: str, link: str, what: str, remedy: str) -> SolveError:
    """The error for a quantity that a link does not have."""
    return SolveError(f"mechanism '{mechanism}'", [Fault("R08", f"link '{link}'", what, remedy)])
