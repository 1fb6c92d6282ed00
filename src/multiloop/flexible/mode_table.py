"""Table of the modes of a flexible body with the fraction of its strain energy that they capture, and text on them.

    captured = Σ fᵀ Φ (Φᵀ K Φ)⁻¹ Φᵀ f / Σ fᵀ K⁻¹ f      over loads f, Φ the modes so far

In a mechanism a body is deformed mainly by its own inertia forces f = M a, with a the rigid-body accelerations. These
do not deform a free body, for which f are forces and moments at its ends. The rest of the strain energy, and about as
large a part of the deflection, is the truncation error. Forces at the ends are represented exactly by the basis
"interface".

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

    `ways` gives for each mode the direction of deformation and its number in this direction, from 0.
    `held` is the fraction of the strain energy under the loads f of the module's docstring that is captured
    by the mode and those before it in the same direction.
    """

    name: str
    frame: str
    basis: str
    ways: tuple[tuple[str, int], ...]
    frequencies: np.ndarray
    held: np.ndarray

    @property
    def hertz(self) -> np.ndarray:
        """The frequencies in Hz."""
        return np.asarray(self.frequencies / (2 * np.pi))

    def __repr__(self) -> str:
        head = f"Modes of '{self.name}', {self.basis} basis, frame '{self.frame}':"
        rows = [
            f"  {f'{way} {k + 1}':<8}{omega:>11.5g} rad/s{f:>11.5g} Hz{100 * held:>9.5g} %"
            for (way, k), omega, f, held in zip(
                self.ways, self.frequencies, self.hertz, self.held, strict=True
            )
        ]
        return "\n".join([head, f"  {'mode':<8}{'frequency':>17}{'energy captured':>25}", *rows])


def captured_energy(link: ConstrainedComponent, shapes: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """Fraction of the strain energy under given loads that each mode and those before it capture together.

    Modes and loads are columns; the modes must be orthogonal with respect to the stiffness matrix.
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
"""Natural frequency (rad/s) below which values are probably in other units."""

CRITICAL_DAMPING = 1.0


def frame_text(frame: str) -> str:
    """Description of the frame of a flexible body: clamped to a marker, its chord, or its mean axes."""
    return FRAMES.get(frame, f"in a frame clamped to '{frame}'")


def basis_text(basis: str) -> str:
    """Description of a basis of modes."""
    return BASES[basis]


def value_warnings(slowest: float, damping: Any) -> Iterator[str]:
    """Warnings about values that are valid but implausible."""
    if slowest < LOWEST_PLAUSIBLE_FREQUENCY:
        yield f"Its lowest frequency of {slowest:.2g} rad/s is implausible: give E in Pa and sections in metres."
    parts = () if isinstance(damping, Rayleigh) else damping if isinstance(damping, tuple) else (damping,)
    most = max((value_of(part) or 0.0 for part in parts), default=0.0)
    if most >= CRITICAL_DAMPING:
        yield f"Its damping ratio of {most:g} is critical or more, so it does not oscillate: one percent is 0.01."
