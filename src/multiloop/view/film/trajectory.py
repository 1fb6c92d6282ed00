"""Motion of a mechanism at the instants of a film: poses, marker frames, body outlines, and scenes for drawing."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import marker_frame
from multiloop.analyses.results.histories import elastic_coordinates
from multiloop.model import GROUND, Connection, Mechanism, nominal_value
from multiloop.spatial import numeric
from multiloop.view.body_outlines import SAME_POINT, BodyOutline, body_outlines, bracket_lines
from multiloop.view.deformed_bodies import deformed_centreline, deformed_nodes, marker_shift, mesh_outline
from multiloop.view.film.reel import instants_of, interpolate_poses, interpolate_smoothly
from multiloop.view.scene import SLIDING, JointSite, Scene, pistons_of


@dataclass(frozen=True, eq=False)
class Trajectory:
    """A mechanism at several instants.

    `poses` are the frames of all bodies (instants × 3 × 4), `eta` the elastic coordinates of flexible bodies (instants
    × coordinates). `hidden_drives` are joints whose drive symbol is not drawn, because the torque or force of the drive
    is shown as an arrow.
    """

    mechanism: Mechanism
    times: np.ndarray
    poses: dict[str, np.ndarray]
    eta: dict[str, np.ndarray]
    hidden_drives: frozenset[str] = frozenset()
    scale: float = 1.0  # factor by which deflections of flexible bodies are magnified
    _frames: dict[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.times)

    def at_instants(self, selected: np.ndarray) -> Trajectory:
        """The same trajectory at selected instants (indices or mask)."""
        poses, eta = ({name: X[selected] for name, X in of.items()} for of in (self.poses, self.eta))
        return replace(self, times=self.times[selected], poses=poses, eta=eta, _frames={})

    def frames(self, reference: str) -> np.ndarray:
        """Frames [R | p] of a marker "body.marker" at all instants, instants × 3 × 4."""
        if reference not in self._frames:
            body, _, name = reference.partition(".")
            X = self.poses[body]
            if body in self.eta and self.mechanism.body(body).elastic:
                reduced = self.mechanism.body(body).reduced("origin", nominal_value, self.mechanism.planar)
                local = [reduced.marker_pose(name, ca.DM(eta)) for eta in self.eta[body]]
                L = np.array([np.column_stack([numeric(pose.R), numeric(pose.p)]) for pose in local])
            else:
                pose = marker_frame(self.mechanism, reference)
                L = np.column_stack([numeric(pose.R), numeric(pose.p)])[None]
            moved = X[:, :, :3] @ L
            moved[:, :, 3] += X[:, :, 3]
            moved[:, :, 3] += marker_shift(self.mechanism, reference, self.poses, self.eta, self.scale)
            self._frames[reference] = moved
        return self._frames[reference]

    def path(self, reference: str) -> np.ndarray:
        """Positions of a marker "body.marker" at all instants, instants × 3."""
        return self.frames(reference)[:, :, 3]

    def axes(self, joint: Connection) -> np.ndarray:
        """Unit vectors along the axis of a joint at all instants, instants × 3."""
        flat = self.mechanism.planar and type(joint).__name__ == "Prismatic"
        return self.frames(joint.first)[:, :, 0 if flat else 2]

    def places(self, joint: str) -> np.ndarray:
        """Positions at which the symbol of a joint is drawn, instants × 3."""
        return np.array([still.sites_by_name[joint].place for still in self.scenes])

    def site(self, joint: Connection, k: int) -> JointSite:
        """A joint or pair at instant k."""
        first, second = (reference.partition(".")[0] for reference in (joint.first, joint.second))
        F, S = (self.frames(reference)[k] for reference in (joint.first, joint.second))
        piston = self.path(self.pistons[joint.name])[k] if joint.name in self.pistons else None
        return JointSite(joint, first, second, F, S, *self.senses[joint.name], piston)

    @cached_property
    def pistons(self) -> dict[str, str]:
        """For each strut, the marker at its piston, by the name of the strut's sliding joint."""
        return pistons_of(self.mechanism)

    @cached_property
    def first(self) -> TrajectoryScene:
        """The scene (data for drawing) of the first instant."""
        return self._scene_at(0)

    @cached_property
    def scenes(self) -> list[TrajectoryScene]:
        """The scenes (data for drawing) of all instants."""
        return [self.first, *(self._scene_at(k) for k in range(1, len(self)))]

    @cached_property
    def strokes(self) -> dict[str, tuple[float, float]]:
        """Smallest and largest displacement (m) of every sliding joint during the motion."""
        found = {}
        for joint in self.mechanism.connections:
            if type(joint).__name__ in SLIDING:
                away = self.path(joint.second) - self.path(joint.first)
                slides = np.einsum("ti,ti->t", away, self.axes(joint))
                found[joint.name] = float(slides.min()), float(slides.max())
        return found

    @cached_property
    def senses(self) -> dict[str, tuple[int, bool]]:
        """Sense (±1, or 0 without a drive) of the drive at every joint, and whether its torque or force is known."""
        first = Scene(self.mechanism, {body: X[0] for body, X in self.poses.items()}, eta=self._eta(0))
        return {
            site.joint.name: (0 if site.joint.name in self.hidden_drives else site.sense, site.effort_known)
            for site in first.sites
        }

    @cached_property
    def coincident_joints(self) -> dict[str, tuple[str, ...]]:
        """For every joint, all joints of its type that coincide with it at all instants, including itself."""
        joints = self.mechanism.connections
        places = np.array([[site.place for site in still.sites] for still in self.scenes])
        near, found = 1e-6 * self.first.size, {}
        for k, joint in enumerate(joints):
            gaps = np.linalg.norm(places - places[:, k : k + 1], axis=2).max(axis=0)
            shared = [joints[n] for n in np.flatnonzero(gaps < near)]
            found[joint.name] = tuple(other.name for other in shared if type(other) is type(joint))
        return found

    @cached_property
    def corners(self) -> dict[str, np.ndarray]:
        """Outline points of all bodies at all instants (instants × points × 3), by the name of the body."""
        return {body: self._corners_of(shape) for body, shape in self._first_outlines.items()}

    def outlines(self, k: int) -> dict[str, BodyOutline]:
        """Outlines of all bodies at instant k, by the name of the body."""
        return {
            body: replace(
                shape,
                points=self.corners[body][k],
                lines=self._lines(shape, k),
                brackets=self._brackets(shape, k),
            )
            for body, shape in self._first_outlines.items()
        }

    def _brackets(self, shape: BodyOutline, k: int) -> np.ndarray | None:
        """Brackets of a flexible beam at instant k; None if it has none."""
        return None if shape.brackets is None else bracket_lines(self.scenes[k], shape.body)

    def _lines(self, shape: BodyOutline, k: int) -> np.ndarray | None:
        """Drawn edges of a flexible solid at instant k; None for other bodies."""
        if shape.lines is None:
            return None
        instant = self.poses[shape.body][[k]], self.eta[shape.body][[k]]
        lines = mesh_outline(self.mechanism, shape.body).lines
        found: np.ndarray = deformed_nodes(self.mechanism, shape.body, lines, *instant, self.scale)[0]
        return found

    @cached_property
    def _first_outlines(self) -> dict[str, BodyOutline]:
        return body_outlines(self.first)

    def _corners_of(self, shape: BodyOutline) -> np.ndarray:
        """Outline points of a body at all instants, instants × points × 3.

        The outline at the first instant moves with the body; beams and solids are drawn deformed, and points of other
        flexible bodies follow their markers.
        """
        X = self.poses[shape.body]
        if shape.lines is not None:
            around = mesh_outline(self.mechanism, shape.body).around
            return deformed_nodes(self.mechanism, shape.body, around, X, self.eta[shape.body], self.scale)
        if shape.is_open:
            return deformed_centreline(self.mechanism, shape.body, X, self.eta[shape.body], self.scale)
        local = (shape.points - X[0, :, 3]) @ X[0, :, :3]
        corners: np.ndarray = np.einsum("tij,cj->tci", X[:, :, :3], local) + X[:, None, :, 3]
        if shape.body in self.eta:
            joints = self.mechanism.connections
            names = {
                r for joint in joints for r in (joint.first, joint.second) if r.startswith(f"{shape.body}.")
            }
            names |= {f"{shape.body}.{marker}" for marker in self.mechanism.body(shape.body).outline}
            for path in map(self.path, sorted(names)):
                near = np.linalg.norm(shape.points - path[0], axis=1) < SAME_POINT * self.first.size
                corners[:, near] = path[:, None]
        return corners

    def _scene_at(self, k: int) -> TrajectoryScene:
        poses = {body: X[k] for body, X in self.poses.items()}
        eta = self._eta(k)
        return TrajectoryScene(
            self.mechanism, poses, 1, eta, self.strokes, scale=self.scale, trajectory=self, number=k
        )

    def _eta(self, k: int) -> dict[str, np.ndarray]:
        return {body: eta[k] for body, eta in self.eta.items()}


@dataclass(frozen=True, eq=False)
class TrajectoryScene(Scene):
    """Scene of one instant of a trajectory; joints and positions of markers are read from the trajectory."""

    trajectory: Trajectory = field(kw_only=True)
    number: int = field(kw_only=True)

    @cached_property
    def sites(self) -> tuple[JointSite, ...]:
        """All joints and pairs at this instant."""
        return tuple(self.trajectory.site(joint, self.number) for joint in self.mechanism.connections)

    @cached_property
    def sites_by_name(self) -> dict[str, JointSite]:
        """All joints and pairs by name."""
        return {site.joint.name: site for site in self.sites}

    @cached_property
    def free_markers(self) -> tuple[tuple[str, str, np.ndarray], ...]:
        """Body, name and position of every marker at whose position nothing else is labelled at the first instant."""
        if not self.number:
            return super().free_markers
        free = [(body, name) for body, name, _ in self.trajectory.first.free_markers]
        return tuple((body, name, self.point(f"{body}.{name}")) for body, name in free)

    def point(self, reference: str) -> np.ndarray:
        """Position of a marker "body.marker" at this instant."""
        place: np.ndarray = self.trajectory.path(reference)[self.number]
        return place


def trajectory_of(
    result: Result, times: np.ndarray, hidden_drives: frozenset[str] = frozenset(), scale: float = 1.0
) -> Trajectory:
    """Motion of a result, interpolated at the given times.

    `hidden_drives` are joints whose drive symbols are not drawn, and `scale` magnifies deflections.
    """
    computed, order = instants_of(result)
    instants = computed if np.array_equal(computed, times) else times
    poses = {
        body: np.repeat(X[:1], len(times), axis=0)
        if body == GROUND
        else interpolate_poses(computed, X[order], instants)
        for body, X in result.poses.items()
    }
    eta = {
        body: interpolate_smoothly(computed, x[order], instants)
        for body, x in elastic_coordinates(result.links).items()
    }
    return Trajectory(result.mechanism, times, poses, eta, hidden_drives, scale)
