"""Links that know their shapes along a line: where their points are over time, and what their sections carry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np

from multiloop.flexible.lines import ElasticMotion, Line
from multiloop.flexible.section_forces import Loading, section_wrenches
from multiloop.model.unit_table import in_words
from multiloop.questions.answers.line_sizes import LINE_UNITS, across_line, along_line, looked_sizes
from multiloop.questions.answers.link_peaks import Peak, largest_of_blocks, peaks_of_blocks
from multiloop.questions.answers.link_places import Places, places_on
from multiloop.questions.answers.link_truncation import Truncation, truncation_of
from multiloop.questions.answers.links import FROM, LinkHistory
from multiloop.questions.answers.section_stress import section_stress
from multiloop.spatial.turns import moved_points


@dataclass(frozen=True, eq=False, repr=False)
class LineHistory(LinkHistory):
    """One elastic link over time that can be asked at places s, in metres from its marker `a`, one number or several.

    Answers are instants × places, and of vectors × 2 in the plane or × 3 in space; of one number without the places. A
    place at a marker means just behind it. `holding` tells what acts on it, when it is first asked what it carries.
    """

    line: Line = field(kw_only=True)
    holding: Callable[[], Loading] = field(kw_only=True)
    whole: LineHistory | None = field(default=None, kw_only=True)  # the run of which it has some instants

    def at(self, kept: np.ndarray | slice) -> Self:
        """The same at some instants; its truncation error stays that of the run."""
        return replace(super().at(kept), holding=lambda: self.held.at(kept), whole=self.whole or self)

    def __getstate__(self) -> dict[str, Any]:
        """All that another process needs: what acts on it is computed now."""
        return {**vars(self), "holding": partial(_known, self.held)}

    # where it is ----------------------------------------------------------------------------------------------

    def deflection(self, s: Any) -> np.ndarray:
        """How far its points are from where they were, r − r₀ (m) along the axes of its own frame."""
        places = self._places(s)
        return places.shaped(self._flat(self.line.deflection(self.eta, places.xi)))

    def slope(self, s: Any) -> np.ndarray:
        """d(r − r₀)/ds: how its line leans, along the axes of its own frame."""
        places = self._places(s)
        return places.shaped(self._flat(self.line.slope(self.eta, places.xi)))

    def rotation(self, s: Any) -> np.ndarray:
        """The rotation vector of its sections (rad) in its own frame; in the plane a number."""
        places = self._places(s)
        found = self.line.rotation(self.eta, places.xi)
        return places.shaped(found[..., 2] if self.planar else found)

    def position(self, s: Any) -> np.ndarray:
        """Where its points are, in the inertial frame."""
        places = self._places(s)
        return places.shaped(self._flat(moved_points(self.poses, self.line.point(self.eta, places.xi))))

    # what it carries ------------------------------------------------------------------------------------------

    def axial(self, s: Any) -> np.ndarray:
        """The force along its line (N), tension positive, by equilibrium of the part beyond s."""
        return self._carried(s, 3)

    def shear(self, s: Any) -> np.ndarray:
        """The force across its line (N) on the part before s, along the section's y, in space y and z: V = −dM/ds."""
        return self._carried(s, 4 if self.planar else slice(4, 6))

    def moment(self, s: Any) -> np.ndarray:
        """The bending moment (N m) on the part before s, by equilibrium of the part beyond it.

        In the plane about z: positive, it bends the link towards its y, M = E I w''. In space about the section's
        y and z: (−E Iy w_z'', E Iz w_y'').
        """
        return self._carried(s, 2 if self.planar else slice(1, 3))

    def torque(self, s: Any) -> np.ndarray:
        """The moment about its line (N m) on the part before s; nothing in the plane."""
        return self._carried(s, 0)

    def bending(self, s: Any) -> np.ndarray:
        """E I times its curvature, as its shapes have it: beside `moment` it tells what they leave out."""
        places = self._places(s)
        found = self.line.bending(self.eta, places.xi)
        return places.shaped(found[..., 1] if self.planar else found)

    def stress(self, s: Any) -> np.ndarray:
        """The largest normal stress in magnitude at its outer fibres (Pa), |N|/A + |Mz| y/Iz, in space + |My| z/Iy."""
        places = self._places(s)
        return places.shaped(section_stress(self, places.xi, self.wrenches(places.xi)))

    # what is largest -------------------------------------------------------------------------------------------

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """Its largest deflection, stretch if it has shapes that stretch, moment, and stress if its section tells."""
        return peaks_of_blocks(self, looked_sizes, LINE_UNITS)

    def largest(self, what: str) -> np.ndarray:
        """The largest "deflection", "stretch", "moment" or "stress" along it at every instant, in magnitude.

        A deflection is measured across its line, a stretch along it.
        """
        return largest_of_blocks(self, looked_sizes, LINE_UNITS, what)

    # how good it is -------------------------------------------------------------------------------------------

    @cached_property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of its modes; None where nothing bends it, or no mode of it bends."""
        if self.whole is not None:
            return self.whole.truncation
        return truncation_of(self.line, self.held, self.motion, self.time)

    @cached_property
    def largest_deflection(self) -> float:
        """Across its line, of all instants and places, relative to its length."""
        return float(across_line(self.line, self.eta).max(initial=0.0)) / self.line.length

    def deflects_beyond(self, part: float) -> bool:
        """Whether it deflects by more than a part of its length; shapes deflect by 1, so that Σ |η| is seldom more."""
        if 2 * np.abs(self.eta).sum(axis=1).max(initial=0.0) < part * self.line.length:
            return False
        return super().deflects_beyond(part)

    @cached_property
    def largest_stretch(self) -> float:
        """Along its line, of all instants and places, relative to its length."""
        return float(along_line(self.line, self.eta).max(initial=0.0)) / self.line.length

    def __repr__(self) -> str:
        far, frame = self.largest_deflection, FROM[self.line.beam.frame]
        most = in_words(far * self.line.length, "m", 3)
        said = f"{self._over} deflects up to {most} from {frame}, {far:.2g} of its length"
        return f"{said}{'' if self.truncation is None else f'; {self.truncation}'}."

    # inside ---------------------------------------------------------------------------------------------------

    @property
    def motion(self) -> ElasticMotion:
        """η with its rates."""
        return ElasticMotion(self.eta, self.eta_rate, self.eta_acceleration)

    @cached_property
    def held(self) -> Loading:
        """What acts on it and how its frame moves."""
        return self.holding()

    def wrenches(self, xi: np.ndarray) -> np.ndarray:
        """[n; f] of its sections, instants × places × 6."""
        return section_wrenches(self.line, self.held, self.motion, xi)

    def _places(self, s: Any) -> Places:
        return places_on(self.mechanism, self.name, self.line.length, s)

    def _carried(self, s: Any, part: int | slice) -> np.ndarray:
        places = self._places(s)
        return places.shaped(self.wrenches(places.xi)[..., part])

    def _flat(self, found: np.ndarray) -> np.ndarray:
        return found[..., :2] if self.planar else found


def _known(loading: Loading) -> Loading:
    """What acts on a link, computed before."""
    return loading
