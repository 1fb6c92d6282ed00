"""Estimate of the truncation error of a link's modes from the loads that it carried."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multiloop.flexible.lines import ElasticMotion, Line, looked_places
from multiloop.flexible.section_forces import Loading, section_wrenches
from multiloop.model.beam import Beam
from multiloop.model.beam_joining import default_basis_adds, interfaces_add
from multiloop.model.numbers_in_words import percent
from multiloop.model.unit_table import in_words
from multiloop.questions.answers.link_peaks import looked_instants

if TYPE_CHECKING:
    from multiloop.model import Body, Mechanism
    from multiloop.questions.answers.links import LinkHistory

ROUND_OFF = 1e-10
"""Part of the largest force times the length below which a moment is round-off, as in a tie rod."""

PLACES = 41
"""Number of evenly spaced places that are evaluated, besides nodes, corners and markers."""

LARGE = 0.05
"""Part of the displacement or rotation above which the truncation error is reported."""

NONE = 1e-8
"""Relative truncation error below which it is round-off."""

SLOW = 1e-3
"""(Ω/ω)² below which no value is printed."""

AMPLIFIED = 10
"""How much larger than its static estimate the error may be for loads as fast as an omitted mode."""

FAST = 0.5
"""(Ω/ω)² above which omitted modes do not follow their loads quasi-statically."""


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
        said = f"moment up to {in_words(self.moment, 'N m', 3)} at {self.place:.3g} m"
        error = percent(self.relative) if self.relative > NONE else "none"
        speed = f"= {self.speed:.2g}" if self.speed >= SLOW else f"below {SLOW:g}"
        return f"{said}; truncation error of its modes {error}, (Ω/ω)² {speed} of the first omitted one"


def truncation_of(line: Line, held: Loading, motion: ElasticMotion, time: np.ndarray) -> Truncation | None:
    """The truncation error of a link over time; None where it is not bent, or has no bending modes.

    It is also None for a link that is undeformed throughout while its elastic coordinates accelerate: it has just been
    released and has no deformation to compare with.
    """
    from multiloop.flexible.residual_flexibility import first_omitted_frequency, load_frequency

    axes = list(line.bent_axes)
    if not axes or not len(motion.eta) or (motion.acceleration.any() and not motion.eta.any()):
        return None
    xi = looked_places(line, PLACES)
    kept = looked_instants(np.abs(line.bending(motion.eta, line.nodes)).max(axis=(1, 2)))
    some = ElasticMotion(motion.eta[kept], motion.rate[kept], motion.acceleration[kept])
    wrenches = section_wrenches(line, held.at(kept), some, xi)
    sizes = np.linalg.norm(wrenches[..., axes], axis=-1)
    lever = line.length * np.linalg.norm(wrenches[..., 3:], axis=-1).max()
    if sizes.max() <= ROUND_OFF * lever:
        return None
    worst = int(sizes.max(axis=0).argmax())
    shift, turn, relative = _residual(line, held.at(kept), some)
    return Truncation(
        float(sizes.max()),
        float(xi[worst] * line.length),
        shift,
        turn,
        relative,
        (load_frequency(line, held, motion, time) / first_omitted_frequency(line.beam)) ** 2,
    )


def _residual(line: Line, held: Loading, motion: ElasticMotion) -> tuple[float, float, float]:
    """The largest omitted displacement and rotation, and the larger of both relative to the whole."""
    from multiloop.flexible.residual_flexibility import residual_motion

    xi, *left = residual_motion(line, held, motion)
    eta, readings = motion.eta, (line.deflection, line.rotation)
    own = [(read(eta, xi) - read(-eta, xi)) / 2 for read in readings]  # the part linear in η
    sizes = [_largest(part) for part in left]
    whole = [_largest(one + more) for one, more in zip(own, left, strict=True)]
    parts = [size / most if most > 0 else 0.0 for size, most in zip(sizes, whole, strict=True)]
    return sizes[0], sizes[1], max(parts)


def _largest(vectors: np.ndarray) -> float:
    return float(np.linalg.norm(vectors, axis=-1).max(initial=0.0))


def truncation_warnings(links: Mapping[str, LinkHistory], mechanism: Mechanism) -> Iterator[str]:
    """Warnings for links with a large truncation error."""
    for name, link in links.items():
        found = link.truncation
        if found is None:
            continue
        remedy = _remedy(mechanism.body(name), mechanism)
        if found.relative > LARGE:
            yield f"the modes of '{name}' leave out about {percent(found.relative)} of its deformation: {remedy}"
        if found.speed > FAST and found.relative > LARGE / AMPLIFIED:
            yield f"loads of '{name}' are as fast as its first omitted mode, (Ω/ω)² = {found.speed:.2g}: {remedy}"


def _remedy(body: Body, mechanism: Mechanism) -> str:
    """Measures that reduce the truncation error of a link, except those that it has already."""
    ways = ["more modes"]
    if isinstance(body, Beam) and default_basis_adds(body, mechanism):
        ways.append("the default basis")
    if isinstance(body, Beam) and interfaces_add(body):
        ways.append("`interfaces` at the markers where it is loaded")
    listed = ", ".join(ways[:-1]) + (", or " if len(ways) > 2 else " or ") if len(ways) > 1 else ""
    return f"give it {listed}{ways[-1]}"
