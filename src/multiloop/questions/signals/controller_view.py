"""The values passed to a controller: positions and rates of all joints by name, a number for a single coordinate.

Values of tree joints are read from the state; those of cut joints are computed when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.readings import joint_coordinates, joint_motion
from multiloop.model import UnknownNameError, suggestion

Values = Mapping[str, np.ndarray]


class Sight:
    """The joints of one mechanism over time; angles of cut joints are continuous from one evaluation to the next."""

    def __init__(self, equations: Equations) -> None:
        self.equations = equations
        self.p = np.array(list(equations.skeleton.mechanism.parameters.values()))
        self._last: Values | None = None

    def at(self, q: np.ndarray, v: np.ndarray) -> tuple[Seen, Seen]:
        """Positions and rates in a state."""
        q, v = np.array(q), np.array(v)
        links, mechanism = self.equations.skeleton.links, self.equations.skeleton.mechanism
        names = tuple(joint.name for joint in mechanism.binary_joints)
        positions = {link.joint.name: q[link.q] for link in links}
        rates = {link.joint.name: v[link.v] for link in links}
        return (
            Seen(mechanism.name, names, positions, lambda: self._positions(q)),
            Seen(mechanism.name, names, rates, lambda: self._rates(q, v)),
        )

    def _positions(self, q: np.ndarray) -> Values:
        self._last = joint_coordinates(self.equations, q, self.p, self._last)
        return self._last

    def _rates(self, q: np.ndarray, v: np.ndarray) -> Values:
        return joint_motion(self.equations, q, v, np.zeros_like(v), self.p)[0]


class Seen(Mapping[str, Any]):
    """Values by joint name; those that are not `known` are computed together by `others`."""

    def __init__(
        self, mechanism: str, names: tuple[str, ...], known: Values, others: Callable[[], Values]
    ) -> None:
        self._mechanism, self._names, self._known, self._others = mechanism, names, known, others

    def __getitem__(self, joint: str) -> Any:
        if joint not in self._names:
            raise UnknownNameError(self._mechanism, "joint", joint, suggestion(joint, self._names))
        if joint not in self._known:
            self._known = self._others()
        value = self._known[joint]
        return float(value[0]) if len(value) == 1 else value

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return repr(dict(self))
