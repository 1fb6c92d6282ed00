"""What every pair can say of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from multiloop.model.connection import Connection


@dataclass(frozen=True)
class Pair(Connection):
    """A constraint between two bodies that carries neither of them: it closes a loop and is always cut."""

    called: ClassVar[str] = "pair"
    planar_too: ClassVar[bool] = True
    always_cut: ClassVar[bool] = True

    def reach(self) -> float:
        """The length that it spans between its markers, parameters at their own values."""
        return 0.0
