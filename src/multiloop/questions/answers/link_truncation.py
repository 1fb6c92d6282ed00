"""Are the shapes of a link enough? The moment that they have, against the moment that equilibrium asks for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.flexible.lines import ElasticMotion, Line, looked_places
from multiloop.flexible.section_forces import Loading, section_wrenches
from multiloop.model.numbers_in_words import percent
from multiloop.model.unit_table import in_words
from multiloop.questions.answers.link_peaks import looked_instants

ROUND_OFF = 1e-10
"""Part of the largest force times the length below which a moment is none: a tie that is pulled is not bent."""

PLACES = 41
"""Places that are looked at, evenly spread, besides nodes, corners and markers."""


@dataclass(frozen=True)
class Truncation:
    """The largest moment by equilibrium (N m) and its place (m), and what the shapes leave out of the moments.

        missing = max_t ‖M − E I w''‖ / max_t ‖M‖,      ‖M‖² = ∫ M² ds

    Damping resists beside E I w'' and counts with it. What is left out bends the link by about missing² of what it
    bends: shapes are natural modes, and M − E I w'' does no work on any of them.
    """

    moment: float
    place: float
    missing: float

    def __str__(self) -> str:
        return (
            f"moment up to {in_words(self.moment, 'N m', 3)} at {self.place:.3g} m, "
            f"of which its shapes miss {percent(self.missing)}"
        )


def truncation_of(line: Line, held: Loading, motion: ElasticMotion) -> Truncation | None:
    """Of a link over time; None where nothing bends it, or it has no shapes that bend."""
    axes = list(line.bent_axes)
    if not axes or not len(motion.eta):
        return None
    xi = looked_places(line, PLACES)
    kept = looked_instants(np.abs(line.bending(motion.eta, line.nodes)).max(axis=(1, 2)))
    some = ElasticMotion(motion.eta[kept], motion.rate[kept], motion.acceleration[kept])
    wrenches = section_wrenches(line, held.at(kept), some, xi)
    asked, had = (
        wrenches[..., axes],
        line.bending(line.with_damping(some), xi)[..., [axis - 1 for axis in axes]],
    )
    sizes = np.linalg.norm(asked, axis=-1)
    lever = line.length * np.linalg.norm(wrenches[..., 3:], axis=-1).max()
    if sizes.max() <= ROUND_OFF * lever:
        return None
    whole, missed = (np.trapezoid((x**2).sum(axis=-1), xi, axis=1).max() for x in (asked, asked - had))
    worst = int(sizes.max(axis=0).argmax())
    return Truncation(float(sizes.max()), float(xi[worst] * line.length), float(np.sqrt(missed / whole)))
