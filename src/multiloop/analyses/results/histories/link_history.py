"""Time history of a flexible link: elastic coordinates, damping loss, and deflection relative to its size."""

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
"""Text on the reference of the deflections, by the frame of the link."""

READINGS = (
    *("deflection", "slope", "rotation", "position"),
    *("axial", "shear", "moment", "torque", "bending", "stress"),
)
"""Quantities of a link with a centreline; other links have some of them, and raise an error with an explanation for
the others."""


@dataclass(frozen=True, eq=False, repr=False)
class LinkHistory:
    """One flexible link over time: its coordinates η with their rates and accelerations, instants × e.

    `loss` is the power dissipated by its damping, η̇ᵀ D η̇; `poses` are those of its body frame, instants × 3 × 4. The
    base class knows the modes at markers only; `BeamHistory` and `SolidHistory` give positions, deflections and
    stresses.
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

    measure: ClassVar[str] = "length"  # reference of relative deflections

    @property
    def peaks(self) -> tuple[Peak, ...]:
        """Largest magnitudes with place and time, of the available quantities."""
        return ()

    @property
    def truncation(self) -> Truncation | None:
        """An estimate of the truncation error of its modes, where its loads are known."""
        return None

    @property
    def largest_deflection(self) -> float:
        """Largest deflection over all instants and places, relative to its length."""
        return 0.0

    @property
    def largest_stretch(self) -> float:
        """Largest stretch along its centreline, relative to its length."""
        return 0.0

    def at(self, kept: np.ndarray | slice) -> Self:
        """The history at some of its instants."""
        names = ("eta", "eta_rate", "eta_acceleration", "loss", "time", "poses")
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def largest(self, what: str) -> np.ndarray:
        """The largest magnitude of a quantity at every instant."""
        raise self.unavailable_error(what)

    def deflects_beyond(self, part: float) -> bool:
        """Whether it deflects by more than a part of its length."""
        return self.largest_deflection > part

    def unavailable_error(self, reading: str) -> SolveError:
        """The error that explains why a quantity is not available, and what to use instead."""
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
        """Beginning of its printed text."""
        return f"Link '{self.name}' over {count_text(len(self.eta), 'instant')}:"


def elastic_coordinates(links: Mapping[str, LinkHistory]) -> dict[str, np.ndarray]:
    """η of every flexible link by its name."""
    return {name: link.eta for name, link in links.items()}


NODES = 200
"""Number of sampled nodes of a mesh."""


def line_deflection(line: BeamCentreline, eta: np.ndarray) -> np.ndarray:
    """The largest deflection along a centreline relative to its length, one value per instant."""
    return _farthest(line.deflection(eta, line.nodes)) / line.length


def mesh_deflection(mesh: DeformedMesh, eta: np.ndarray) -> np.ndarray:
    """The largest deflection of sampled nodes of a mesh relative to the diagonal of its bounding box."""
    some = np.unique(np.linspace(0, len(mesh.points) - 1, NODES).astype(int))
    return _farthest(mesh.displacement(eta, some)) / mesh.size


def relative_deflection(body: Body, planar: bool) -> Callable[[np.ndarray], np.ndarray] | None:
    """The relative deflection of a body as a function of its elastic coordinates; None if it has markers only."""
    mesh = body.deformed_mesh(planar)
    if mesh is not None:
        return partial(mesh_deflection, mesh)
    line = body.centreline()
    return None if line is None else partial(line_deflection, line)


def _farthest(moved: np.ndarray) -> np.ndarray:
    """The largest displacement at every instant, from instants × places × 3."""
    found: np.ndarray = np.sqrt(np.einsum("tnk,tnk->nt", moved, moved).max(axis=0, initial=0.0))
    return found


ROUND_OFF = 1e-10
"""Moments below this fraction of the largest force times the length are round-off, as in a tie rod."""

SAMPLED_PLACES = 41
"""Number of evenly spaced places at which a link is evaluated, in addition to nodes, corners and markers."""


TRUNCATION_ROUND_OFF = 1e-8
"""Relative truncation error below which it is round-off."""

SLOW = 1e-3
"""Value of (Ω/ω)² below which it is not printed."""


@dataclass(frozen=True)
class Truncation:
    """The largest moment by equilibrium (N m) with its place (m), and an estimate of the truncation error.

        u_r = (K⁻¹ − Φ (ΦᵀKΦ)⁻¹ Φᵀ) f      f: joint reactions, applied loads and inertia forces

    `displacement` (m) and `rotation` (rad) are the largest of u_r over nodes and instants, in the frame of the link;
    `relative` is the larger of both, each relative to the largest of the link. `speed` is (Ω/ω)², with Ω the frequency
    of the loads on omitted modes and ω that of the first of them: the static estimate is accurate while it is small.
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
    """The truncation error of a link over time; None where it is not bent, or has no bending modes.

    It is also None for a link that is undeformed throughout while its elastic coordinates accelerate: it has just been
    released and has no deformation to compare with.
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
    """The largest omitted displacement and rotation, and the larger of both relative to the whole."""
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
