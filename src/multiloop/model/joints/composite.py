"""Base class of composite joints, which stand for several joints and for bodies between them."""

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
    """Several joints under one name, each named "name/part"; it is listed among the joints of a mechanism."""

    name: str

    @abstractmethod
    def binary_joints(self, planar: bool) -> tuple[Joint, ...]:
        """The joints for which it stands."""

    def bodies(self, planar: bool) -> tuple[Body, ...]:
        """The bodies that it implies."""
        return ()

    def loads(self, planar: bool) -> tuple[Load, ...]:
        """The loads that it implies."""
        return ()

    def faults(self, where: str) -> Iterator[Fault]:
        """Errors of its values; `where` is its name in messages."""
        return iter(())

    def usual_guess(self, planar: bool) -> Mapping[str, Any]:
        """Default guess for its joints, used if the user gives none."""
        return {}
