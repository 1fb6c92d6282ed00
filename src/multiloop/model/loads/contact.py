"""Unilateral contact of a point or a ball with a plane, with impact, stiction and sliding friction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.friction import stiction_faults
from multiloop.model.loads.load import Load, sign_faults
from multiloop.model.loads.unilateral import UnilateralLoad, restitution_faults
from multiloop.model.markers import body_of


@dataclass(frozen=True)
class Contact(UnilateralLoad):
    """Contact of a point or ball with a plane: `Contact("foot", "leg.tip", "ground.floor", coefficient=0.3)`.

        g = n · p − radius ≥ 0,      N ≥ 0,      |T| ≤ μ N,      T = −μ N v/|v| while it slides

    The first marker is the point or the centre of the ball, the second lies in the plane, with its z axis (in a
    planar mechanism its y axis) along the normal n that points to the ball. The plane may belong to any body. With
    stiction="exact" a contact at rest sticks with any friction force T within the friction cone. With
    stiction="smooth" the friction force is μ N σ(|v|/slip): it vanishes at rest, and a contact that should stick
    creeps more slowly than `slip`, in m/s. By default `slip` follows from gravity and the size of the mechanism, as
    the `speed` of `Friction`.
    """

    first: str
    second: str
    radius: Scalar = field(default=0.0, kw_only=True)
    coefficient: Scalar = field(default=0.0, kw_only=True)
    stiction: str = field(default="exact", kw_only=True)
    slip: Scalar | None = field(default=None, kw_only=True)
    tangents: int = field(default=2, init=False, repr=False, compare=False)
    """Number of tangential directions: two in space, one in the plane."""

    steady: ClassVar[tuple[str, ...]] = ("radius", "coefficient", "slip", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("radius", "coefficient", "slip", "restitution", "speed")

    def in_mechanism(self, planar: bool) -> Load:
        found = replace(self)
        object.__setattr__(found, "tangents", 1 if planar else 2)
        return found

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def is_rough(self) -> bool:
        """Whether it has friction, or may have it by the value of a parameter."""
        return not (isinstance(self.coefficient, int | float) and self.coefficient == 0)

    @property
    def exact(self) -> bool:
        """Whether it has exact stiction, without creep."""
        return self.is_rough and self.stiction == "exact"

    @property
    def modes(self) -> tuple[str, ...]:
        """Modes of the normal force and, with exact stiction, of friction and in space of the direction of sliding.

        The direction is the angle from the x axis towards the y axis of the plane's marker.
        """
        if not self.exact:
            return ("mode",)
        return ("mode", "friction") if self.tangents == 1 else ("mode", "friction", "direction")

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"connects body '{body_of(self.first)}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        yield from sign_faults(where, self, "radius", "coefficient", "slip")
        yield from restitution_faults(where, self.restitution, self.speed)
        yield from stiction_faults(where, self.stiction, "contact")
