"""Trajectory of a mechanism at the instants of a film: poses, marker frames, body outlines, and scenes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import casadi as ca
import numpy as np

from multiloop.model import GROUND, Connection, Mechanism
from multiloop.model.geometry import at_values
from multiloop.questions import Result
from multiloop.questions.answers.links import deflections
from multiloop.questions.answers.marker_poses import marker_frame
from multiloop.spatial import numeric
from multiloop.view.bent_links import bent_places, marker_shift
from multiloop.view.film.timing import between, instants_of, poses_between
from multiloop.view.scene import SLIDING, Scene, Site, pistons_of
from multiloop.view.shapes import NEAR, Shape, arms_of, shapes_of
from multiloop.view.solid_links import mesh_places, skin_of


@dataclass(frozen=True, eq=False)
class Course:
    """A mechanism at n instants: poses of all bodies, n×3×4, and elastic coordinates of flexible ones.

    `quiet` are joints whose drive is not drawn, because its effort is shown as an arrow.
    """

    mechanism: Mechanism
    times: np.ndarray
    poses: dict[str, np.ndarray]
    eta: dict[str, np.ndarray]
    quiet: frozenset[str] = frozenset()
    scale: float = 1.0  # factor on the deflections of flexible links
    _frames: dict[str, np.ndarray] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.times)

    def at(self, kept: np.ndarray) -> Course:
        """The same trajectory at some of its instants."""
        poses, eta = ({name: X[kept] for name, X in of.items()} for of in (self.poses, self.eta))
        return replace(self, times=self.times[kept], poses=poses, eta=eta, _frames={})

    def frames(self, reference: str) -> np.ndarray:
        """[R | p] of a marker at all instants, n×3×4."""
        if reference not in self._frames:
            body, _, name = reference.partition(".")
            X = self.poses[body]
            if body in self.eta and self.mechanism.body(body).elastic:
                reduced = self.mechanism.body(body).reduced("origin", at_values, self.mechanism.planar)
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
        """Positions of a marker at all instants, n×3."""
        return self.frames(reference)[:, :, 3]

    def axes(self, joint: Connection) -> np.ndarray:
        """The axis of a joint at all instants, n×3, as for a `Site`."""
        flat = self.mechanism.planar and type(joint).__name__ == "Prismatic"
        return self.frames(joint.first)[:, :, 0 if flat else 2]

    def places(self, joint: str) -> np.ndarray:
        """The point at which a joint is drawn, at all instants, n×3."""
        return np.array([still.named[joint].place for still in self.stills])

    def site(self, joint: Connection, k: int) -> Site:
        """A joint or pair at an instant."""
        first, second = (reference.partition(".")[0] for reference in (joint.first, joint.second))
        F, S = (self.frames(reference)[k] for reference in (joint.first, joint.second))
        piston = self.path(self.pistons[joint.name])[k] if joint.name in self.pistons else None
        return Site(joint, first, second, F, S, *self.senses[joint.name], piston)

    @cached_property
    def pistons(self) -> dict[str, str]:
        """The markers at the pistons of the struts."""
        return pistons_of(self.mechanism)

    @cached_property
    def first(self) -> Still:
        """The scene of the first instant."""
        return self._still(0)

    @cached_property
    def stills(self) -> list[Still]:
        """The scenes of all instants."""
        return [self.first, *(self._still(k) for k in range(1, len(self)))]

    @cached_property
    def strokes(self) -> dict[str, tuple[float, float]]:
        """The smallest and largest slide of every sliding joint."""
        found = {}
        for joint in self.mechanism.connections:
            if type(joint).__name__ in SLIDING:
                away = self.path(joint.second) - self.path(joint.first)
                slides = np.einsum("ti,ti->t", away, self.axes(joint))
                found[joint.name] = float(slides.min()), float(slides.max())
        return found

    @cached_property
    def senses(self) -> dict[str, tuple[int, bool]]:
        """The sense of every drive, and whether its effort is known."""
        first = Scene(self.mechanism, {body: X[0] for body, X in self.poses.items()}, eta=self._eta(0))
        return {
            site.joint.name: (0 if site.joint.name in self.quiet else site.sense, site.given)
            for site in first.sites
        }

    @cached_property
    def together(self) -> dict[str, tuple[str, ...]]:
        """For every joint, all joints of its type that coincide with it at all instants, including itself."""
        joints = self.mechanism.connections
        places = np.array([[site.place for site in still.sites] for still in self.stills])
        near, found = 1e-6 * self.first.size, {}
        for k, joint in enumerate(joints):
            gaps = np.linalg.norm(places - places[:, k : k + 1], axis=2).max(axis=0)
            shared = [joints[n] for n in np.flatnonzero(gaps < near)]
            found[joint.name] = tuple(other.name for other in shared if type(other) is type(joint))
        return found

    @cached_property
    def corners(self) -> dict[str, np.ndarray]:
        """The outline points of all bodies at all instants, n×c×3, those of the first instant moved with the bodies."""
        return {body: self._carried(shape) for body, shape in self._shapes.items()}

    def shapes(self, k: int) -> dict[str, Shape]:
        """The outlines of all bodies at an instant."""
        return {
            body: replace(
                shape, points=self.corners[body][k], lines=self._lines(shape, k), arms=self._arms(shape, k)
            )
            for body, shape in self._shapes.items()
        }

    def _arms(self, shape: Shape, k: int) -> np.ndarray | None:
        """Brackets of a flexible link at an instant."""
        return None if shape.arms is None else arms_of(self.stills[k], shape.body)

    def _lines(self, shape: Shape, k: int) -> np.ndarray | None:
        """Edges of a solid at an instant."""
        if shape.lines is None:
            return None
        instant = self.poses[shape.body][[k]], self.eta[shape.body][[k]]
        lines = skin_of(self.mechanism, shape.body).lines
        found: np.ndarray = mesh_places(self.mechanism, shape.body, lines, *instant, self.scale)[0]
        return found

    @cached_property
    def _shapes(self) -> dict[str, Shape]:
        return shapes_of(self.first)

    def _carried(self, shape: Shape) -> np.ndarray:
        """Outline points of a body at all instants, n×c×3; those of a flexible body follow its markers."""
        X = self.poses[shape.body]
        if shape.lines is not None:
            around = skin_of(self.mechanism, shape.body).around
            return mesh_places(self.mechanism, shape.body, around, X, self.eta[shape.body], self.scale)
        if shape.bent:
            return bent_places(self.mechanism, shape.body, X, self.eta[shape.body], self.scale)
        local = (shape.points - X[0, :, 3]) @ X[0, :, :3]
        corners: np.ndarray = np.einsum("tij,cj->tci", X[:, :, :3], local) + X[:, None, :, 3]
        if shape.body in self.eta:
            joints = self.mechanism.connections
            names = {
                r for joint in joints for r in (joint.first, joint.second) if r.startswith(f"{shape.body}.")
            }
            names |= {f"{shape.body}.{marker}" for marker in self.mechanism.body(shape.body).outline}
            for path in map(self.path, sorted(names)):
                near = np.linalg.norm(shape.points - path[0], axis=1) < NEAR * self.first.size
                corners[:, near] = path[:, None]
        return corners

    def _still(self, k: int) -> Still:
        poses = {body: X[k] for body, X in self.poses.items()}
        eta = self._eta(k)
        return Still(self.mechanism, poses, 1, eta, self.strokes, scale=self.scale, course=self, number=k)

    def _eta(self, k: int) -> dict[str, np.ndarray]:
        return {body: eta[k] for body, eta in self.eta.items()}


@dataclass(frozen=True, eq=False)
class Still(Scene):
    """The scene of one instant, with joints and points taken from the trajectory."""

    course: Course = field(kw_only=True)
    number: int = field(kw_only=True)

    @cached_property
    def sites(self) -> tuple[Site, ...]:
        """All joints and pairs at this instant."""
        return tuple(self.course.site(joint, self.number) for joint in self.mechanism.connections)

    @cached_property
    def named(self) -> dict[str, Site]:
        """All joints and pairs by name."""
        return {site.joint.name: site for site in self.sites}

    @cached_property
    def free_markers(self) -> tuple[tuple[str, str, np.ndarray], ...]:
        """Body, name and position of the markers that have no other label at the first instant."""
        if not self.number:
            return super().free_markers
        free = [(body, name) for body, name, _ in self.course.first.free_markers]
        return tuple((body, name, self.point(f"{body}.{name}")) for body, name in free)

    def point(self, reference: str) -> np.ndarray:
        """The position of a marker."""
        place: np.ndarray = self.course.path(reference)[self.number]
        return place


def course_of(
    result: Result, times: np.ndarray, quiet: frozenset[str] = frozenset(), scale: float = 1.0
) -> Course:
    """The trajectory of a result, interpolated at the given times."""
    computed, order = instants_of(result)
    asked = computed if np.array_equal(computed, times) else times
    poses = {
        body: np.repeat(X[:1], len(times), axis=0)
        if body == GROUND
        else poses_between(computed, X[order], asked)
        for body, X in result.poses.items()
    }
    eta = {body: between(computed, x[order], asked) for body, x in deflections(result.links).items()}
    return Course(result.mechanism, times, poses, eta, quiet, scale)
