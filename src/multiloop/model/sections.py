"""Cross sections of beams: area, second moments, torsion constant and outer fibres."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import pi

from multiloop.model.expressions import Scalar, functions
from multiloop.model.markers import scalar


@dataclass(frozen=True)
class Section:
    """A section across x: area A (m²), second moments Iz = ∫ y² dA and Iy = ∫ z² dA (m⁴), torsion constant J (m⁴).

    Iz resists bending along y, which is all that a planar mechanism sees; Iy bending along z. `y` and `z` are how far
    the outer fibres lie from the middle, for stresses. Numbers may be expressions of parameters.
    """

    A: Scalar
    Iz: Scalar
    Iy: Scalar = 0.0
    J: Scalar = 0.0
    y: Scalar = field(default=0.0, kw_only=True)
    z: Scalar = field(default=0.0, kw_only=True)

    def __post_init__(self) -> None:
        for name in ("A", "Iz", "Iy", "J", "y", "z"):
            object.__setattr__(self, name, scalar(getattr(self, name)))


def rectangle(width: Scalar, height: Scalar) -> Section:
    """`width` along z and `height` along y: a beam in the plane bends against height³.

    J = a b³ (1/3 − 0.21 b/a (1 − b⁴/12 a⁴)),  a ≥ b      [roark], to half a percent
    """
    b, h = scalar(width), scalar(height)
    a, thin = functions.maximum(b, h), functions.minimum(b, h)
    ratio = thin / a
    J = a * thin**3 * (1 / 3 - 0.21 * ratio * (1 - ratio**4 / 12))
    return Section(b * h, b * h**3 / 12, h * b**3 / 12, J, y=h / 2, z=b / 2)


def tube(outer: Scalar, inner: Scalar = 0.0) -> Section:
    """A round tube by its diameters; without an inner one a round bar."""
    D, d = scalar(outer), scalar(inner)
    I = pi / 64 * (D**4 - d**4)
    return Section(pi / 4 * (D**2 - d**2), I, I, 2 * I, y=D / 2, z=D / 2)
