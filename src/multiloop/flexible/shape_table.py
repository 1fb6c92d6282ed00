"""Which shapes does a link have, how fast do they swing, and how many of them are enough?

    held = Σ fᵀ Φ (Φᵀ K Φ)⁻¹ Φᵀ f / Σ fᵀ K⁻¹ f      over loads f, Φ the shapes so far

What bends a link in a machine is above all its own inertia: f = M a for rigid accelerations a. Of a free link, which
these do not bend, f are forces and moments at its ends. The rest of the strain energy is missing, and about as much of
the deflection. Forces at the ends are taken up by the basis "interface" as they are.

Derived here: by Clapeyron's theorem fᵀ K⁻¹ f is twice the strain energy of the whole link, and the
numerator that of its shapes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from multiloop.flexible.component_modes import Constrained


@dataclass(frozen=True, eq=False)
class ShapeTable:
    """The natural modes of one link: way and number, frequency (rad/s), and what all of its way so far hold."""

    name: str
    frame: str
    basis: str
    ways: tuple[tuple[str, int], ...]
    frequencies: np.ndarray
    held: np.ndarray

    @property
    def hertz(self) -> np.ndarray:
        """The frequencies in 1/s."""
        return np.asarray(self.frequencies / (2 * np.pi))

    def __repr__(self) -> str:
        head = f"Shapes of '{self.name}', {self.basis}, frame '{self.frame}':"
        rows = [
            f"  {f'{way} {k + 1}':<8}{omega:>11.5g} rad/s{f:>11.5g} Hz{100 * held:>9.5g} %"
            for (way, k), omega, f, held in zip(
                self.ways, self.frequencies, self.hertz, self.held, strict=True
            )
        ]
        return "\n".join([head, f"  {'shape':<8}{'frequency':>17}{'held':>25}", *rows])


def held_parts(link: Constrained, shapes: np.ndarray, forces: np.ndarray) -> np.ndarray:
    """What is held after every shape; shapes have a diagonal stiffness, loads are columns."""
    whole = np.einsum("nf,nf->", forces, link.solve(forces))
    stiffness = np.einsum("ni,ni->i", shapes, link.component.K @ shapes)
    parts = ((shapes.T @ forces) ** 2).sum(axis=1) / stiffness
    found: np.ndarray = np.clip(np.cumsum(parts) / whole, 0.0, 1.0)
    return found
