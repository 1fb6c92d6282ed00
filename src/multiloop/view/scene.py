"""What there is to draw: joints with their frames, bodies with their points, mass centres, all in one pose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.kinematics.assembly import closures
from multiloop.kinematics.prescribed import drive_values
from multiloop.kinematics.readings import body_poses
from multiloop.model import GROUND, AssemblyError, Connection, Mechanism, Pair
from multiloop.questions.answers.marker_poses import marker_frame, marker_place
from multiloop.questions.assembling import chosen_closure
from multiloop.spatial import numeric

Poses = Mapping[str, np.ndarray]
"""[R | p] of every body's own frame, 3×4."""


@dataclass(frozen=True, eq=False)
class Site:
    """A joint or pair where it stands: the frames [R | p] of its two markers, and the sense of its drive.

    `sense` is ±1 as the drive moves the second body at the start (or by its positive direction when it
    starts from rest), and 0 where the joint is not driven.
    """

    joint: Connection
    first: str
    second: str
    F: np.ndarray
    S: np.ndarray
    sense: int

    @property
    def kind(self) -> str:
        """Its kind in a word."""
        return type(self.joint).__name__

    @cached_property
    def place(self) -> np.ndarray:
        """Where it is drawn: a joint at the origin of its second marker, a pair between both."""
        return (self.F[:, 3] + self.S[:, 3]) / 2 if isinstance(self.joint, Pair) else self.S[:, 3]

    @property
    def slide(self) -> np.ndarray:
        """From the first marker to the second."""
        way: np.ndarray = self.S[:, 3] - self.F[:, 3]
        return way

    def axis(self, planar: bool) -> np.ndarray:
        """The direction about or along which it moves."""
        return self.F[:, 0] if planar and self.kind == "Prismatic" else self.F[:, 2]

    @property
    def grounded(self) -> bool:
        """Whether one of its two bodies is the ground."""
        return GROUND in (self.first, self.second)


@dataclass(frozen=True, eq=False)
class Scene:
    """A mechanism in one pose, as far as drawing it needs."""

    mechanism: Mechanism
    poses: Poses
    choices: int = 1  # closures among which nothing chose
    eta: Mapping[str, np.ndarray] = field(default_factory=dict)  # of bodies that bend
    strokes: Mapping[str, tuple[float, float]] = field(
        default_factory=dict
    )  # of slides, where it is one of many

    @property
    def planar(self) -> bool:
        """Whether it is drawn in the plane."""
        return self.mechanism.planar

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """Every joint and pair where it stands."""
        senses = _senses(self.mechanism)
        found = []
        for joint in self.mechanism.connections:
            first, second = (reference.partition(".")[0] for reference in (joint.first, joint.second))
            F, S = self.frame(joint.first), self.frame(joint.second)
            found.append(Site(joint, first, second, F, S, senses.get(joint.name, 0)))
        return tuple(found)

    @cached_property
    def ties(self) -> tuple[tuple[str, np.ndarray], ...]:
        """Every coupling with the places of the joints that it ties together."""
        places = {site.joint.name: site.place for site in self.sites}
        return tuple(
            (coupling.name, np.array([places[joint] for joint in coupling.joints]))
            for coupling in self.mechanism.couplings
        )

    def stroke(self, site: Site) -> tuple[float, float]:
        """How far a joint slides along its axis, at least and at most; in a single pose both are where it is."""
        now = float(site.slide @ site.axis(self.planar))
        return self.strokes.get(site.joint.name, (now, now))

    def frame(self, reference: str) -> np.ndarray:
        """[R | p] of a marker in the inertial frame."""
        body = reference.partition(".")[0]
        X, local = self.poses[body], marker_frame(self.mechanism, reference, self.eta.get(body))
        return np.column_stack([X[:, :3] @ numeric(local.R), X[:, :3] @ numeric(local.p) + X[:, 3]])

    def point(self, reference: str) -> np.ndarray:
        """A marker's place, always with three coordinates."""
        place = marker_place(self.mechanism, self.poses, reference, self.eta)
        return np.array([*place, 0.0])[:3]

    def seats(self, body: str) -> list[np.ndarray]:
        """Where joints sit on a body, without repetition."""
        found: list[np.ndarray] = []
        for site in self.sites:
            for name, frame in ((site.first, site.F), (site.second, site.S)):
                if name == body and site.kind != "Free" and not _among(frame[:, 3], found, self.size):
                    found.append(frame[:, 3])
        return found

    @cached_property
    def size(self) -> float:
        """The widest extent of all joints, outlines and mass centres."""
        points = [frame[:, 3] for site in self.sites for frame in (site.F, site.S)]
        points += [
            self.point(f"{body.name}.{marker}")
            for body in self.mechanism.moving
            for marker in (*body.outline, "com")
        ]
        spread = np.ptp(np.array(points), axis=0).max() if points else 0.0
        return float(spread) or 1.0


def scene_of(
    mechanism: Mechanism, start: Mapping[str, Any] | None = None, guess: Mapping[str, Any] | None = None
) -> Scene:
    """The mechanism at its assembled pose, drives at t = 0; freedoms left open stay as the guess has them."""
    found = closures(mechanism, start=start, guess=guess)
    assembly = found[0]
    poses = body_poses(assembly.equations, assembly.q, assembly.p)
    links = assembly.equations.skeleton.links
    eta = {link.body: assembly.q[link.eta] for link in links if link.reduced.elastic}
    return Scene(mechanism, poses, _choices(mechanism, start, guess) if len(found) > 1 else 1, eta)


def _choices(mechanism: Mechanism, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None) -> int:
    """How many closures `assemble` would refuse to choose among."""
    try:
        chosen_closure(mechanism, start, guess, 0.0)
    except AssemblyError as error:
        return max(1, len(error.choices))
    return 1


def _senses(mechanism: Mechanism) -> dict[str, int]:
    rates = {request.target.of: request.values[0] for request in drive_values(mechanism, 0.0, 1)}
    driven = [motion.of for motion in mechanism.drives if not motion.on_marker]
    driven += [actuator.joint for actuator in mechanism.actuators]
    return {name: -1 if rates.get(name, 0.0) < 0 else 1 for name in driven}


def _among(point: np.ndarray, points: list[np.ndarray], size: float) -> bool:
    return any(np.linalg.norm(point - other) < 1e-6 * size for other in points)
