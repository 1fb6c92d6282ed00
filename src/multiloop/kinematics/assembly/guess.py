"""Guess of a position: placement of the bodies, a closed position near the guess, and distances from the guess.

Bodies are placed outward from the ground and from bodies with prescribed poses, along joints with known coordinates
first. Assembly modes are compared by their distance from the guessed values gᵢ, the root of the sum of squares

    d = √ Σ mᵢ²,      mᵢ = |qᵢ − gᵢ| of an angle, |pᵢ − gᵢ| / l of a position or a length

where qᵢ are the angles in radians and pᵢ the positions and lengths in the assembly mode, and l is the characteristic
length; whole turns between an angle and its guess do not count. The deviation of the orientation of a marker in space
is the angle of the rotation from its guess.

Theory: docs/theory/02-kinematics.md, eqs. (2.14)–(2.16).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heapify, heappop, heappush

import numpy as np

from multiloop.kinematics.assembly.newton import damped_newton
from multiloop.kinematics.assembly.pose_fit import PoseFit, PrescribedMarkers, marker_residuals
from multiloop.kinematics.assembly.requests import Request
from multiloop.kinematics.assembly.separate_bodies import SeparateBodies, SeparatePosition
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model.joints import nearest_angle
from multiloop.spatial import numeric, quaternion_matrix

PRESCRIBED_POSE = -1
"""Value that stands for the index of a joint where a body is not placed across a joint: for the ground and for bodies
with prescribed poses."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Poses of all bodies without constraints between them, and for every body the number of joints with unknown
    coordinates on the path along which it was placed."""

    position: SeparatePosition
    unknown_joint_counts: np.ndarray


def place_separate_bodies(
    parts: SeparateBodies, q: np.ndarray, known: np.ndarray, prescribed_poses: Mapping[int, np.ndarray]
) -> Placement:
    """Place every body along a path of joints from the ground or from a body with a prescribed pose.

    Of all such paths, the shortest of those with the fewest joints with unknown coordinates is used.

        S = F X(q)  from the first body of a joint,      F = S X(q)⁻¹  from its second body

    F and S are the poses of the first and second marker of a joint, X(q) is the pose of S in F. `q` are the coordinates
    of all joints; `known`, with an entry for every joint rate, states which coordinates are known. `prescribed_poses`
    are the poses [R | c] of the bodies whose poses are prescribed, by body index; c is the position of the centre of
    the body. The bodies of a loop are placed from both sides, so that the loop may remain open.
    """
    R, c = np.tile(np.eye(3), (len(parts.bodies) + 1, 1, 1)), np.zeros((len(parts.bodies) + 1, 3))
    unknown_counts = np.zeros(len(parts.bodies), int)
    joint_poses = parts.joint_poses(q)
    queue = [(0, 0, body, PRESCRIBED_POSE) for body in (-1, *prescribed_poses)]
    heapify(queue)
    placed: set[int] = set()
    while queue:
        unknown, length, body, joint = heappop(queue)
        if body in placed:
            continue
        placed.add(body)
        if joint != PRESCRIBED_POSE:
            outward = parts.joint_bodies[joint][1] == body
            other = parts.joint_bodies[joint][0 if outward else 1]
            R[body], c[body] = _pose_across_joint(
                R[other], c[other], joint_poses[joint], *parts.joint_markers[joint], outward
            )
        elif body in prescribed_poses:
            R[body], c[body] = prescribed_poses[body][:, :3], prescribed_poses[body][:, 3]
        if body >= 0:
            unknown_counts[body] = unknown
        for k, far in parts.neighbours[body]:
            if far not in placed:
                has_unknown = not known[parts.v_places[k]].all()
                heappush(queue, (unknown + has_unknown, length + 1, far, k))
    return Placement(SeparatePosition(R, c, q), unknown_counts)


def _pose_across_joint(
    R: np.ndarray, c: np.ndarray, X: np.ndarray, F: np.ndarray, S: np.ndarray, outward: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Pose of one body of a joint, from the pose (R, c) of its other body: of the second body from the first if
    `outward`, otherwise of the first from the second. X is the pose of the second joint marker in the first; F and S
    are the poses of the two markers relative to the centres of their bodies."""
    near, far = (F, S) if outward else (S, F)
    turn, shift = (X[:, :3], X[:, 3]) if outward else (X[:, :3].T, -X[:, :3].T @ X[:, 3])
    near_R, near_p = R @ near[:, :3], c + R @ near[:, 3]
    own = near_R @ turn @ far[:, :3].T
    return own, near_p + near_R @ shift - own @ far[:, 3]


MARKER_GUESS_WEIGHT = 10.0
"""Weight of guessed poses of bodies and markers relative to the residuals of the joints, in the fits that include the
guesses."""

DEFAULT_GUESS_WEIGHT = 1e-3
"""Weight of deviations from default guesses, such as the default length of a strut, relative to deviations from the
user's guesses."""

LARGE_ANGLE_DEVIATION, LARGE_PLACE_DEVIATION = 0.5, 0.1
"""Deviations from a guessed angle (in radians) and from a guessed position (in characteristic lengths) above which the
deviation is reported."""

FIT_TOLERANCE = 1e-10
"""Largest residual of a joint, in radians or characteristic lengths, at which a fit of the joints is accepted. Newton's
method in the coordinates of a tree afterwards closes the loops to round-off."""

MARKER_ROWS = {"x": [3], "y": [4], "z": [5], "angle": [2], "turn": [0, 1, 2]}
"""For each component that can be prescribed for a marker, the indices of the entries of its pose error (three
rotations, then three displacements) that vanish if the component has its prescribed value."""

JITTER = 0.05
"""Largest initial value of coordinates without a guess, in radians or characteristic lengths; they are not zero because
many linkages are singular at zero coordinates."""


@dataclass(frozen=True)
class GuessDeviation:
    """Deviation of a position from one guessed value.

    `amount` is the deviation in radians or metres, as `unit` states; `relative` is the same deviation, divided by the
    characteristic length if it is a length.
    """

    name: str
    amount: float
    unit: str
    relative: float

    @property
    def is_large(self) -> bool:
        """Whether the deviation is large enough to be reported."""
        return self.relative > (LARGE_ANGLE_DEVIATION if self.unit == "rad" else LARGE_PLACE_DEVIATION)

    def __str__(self) -> str:
        return f"'{self.name}' by {float(f'{self.amount:.2g}'):g} {self.unit}"


@dataclass(frozen=True)
class GuessDistance:
    """Distance of a position from a guess.

    `norm` is the root of the sum of the squares of the deviations from all guessed values, by which assembly modes are
    compared; in it, lengths are divided by the characteristic length. `deviations` are the deviations that are large
    enough to be reported, the largest first. `farthest` is the largest distance, in characteristic lengths, between a
    marker and its guessed position, and `body` is the body of this marker; a body whose pose is not completely guessed
    contributes its largest deviation from a guessed value, in characteristic lengths or radians, instead.
    """

    norm: float = 0.0
    farthest: float = 0.0
    body: str = ""
    deviations: tuple[GuessDeviation, ...] = ()


class Guess:
    """Prescribed values (`held`) and the user's guesses (`guessed`) of a mechanism; `usual` are default guesses for
    values that the user does not guess."""

    def __init__(
        self,
        parts: SeparateBodies,
        held: Sequence[Request],
        guessed: Sequence[Request],
        usual: Sequence[Request] = (),
    ) -> None:
        self.parts, self._user_guesses, self._default_guesses = parts, tuple(guessed), tuple(usual)
        self.guess_targets = (*self._user_guesses, *self._default_guesses)
        self._held_markers, self._guessed_markers = (
            [r for r in kind if r.target.on_marker] for kind in (held, self.guess_targets)
        )
        self._q = parts.neutral + 0.0
        guessed_rates = _set_coordinates(parts, self._q, self.guess_targets)
        self.held_rates = _set_coordinates(parts, self._q, held)
        self.known_rates = guessed_rates | self.held_rates

    @property
    def places_all_bodies(self) -> bool:
        """Whether prescribed and guessed values determine the pose of every body."""
        return bool(self.guess_targets) and not self.placement.unknown_joint_counts.any()

    @cached_property
    def coordinates(self) -> dict[str, np.ndarray]:
        """Coordinates of every joint: the prescribed or guessed values, otherwise zero."""
        return {
            joint.name: self._q[place]
            for joint, place in zip(self.parts.joints, self.parts.q_places, strict=True)
        }

    @cached_property
    def placement(self) -> Placement:
        """The bodies placed by prescribed and guessed values; unspecified coordinates have small nonzero values."""
        return self._placement(JITTER * np.sin(1.0 + np.arange(self.parts.rates)))

    def _placement(self, step: np.ndarray) -> Placement:
        q = self.parts.apply_step(self._q, np.where(self.known_rates, 0.0, step))
        return place_separate_bodies(self.parts, q, self.known_rates, self._prescribed_poses)

    def fitted_position(self, scatter: np.random.Generator | None = None) -> SeparatePosition:
        """The position in which all joints fit, computed by least squares from the guess.

        Prescribed values remain fixed. If the guess does not determine all poses, a first fit also keeps all guessed
        values fixed; if it fails, a second fit keeps only the guessed poses of bodies and markers, and a last fit no
        guessed values. With `scatter` unspecified coordinates start at random values.
        """
        placement = self.placement
        if scatter is not None:
            placement = self._placement(scatter.uniform(-np.pi, np.pi, self.parts.rates))
        at = placement.position
        for fixed, prescribed in self._stages():
            at, gap = self._fit(at, fixed, prescribed)
            if gap <= FIT_TOLERANCE:
                break
        return at

    def fit_to_poses(self, poses: np.ndarray) -> SeparatePosition:
        """The position in which all joints fit, computed by least squares from the poses [R | p] of the n body frames,
        (n, 3, 4); only prescribed values remain fixed."""
        at = replace(self.parts.position_from_poses(poses), q=self._q)
        return self._fit(at, self.held_rates, (self._prescribe_markers(self._held_markers),))[0]

    def _fit(
        self, at: SeparatePosition, fixed: np.ndarray, prescribed: tuple[PrescribedMarkers, ...]
    ) -> tuple[SeparatePosition, float]:
        """Fit the joints and the `prescribed` markers, starting at the position `at` and keeping the coordinates of the
        rates marked in `fixed`; return the new position and its largest residual."""
        fitting, at = PoseFit(self.parts, fixed, prescribed), self.parts.read_coordinates(at, fixed)
        at, rows, _ = damped_newton(fitting, at, allowed=FIT_TOLERANCE, least=FIT_TOLERANCE, limit=40)
        return at, float(np.abs(rows).max(initial=0.0))

    def _stages(self) -> Iterator[tuple[np.ndarray, tuple[PrescribedMarkers, ...]]]:
        """Successive fits with fewer and fewer fixed values. Each is given by the fixed coordinates (a Boolean for each
        rate) and the prescribed markers."""
        always = self._prescribe_markers(self._held_markers)
        firm = (always, replace(self._guessed_marker_rows, weight=MARKER_GUESS_WEIGHT))
        if not self.places_all_bodies:
            yield self.known_rates, firm
        if self._guessed_markers and len(self._prescribed_poses) < len(self.parts.bodies):
            yield self.held_rates, firm
        yield self.held_rates, (always,)

    # prescribed poses of bodies and markers -----------------------------------------------------------

    @cached_property
    def _prescribed_poses(self) -> dict[int, np.ndarray]:
        """Poses [R | c], by body index, of the bodies with a marker whose position and orientation are completely
        prescribed or guessed."""
        whole = {"x", "y", "angle"} if self.parts.mechanism.planar else {"x", "y", "z", "turn"}
        components_by_marker: dict[str, dict[str, tuple[float, ...]]] = {}
        for request in (*self._held_markers, *self._guessed_markers):
            known = components_by_marker.setdefault(request.target.of, {})
            for component, values in request.by_component():
                known.setdefault(component, values)
        found: dict[int, np.ndarray] = {}
        for of, known in components_by_marker.items():
            if set(known) == whole:
                X, marker = _marker_pose(known), self.parts.marker_from_centre(of)
                R = X[:, :3] @ marker[:, :3].T
                body = self.parts.index[of.partition(".")[0]]
                found.setdefault(body, np.column_stack([R, X[:, 3] - R @ marker[:, 3]]))
        return found

    @cached_property
    def _guessed_marker_rows(self) -> PrescribedMarkers:
        return self._prescribe_markers(self._guessed_markers)

    def _prescribe_markers(self, requests: Sequence[Request]) -> PrescribedMarkers:
        """The requested poses of markers as `PrescribedMarkers` of the least-squares fit."""
        bodies, markers, where = [], [], []
        given = np.zeros((len(requests), 6), bool)
        for k, request in enumerate(requests):
            known = dict(request.by_component())
            given[k, [row for component in known for row in MARKER_ROWS[component]]] = True
            bodies.append(self.parts.index[request.target.of.partition(".")[0]])
            markers.append(self.parts.marker_from_centre(request.target.of))
            where.append(_marker_pose(known))
        return PrescribedMarkers(
            bodies=np.array(bodies, int),
            markers=np.array(markers, float).reshape(-1, 3, 4),
            poses=np.array(where, float).reshape(-1, 3, 4),
            given_rows=given,
        )

    # distance of a position from the guess ------------------------------------------------------------

    def distance(self, poses: np.ndarray) -> GuessDistance:
        """Distance of a position from the guess; `poses` are the poses [R | p] of the body frames, (n, 3, 4)."""
        if not self.guess_targets:
            return GuessDistance()
        guessed_poses, at = self.parts.poses(self.placement.position), self.parts.position_from_poses(poses)
        placed = [
            (self.parts.largest_marker_displacement(k, poses[k] - guessed_poses[k]), body)
            for k, body in enumerate(self.parts.bodies)
            if not self.placement.unknown_joint_counts[k]
        ]
        whole, prescribed = {body for _, body in placed}, self._guessed_marker_rows
        owners = [self.parts.bodies[k] for k in prescribed.bodies[np.nonzero(prescribed.given_rows)[0]]]
        rows = zip(marker_residuals(prescribed, at, self.parts.length), owners, strict=True)
        loose = [(float(abs(row)), body) for row, body in rows if body not in whole]
        loose += self._unplaced_joint_deviations(at)
        far, body = max([*placed, *loose], default=(0.0, ""))
        missed = self._deviations(at, self._user_guesses)
        default_deviations = self._deviations(at, self._default_guesses)
        norm = _deviation_norm(missed) + DEFAULT_GUESS_WEIGHT * _deviation_norm(default_deviations)
        reported = sorted((m for m in missed if m.is_large), key=lambda miss: -miss.relative)
        return GuessDistance(norm, far, body, tuple(reported))

    def _deviations(self, at: SeparatePosition, requests: Sequence[Request]) -> list[GuessDeviation]:
        """Deviations from the guesses in `requests`; the three coordinates of a marker count as one value."""
        found: list[GuessDeviation] = []
        for request in requests:
            joint = self.parts.joint_index.get(request.target.of)
            found += (
                self._marker_deviations(at, request)
                if joint is None
                else self._joint_deviations(at, request, joint)
            )
        return found

    def _marker_deviations(self, at: SeparatePosition, request: Request) -> list[GuessDeviation]:
        length, name = self.parts.length, request.target.of.removesuffix(".origin")
        marker = self._prescribe_markers([request])
        rows, given = marker_residuals(marker, at, length), np.nonzero(marker.given_rows[0])[0]
        turn, point = (float(np.linalg.norm(rows[part])) for part in (given < 3, given >= 3))
        found = [GuessDeviation(name, turn, "rad", turn)] if (given < 3).any() else []
        return [*found, GuessDeviation(name, length * point, "m", point)] if (given >= 3).any() else found

    def _joint_deviations(self, at: SeparatePosition, request: Request, joint: int) -> list[GuessDeviation]:
        own, planar, length = self.parts.joints[joint], self.parts.mechanism.planar, self.parts.length
        q = own.read(self.parts.relative_pose(at, own), self._q[self.parts.q_places[joint]], planar)
        names, found = own.components(planar), []
        for component, values in request.by_component():
            name = own.name if len(names) == 1 else f"{own.name}.{component}"
            if component == "turn":
                sides = [float(np.linalg.norm(q[-4:] - sign * np.array(values))) for sign in (1, -1)]
                # unit quaternions e and e' of orientations that differ by the angle θ: |e − e'| = 2 sin(θ/4)
                turn = 4 * float(np.arcsin(min(1.0, min(sides) / 2)))
                found.append(GuessDeviation(own.name, turn, "rad", turn))
            elif component in LENGTH_COMPONENTS:
                away = abs(float(q[names.index(component)]) - values[0])
                found.append(GuessDeviation(name, away, "m", away / length))
            else:
                angle = float(q[names.index(component)])
                comes_round = own.turning(planar)[names.index(component)]
                away = abs((float(nearest_angle(angle, values[0])) if comes_round else angle) - values[0])
                found.append(GuessDeviation(name, away, "rad", away))
        return found

    def _unplaced_joint_deviations(self, at: SeparatePosition) -> list[tuple[float, str]]:
        """For each joint with guessed coordinates at which the guess leaves the pose of a body undetermined, the
        largest deviation from these coordinates and the name of the second body of the joint."""
        found, doubts = [], np.append(self.placement.unknown_joint_counts, 0)
        for request in self.guess_targets:
            joint = self.parts.joint_index.get(request.target.of)
            if joint is not None and doubts[list(self.parts.joint_bodies[joint])].any():
                body = self.parts.joint_bodies[joint][1]
                most = max(miss.relative for miss in self._joint_deviations(at, request, joint))
                found.append((most, self.parts.bodies[body] if body >= 0 else request.target.of))
        return found


def _deviation_norm(misses: Sequence[GuessDeviation]) -> float:
    return float(np.linalg.norm([miss.relative for miss in misses]))


def _set_coordinates(parts: SeparateBodies, q: np.ndarray, requests: Sequence[Request]) -> np.ndarray:
    """Write requested joint coordinates into q; return for every rate whether its coordinate is specified."""
    given = np.zeros(parts.rates, bool)
    for request in requests:
        joint = parts.joint_index.get(request.target.of)
        if joint is None:
            continue
        names = parts.joints[joint].components(parts.mechanism.planar)
        own, rates = parts.q_places[joint], parts.v_places[joint]
        for component, values in request.by_component():
            if component == "turn":
                q[own.stop - 4 : own.stop], given[rates.stop - 3 : rates.stop] = values, True
            else:
                place = names.index(component)
                q[own.start + place], given[rates.start + place] = values[0], True
    return given


def _marker_pose(known: dict[str, tuple[float, ...]]) -> np.ndarray:
    """Pose [R | p] of a marker from its known components; unknown components are zero."""
    X = np.eye(3, 4)
    if "turn" in known:
        X[:, :3] = numeric(quaternion_matrix(known["turn"]))
    elif "angle" in known:
        c, s = np.cos(known["angle"][0]), np.sin(known["angle"][0])
        X[:2, :2] = [[c, -s], [s, c]]
    X[:, 3] = [known.get(axis, (0.0,))[0] for axis in "xyz"]
    return X
