"""A mechanism in one configuration, with the data for drawings: frames of joints and markers, assembly modes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from multiloop.analyses import State
from multiloop.analyses.assemble import driven_state
from multiloop.analyses.assembly_modes import choose_among, isolated_assembly_modes
from multiloop.analyses.results import marker_frame, marker_position
from multiloop.kinematics.assembly import Assembly, drive_values, find_assembly_modes
from multiloop.model import GROUND, AssemblyError, Connection, Mechanism, Pair, Strut
from multiloop.model.expressions import Scalar, evaluate
from multiloop.spatial import numeric
from multiloop.view.deformed_bodies import marker_shift

Poses = Mapping[str, np.ndarray]
"""Type of body poses: rotation matrix and position [R | p] (3 × 4) of the frame of every body, by its name."""

SLIDING = ("Prismatic", "Cylindrical", "Helical")
"""Types of joints that permit sliding along an axis."""

COMMON_MARKERS = ("origin", "com")
"""Markers that every body has."""


def built_in_type_name(part: Any) -> str:
    """Name of the class of a part, by which its drawing symbol is selected.

    For a user-defined type it is the name of the nearest base class that belongs to multiloop.
    """
    return next(kind.__name__ for kind in type(part).__mro__ if kind.__module__.startswith("multiloop."))


@dataclass(frozen=True, eq=False)
class JointSite:
    """A joint or pair in one configuration of a mechanism, with the frames of its markers and the sense of its drive.

    `first` and `second` are the names of its bodies, `F` and `S` the frames [R | p] (3 × 4) of its two markers. `sense`
    is the sign (±1) of the prescribed rate in this configuration, 1 if this rate is zero or unknown, and 0 if the joint
    is not driven. If `effort_known`, the joint has a known torque or force instead, and `sense` is the sign of this
    torque or force.
    """

    joint: Connection
    first: str
    second: str
    F: np.ndarray
    S: np.ndarray
    sense: int
    effort_known: bool = False
    piston: np.ndarray | None = None  # position of the piston of a strut

    @property
    def kind(self) -> str:
        """Name of the type of the joint; for a user-defined type, of the class of multiloop from which it is
        derived."""
        return built_in_type_name(self.joint)

    @cached_property
    def place(self) -> np.ndarray:
        """Position (m) at which the symbol is drawn.

        It is the second marker of a joint, the midpoint between the markers of a pair, or the piston of a strut.
        """
        if self.piston is not None:
            return self.piston
        return (self.F[:, 3] + self.S[:, 3]) / 2 if isinstance(self.joint, Pair) else self.S[:, 3]

    @property
    def slide(self) -> np.ndarray:
        """Vector from the first marker of the joint to the second (m)."""
        way: np.ndarray = self.S[:, 3] - self.F[:, 3]
        return way

    @property
    def arrow(self) -> int:
        """Sense of the drive as seen on the moving body: `sense`, or −`sense` if the second body is the ground."""
        return -self.sense if self.second == GROUND else self.sense

    def axis(self, planar: bool) -> np.ndarray:
        """Unit vector of the axis about which the joint rotates or along which it slides."""
        return self.F[:, 0] if planar and self.kind == "Prismatic" else self.F[:, 2]

    @property
    def grounded(self) -> bool:
        """Whether one of the two bodies of the joint is the ground."""
        return GROUND in (self.first, self.second)


@dataclass(frozen=True, eq=False)
class Scene:
    """A mechanism in one configuration, with the data for a drawing; expressions are evaluated in `state`."""

    mechanism: Mechanism
    poses: Poses
    assembly_modes: int = 1  # number of assembly modes compatible with start and guess
    eta: Mapping[str, np.ndarray] = field(default_factory=dict)  # elastic coordinates of flexible bodies
    strokes: Mapping[str, tuple[float, float]] = field(
        default_factory=dict
    )  # smallest and largest sliding displacement (m) of joints during a motion
    state: State | None = None
    scale: float = 1.0  # factor by which deflections of flexible bodies are magnified

    @property
    def planar(self) -> bool:
        """Whether the mechanism is planar."""
        return self.mechanism.planar

    @cached_property
    def sites(self) -> tuple[JointSite, ...]:
        """All joints and pairs in this configuration."""
        drives, efforts = _drive_senses(self), _effort_senses(self)
        pistons = pistons_of(self.mechanism)
        found = []
        for joint in self.mechanism.connections:
            first, second = (reference.partition(".")[0] for reference in (joint.first, joint.second))
            F, S = self.frame(joint.first), self.frame(joint.second)
            given = joint.name in efforts and joint.name not in drives
            sense = efforts[joint.name] if given else drives.get(joint.name, 0)
            piston = self.point(pistons[joint.name]) if joint.name in pistons else None
            found.append(JointSite(joint, first, second, F, S, sense, given, piston))
        return tuple(found)

    @cached_property
    def coupling_lines(self) -> tuple[tuple[str, np.ndarray], ...]:
        """Name of each coupling, and the positions of the joints that it couples (joints × 3)."""
        places = {site.joint.name: site.place for site in self.sites}
        return tuple(
            (coupling.name, np.array([places[joint] for joint in self.mechanism.tied_joints[coupling.name]]))
            for coupling in self.mechanism.couplings
        )

    def stroke(self, site: JointSite) -> tuple[float, float]:
        """Smallest and largest displacement (m) of a joint along its axis during the motion that is drawn.

        Both are the current displacement if a single configuration is drawn.
        """
        now = float(site.slide @ site.axis(self.planar))
        return self.strokes.get(site.joint.name, (now, now))

    def frame(self, reference: str) -> np.ndarray:
        """Frame [R | p] (3 × 4) of a marker "body.marker" in the inertial frame."""
        body = reference.partition(".")[0]
        X, local = self.poses[body], marker_frame(self.mechanism, reference, self.eta.get(body))
        shift = marker_shift(self.mechanism, reference, self.poses, self.eta, self.scale)
        return np.column_stack([X[:, :3] @ numeric(local.R), X[:, :3] @ numeric(local.p) + X[:, 3] + shift])

    def point(self, reference: str) -> np.ndarray:
        """Position of a marker "body.marker" in the inertial frame, with three coordinates also in the plane."""
        place = marker_position(self.mechanism, self.poses, reference, self.eta)
        shift = marker_shift(self.mechanism, reference, self.poses, self.eta, self.scale)
        return np.array([*place, 0.0])[:3] + shift

    def value(self, number: Scalar) -> float | None:
        """Value of a number or expression in this configuration; None if it cannot be evaluated."""
        state = self.state
        time, q, v = (state.time, state.positions, state.rates) if state else (0.0, {}, {})
        x: Mapping[str, float] = state.integrals if state else {}
        try:
            return float(
                evaluate(
                    number,
                    time=time,
                    position=lambda joint, component: q[joint][component],
                    rate=lambda joint, component: v[joint][component],
                    integral=lambda name: x[name],
                    span=lambda spring: (self._length(spring), 0.0),
                )
            )
        except (ValueError, KeyError, IndexError):
            return None

    def _length(self, spring: str) -> float:
        (load,) = (load for load in self.mechanism.all_loads if load.name == spring)
        a, b = (self.point(marker) for marker in load.markers)
        return float(np.linalg.norm(b - a))

    def joint_points(self, body: str) -> list[np.ndarray]:
        """Positions of the joints of a body, without duplicates."""
        found: list[np.ndarray] = []
        for site in self.sites:
            for name, frame in ((site.first, site.F), (site.second, site.S)):
                if (
                    name == body
                    and site.joint.rows(self.planar)
                    and not self.contains_point(frame[:, 3], found)
                ):
                    found.append(frame[:, 3])
        return found

    @cached_property
    def free_markers(self) -> tuple[tuple[str, str, np.ndarray], ...]:
        """Body, name and position of every marker at whose position no joint, load or drive is labelled.

        Ends of telescoping bodies are omitted, because they are hidden inside each other.
        """
        taken = [frame[:, 3] for site in self.sites for frame in (site.F, site.S)]
        taken += [self.point(marker) for load in self.mechanism.all_loads for marker in load.markers]
        taken += [self.point(motion.of) for motion in self.mechanism.drives if motion.on_marker]
        places = np.array(taken).reshape(-1, 3)
        found: list[tuple[str, str, np.ndarray]] = []
        telescopes = [site for site in self.sites if site.kind in SLIDING and not site.grounded]
        hidden = {body for site in telescopes for body in (site.first, site.second)}
        for body in self.mechanism.all_bodies:
            ends = body.outline if body.name in hidden else ()
            for name in body.marker_names:
                place = self.point(f"{body.name}.{name}")
                told = name in (*COMMON_MARKERS, *ends) or self.contains_point(place, places)
                if not told and not self.contains_point(place, [other for _, _, other in found]):
                    found.append((body.name, name, place))
        return tuple(found)

    def contains_point(self, point: np.ndarray, points: Sequence[np.ndarray] | np.ndarray) -> bool:
        """Whether a point coincides with one of several points, within a tolerance relative to the drawing's size."""
        gaps = np.linalg.norm(np.array(points).reshape(-1, 3) - point, axis=1)
        return bool((gaps < 1e-6 * self.size).any())

    @cached_property
    def size(self) -> float:
        """Largest extent along x, y or z of all joints, body outlines and mass centres (m)."""
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
    """Scene of a mechanism in its assembled configuration at t = 0.

    Degrees of freedom that drives and `start` do not determine have the values of `guess`. Joint rates follow from the
    drives, because loads and known efforts may depend on rates.
    """
    found = find_assembly_modes(mechanism, start=start, guess=guess)
    return scene_at(driven_state(found[0], 0.0), count_assembly_modes(found, start, guess))


def scene_at(state: State, assembly_modes: int = 1, scale: float = 1.0) -> Scene:
    """Scene of a mechanism in a State, with the deflections of flexible bodies multiplied by `scale`.

    `assembly_modes` is the number of assembly modes among which this State was chosen.
    """
    return Scene(state.mechanism, state.poses, assembly_modes, state.eta, state=state, scale=scale)


def pistons_of(mechanism: Mechanism) -> dict[str, str]:
    """For each strut, the marker at its piston, by the name of the strut's sliding joint."""
    return {one.name: f"{one.name}/rod.c" for one in mechanism.composites if isinstance(one, Strut)}


def _drive_senses(scene: Scene) -> dict[str, int]:
    """Direction of motion (±1) of each joint with a prescribed motion or an actuator of unknown effort, by its name."""
    mechanism = scene.mechanism
    time = scene.state.time if scene.state else 0.0
    try:
        rates = {request.target.of: request.values[0] for request in drive_values(mechanism, time, 1)}
    except AssemblyError:  # a drive has no value at this time
        rates = {}
    driven = [motion.of for motion in mechanism.drives if not motion.on_marker]
    driven += [actuator.joint for actuator in mechanism.actuators if actuator.effort is None]
    return {name: -1 if rates.get(name, 0.0) < 0 else 1 for name in driven}


def _effort_senses(scene: Scene) -> dict[str, int]:
    """Direction (±1) of the known torque or force of each actuator, by the name of its joint."""
    known = [actuator for actuator in scene.mechanism.actuators if actuator.effort is not None]
    return {one.joint: -1 if (scene.value(one.effort or 0.0) or 0.0) < 0 else 1 for one in known}


def count_assembly_modes(
    assemblies: Sequence[Assembly], start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> int:
    """How many of the assembly modes `assemblies` are compatible with `start` and `guess`; at least 1."""
    if len(assemblies) == 1:
        return 1
    try:
        chosen = choose_among(assemblies, start, 0.0)
    except AssemblyError as error:
        return max(1, len(error.choices))
    return (
        1
        if chosen.guess_places_all_bodies or not chosen.degrees_of_freedom
        else _count_with_guess(chosen, start, guess)
    )


def _count_with_guess(
    chosen: Assembly, start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> int:
    """Number of assembly modes in which coordinates without a drive have the values of `start` and of the guess.

    The guess is `guess` if given, otherwise the guess of the mechanism. `chosen` is any assembly mode of the mechanism.
    """
    mechanism = chosen.mechanism
    guessed = dict(mechanism.guess if guess is None else guess)
    driven = {motion.of for motion in mechanism.drives}
    held = {name: value for name, value in guessed.items() if name not in driven} | dict(start or {})
    try:
        return max(1, len(isolated_assembly_modes(find_assembly_modes(mechanism, start=held, guess={}))))
    except AssemblyError:  # the guess has more coordinates than there are degrees of freedom
        return 1
