"""Table of the modes of a flexible body with the fraction of its strain energy that they capture, and report texts.

    captured = Σ fᵀ Φ (Φᵀ K Φ)⁻¹ Φᵀ f / Σ fᵀ K⁻¹ f

The sums run over loads f. The columns of Φ are one mode and all modes before it; K is the stiffness matrix.

In a mechanism a body is deformed mainly by its own inertia forces f = M a, with M the mass matrix and a the
rigid-body accelerations. Inertia forces of rigid-body motion do not deform a free body, for which f are forces and
moments at its ends instead. The strain energy that is not captured is the truncation error; the deflection has a
relative error of about the same size. Forces at the ends are represented exactly by the basis "interface".

Derived here: by Clapeyron's theorem fᵀ K⁻¹ f is twice the strain energy of the whole body, and the numerator is twice
the strain energy of the body reduced to its modes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.flexible.component_modes import ConstrainedComponent
from multiloop.model import Rayleigh, value_of


@dataclass(frozen=True, eq=False)
class ModeTable:
    """Natural modes of one flexible body, with their frequencies in rad/s.

    `ways` gives for each mode the direction of deformation and the number of the mode in this direction, from 0.
    `held` gives for each mode the fraction of the strain energy that this mode and all earlier modes of the same
    direction capture together. The loads are inertia forces or, for a free body, forces and moments at its ends.
    """

    name: str
    frame: str
    basis: str
    ways: tuple[tuple[str, int], ...]
    frequencies: np.ndarray
    held: np.ndarray

    @property
    def hertz(self) -> np.ndarray:
        """Natural frequencies of the modes in Hz."""
        return np.asarray(self.frequencies / (2 * np.pi))

    def __repr__(self) -> str:
        head = f"Modes of '{self.name}', {self.basis} basis, frame '{self.frame}':"
        rows = [
            f"  {f'{direction} {k + 1}':<8}{omega:>11.5g} rad/s{f:>11.5g} Hz{100 * held:>9.5g} %"
            for (direction, k), omega, f, held in zip(
                self.ways, self.frequencies, self.hertz, self.held, strict=True
            )
        ]
        return "\n".join([head, f"  {'mode':<8}{'frequency':>17}{'energy captured':>25}", *rows])


def captured_energy(link: ConstrainedComponent, shapes: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """For each mode, the fraction of the strain energy under `forces` that it and all earlier modes capture together.

    The columns of `shapes` are modes, which must be orthogonal with respect to the stiffness matrix; the columns of
    `forces` are load cases.
    """
    whole = np.einsum("nf,nf->", forces, link.solve(forces))
    stiffness = np.einsum("ni,ni->i", shapes, link.component.K @ shapes)
    parts = ((shapes.T @ forces) ** 2).sum(axis=1) / stiffness
    found: np.ndarray = np.clip(np.cumsum(parts) / whole, 0.0, 1.0)
    return found


FRAMES = {"chord": "in a frame through both ends", "free": "in its mean-axis frame"}

BASES = {
    "interface": "constraint modes of its interfaces and fixed-interface modes",
    "natural": "natural modes",
    "free": "natural modes of the free body",
    "nodal": "nodal coordinates",
}

LOWEST_PLAUSIBLE_FREQUENCY = 1.0
"""Natural frequency (rad/s) below which parameters of a flexible body are probably not in SI units."""

CRITICAL_DAMPING = 1.0


def frame_text(frame: str) -> str:
    """Text on the frame of a flexible body: a frame clamped to a marker, its chord frame, or its mean axes."""
    return FRAMES.get(frame, f"in a frame clamped to '{frame}'")


def basis_text(basis: str) -> str:
    """Text on the type of modes that a basis contains, e.g. "natural modes"."""
    return BASES[basis]


def value_warnings(slowest: float, damping: Any) -> Iterator[str]:
    """Warnings about an implausibly low natural frequency `slowest` (rad/s) or an overcritical damping ratio."""
    if slowest < LOWEST_PLAUSIBLE_FREQUENCY:
        yield (
            f"The lowest natural frequency of {slowest:.2g} rad/s is implausible: give E in Pa and sections in "
            "metres."
        )
    parts = () if isinstance(damping, Rayleigh) else damping if isinstance(damping, tuple) else (damping,)
    most = max((value_of(part) or 0.0 for part in parts), default=0.0)
    if most >= CRITICAL_DAMPING:
        yield (
            f"The damping ratio of {most:g} is critical or overcritical, so that its modes do not oscillate: for one "
            "percent, give 0.01."
        )
