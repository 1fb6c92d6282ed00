"""Time history of a beam: deflection, slope and position along its centreline, section forces and stress.

Deflections are measured across the undeformed centreline, so that axial compression alone causes no deflection:

    u = r − r₀,      across |u − (u · t) t|,      along |Ψ η · t|      t: direction of the undeformed centreline

u is the displacement of a point of the centreline from its undeformed position r₀ to r, and Ψ η the part of u that is
linear in the elastic coordinates η. Only this part is included along the centreline: the shortening of distances due to
bending is no stretch. If the centreline has corners, the deflection is the whole magnitude |u|, since bending of the
segments before a corner moves the segments behind it along themselves.

`link_histories` returns the histories of all flexible links of a result, beams and others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any, Self

import numpy as np

from multiloop.analyses.results.histories.link_history import (
    DEFLECTION_FRAMES,
    SAMPLED_PLACES,
    LinkHistory,
    Truncation,
    truncation_of,
)
from multiloop.analyses.results.histories.link_readings import (
    Magnitudes,
    Peak,
    Places,
    largest_of_blocks,
    no_axial_mode_error,
    no_fibre_error,
    peaks_of_blocks,
    places_on,
)
from multiloop.dynamics.outputs import ELASTIC, input_columns, section_loads_of
from multiloop.flexible.beams.centreline import BeamCentreline, ElasticMotion, sampled_places
from multiloop.flexible.beams.section_forces import Loading, section_wrenches
from multiloop.kinematics import Equations
from multiloop.model import Mechanism, SolveError
from multiloop.model.expressions.units import quantity_text
from multiloop.spatial import transform_points


def section_stress(link: BeamHistory, xi: np.ndarray, wrenches: np.ndarray) -> np.ndarray:
    """The largest normal stress in magnitude over each section (Pa), instants × sections, at positions ξ = s / length.

        |N|/A + |Mz| y/Iz, in space + |My| z/Iy

    N is the axial force, Mz and My are the bending moments, A is the area, Iz and Iy are the second moments of area,
    and y and z the distances of the outer fibres. `wrenches` are the section wrenches [moment; force] at the same
    positions. The formula is exact for rectangles, at their corners, and conservative for round sections in space,
    since the stresses of both moments are added as if they were largest at the same fibre. Derived here.
    """
    section = link.line.section_at
    found: np.ndarray = np.abs(wrenches[..., 3]) / section("A", xi)
    for row, axis, about in ((2, "y", "Iz"),) if link.planar else ((1, "z", "Iy"), (2, "y", "Iz")):
        fibre, inertia = section(axis, xi), section(about, xi)
        if not np.all(fibre > 0) or not np.all(inertia > 0):
            raise no_fibre_error(link.mechanism, link.name, axis)
        found = found + np.abs(wrenches[..., row]) * fibre / inertia
    return found


LINE_UNITS = {"deflection": "m", "stretch": "m", "moment": "N m", "stress": "Pa"}
"""Units of the quantities whose largest value along a link is reported."""


def across_line(line: BeamCentreline, eta: np.ndarray) -> np.ndarray:
    """Magnitudes of the displacements perpendicular to the undeformed centreline (m) at sampled places, instants ×
    places."""
    xi = sampled_places(line, SAMPLED_PLACES)
    away, along = line.deflection(eta, xi), line.section_axes(xi)[:, :, 0]
    if not len(line.corners):
        away = away - np.einsum("tni,ni->tn", away, along)[..., None] * along
    found: np.ndarray = np.sqrt(np.einsum("tni,tni->tn", away, away))
    return found


def along_line(line: BeamCentreline, eta: np.ndarray) -> np.ndarray:
    """Magnitudes of the displacement components parallel to the undeformed centreline (m) at sampled places, as an
    array of instants × places.

    Only the part linear in the elastic coordinates is included; the values are zero if the link has no axial modes.
    """
    xi = sampled_places(line, SAMPLED_PLACES)
    if not has_axial_modes(line):
        return np.zeros((len(eta), len(xi)))
    linear = (line.deflection(eta, xi) - line.deflection(-eta, xi)) / 2
    found: np.ndarray = np.abs(np.einsum("tni,ni->tn", linear, line.section_axes(xi)[:, :, 0]))
    return found


def has_axial_modes(line: BeamCentreline) -> bool:
    """Whether the beam has axial modes."""
    return any(way == "x" for way, _ in line.beam.modes)


def sampled_magnitudes(link: BeamHistory, whats: tuple[str, ...]) -> Magnitudes:
    """Sampled places (m from marker `a`), and the magnitudes of the quantities `whats` there, instants × places.

    For a quantity that the link does not have, the error that explains why takes the place of the magnitudes.
    """
    line, xi = link.line, sampled_places(link.line, SAMPLED_PLACES)
    found: dict[str, np.ndarray | SolveError] = {}
    wrenches = link.wrenches(xi) if {"moment", "stress"} & set(whats) else None
    for what in whats:
        if what == "deflection":
            found[what] = across_line(line, link.eta)
        elif what == "stretch":
            found[what] = (
                along_line(line, link.eta)
                if has_axial_modes(line)
                else no_axial_mode_error(link.mechanism, link.name)
            )
        elif what == "moment" and wrenches is not None:
            found[what] = np.linalg.norm(wrenches[..., 2:3] if link.planar else wrenches[..., 1:3], axis=-1)
        elif wrenches is not None:
            try:
                found[what] = section_stress(link, xi, wrenches)
            except SolveError as error:
                found[what] = error
    return line.length * xi, found


@dataclass(frozen=True, eq=False, repr=False)
class BeamHistory(LinkHistory):
    """The time history of a beam, evaluated at one or several places s, in metres along the beam from its marker `a`.

    Values are arrays of instants × places, for vectors × 2 in the plane or × 3 in space; for a single number s the axis
    of places is omitted. At a marker, where section forces may jump, the values just behind the marker are returned.
    `compute_loading` computes the loads on the beam when they are first needed.
    """

    line: BeamCentreline = field(kw_only=True)
    compute_loading: Callable[[], Loading] = field(kw_only=True)
    # `full_run`: history of the whole run, or its truncation error, if this history contains a part of its instants
    full_run: BeamHistory | KnownTruncation | None = field(default=None, kw_only=True)

    def at(self, kept: np.ndarray | slice) -> Self:
        """The history at the instants selected by the indices, mask or slice `kept`.

        The `truncation` error remains that of the whole run.
        """
        return replace(
            super().at(kept), compute_loading=lambda: self.loading.at(kept), full_run=self.full_run or self
        )

    def part_of_run(self, truncation: KnownTruncation) -> Self:
        """The same history as a part of a run whose truncation error is known."""
        return replace(self, full_run=truncation)

    def __getstate__(self) -> dict[str, Any]:
        """Attributes for pickling; the loads on the link are computed first, since their function is not pickled."""
        return {**vars(self), "compute_loading": partial(_return_loading, self.loading)}

    # position and deflection ---------------------------------------------------------------------------------

    def deflection(self, s: Any) -> np.ndarray:
        """Displacements r − r₀ (m) of centreline points from the undeformed shape, along the axes of the body frame."""
        places = self._places(s)
        return places.shaped(self._planar_part(self.line.deflection(self.eta, places.xi)))

    def deflection_rate(self, s: Any) -> np.ndarray:
        """Time derivatives of the `deflection` (m/s), along the axes of the body frame."""
        places = self._places(s)
        motion = ElasticMotion(self.eta, self.eta_rate, self.eta_acceleration)
        _, velocity, _ = self.line.path(motion, places.xi)
        return places.shaped(self._planar_part(velocity))

    def slope(self, s: Any) -> np.ndarray:
        """Slope of the centreline, the derivative of the `deflection` along the beam, along the axes of the body
        frame."""
        places = self._places(s)
        return places.shaped(self._planar_part(self.line.slope(self.eta, places.xi)))

    def rotation(self, s: Any) -> np.ndarray:
        """Rotation vectors of the sections (rad) along the axes of the body frame; in the plane angles."""
        places = self._places(s)
        found = self.line.rotation(self.eta, places.xi)
        return places.shaped(found[..., 2] if self.planar else found)

    def position(self, s: Any) -> np.ndarray:
        """Positions of points of the deformed centreline in the inertial frame, in m."""
        places = self._places(s)
        return places.shaped(
            self._planar_part(transform_points(self.poses, self.line.point(self.eta, places.xi)))
        )

    # section forces ------------------------------------------------------------------------------------------

    def axial(self, s: Any) -> np.ndarray:
        """Axial force in the section at s (N), tension positive, from the equilibrium of the part beyond s."""
        return self._section_load(s, 3)

    def shear(self, s: Any) -> np.ndarray:
        """Shear force (N) on the part of the link before s, along the y axis of the section, in space along y and z.

        With the bending moments Mz and My, it equals −dMz/ds along y and dMy/ds along z.
        """
        return self._section_load(s, 4 if self.planar else slice(4, 6))

    def moment(self, s: Any) -> np.ndarray:
        """Bending moment (N m) on the part of the link before s, from the equilibrium of the part beyond s.

        In the plane about z: a positive moment bends the link towards its y, M = E I w'', with the bending stiffness E
        I and the second derivative w'' of the deflection. In space about the section's y and z: (−E Iy w_z'', E Iz
        w_y''), with the deflections w_y and w_z along these axes.
        """
        return self._section_load(s, 2 if self.planar else slice(1, 3))

    def torque(self, s: Any) -> np.ndarray:
        """Torsional moment about the centreline (N m) on the part of the link before s; zero in the plane."""
        return self._section_load(s, 0)

    def bending(self, s: Any) -> np.ndarray:
        """Bending stiffness E I times the curvature of the modal deformation (N m).

        The difference between this moment and `moment`, which follows from equilibrium, shows the truncation error.
        """
        places = self._places(s)
        found = self.line.bending_moments(self.eta, places.xi)
        return places.shaped(found[..., 1] if self.planar else found)

    def stress(self, s: Any) -> np.ndarray:
        """The largest normal stress in magnitude over a section (Pa), from axial force and bending moments
        (`section_stress`)."""
        places = self._places(s)
        return places.shaped(section_stress(self, places.xi, self.wrenches(places.xi)))

    # largest values -------------------------------------------------------------------------------------------

    @cached_property
    def peaks(self) -> tuple[Peak, ...]:
        """The largest deflection, stretch, bending moment and stress of the link over all instants and sampled places.

        The stretch is included if the link has axial modes, the stress if its section defines outer fibres.
        """
        return peaks_of_blocks(self, sampled_magnitudes, LINE_UNITS)

    def largest(self, what: str) -> np.ndarray:
        """The largest magnitude of "deflection", "stretch", "moment" or "stress" along the link at every instant.

        A deflection is a displacement perpendicular to the undeformed centreline, a stretch a displacement along it.
        """
        return largest_of_blocks(self, sampled_magnitudes, LINE_UNITS, what)

    # accuracy of the modes ------------------------------------------------------------------------------

    @cached_property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of the modes; None if the link is not bent or has no bending modes."""
        if self.full_run is not None:
            return self.full_run.truncation
        return truncation_of(self.line, self.loading, self.motion, self.time)

    @cached_property
    def largest_deflection(self) -> float:
        """Largest displacement perpendicular to the undeformed centreline over all instants and places, relative to the
        length of the link."""
        return float(across_line(self.line, self.eta).max(initial=0.0)) / self.line.length

    def deflects_beyond(self, part: float) -> bool:
        """Whether the link deflects by more than the fraction `part` of its length.

        The deflections are evaluated only if the estimate 2 Σ |ηᵢ| from the elastic coordinates ηᵢ exceeds this limit;
        mode shapes have maximum 1.
        """
        if 2 * np.abs(self.eta).sum(axis=1).max(initial=0.0) < part * self.line.length:
            return False
        return super().deflects_beyond(part)

    @cached_property
    def largest_stretch(self) -> float:
        """Largest displacement along the undeformed centreline over all instants and places, relative to the length of
        the link."""
        return float(along_line(self.line, self.eta).max(initial=0.0)) / self.line.length

    def __repr__(self) -> str:
        far, frame = self.largest_deflection, DEFLECTION_FRAMES[self.line.beam.frame]
        most = quantity_text(far * self.line.length, "m", 3)
        said = f"{self._over} deflects up to {most} from {frame}, {far:.2g} of its length"
        return f"{said}{'' if self.truncation is None else f'; {self.truncation}'}."

    # private methods ---------------------------------------------------------------------------------------------

    @property
    def motion(self) -> ElasticMotion:
        """Elastic coordinates η with their rates and accelerations."""
        return ElasticMotion(self.eta, self.eta_rate, self.eta_acceleration)

    @cached_property
    def loading(self) -> Loading:
        """The loads on the link and the motion of its body frame; they are computed at the first access."""
        return self.compute_loading()

    def wrenches(self, xi: np.ndarray) -> np.ndarray:
        """Section wrenches [moment; force] at positions ξ = s / length, in section axes, instants × places × 6."""
        return section_wrenches(self.line, self.loading, self.motion, xi)

    def _places(self, s: Any) -> Places:
        return places_on(self.mechanism, self.name, self.line.length, s)

    def _section_load(self, s: Any, part: int | slice) -> np.ndarray:
        places = self._places(s)
        return places.shaped(self.wrenches(places.xi)[..., part])

    def _planar_part(self, found: np.ndarray) -> np.ndarray:
        return found[..., :2] if self.planar else found


def _return_loading(loading: Loading) -> Loading:
    """Return `loading`; as a function of the module it can be pickled in place of `compute_loading`."""
    return loading


@dataclass(frozen=True)
class KnownTruncation:
    """The truncation error of the modes over a whole run, of which a history read from a file has a part."""

    truncation: Truncation | None


def link_histories(
    equations: Equations,
    p: np.ndarray,
    arrays: Mapping[str, np.ndarray],
    outputs: Mapping[str, Mapping[str, np.ndarray]],
    poses: Mapping[str, np.ndarray],
) -> dict[str, LinkHistory]:
    """Time histories of all flexible links by name, from the outputs over time by owner and quantity.

    `arrays` is the recorded trajectory, from which the loads on a link are evaluated when they are first needed, and
    `poses` are the poses of the bodies.
    """
    skeleton = equations.skeleton
    histories: dict[str, LinkHistory] = {}
    mechanism = skeleton.mechanism
    if not np.array_equal(p, skeleton.parameter_values):
        mechanism = mechanism.with_parameters(dict(zip(skeleton.parameter_names, map(float, p), strict=True)))
    loadings = cache(partial(_loadings, equations, input_columns(arrays, p)))
    for link in skeleton.links:
        if link.reduced.modes is not None:
            own = outputs[link.body]
            fields = {name: own[name] for name in (*ELASTIC, "loss")} | {
                "name": link.body,
                "mechanism": mechanism.name,
                "planar": mechanism.planar,
                "poses": poses[link.body],
                "time": arrays["t"],
            }
            histories[link.body] = _link_history(mechanism, fields, loadings)
    return histories


def _link_history(
    mechanism: Mechanism, fields: Mapping[str, Any], loadings: Callable[[], Mapping[str, Loading]]
) -> LinkHistory:
    """The history of one flexible link: a SolidHistory if its body has a mesh, a BeamHistory if it has a centreline,
    otherwise a LinkHistory.

    `fields` are the arguments of a LinkHistory; `loadings` returns the loads on all links by name.
    """
    body = mechanism.body(fields["name"])
    mesh = body.deformed_mesh(mechanism.planar)
    if mesh is not None:
        from multiloop.analyses.results.histories.solid_history import SolidHistory

        return SolidHistory(**fields, mesh=mesh)
    line = body.centreline()
    if line is None:
        return LinkHistory(**fields)
    return BeamHistory(**fields, line=line, compute_loading=lambda: loadings()[body.name])


def _loadings(equations: Equations, columns: Mapping[str, Any]) -> dict[str, Loading]:
    """By the name of the link, the loads at its markers and the motion of its body frame.

    `columns` are the inputs of traced functions by name, with one column per instant.
    """
    links, place, count = section_loads_of(equations), 0, columns["t"].shape[1]
    found: dict[str, Loading] = {}
    frames, acting = (
        np.broadcast_to(part, (count, *part.shape[1:])) for part in links.function.evaluate_many(**columns)
    )
    for k, link in enumerate(links.links):
        omega, alpha, a = np.moveaxis(frames[:, :, 3 * k : 3 * k + 3], 2, 0)
        names = links.markers(link)
        found[link.body] = Loading(
            omega, alpha, a, {name: acting[:, :, place + j] for j, name in enumerate(names)}
        )
        place += len(names)
    return found
