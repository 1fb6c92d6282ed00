"""How links that bend are deformed over time, and what they carry along their length, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.flexible.lines import ElasticMotion, Line
from multiloop.flexible.section_forces import Loading, section_wrenches
from multiloop.model.names import counted
from multiloop.questions.answers.link_peaks import Peak, largest_along, line_peaks
from multiloop.questions.answers.link_places import Places, places_on, without_fibres, without_line
from multiloop.questions.answers.link_truncation import Truncation, truncation_of
from multiloop.questions.answers.relative_deflection import line_deflection

FAR = 0.1
"""Part of its length that a link may deflect before shapes of second order are doubted."""

FROM = {"a": "its tangent at 'a'", "chord": "its chord", "free": "its mean axes"}
"""What deflections are measured from, by the link's own frame."""


@dataclass(frozen=True, eq=False)
class LinkHistory:
    """One elastic link over time: its coordinates η with their rates and accelerations, instants × e.

    `loss` is the power that its damping takes, η̇ᵀ D η̇. A beam can be asked at places s, in metres from its marker `a`,
    one number or several: where it is and what its section carries. Answers are instants × places, and of vectors
    × 2 in the plane or × 3 in space; of one number without the places. A place at a marker means just behind it.
    """

    name: str
    eta: np.ndarray
    eta_rate: np.ndarray
    eta_acceleration: np.ndarray
    loss: np.ndarray
    mechanism: str = field(default="", repr=False)
    planar: bool = field(default=False, repr=False)
    poses: np.ndarray | None = field(default=None, repr=False)
    line: Line | None = field(default=None, repr=False)
    holding: Callable[[], Loading] | None = field(default=None, repr=False)

    def at(self, kept: np.ndarray | slice) -> LinkHistory:
        """The same at some instants."""
        names = ("eta", "eta_rate", "eta_acceleration", "loss", "poses", *self._more)
        arrays = {name: getattr(self, name) for name in names}
        holding = None if self.holding is None else lambda: self.held.at(kept)
        return replace(
            self, holding=holding, **{name: x[kept] for name, x in arrays.items() if x is not None}
        )

    # where it is ----------------------------------------------------------------------------------------------

    def deflection(self, s: Any) -> np.ndarray:
        """How far its points are from where they were, r − r₀ (m) along the axes of its own frame."""
        line, places = self._places(s)
        return places.shaped(self._flat(line.deflection(self.eta, places.xi)))

    def slope(self, s: Any) -> np.ndarray:
        """d(r − r₀)/ds: how its line leans, along the axes of its own frame."""
        line, places = self._places(s)
        return places.shaped(self._flat(line.slope(self.eta, places.xi)))

    def rotation(self, s: Any) -> np.ndarray:
        """The rotation vector of its sections (rad) in its own frame; in the plane a number."""
        line, places = self._places(s)
        found = line.rotation(self.eta, places.xi)
        return places.shaped(found[..., 2] if self.planar else found)

    def position(self, s: Any) -> np.ndarray:
        """Where its points are, in the inertial frame."""
        line, places = self._places(s)
        assert self.poses is not None
        local = line.point(self.eta, places.xi)
        found = np.einsum("tij,tnj->tni", self.poses[:, :, :3], local) + self.poses[:, None, :, 3]
        return places.shaped(self._flat(found))

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
        line, places = self._places(s)
        found = line.bending(self.eta, places.xi)
        return places.shaped(found[..., 1] if self.planar else found)

    def stress(self, s: Any) -> np.ndarray:
        """The largest normal stress in magnitude at its outer fibres (Pa), |N|/A + |Mz| y/Iz, in space + |My| z/Iy."""
        line, places = self._places(s)

        def at(name: str) -> Any:
            found = line.section_at(name, places.xi)
            return found[0] if places.single else found

        carried = self._carried(s, slice(None))
        found: np.ndarray = np.abs(carried[..., 3]) / at("A")
        moments = [carried[..., 2]] if self.planar else [carried[..., 1], carried[..., 2]]
        turns = {"y": "Iz"} if self.planar else {"z": "Iy", "y": "Iz"}
        for moment, (axis, inertia) in zip(moments, turns.items(), strict=True):
            if not np.all(at(axis) > 0) or not np.all(at(inertia) > 0):
                raise without_fibres(self.mechanism, self.name, axis)
            found = found + np.abs(moment) * at(axis) / at(inertia)
        return found

    # what is largest -------------------------------------------------------------------------------------------

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """Its largest deflection, moment and stress with place and instant; nothing where it knows no line."""
        return () if self.line is None or not len(self.eta) else line_peaks(self, self.line)

    def largest(self, what: str) -> np.ndarray:
        """The largest "deflection", "moment" or "stress" along it at every instant, in magnitude."""
        if self.line is None:
            raise without_line(self.mechanism, self.name)
        return largest_along(self, self.line, what)

    # how good it is -------------------------------------------------------------------------------------------

    @cached_property
    def truncation(self) -> Truncation | None:
        """How far E I w'' is from the moment by equilibrium; None where it has no shapes that bend."""
        if self.line is None or self.holding is None:
            return None
        return truncation_of(self.line, self.held, self._motion)

    @cached_property
    def largest_deflection(self) -> float:
        """Of all instants and places, relative to its length; nothing where it knows no line."""
        if self.line is None:
            return 0.0
        return float(line_deflection(self.line, self.eta).max(initial=0.0))

    def __repr__(self) -> str:
        over = f"Link '{self.name}' over {counted(len(self.eta), 'instant')}:"
        if self.line is None:
            most = ", ".join(f"{x:.3g}" for x in np.abs(self.eta).max(axis=0))
            return f"{over} coordinates up to ({most})."
        far = self.largest_deflection
        frame = FROM[self.line.beam.frame]
        said = f"{over} deflects up to {far * self.line.length:.3g} m from {frame}, {far:.2g} of its length"
        return f"{said}{'' if self.truncation is None else f'; {self.truncation}'}."

    # inside ---------------------------------------------------------------------------------------------------

    @property
    def _more(self) -> tuple[str, ...]:
        """Further arrays of instants that another kind of link has."""
        return ()

    @property
    def _motion(self) -> ElasticMotion:
        return ElasticMotion(self.eta, self.eta_rate, self.eta_acceleration)

    def _places(self, s: Any) -> tuple[Line, Places]:
        if self.line is None:
            raise without_line(self.mechanism, self.name)
        return self.line, places_on(self.mechanism, self.name, self.line.length, s)

    def _carried(self, s: Any, part: int | slice) -> np.ndarray:
        line, places = self._places(s)
        return places.shaped(section_wrenches(line, self.held, self._motion, places.xi)[..., part])

    @cached_property
    def held(self) -> Loading:
        """What acts on it and how its frame moves, read off when it is first asked what it carries."""
        assert self.holding is not None
        return self.holding()

    def _flat(self, found: np.ndarray) -> np.ndarray:
        return found[..., :2] if self.planar else found


def deflected_far(links: Mapping[str, LinkHistory]) -> Iterator[tuple[str, str]]:
    """How a doubt begins, and the doubt: links that deflect more than their shapes are good for."""
    for name, link in links.items():
        if link.largest_deflection > FAR:
            begun = f"'{name}' deflects "
            yield (
                begun,
                f"{begun}{link.largest_deflection:.2g} of its length, beyond {FAR:g} its shapes are doubtful",
            )


def deflections(links: Mapping[str, LinkHistory]) -> dict[str, np.ndarray]:
    """η of every elastic link by its name."""
    return {name: link.eta for name, link in links.items()}
