"""A mechanism as the other programs model it: a tree of hinges, slides, balls and free bodies, with coincident points.

Every body has the frame of its inboard joint, so that the coordinates of another program are those of multiloop's tree,
except for quaternions and the axes of their rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.equations import Equations, equations_of
from multiloop.kinematics.tree.skeleton import Link
from multiloop.model import Mechanism
from multiloop.spatial import inertia_about, numeric
from multiloop.topology import tree_of

STEPS = {
    ("Revolute", True): ("RZ",),
    ("Revolute", False): ("RZ",),
    ("Prismatic", True): ("PX",),
    ("Prismatic", False): ("PZ",),
    ("Universal", False): ("RZ", "RX"),
    ("Spherical", False): ("ball",),
    ("Free", False): ("free",),
}
"""Elementary joints of a joint, by its kind and whether the mechanism is planar."""

ACROSS = 0.6
"""The part of the inertia that planar bodies get about in-plane axes; other programs require possible bodies."""


@dataclass(frozen=True, eq=False)
class Step:
    """One elementary joint and what it carries; `parent` is the number of the step that carries it, −1 the ground.

    R and p place it in the frame of its parent; mass, com and inertia (about com) are of the body on it, and a
    step without mass only leads to the next.
    """

    name: str
    kind: str
    parent: int
    R: np.ndarray
    p: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray


@dataclass(frozen=True, eq=False)
class Joined:
    """Two points that a cut keeps together, by step and place in its frame."""

    name: str
    first: int
    first_point: np.ndarray
    second: int
    second_point: np.ndarray


@dataclass(frozen=True, eq=False)
class Opened:
    """A mechanism opened at the given cuts, for the other programs."""

    mechanism: Mechanism
    cuts: tuple[str, ...]

    @cached_property
    def equations(self) -> Equations:
        """Our equations along the same tree; a quantity is traced when it is first evaluated."""
        return equations_of(self.mechanism, tree_of(self.mechanism, self.cuts))

    @property
    def links(self) -> Sequence[Link]:
        """The bodies of the tree, parent before child."""
        return self.equations.skeleton.links

    @cached_property
    def gravity(self) -> np.ndarray:
        """In the inertial frame (3)."""
        return np.array(numeric(self.equations.skeleton.gravity), float).ravel()

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """Elementary joints, parent before child."""
        found: list[Step] = []
        planar, last = self.mechanism.planar, self.last
        for k, link in enumerate(self.links):
            kinds = STEPS[type(link.joint).__name__, planar]
            if not link.forward and kinds not in (("RZ",), ("PX",), ("PZ",)):
                raise ValueError(f"joint '{link.joint.name}' runs inward along this tree: cut another joint")
            R, p = self._marker(link.parent, link.parent_marker)
            parent = last[link.parent]
            for kind in kinds[:-1]:
                found.append(
                    Step(f"{link.joint.name}/{kind}", kind, parent, R, p, 0.0, np.zeros(3), np.zeros((3, 3)))
                )
                R, p, parent = np.eye(3), np.zeros(3), len(found) - 1
            found.append(Step(link.joint.name, kinds[-1], parent, R, p, *self._body(k)))
        return tuple(found)

    @cached_property
    def last(self) -> dict[int, int]:
        """The step that carries each link."""
        planar, at, found = self.mechanism.planar, -1, {-1: -1}
        for k, link in enumerate(self.links):
            at += len(STEPS[type(link.joint).__name__, planar])
            found[k] = at
        return found

    @cached_property
    def joined(self) -> tuple[Joined, ...]:
        """The coincident points of all cuts with constraints: hinges in the plane and balls in space."""
        found = []
        for cut in self.equations.skeleton.cuts:
            kind = type(cut.joint).__name__
            if kind == "Free":
                continue
            if (kind, self.mechanism.planar) not in (("Revolute", True), ("Spherical", False)):
                raise ValueError(f"cut '{cut.joint.name}' is a {kind}: only points are joined here")
            _, first = self._marker(cut.first, cut.first_marker)
            _, second = self._marker(cut.second, cut.second_marker)
            found.append(Joined(cut.joint.name, self.last[cut.first], first, self.last[cut.second], second))
        return tuple(found)

    # states --------------------------------------------------------------------------------------------

    @cached_property
    def signs(self) -> dict[str, float]:
        """−1 for joints whose second body carries the first: their turns and slides count the other way."""
        return {link.joint.name: 1.0 if link.forward else -1.0 for link in self.links}

    def gathered(self, values: Mapping[str, Any], names: Sequence[str]) -> np.ndarray:
        """Numbers of joints one after another, in the order of the other programs."""
        return np.concatenate([self.signs[name] * np.atleast_1d(values[name]) for name in names])

    def positions(self, values: Mapping[str, Any]) -> np.ndarray:
        """q of the tree from values of joints by name, quaternions scalar first."""
        return self.gathered(values, [link.joint.name for link in self.links])

    def rates(self, q: np.ndarray, values: Mapping[str, Any]) -> np.ndarray:
        """v of the tree; angular velocities of balls and free bodies in the axes of the outer body."""
        v = self.gathered(values, [link.joint.name for link in self.links])
        for at, turn in self.equations.chart.quaternions:
            v[turn] = rotation(q[at]).T @ v[turn]
        return v

    def efforts(self, values: Mapping[str, Any]) -> np.ndarray:
        """Efforts along the rates of the tree; joints that are not named have none."""
        tau = np.zeros(self.equations.skeleton.rates)
        for link in self.links:
            tau[link.v] = self.signs[link.joint.name] * values.get(link.joint.name, 0.0)
        return tau

    @cached_property
    def plain(self) -> tuple[str, ...]:
        """Joints of the tree whose rates are derivatives of their coordinates."""
        return tuple(
            link.joint.name for link in self.links if type(link.joint).__name__ not in ("Spherical", "Free")
        )

    def angles(self, q: np.ndarray) -> np.ndarray:
        """Absolute angle of every link of a planar tree of hinges from a peer's q (last axis)."""
        found = np.zeros_like(q)
        for k, link in enumerate(self.links):
            found[..., k] = q[..., k] + (found[..., link.parent] if link.parent >= 0 else 0.0)
        return found

    # constants -----------------------------------------------------------------------------------------

    def _marker(self, link: int, name: str) -> tuple[np.ndarray, np.ndarray]:
        pose = self.equations.skeleton.body_of(link).markers[name]
        return np.array(numeric(pose.R), float).reshape(3, 3), np.array(numeric(pose.p), float).ravel()

    def _body(self, link: int) -> tuple[float, np.ndarray, np.ndarray]:
        body = self.links[link].reduced
        mass, com = float(body.mass), np.array(numeric(body.com), float).ravel()
        about_com = np.array(numeric(inertia_about(body.inertia, -mass, body.com)), float).reshape(3, 3)
        if self.mechanism.planar:
            about_com = about_com[2, 2] * np.diag([ACROSS, ACROSS, 1.0])
        return mass, com, about_com


def rotation(e: np.ndarray) -> np.ndarray:
    """Rotation matrix of a unit quaternion, scalar first."""
    w, x, y, z = e
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
