"""Base class of couplings: constraints between coordinates of joints."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.expressions import Scalar

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Coupling(ABC):
    """A constraint between coordinates of joints, or between more than two bodies.

    Its joints stay in the tree. Its rows are defined in `kinematics.constraints`, where `COUPLINGS` maps each type of
    coupling to its constraint.
    """

    name: str

    called: ClassVar[str] = "coupling"  # what it is called in messages

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it couples, if they are named in its description."""
        return ()

    def joints_in(self, mechanism: Mechanism) -> tuple[str, ...]:
        """The joints that it couples; those of a gear are the bearings found in the mechanism."""
        return self.joints

    def equation_in(self, mechanism: Mechanism) -> Scalar | None:
        """The expression of joint positions that it keeps at zero, if it can be written as one; otherwise None."""
        return None

    def reach_in(self, mechanism: Mechanism) -> float:
        """The length that it spans, for default parameter values."""
        return 0.0

    @property
    def rows(self) -> int:
        """Number of degrees of freedom that it removes."""
        return 1
