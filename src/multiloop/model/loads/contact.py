"""A point or a ball that may touch a plane, slide on it, and leave it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.one_sided import OneSided, restitution_faults
from multiloop.model.loads.spring import sign_faults
from multiloop.model.names import body_of


@dataclass(frozen=True)
class Contact(OneSided):
    """A point, or a ball of a `radius`, on a plane: `Contact("foot", "leg.tip", "ground.floor", coefficient=0.3)`.

        g = n · p − radius ≥ 0,      N ≥ 0,      friction μ N σ(|v|/slip) against the sliding v

    The first marker is the point or the middle of the ball, the second lies in the plane, with its z along the normal n
    that points to the ball; in a planar mechanism its y. The plane may belong to any body. Sliding friction is exact
    beyond the rate `slip`, in m/s, and falls smoothly to nothing at rest.
    """

    first: str
    second: str
    radius: Scalar = field(default=0.0, kw_only=True)
    coefficient: Scalar = field(default=0.0, kw_only=True)
    slip: Scalar = field(default=1e-3, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("radius", "coefficient", "slip", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("radius", "coefficient", "slip", "restitution", "speed")

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def is_rough(self) -> bool:
        """Whether it has friction, or may be given some by a parameter."""
        return not (isinstance(self.coefficient, int | float) and self.coefficient == 0)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"is between body '{body_of(self.first)}' and itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        yield from sign_faults(where, self, "radius", "coefficient", "slip")
        yield from restitution_faults(where, self.restitution, self.speed)
