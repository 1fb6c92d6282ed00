"""A mechanism in one pose as drawings need it: frames of joints and markers, mass centres, number of assembly modes."""

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
"""[R | p] of the frame of every body, 3×4."""

SLIDING = ("Prismatic", "Cylindrical", "Helical")
"""Joints along which bodies slide."""

COMMON_MARKERS = ("origin", "com")
"""Markers that every body has."""


def built_in_type_name(part: Any) -> str:
    """The name of the nearest class of multiloop among those of a part, by which its drawing symbol is chosen."""
    return next(kind.__name__ for kind in type(part).__mro__ if kind.__module__.startswith("multiloop."))


@dataclass(frozen=True, eq=False)
class JointSite:
    """A joint or pair in a pose: the frames [R | p] of its two markers, and the sense of its drive.

    `sense` is ±1 for the direction in which the drive moves the second body in this pose (the positive direction at
    rest), and 0 where the joint is not driven. With `effort_known` the effort is known, and `sense` is its direction.
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
        """The name of its type; of a user-defined type that of the class of multiloop from which it is derived."""
        return built_in_type_name(self.joint)

    @cached_property
    def place(self) -> np.ndarray:
        """The point at which it is drawn: the second marker of a joint, the middle of a pair, the piston of a strut."""
        if self.piston is not None:
            return self.piston
        return (self.F[:, 3] + self.S[:, 3]) / 2 if isinstance(self.joint, Pair) else self.S[:, 3]

    @property
    def slide(self) -> np.ndarray:
        """The vector from the first marker to the second."""
        way: np.ndarray = self.S[:, 3] - self.F[:, 3]
        return way

    @property
    def arrow(self) -> int:
        """The sense on the moving body: reversed where the second body is the ground."""
        return -self.sense if self.second == GROUND else self.sense

    def axis(self, planar: bool) -> np.ndarray:
        """The direction about or along which it moves."""
        return self.F[:, 0] if planar and self.kind == "Prismatic" else self.F[:, 2]

    @property
    def grounded(self) -> bool:
        """Whether one of its two bodies is the ground."""
        return GROUND in (self.first, self.second)


@dataclass(frozen=True, eq=False)
class Scene:
    """A mechanism in one pose, with the data that drawings need; expressions are evaluated in `state`."""

    mechanism: Mechanism
    poses: Poses
    assembly_modes: int = 1  # number of assembly modes that start and guess leave
    eta: Mapping[str, np.ndarray] = field(default_factory=dict)  # elastic coordinates of flexible bodies
    strokes: Mapping[str, tuple[float, float]] = field(
        default_factory=dict
    )  # smallest and largest slide of joints over a motion
    state: State | None = None
    scale: float = 1.0  # factor on the deflections of flexible links

    @property
    def planar(self) -> bool:
        """Whether the mechanism is planar."""
        return self.mechanism.planar

    @cached_property
    def sites(self) -> tuple[JointSite, ...]:
        """All joints and pairs in this pose."""
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
        """All couplings with the points of the joints that they couple."""
        places = {site.joint.name: site.place for site in self.sites}
        return tuple(
            (coupling.name, np.array([places[joint] for joint in self.mechanism.tied_joints[coupling.name]]))
            for coupling in self.mechanism.couplings
        )

    def stroke(self, site: JointSite) -> tuple[float, float]:
        """The smallest and largest slide of a joint along its axis; in a single pose both are the current one."""
        now = float(site.slide @ site.axis(self.planar))
        return self.strokes.get(site.joint.name, (now, now))

    def frame(self, reference: str) -> np.ndarray:
        """[R | p] of a marker in the inertial frame."""
        body = reference.partition(".")[0]
        X, local = self.poses[body], marker_frame(self.mechanism, reference, self.eta.get(body))
        shift = marker_shift(self.mechanism, reference, self.poses, self.eta, self.scale)
        return np.column_stack([X[:, :3] @ numeric(local.R), X[:, :3] @ numeric(local.p) + X[:, 3] + shift])

    def point(self, reference: str) -> np.ndarray:
        """The position of a marker, always with three coordinates."""
        place = marker_position(self.mechanism, self.poses, reference, self.eta)
        shift = marker_shift(self.mechanism, reference, self.poses, self.eta, self.scale)
        return np.array([*place, 0.0])[:3] + shift

    def value(self, number: Scalar) -> float | None:
        """The value of a number or expression of the description in this pose; None where it has none."""
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
        """Points of a body at which joints are, without repetition."""
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
        """Body, name and position of every marker without a joint, load or drive that would be labelled there.

        The ends of telescopes are hidden inside each other and left out.
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
        """Whether a point coincides with one of several points."""
        gaps = np.linalg.norm(np.array(points).reshape(-1, 3) - point, axis=1)
        return bool((gaps < 1e-6 * self.size).any())

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
    """The mechanism at its assembled pose, drives at t = 0; undetermined degrees of freedom are as in the guess.

    Rates are those of the drives, because loads and known efforts may depend on them.
    """
    found = find_assembly_modes(mechanism, start=start, guess=guess)
    return scene_at(driven_state(found[0], 0.0), count_assembly_modes(found, start, guess))


def scene_at(state: State, choices: int = 1, scale: float = 1.0) -> Scene:
    """The mechanism in a State, with deflections of links multiplied by `scale`."""
    return Scene(state.mechanism, state.poses, choices, state.eta, state=state, scale=scale)


def pistons_of(mechanism: Mechanism) -> dict[str, str]:
    """The markers at the pistons of the struts, by the names of their slides."""
    return {one.name: f"{one.name}/rod.c" for one in mechanism.composites if isinstance(one, Strut)}


def _drive_senses(scene: Scene) -> dict[str, int]:
    """Senses of prescribed motions and unknown efforts: the direction of motion."""
    mechanism = scene.mechanism
    time = scene.state.time if scene.state else 0.0
    try:
        rates = {request.target.of: request.values[0] for request in drive_values(mechanism, time, 1)}
    except AssemblyError:  # without a value at this time
        rates = {}
    driven = [motion.of for motion in mechanism.drives if not motion.on_marker]
    driven += [actuator.joint for actuator in mechanism.actuators if actuator.effort is None]
    return {name: -1 if rates.get(name, 0.0) < 0 else 1 for name in driven}


def _effort_senses(scene: Scene) -> dict[str, int]:
    """Senses of known efforts: the direction in which they act."""
    known = [actuator for actuator in scene.mechanism.actuators if actuator.effort is not None]
    return {one.joint: -1 if (scene.value(one.effort or 0.0) or 0.0) < 0 else 1 for one in known}


def count_assembly_modes(
    found: Sequence[Assembly], start: Mapping[str, Any] | None, guess: Mapping[str, Any] | None
) -> int:
    """Number of assembly modes among which `assemble` would refuse to choose; 1 if start and guess determine one."""
    if len(found) == 1:
        return 1
    try:
        chosen = choose_among(found, start, 0.0)
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
    """Number of assembly modes that remain when undetermined degrees of freedom are fixed at the guess."""
    mechanism = chosen.mechanism
    guessed = dict(mechanism.guess if guess is None else guess)
    driven = {motion.of for motion in mechanism.drives}
    held = {name: value for name, value in guessed.items() if name not in driven} | dict(start or {})
    try:
        return max(1, len(isolated_assembly_modes(find_assembly_modes(mechanism, start=held, guess={}))))
    except AssemblyError:  # the guess names more coordinates than there are degrees of freedom
        return 1
