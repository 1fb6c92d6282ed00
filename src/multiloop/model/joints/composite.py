"""Something that is described once and stands for several joints, and for bodies between them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import Body
from multiloop.model.faults import Fault
from multiloop.model.joints.joint import Joint

if TYPE_CHECKING:
    from multiloop.model.loads import Load


@dataclass(frozen=True)
class Composite(ABC):
    """Joints under one name, called "name/part"; it stands among the joints of a mechanism."""

    name: str

    @abstractmethod
    def binary_joints(self, planar: bool) -> tuple[Joint, ...]:
        """The joints that it stands for."""

    def bodies(self, planar: bool) -> tuple[Body, ...]:
        """The bodies that it brings along."""
        return ()

    def loads(self, planar: bool) -> tuple[Load, ...]:
        """The loads that it brings along."""
        return ()

    def faults(self, where: str) -> Iterator[Fault]:
        """What is wrong with it by itself; `where` is how it is called."""
        return iter(())

    def usual_guess(self, planar: bool) -> Mapping[str, Any]:
        """What is guessed of its joints where nobody says otherwise."""
        return {}
