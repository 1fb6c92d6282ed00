"""Springs and dampers along a joint coordinate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.loads.load import Load
from multiloop.model.loads.spring import sign_faults


@dataclass(frozen=True)
class JointSpring(Load):
    """A spring, a damper or both along one coordinate of a joint: `JointSpring("hinge", "A", stiffness=30.0)`.

        effort = −stiffness (q − rest) − damping q̇      on the second body along q, opposite on the first

    `component` names the coordinate of a joint with several. The damping may depend on time and state.
    """

    joint: str
    component: str = ""
    stiffness: Scalar = field(default=0.0, kw_only=True)
    rest: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "rest")
    varying: ClassVar[tuple[str, ...]] = ("damping",)
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        if (self.stiffness, self.damping) == (0.0, 0.0):
            yield Fault("L07", where, "does nothing.", "Give stiffness= or damping=.")
