"""Conversion between joint names and arrays: the coordinates of a tree's joints one after another."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.model import UnknownNameError, suggestion


class Numbered(ABC):
    """Base class of objects whose arrays have the joints in the order of a tree."""

    @property
    @abstractmethod
    def equations(self) -> Equations:
        """The equations along the tree."""

    @property
    def joints(self) -> tuple[str, ...]:
        """The tree's joints, in the order of q and v."""
        return tuple(link.joint.name for link in self.equations.skeleton.links)

    def pack(self, values: Mapping[str, Any], *, rates: bool = False) -> np.ndarray:
        """q (or v) from values by the names of joints, and by "body.eta" of flexible bodies.

        Coordinates that are not given are neutral, rates are zero.
        """
        skeleton = self.equations.skeleton
        places = self._places(rates)
        for name in values:
            if name not in places:
                cut = name in {joint.name for joint in skeleton.mechanism.binary_joints}
                remedy = "It is cut and follows from the others; other `cuts=` keep it." if cut else ""
                known = remedy or suggestion(name, places)
                raise UnknownNameError(skeleton.mechanism.name, "joint of the tree", name, known)
        count = max((np.shape(value)[-1] for value in values.values() if np.ndim(value) == 2), default=0)
        packed = np.zeros(skeleton.rates) if rates else skeleton.neutral.copy()
        packed = np.repeat(packed[:, None], count, axis=1) if count else packed
        for name, value in values.items():
            packed[places[name]] = value
        return packed

    def unpack(self, array: np.ndarray, *, rates: bool = False) -> dict[str, np.ndarray]:
        """Values by name from q (or from v, a, tau with `rates`); the arrays are views."""
        return {name: array[place] for name, place in self._places(rates).items()}

    def _places(self, rates: bool) -> dict[str, slice]:
        named = self.equations.skeleton.coordinates
        return {name: own.v if rates else own.q for name, own in named.items()}
