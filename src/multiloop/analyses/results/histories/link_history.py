"""Time history of a flexible link: elastic coordinates, damping loss, relative deflection and truncation error."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Never, Self

import numpy as np

from multiloop.analyses.results.histories.link_readings import Peak, no_centreline_error, sampled_instants
from multiloop.flexible.beams.centreline import BeamCentreline, ElasticMotion, sampled_places
from multiloop.flexible.beams.section_forces import Loading, section_wrenches
from multiloop.model import Body, SolveError, attribute_error, count_text, percent_text
from multiloop.model.expressions.units import quantity_text

if TYPE_CHECKING:
    from multiloop.flexible.solids.deformed_mesh import DeformedMesh

DEFLECTION_FRAMES = {"a": "its tangent at 'a'", "chord": "its chord", "free": "its mean axes"}
"""Text that names the reference from which deflections are measured, by the type of the link's body frame."""

READINGS = (
    *("deflection", "slope", "rotation", "position"),
    *("axial", "shear", "moment", "torque", "bending", "stress"),
)
"""Quantities of a link with a centreline. Links without a centreline provide only some of these quantities, and raise
an error that explains why the others are not available."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkHistory:
    """The time history of a flexible link: elastic coordinates η, their rates and accelerations, instants × modes.

    `loss` is the power dissipated by the damping of the link, η̇ᵀ D η̇ (W) with the damping matrix D; `poses` are the
    poses [R | p] of its body frame, instants × 3 × 4. This base class is used for links whose mode shapes are known at
    markers only; `BeamHistory` and `SolidHistory` add positions, deflections and stresses.
    """

    name: str
    eta: np.ndarray
    eta_rate: np.ndarray
    eta_acceleration: np.ndarray
    loss: np.ndarray
    time: np.ndarray
    poses: np.ndarray
    mechanism: str
    planar: bool

    measure: ClassVar[str] = "length"  # name of the dimension of the link to which relative deflections refer

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """The largest magnitude of every available quantity, with its place and time; empty if none is available."""
        return ()

    @property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of the link's modes; None if it cannot be estimated."""
        return None

    @property
    def largest_deflection(self) -> float:
        """Largest deflection of the link over all instants and places, relative to the length of the link."""
        return 0.0

    @property
    def largest_stretch(self) -> float:
        """Largest stretch along the centreline over all instants and places, relative to the length of the link."""
        return 0.0

    def at(self, kept: np.ndarray | slice) -> Self:
        """The history of the link at the instants selected by the indices, mask or slice `kept`."""
        names = ("eta", "eta_rate", "eta_acceleration", "loss", "time", "poses")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def largest(self, what: str) -> np.ndarray:
        """The largest magnitude of the quantity `what` along the link at every instant."""
        raise self.unavailable_error(what)

    def deflects_beyond(self, part: float) -> bool:
        """Whether the link deflects by more than the fraction `part` of its length."""
        return self.largest_deflection > part

    def unavailable_error(self, reading: str) -> SolveError:
        """The error that states why the quantity `reading` is not available for this link, with an alternative."""
        return no_centreline_error(self.mechanism, self.name)

    def __getattr__(self, name: str) -> Any:
        if name in READINGS:
            return partial(self._refuse, name)
        raise attribute_error(self, name)

    def _refuse(self, reading: str, *asked: Any, **more: Any) -> Never:
        raise self.unavailable_error(reading)

    def __repr__(self) -> str:
        most = ", ".join(f"{x:.3g}" for x in np.abs(self.eta).max(axis=0))
        return f"{self._over} coordinates up to ({most})."

    @property
    def _over(self) -> str:
        """Beginning of the printed text of the history, with name and number of instants."""
        return f"Link '{self.name}' over {count_text(len(self.eta), 'instant')}:"


def elastic_coordinates(links: Mapping[str, LinkHistory]) -> dict[str, np.ndarray]:
    """Elastic coordinates η of every flexible link, instants × modes, by the name of the link."""
    return {name: link.eta for name, link in links.items()}


NODES = 200
"""Number of nodes of a mesh at which the largest deflection is estimated."""


def line_deflection(line: BeamCentreline, eta: np.ndarray) -> np.ndarray:
    """The largest deflection along a centreline at every instant, relative to the length of the centreline."""
    return _farthest(line.deflection(eta, line.nodes)) / line.length


def mesh_deflection(mesh: DeformedMesh, eta: np.ndarray) -> np.ndarray:
    """The largest deflection of sampled nodes of a mesh at every instant, relative to the diagonal of the mesh's
    bounding box."""
    some = np.unique(np.linspace(0, len(mesh.points) - 1, NODES).astype(int))
    return _farthest(mesh.displacement(eta, some)) / mesh.size


def relative_deflection(body: Body, planar: bool) -> Callable[[np.ndarray], np.ndarray] | None:
    """A function of the elastic coordinates of a flexible body that returns its largest deflection at every instant.

    The deflection is relative to the length of the centreline or to the diagonal of the mesh's bounding box.
    None if the body has neither a mesh nor a centreline, so that its mode shapes are known at markers only.
    """
    mesh = body.deformed_mesh(planar)
    if mesh is not None:
        return partial(mesh_deflection, mesh)
    line = body.centreline()
    return None if line is None else partial(line_deflection, line)


def _farthest(moved: np.ndarray) -> np.ndarray:
    """The largest magnitude of the displacements `moved` (instants × places × 3) at every instant."""
    found: np.ndarray = np.sqrt(np.einsum("tnk,tnk->nt", moved, moved).max(axis=0, initial=0.0))
    return found


ROUND_OFF = 1e-10
"""Fraction of the largest section force times the link length below which bending moments count as round-off, as they
do in a tie rod."""

SAMPLED_PLACES = 41
"""Number of evenly spaced places along a beam at which quantities are evaluated, besides nodes, corners and markers."""


TRUNCATION_ROUND_OFF = 1e-8
"""Relative truncation error below which the error counts as round-off."""

SLOW = 1e-3
"""Squared ratio (Ω/ω)² of the load frequency Ω to the first omitted natural frequency ω, below which the ratio is
printed as "below 0.001"."""


@dataclass(frozen=True)
class Truncation:
    """An estimate of the truncation error of a link's modes, and the largest bending moment with its place.

        u_r = (K⁻¹ − Φ (ΦᵀKΦ)⁻¹ Φᵀ) f      f: joint reactions, applied loads and inertia forces

    u_r is the static deformation that the modes Φ omit, K the stiffness matrix. `displacement` (m) and `rotation` (rad)
    are the largest magnitudes of u_r over nodes and instants, in the frame of the link; `relative` is the larger of
    the two ratios of these values to the link's largest displacement and rotation. `speed` is (Ω/ω)², with Ω the
    frequency of the loads on omitted modes and ω the natural frequency of the first omitted mode: the static estimate
    is accurate while `speed` is small. `moment` (N m) is the largest bending moment, by equilibrium, and `place` its
    place (m from `a`).
    """

    moment: float
    place: float
    displacement: float
    rotation: float
    relative: float
    speed: float

    def __str__(self) -> str:
        said = f"moment up to {quantity_text(self.moment, 'N m', 3)} at {self.place:.3g} m"
        error = percent_text(self.relative) if self.relative > TRUNCATION_ROUND_OFF else "none"
        speed = f"= {self.speed:.2g}" if self.speed >= SLOW else f"below {SLOW:g}"
        return f"{said}; truncation error of its modes {error}, (Ω/ω)² {speed} of the first omitted one"


def truncation_of(
    line: BeamCentreline, held: Loading, motion: ElasticMotion, time: np.ndarray
) -> Truncation | None:
    """The truncation error of the modes of a beam under the loads `held`; None if the beam is not bent or has no
    bending modes.

    The result is also None for a beam that is undeformed at all instants while its elastic coordinates accelerate: such
    a beam has just been released, and there is no deformation with which the error could be compared.
    """
    from multiloop.flexible.beams.residual_flexibility import first_omitted_frequency, load_frequency

    axes = list(line.bending_axes)
    if not axes or not len(motion.eta) or (motion.acceleration.any() and not motion.eta.any()):
        return None
    xi = sampled_places(line, SAMPLED_PLACES)
    kept = sampled_instants(np.abs(line.bending_moments(motion.eta, line.nodes)).max(axis=(1, 2)))
    some = ElasticMotion(motion.eta[kept], motion.rate[kept], motion.acceleration[kept])
    wrenches = section_wrenches(line, held.at(kept), some, xi)
    sizes = np.linalg.norm(wrenches[..., axes], axis=-1)
    lever = line.length * np.linalg.norm(wrenches[..., 3:], axis=-1).max()
    if sizes.max() <= ROUND_OFF * lever:
        return None
    worst = int(sizes.max(axis=0).argmax())
    shift, turn, relative = _residual_motion(line, held.at(kept), some)
    return Truncation(
        float(sizes.max()),
        float(xi[worst] * line.length),
        shift,
        turn,
        relative,
        (load_frequency(line, held, motion, time) / first_omitted_frequency(line.beam)) ** 2,
    )


def _residual_motion(
    line: BeamCentreline, held: Loading, motion: ElasticMotion
) -> tuple[float, float, float]:
    """The largest displacement (m) and rotation (rad) that the modes omit, and the larger of their ratios to the
    largest displacement and rotation of the beam."""
    from multiloop.flexible.beams.residual_flexibility import residual_motion

    xi, *left = residual_motion(line, held, motion)
    eta, readings = motion.eta, (line.deflection, line.rotation)
    own = [(read(eta, xi) - read(-eta, xi)) / 2 for read in readings]  # the part linear in η
    sizes = [_largest(part) for part in left]
    whole = [_largest(one + more) for one, more in zip(own, left, strict=True)]
    parts = [size / most if most > 0 else 0.0 for size, most in zip(sizes, whole, strict=True)]
    return sizes[0], sizes[1], max(parts)


def _largest(vectors: np.ndarray) -> float:
    return float(np.linalg.norm(vectors, axis=-1).max(initial=0.0))
