"""What every pair between coordinates can say of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Coupling(ABC):
    """A constraint that acts along coordinates of joints, or at more than two bodies.

    The joints that it names stay in the tree. What its rows are is said where rows are made: for each kind of
    coupling `kinematics.constraints.COUPLINGS` has the constraint.
    """

    name: str

    called: ClassVar[str] = "coupling"  # what it is called in messages

    @property
    @abstractmethod
    def joints(self) -> tuple[str, ...]:
        """The joints whose motion it ties together."""

    @property
    def rows(self) -> int:
        """Degrees of freedom that it takes."""
        return 1
