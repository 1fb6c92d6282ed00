"""Which shapes does a beam have, how fast do they swing, and how many of them are enough?

    held = Σ fᵀ Φ (Φᵀ K Φ)⁻¹ Φᵀ f / Σ fᵀ K⁻¹ f      over loads f, Φ the shapes of a way so far

What bends a link in a machine is above all its own inertia: f = M a for rigid accelerations a that move it that way.
Of a free link, which these do not bend, f are forces and moments at its ends. The rest of the strain energy is missing,
and about as much of the deflection. Forces at the ends are taken up by the basis "interface" as they are. Of the basis
"nodal" the table has natural modes too, as the nodes make them.

Derived here: by Clapeyron's theorem fᵀ K⁻¹ f is twice the strain energy of the whole link, and the
numerator that of its shapes.
"""

from __future__ import annotations

from dataclasses import dataclass

import casadi as ca
import numpy as np
from scipy.linalg import eigh

from multiloop.flexible.component_modes import with_diagonals
from multiloop.flexible.elements.model import BeamModel, beam_model
from multiloop.flexible.elements.shapes import element_shapes, held_link, interface_rows, own_coordinates
from multiloop.flexible.kinds_of_beams import beam_by_itself
from multiloop.model.beam import Beam
from multiloop.model.beam_faults import require_sound
from multiloop.model.geometry import at_values


@dataclass(frozen=True, eq=False)
class ShapeTable:
    """The natural modes of one beam: way and number, frequency (rad/s), and what all of its way so far hold."""

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
            f"  {f'{way} {k + 1}':<8}{omega:>9.5g} rad/s{f:>9.5g} Hz{100 * held:>9.5g} %"
            for (way, k), omega, f, held in zip(
                self.ways, self.frequencies, self.hertz, self.held, strict=True
            )
        ]
        return "\n".join([head, f"  {'shape':<8}{'frequency':>15}{'held':>23}", *rows])


def natural_frequencies(beam: Beam) -> np.ndarray:
    """Natural frequencies of the beam in its frame, by its shapes, rad/s, lowest first."""
    require_sound(beam)
    M, K = _matrices(beam)
    return np.asarray(np.sqrt(eigh(K, M, eigvals_only=True)))


def shape_table(beam: Beam) -> ShapeTable:
    """Its natural modes, way by way: its elastic coordinates, unless these are of nodes."""
    require_sound(beam)
    beam = beam_by_itself(beam)
    M, K = _matrices(beam)
    ways, squares = np.array([way for way, _ in beam.ways]), list[float]()
    for way, _ in beam.modes:
        own = np.ix_(ways == way, ways == way)
        squares += eigh(K[own], M[own], eigvals_only=True).tolist()
    held = np.concatenate([_held(beam, way, count) for way, count in beam.modes])
    basis = ", ".join(dict.fromkeys(beam.basis_of(way) for way, _ in beam.modes))
    return ShapeTable(beam.name, beam.frame, basis, beam.ways, np.sqrt(squares), held)


def _matrices(beam: Beam) -> tuple[np.ndarray, np.ndarray]:
    """Modal mass and stiffness."""
    modes = beam.reduced("origin", at_values, False).modes
    e = modes.count
    return np.array(ca.DM(modes.mass).full())[:e, :e], np.array(ca.DM(modes.stiffness).full())


def _held(beam: Beam, way: str, count: int) -> np.ndarray:
    """After every natural mode of a way."""
    model = beam_model(beam)
    own, begin = own_coordinates(model, way), [one for one, _ in beam.ways].index(way)
    link = held_link(model, way)
    free = beam.frame == "free"
    forces = interface_rows(model, way).T.toarray() if free else _inertia_forces(model, own)
    whole = np.trace(forces.T @ link.solve(forces))
    shapes = with_diagonals(link.component, element_shapes(beam)[own, begin : begin + count])
    K = shapes.T @ (link.component.K @ shapes)
    found = []
    for k in range(1, count + 1):
        pushed = shapes[:, :k].T @ forces
        kept = np.trace(pushed.T @ np.linalg.solve(K[:k, :k], pushed))
        found.append(float(np.clip(kept / whole, 0.0, 1.0)))
    return np.array(found)


def _inertia_forces(model: BeamModel, own: list[int]) -> np.ndarray:
    """M a of rigid accelerations, along the axes and about the frame's origin by 1/L, coordinates × 6."""
    M, _ = model.matrices
    found: np.ndarray = M[np.ix_(own, own)] @ model.mesh.rigid()[own]
    return found
