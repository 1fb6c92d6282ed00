"""What holds back a wheel that rolls: tyre and road give way, and the force between them lies ahead of the middle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.loads.load import Load


@dataclass(frozen=True)
class RollingResistance(Load):
    """The moment that a pair which rolls brings along: `Rolling("tyre", …, resistance=0.004)`.

        M = arm |N|  against the rolling, on the wheel, and on the road the other way

    N is the normal force of the pair, `first` and `second` are its markers. Turning about the normal, on the spot, is
    no rolling. Below `speed` (rad/s) the moment falls smoothly to nothing, as that of Friction does. Without a
    value the speed is √(g/ℓ)/3000, as there.
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
        """The heat that it has made."""
        return {"heat": 0.0}

    @property
    def strengths(self) -> int:
        return 1

    @property
    def dissipates(self) -> bool:
        return True
