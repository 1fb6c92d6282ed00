"""What every pair between coordinates can say of itself."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.expressions import Scalar

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Coupling(ABC):
    """A constraint that acts along coordinates of joints, or at more than two bodies.

    The joints that it names stay in the tree. What its rows are is said where rows are made: for each kind of
    coupling `kinematics.constraints.COUPLINGS` has the constraint.
    """

    name: str

    called: ClassVar[str] = "coupling"  # what it is called in messages

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints whose motion it ties together, where it names them itself."""
        return ()

    def joints_in(self, mechanism: Mechanism) -> tuple[str, ...]:
        """The joints whose motion it ties together; a gear finds its bearings in the mechanism."""
        return self.joints

    def equation_in(self, mechanism: Mechanism) -> Scalar | None:
        """The expression of joints' positions that it keeps at zero, where it can be written as one."""
        return None

    def reach_in(self, mechanism: Mechanism) -> float:
        """The length that it spans, parameters at their own values."""
        return 0.0

    @property
    def rows(self) -> int:
        """Degrees of freedom that it takes."""
        return 1
