"""A square bar of solid elements, and the flexibility of its free end."""

from __future__ import annotations

import casadi as ca
import numpy as np
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.model.markers import value_of

L, B, H = 0.4, 0.02, 0.02
STEEL = {"E": 2.1e11, "nu": 0.3, "density": 7850.0}
BENDING, PRESS = STEEL["E"] * B * H**3 / 12, STEEL["E"] * B * H
SHEAR = STEEL["E"] / 2.6


def bar(elements: tuple[int, int, int] = (8, 1, 1), cell: str = "hexahedron", **more: object) -> ml.Solid:
    """A square bar of steel along x."""
    mesh = ml.box_mesh(L, B, H, elements=elements, cell=cell)
    given = {"mesh": mesh, "interfaces": {"a": "x0", "b": "x1"}, "modes": 6, **STEEL} | more
    return ml.solid("bar", **given)


def held(body: ml.Solid, loads: tuple[object, ...] = ()) -> ml.Mechanism:
    """A bar clamped at a, without weight."""
    return clamped_body(body, "held bar", joint="hold", planar=False, gravity=(0, 0, 0), loads=loads)


def end_flexibility(body: ml.Solid) -> np.ndarray:
    """Rotation and displacement of its free end per unit of moment and force there, 6×6."""
    reduced = body.reduced("a", value_of, False)
    shape = np.array(ca.DM(reduced.modes.shapes["b"]).full())[:, : body.modes]
    found: np.ndarray = shape @ np.linalg.solve(ca.DM(reduced.modes.stiffness).full(), shape.T)
    return found
