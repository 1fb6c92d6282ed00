"""Arrows of forces and torques in a film: selection, points of application, scale on the page, and legend."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import noise_floor
from multiloop.analyses.results.histories import ContactHistory
from multiloop.kinematics.tree import LENGTH_COMPONENTS
from multiloop.model import (
    GROUND,
    Contact,
    Force,
    Load,
    RollingContact,
    Rope,
    Skate,
    Spring,
    Torque,
    UnknownNameError,
    suggestion,
)
from multiloop.view.canvas import Canvas, round_number_below
from multiloop.view.drawing import DRIVE_LEVEL, TEXT_LEVEL
from multiloop.view.figure import BEARING, DRIVE, GREY, LOAD
from multiloop.view.film.reel import (
    Strand,
    instants_of,
    interpolate_linearly,
    moving_strand,
    still_strand,
    text_style,
)
from multiloop.view.film.trajectory import Trajectory
from multiloop.view.plots.axis_scales import Units
from multiloop.view.plots.joint_histories import nonzero_efforts
from multiloop.view.scene import built_in_type_name
from multiloop.view.symbols.pair_symbols import contact_of

ARROW_KINDS = ("bearings", "efforts", "loads")
"""Groups of arrows: joint forces, efforts (torques and forces) of drives, and loads of the mechanism."""


@dataclass(frozen=True, eq=False)
class Arrow:
    """A force or torque over time: its point of application `at` and its vector, both instants × 3.

    `turning` is true for a torque. The arrow of a `pushing` force ends at its point of application, other arrows begin
    there. `known` is true for an effort that the user has given, and false for one that a drive needs.
    """

    name: str
    layer: str
    at: np.ndarray
    vector: np.ndarray
    turning: bool = False
    pushing: bool = False
    known: bool = False

    @property
    def largest(self) -> float:
        """Largest magnitude over time, in N or N m."""
        return float(np.linalg.norm(self.vector, axis=1).max(initial=0.0))


def arrows_of(result: Result, trajectory: Trajectory, wanted: Sequence[str]) -> list[Arrow]:
    """Arrows of the requested groups, joints and loads; arrows at the level of round-off are omitted.

    The force of a joint is the force on its second body, or on the first body if the second is the ground.
    """
    check_arrow_names(result, wanted)
    floor = noise_floor(result)
    found = [*_bearings(result, trajectory), *_efforts(result, trajectory), *_loads(result, trajectory)]
    return [
        arrow
        for arrow in found
        if (arrow.layer in wanted or arrow.name in wanted)
        and arrow.largest > floor["N m" if arrow.turning else "N"]
    ]


def check_arrow_names(result: Result, wanted: Sequence[str]) -> None:
    """Raise an error for a name that is neither a group of arrows nor a joint or load."""
    known = [*ARROW_KINDS, *result.joints, *result.loads]
    for name in wanted:
        if name not in known:
            raise UnknownNameError(
                result.mechanism.name, "kind of arrow, joint or load", name, suggestion(name, known)
            )


def driven_joints(result: Result, wanted: Sequence[str]) -> frozenset[str]:
    """Names of the joints whose effort (torque or force) is shown as an arrow."""
    names = {history.joint for history in nonzero_efforts(result)}
    return frozenset(name for name in names if "efforts" in wanted or name in wanted)


def _bearings(result: Result, trajectory: Trajectory) -> Iterator[Arrow]:
    for name, joint in result.joints.items():
        sign = -1.0 if joint.second.partition(".")[0] == GROUND else 1.0
        force = sign * _resampled(result, trajectory, joint.force)
        yield Arrow(name, "bearings", _point_of_action(result, trajectory, name), force)


def _point_of_action(result: Result, trajectory: Trajectory, name: str) -> np.ndarray:
    """Point of application of a joint force, instants × 3.

    It is the marker of the moving body, or the point of contact of a rolling body or cam.
    """
    joint, planar = result.mechanism.connection(name), result.mechanism.planar
    history = result.joints[name]
    if isinstance(history, ContactHistory):
        return _resampled(result, trajectory, history.contact)
    if isinstance(joint, RollingContact | Skate):
        return np.array([contact_of(trajectory.site(joint, k), planar) for k in range(len(trajectory))])
    return trajectory.path(joint.first if joint.second.partition(".")[0] == GROUND else joint.second)


def _efforts(result: Result, trajectory: Trajectory) -> Iterator[Arrow]:
    """Arrows of the efforts (torques and forces) of drives and actuators.

    Each effort is the one on the second body of the joint, or on the first body if the second is the ground.
    """
    known = {site.joint.name for site in trajectory.first.sites if site.effort_known}
    for name in dict.fromkeys(history.joint for history in nonzero_efforts(result)):
        joint = result.joints[name]
        sign = -1.0 if joint.second.partition(".")[0] == GROUND else 1.0
        at, (force, moment) = (
            _point_of_action(result, trajectory, name),
            _effort_vectors(result, trajectory, name),
        )
        yield Arrow(name, "efforts", at, sign * force, known=name in known)
        yield Arrow(name, "efforts", at, sign * moment, turning=True, known=name in known)


def _effort_vectors(result: Result, trajectory: Trajectory, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment vectors of the effort at a joint, each instants × 3.

    For a joint with several coordinates these vectors include the efforts of couplings.
    """
    history, joint, planar = result.joints[name], result.mechanism.connection(name), result.mechanism.planar
    parts = joint.components(planar)
    if len(parts) > 1:
        force, moment = (
            _resampled(result, trajectory, v) for v in (history.effort_force, history.effort_moment)
        )
        return force, moment
    along = _resampled(result, trajectory, history.effort)[:, 2:] * trajectory.axes(joint)
    none = np.zeros_like(along)
    return (along, none) if parts[0] in LENGTH_COMPONENTS else (none, along)


def _loads(result: Result, trajectory: Trajectory) -> Iterator[Arrow]:
    for load in result.mechanism.all_loads:
        kind = built_in_type_name(load)
        if kind in LOAD_ARROWS:
            yield from LOAD_ARROWS[kind](result, trajectory, load)


def _force(result: Result, trajectory: Trajectory, load: Force) -> Iterator[Arrow]:
    force = _resampled(result, trajectory, result.loads[load.name].force)
    yield Arrow(load.name, "loads", trajectory.path(load.at), force, pushing=True)


def _torque(result: Result, trajectory: Trajectory, load: Torque) -> Iterator[Arrow]:
    torque = _resampled(result, trajectory, result.loads[load.name].torque)
    yield Arrow(load.name, "loads", trajectory.path(f"{load.body}.com"), torque, turning=True)


def _spring(result: Result, trajectory: Trajectory, load: Spring | Rope) -> Iterator[Arrow]:
    """Arrows of the forces of a spring or rope at both ends; in tension they point towards each other."""
    force = _resampled(result, trajectory, result.loads[load.name].force[:, None])[:, :1]
    a, b = trajectory.path(load.first), trajectory.path(load.second)
    way = (b - a) / np.maximum(np.linalg.norm(b - a, axis=1, keepdims=True), 1e-12)
    for reference, at, sign in ((load.first, a, 1.0), (load.second, b, -1.0)):
        if reference.partition(".")[0] != GROUND:
            yield Arrow(load.name, "loads", at, sign * force * way)


def _contact(result: Result, trajectory: Trajectory, load: Contact) -> Iterator[Arrow]:
    """Arrow of the force of a contact plane on the point or ball."""
    force = _resampled(result, trajectory, result.loads[load.name].force)
    yield Arrow(load.name, "loads", trajectory.path(load.first), force, pushing=True)


def _user_load(result: Result, trajectory: Trajectory, load: Load) -> Iterator[Arrow]:
    """Arrows of a user-defined load with one marker, if it has vector outputs named "force" or "torque"."""
    if len(load.markers) != 1:
        return
    outputs, planar = result.loads[load.name].values, result.mechanism.planar
    for name, size in (("force", 2 if planar else 3), ("torque", 1 if planar else 3)):
        values = np.asarray(outputs.get(name, ()), dtype=float)
        if values.shape[1:] == ((size,) if size > 1 else ()) and len(values):
            vectors = _resampled(result, trajectory, values)
            torque = name == "torque"
            yield Arrow(
                load.name,
                "loads",
                trajectory.path(load.markers[0]),
                vectors,
                pushing=not torque,
                turning=torque,
            )


def _resampled(result: Result, trajectory: Trajectory, values: np.ndarray) -> np.ndarray:
    """Values of a result interpolated at the instants of the film, as vectors (instants × 3).

    A scalar becomes the z component, and missing components are zero.
    """
    times, order = instants_of(result)
    asked = times if np.array_equal(times, trajectory.times) else trajectory.times
    found = interpolate_linearly(times, values[order], asked)
    if found.ndim == 1:
        return np.column_stack([np.zeros((len(found), 2)), found])
    return np.column_stack([found, np.zeros((len(found), 3 - found.shape[1]))])


LOAD_ARROWS: dict[str, Callable[[Result, Trajectory, Any], Iterator[Arrow]]] = {
    "Force": _force,
    "Torque": _torque,
    "Spring": _spring,
    "Rope": _spring,
    "Contact": _contact,
    "Load": _user_load,
}
"""Function that returns the arrows of a load, by type of load; loads of other types are not shown as arrows."""


COLOURS = {"bearings": BEARING, "efforts": DRIVE, "loads": LOAD}
WORDS = {"bearings": "joint reactions", "efforts": "efforts", "loads": "loads"}

LONGEST, SHORTEST = 120.0, 45.0
"""Largest and smallest length of the longest force arrow of a film, in points of the page; between these limits the
length follows from the space on the page."""

WIDEST, RADIUS = np.radians(270.0), 19.0
"""Angle (rad) of the arc that represents the largest torque of a film, and radius of such arcs in points of the
page."""

LEVEL = DRIVE_LEVEL + 0.2

ARC_POINTS = 25
"""Number of points with which the arc of a torque is drawn."""


@dataclass(frozen=True)
class Scales:
    """Scales of arrows: length in points of the page per newton, and arc in radians per newton metre.

    The scale of forces is 0 if there are no force arrows, that of torques if there are no torque arrows.
    """

    force: float
    torque: float


def scales_of(arrows: Sequence[Arrow], canvas: Canvas, page: np.ndarray) -> Scales:
    """Scales of arrows for which the longest force arrow is as long as possible within the area `page`.

    `page` are the lower left and upper right corners of this area in points. The largest torque has an arc of fixed
    angle.
    """
    forces = [arrow for arrow in arrows if not arrow.turning]
    largest = max((arrow.largest for arrow in forces), default=0.0)
    torque = max((arrow.largest for arrow in arrows if arrow.turning), default=0.0)
    share = 1.0
    for arrow in forces:
        at = canvas.page(arrow.at)
        way = (-1 if arrow.pushing else 1) * LONGEST / largest * canvas.unit * (arrow.vector @ canvas.A.T)
        room = np.where(way > 0, page[1] - at, at - page[0])
        share = min(share, float((room / np.maximum(np.abs(way), 1e-9)).min()))
    length = float(np.clip(share, SHORTEST / LONGEST, 1.0)) * LONGEST
    return Scales(length / largest if largest else 0.0, WIDEST / torque if torque else 0.0)


def arrow_on_page(arrow: Arrow, canvas: Canvas, scales: Scales) -> np.ndarray:
    """Points of an arrow on the page, with the head at the last point.

    Returns instants × 2 × 2 for a force and instants × 25 × 2 for the arc of a torque.
    """
    if arrow.turning:
        return _arc(arrow, canvas, scales.torque)
    at, way = canvas.page(arrow.at), scales.force * canvas.unit * (arrow.vector @ canvas.A.T)
    return np.stack([at - way, at] if arrow.pushing else [at, at + way], axis=1)


def _arc(arrow: Arrow, canvas: Canvas, scale: float) -> np.ndarray:
    """Points on the page of an arc about the axis of a torque, instants × 25 × 2.

    The arc begins at nearly the same point at all instants and turns in the direction of the torque; its angle is the
    torque times `scale` (rad/(N m)).
    """
    sizes = np.linalg.norm(arrow.vector, axis=1, keepdims=True)
    usual = arrow.vector[int(sizes.argmax())] / sizes.max()
    usual = usual if usual @ canvas.toward >= 0 else -usual
    axis = np.where(sizes > 1e-6 * sizes.max(), arrow.vector / np.maximum(sizes, 1e-300), usual)
    axis = np.where(axis @ usual[:, None] < 0, -axis, axis)
    hint = canvas.right if abs(usual @ canvas.right) < 0.95 else canvas.up
    e1 = hint - (axis @ hint)[:, None] * axis
    e1 = e1 / np.linalg.norm(e1, axis=1, keepdims=True)
    e2 = np.cross(axis, e1)
    sweep = scale * np.einsum("ti,ti->t", arrow.vector, axis)
    angles = np.pi / 4 + sweep[:, None, None] * np.linspace(0.0, 1.0, ARC_POINTS)[:, None]
    rim = RADIUS * canvas.unit * (np.cos(angles) * e1[:, None] + np.sin(angles) * e2[:, None])
    return canvas.page(arrow.at[:, None] + rim)


def arrow_strands(arrows: Sequence[Arrow], canvas: Canvas, scales: Scales) -> list[Strand]:
    """A moving drawing element for every arrow."""
    return [
        moving_strand(
            "arrow",
            arrow.layer,
            {"colour": _colour(arrow), "width": 1.9},
            arrow_on_page(arrow, canvas, scales),
            LEVEL,
        )
        for arrow in arrows
    ]


def arrow_legend(arrows: Sequence[Arrow], scales: Scales, page: np.ndarray) -> list[Strand]:
    """Legend of arrows: scale arrows of round values at the bottom right, and the meaning of colours at the top
    right."""
    right, low, high = page[1, 0] - 10, page[0, 1], page[1, 1]
    found: list[Strand] = []
    if scales.force:
        size = round_number_below(60.0 / scales.force)
        length = scales.force * size
        line = [(right - length, low + 10), (right, low + 10)]
        found.append(still_strand("arrow", "mechanism", {"colour": GREY, "width": 1.9}, line, TEXT_LEVEL))
        look = text_style(_legend_text(size, "force"), GREY, 8.0)
        found.append(still_strand("text", "mechanism", look, (right - length / 2, low + 20), TEXT_LEVEL))
        right -= max(length, 40.0) + 30
    if scales.torque:
        size = round_number_below(WIDEST / scales.torque)
        angles = np.pi / 4 + scales.torque * size * np.linspace(0.0, 1.0, ARC_POINTS)
        rim = 9.0 * np.column_stack([np.cos(angles), np.sin(angles)]) + (right - 12, low + 12)
        found.append(still_strand("arrow", "mechanism", {"colour": GREY, "width": 1.9}, rim, TEXT_LEVEL))
        look = text_style(_legend_text(size, "moment"), GREY, 8.0, ha="right")
        found.append(still_strand("text", "mechanism", look, (right - 28, low + 12), TEXT_LEVEL))
    told = dict.fromkeys((arrow.layer, _words(arrow), _colour(arrow)) for arrow in arrows)
    for n, (layer, words, colour) in enumerate(told):
        look = text_style(words, colour, 8.0, ha="right")
        found.append(still_strand("text", layer, look, (page[1, 0] - 10, high - 25 - 11 * n), TEXT_LEVEL))
    return found


def _colour(arrow: Arrow) -> str:
    """Colour of an arrow; a known effort has the colour of loads, as in a drawing."""
    return LOAD if arrow.known else COLOURS[arrow.layer]


def _words(arrow: Arrow) -> str:
    return f"known {WORDS[arrow.layer]}" if arrow.known else WORDS[arrow.layer]


def _legend_text(size: float, quantity: str) -> str:
    factor, unit = Units().scale(quantity, size)
    return f"{factor * size:g} {unit}"
