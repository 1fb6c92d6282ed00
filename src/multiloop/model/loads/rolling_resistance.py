"""Rolling resistance: deformation shifts the contact force ahead of the centre and causes a resisting moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.loads.load import Load


@dataclass(frozen=True)
class RollingResistance(Load):
    """The moment of rolling resistance that a rolling pair implies: `Rolling("tyre", …, resistance=0.004)`.

        M = arm |N|  on the wheel against the rolling, opposite on the road

    N is the normal force of the pair, `first` and `second` are its markers. Rotation about the normal (pivoting) is not
    resisted. Below `speed` (rad/s) the moment falls smoothly to zero, as for Friction; by default the speed is
    √(g/ℓ)/3000.
    """

    pair: str
    first: str
    second: str
    arm: Scalar = field(kw_only=True)
    speed: Scalar | None = field(kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("arm", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("arm", "speed")
    acts_by_states: ClassVar[bool] = False

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """Dissipated heat."""
        return {"heat": 0.0}

    @property
    def strengths(self) -> int:
        return 1

    @property
    def dissipates(self) -> bool:
        return True
