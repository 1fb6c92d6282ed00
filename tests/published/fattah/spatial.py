"""Fattah's spatial manipulator in the library's own terms: a triangular platform on three legs R–R–S.

Data: [fattah], Table 6.1; no gravity. The base is recovered from Tables 6.2 and 6.3, see `test_spatial_manipulator.py`.
Elbow axes lean by 25° about their links. The printed manoeuvre (6.34) goes a ninth of the way from θ(0) to c, t_f/1.35,
in t_f = 0.15 s, and would need hundreds of newton metres; here the same path is one cycloid of 12 s.
"""

from __future__ import annotations

import numpy as np
from published.fattah.manipulators import DENSITY, EI, E

import multiloop as ml

LENGTHS, MASSES, PLATFORM = (2.109, 2.470, 2.700), (0.292, 0.342, 0.373), 2.748
ACROSS, LEAN = 31.25, np.radians(25.0)
"""E I of bending along z, N m²; how far the elbow axes lean."""

BASE, TURNED = ((1.565, 0, -1.823), (1.733, 0, 3.033), (-3.191, 0, -0.289)), (-3.555, 0.220, -1.060)
"""Feet, to a millimetre, and b of the legs: X₀ = (sin b, 0, cos b), Y₀ = Y."""

BEGIN, TOWARDS, PART, DURATION = (1.872, 2.340, 2.987), (2.570, 2.776, 1.940), 0.15 / 1.35, 12.0
"""θ(0) and c of (6.34), how much of the way is gone, and how long it takes here."""

ELBOWS = {"B1": 1.34, "B2": 0.26, "B3": -0.52}
MOTORS, LEGS = ("A1", "A2", "A3"), (1, 2, 3)


def corners() -> dict[str, tuple[float, float, float]]:
    """O₇, O₈, O₉ of the platform: sides 2, 3, 2, x along O₇O₉."""
    return {"c1": (0.0, 0.0, 0.0), "c2": (1.5, float(np.sqrt(2.0**2 - 1.5**2)), 0.0), "c3": (3.0, 0.0, 0.0)}


def link(name: str, k: int, modes: object, **more: object) -> ml.Body:
    """A rod of leg k, or with modes a beam of the same mass; the axes of its end `b` lean."""
    length, mass = LENGTHS[k - 1], MASSES[k - 1]
    end = {"b": ml.marker((length, 0, 0), z=(0, -float(np.sin(LEAN)), float(np.cos(LEAN))), x=(1, 0, 0))}
    section = ml.Section(A=mass / length / DENSITY, Iz=EI / E, Iy=ACROSS / E)
    made = ml.beam(name, length=length, E=E, density=DENSITY, section=section, modes=modes or 1, **more)
    if modes:
        return ml.beam(
            name, length=length, E=E, density=DENSITY, section=section, modes=modes, markers=end, **more
        )
    return ml.rod(name, length=length, mass=mass, inertia=made.inertia, markers=end)


def manipulator(
    modes: object = None, *, base: object = BASE, turned: tuple[float, ...] = TURNED, **more: object
) -> ml.Mechanism:
    """Three legs and the platform; its motors go from BEGIN part of the way TOWARDS in one cycloid."""
    feet = {}
    for k, b in zip(LEGS, turned, strict=True):
        x = np.array([np.sin(b), 0.0, np.cos(b)])
        feet[f"O{k}"] = ml.marker(tuple(base[k - 1]), z=tuple(np.cross(x, (0, 1, 0))), x=tuple(x))
    spans = [
        (j, one, one + PART * (other - one)) for j, one, other in zip(MOTORS, BEGIN, TOWARDS, strict=True)
    ]
    return ml.Mechanism(
        "Fattah's spatial manipulator",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(feet),
            *(link(f"{part} {k}", k, modes, **more) for part in ("lower", "upper") for k in LEGS),
            ml.plate("platform", corners=corners(), mass=PLATFORM),
        ],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.O{k}", f"lower {k}.a") for k in LEGS),
            *(ml.Revolute(f"B{k}", f"lower {k}.b", f"upper {k}.a") for k in LEGS),
            *(ml.Spherical(f"C{k}", f"upper {k}.b", f"platform.c{k}") for k in LEGS),
        ],
        drives=[ml.Motion(j, ml.cycloidal(one, other, duration=DURATION)) for j, one, other in spans],
        guess=dict(zip(MOTORS, BEGIN, strict=True)) | ELBOWS,
    )
