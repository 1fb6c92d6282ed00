"""Time history of a flexible link with a centreline: deflection and position along it, section forces and stress."""

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
    """One flexible link over time, evaluated at places s, in metres from its marker `a`, one number or several.

    Values are instants × places, for vectors × 2 in the plane or × 3 in space; a single number s omits the axis of
    places. A place at a marker means just behind it. `holding` computes the loads on the link when they are first
    needed.
    """

    line: Line = field(kw_only=True)
    holding: Callable[[], Loading] = field(kw_only=True)
    whole: LineHistory | None = field(default=None, kw_only=True)  # the whole run, if this is a part

    def at(self, kept: np.ndarray | slice) -> Self:
        """The history at some of its instants; its truncation error stays that of the run."""
        return replace(super().at(kept), holding=lambda: self.held.at(kept), whole=self.whole or self)

    def __getstate__(self) -> dict[str, Any]:
        """The state to be pickled: the loads on the link are computed now."""
        return {**vars(self), "holding": partial(_known, self.held)}

    # position and deflection ---------------------------------------------------------------------------------

    def deflection(self, s: Any) -> np.ndarray:
        """Displacements of its points, r − r₀ (m), along the axes of its body frame."""
        places = self._places(s)
        return places.shaped(self._flat(self.line.deflection(self.eta, places.xi)))

    def slope(self, s: Any) -> np.ndarray:
        """d(r − r₀)/ds: slope of its centreline, along the axes of its body frame."""
        places = self._places(s)
        return places.shaped(self._flat(self.line.slope(self.eta, places.xi)))

    def rotation(self, s: Any) -> np.ndarray:
        """The rotation vector of its sections (rad) in its own frame; in the plane a number."""
        places = self._places(s)
        found = self.line.rotation(self.eta, places.xi)
        return places.shaped(found[..., 2] if self.planar else found)

    def position(self, s: Any) -> np.ndarray:
        """Positions of its points in the inertial frame."""
        places = self._places(s)
        return places.shaped(self._flat(moved_points(self.poses, self.line.point(self.eta, places.xi))))

    # section forces ------------------------------------------------------------------------------------------

    def axial(self, s: Any) -> np.ndarray:
        """The force along its centreline (N), tension positive, by equilibrium of the part beyond s."""
        return self._carried(s, 3)

    def shear(self, s: Any) -> np.ndarray:
        """The shear force (N) on the part before s, along the section's y, in space y and z: V = −dM/ds."""
        return self._carried(s, 4 if self.planar else slice(4, 6))

    def moment(self, s: Any) -> np.ndarray:
        """The bending moment (N m) on the part before s, by equilibrium of the part beyond it.

        In the plane about z: a positive moment bends the link towards its y, M = E I w''. In space about the section's
        y and z: (−E Iy w_z'', E Iz w_y'').
        """
        return self._carried(s, 2 if self.planar else slice(1, 3))

    def torque(self, s: Any) -> np.ndarray:
        """The moment about its centreline (N m) on the part before s; zero in the plane."""
        return self._carried(s, 0)

    def bending(self, s: Any) -> np.ndarray:
        """E I times the curvature of its modes; the difference from `moment` shows the truncation error."""
        places = self._places(s)
        found = self.line.bending(self.eta, places.xi)
        return places.shaped(found[..., 1] if self.planar else found)

    def stress(self, s: Any) -> np.ndarray:
        """The largest normal stress in magnitude at its outer fibres (Pa), |N|/A + |Mz| y/Iz, in space + |My| z/Iy."""
        places = self._places(s)
        return places.shaped(section_stress(self, places.xi, self.wrenches(places.xi)))

    # largest values -------------------------------------------------------------------------------------------

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """Its largest deflection, stretch if it has axial modes, moment, and stress if its section defines outer
        fibres.
        """
        return peaks_of_blocks(self, looked_sizes, LINE_UNITS)

    def largest(self, what: str) -> np.ndarray:
        """The largest "deflection", "stretch", "moment" or "stress" along it at every instant, in magnitude.

        A deflection is measured across its centreline, a stretch along it.
        """
        return largest_of_blocks(self, looked_sizes, LINE_UNITS, what)

    # accuracy -------------------------------------------------------------------------------------------

    @cached_property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of its modes; None where it is not bent, or has no bending mode."""
        if self.whole is not None:
            return self.whole.truncation
        return truncation_of(self.line, self.held, self.motion, self.time)

    @cached_property
    def largest_deflection(self) -> float:
        """Largest deflection across its centreline, over all instants and places, relative to its length."""
        return float(across_line(self.line, self.eta).max(initial=0.0)) / self.line.length

    def deflects_beyond(self, part: float) -> bool:
        """Whether it deflects by more than a part of its length.

        Modes are scaled to 1, so that Σ |η| is an estimate.
        """
        if 2 * np.abs(self.eta).sum(axis=1).max(initial=0.0) < part * self.line.length:
            return False
        return super().deflects_beyond(part)

    @cached_property
    def largest_stretch(self) -> float:
        """Largest stretch along its centreline, over all instants and places, relative to its length."""
        return float(along_line(self.line, self.eta).max(initial=0.0)) / self.line.length

    def __repr__(self) -> str:
        far, frame = self.largest_deflection, FROM[self.line.beam.frame]
        most = in_words(far * self.line.length, "m", 3)
        said = f"{self._over} deflects up to {most} from {frame}, {far:.2g} of its length"
        return f"{said}{'' if self.truncation is None else f'; {self.truncation}'}."

    # internals ---------------------------------------------------------------------------------------------------

    @property
    def motion(self) -> ElasticMotion:
        """η with its rates and accelerations."""
        return ElasticMotion(self.eta, self.eta_rate, self.eta_acceleration)

    @cached_property
    def held(self) -> Loading:
        """The loads on it and the motion of its frame."""
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
    """The loads on a link, computed before."""
    return loading
