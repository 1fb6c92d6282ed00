"""Springs and dampers between points or along a joint coordinate, bushings, and applied forces and torques."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from multiloop.model.expressions import Scalar, depends_on_state, depends_on_time
from multiloop.model.faults import Fault, count_text
from multiloop.model.loads.load import Load, component_faults, frame_faults, sign_faults, switch_faults
from multiloop.model.markers import Vector, body_of, value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class Spring(Load):
    """A spring, a damper or both between the origins of two markers, with a force along their connecting line.

        F = preload + stiffness (L − length) + damping L̇,      tension positive

    L is the distance between the markers, `length` the free length. Preload and damping may depend on time and state,
    so that an actuated strut can be described as a Spring.
    """

    first: str
    second: str
    stiffness: Scalar = field(default=0.0, kw_only=True)
    length: Scalar | None = field(default=None, kw_only=True)
    preload: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "length")
    varying: ClassVar[tuple[str, ...]] = ("preload", "damping")
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "length")

    @property
    def dissipates(self) -> bool:
        """Whether the spring only stores and dissipates energy, which is so for a constant preload."""
        return not (depends_on_time(self.preload) or depends_on_state(self.preload))

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def span(self) -> tuple[str, str] | None:
        return (self.first, self.second)

    @property
    def needs_distance(self) -> bool:
        slack_at = self.length if self.stiffness != 0.0 else 0.0
        return (slack_at, self.preload, self.damping) != (0.0, 0.0, 0.0)

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Error of a spring between markers of one rigid body; a spring between markers of one flexible body may act
        like a bowstring and is allowed."""
        body = body_of(self.first)
        if body != body_of(self.second):
            return
        bends = any(one.name == body and one.elastic for one in mechanism.bodies)
        if not bends or self.first == self.second:
            what = f"connects body '{body}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        if (self.stiffness, self.preload, self.damping) == (0.0, 0.0, 0.0):
            yield Fault(
                "L07",
                where,
                "has no stiffness, damping or preload.",
                "Give stiffness=, damping= or preload=.",
            )
        elif self.stiffness != 0.0 and self.length is None:
            remedy = "Give the free length of the spring, length=, in metres (0.0 is allowed)."
            yield Fault("L07", where, "has a stiffness but no free length.", remedy)


@dataclass(frozen=True)
class JointSpring(Load):
    """A spring, a damper or both along one coordinate of a joint: `JointSpring("hinge", "A", stiffness=30.0)`.

        effort = −stiffness (q − rest) − damping q̇      on the second body along q, opposite on the first

    q is the coordinate and `rest` its value without force; `component` names the coordinate at a joint with several
    coordinates. The damping may depend on time and state.
    """

    joint: str
    component: str = ""
    stiffness: Scalar = field(default=0.0, kw_only=True)
    rest: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "rest")
    varying: ClassVar[tuple[str, ...]] = ("damping",)
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        if (self.stiffness, self.damping) == (0.0, 0.0):
            yield Fault("L07", where, "has no stiffness and no damping.", "Give stiffness= or damping=.")


@dataclass(frozen=True)
class Bushing(Load):
    """A bushing between two markers, unloaded where they coincide: `Bushing("mount", "frame.m", "engine.m", …)`.

        y = [p; θ],   F = −K y − D ẏ      on the second body, along the axes of the first marker

    F are force and moment, K is the `stiffness`, D the `damping`, p the position of the second marker relative to the
    first and θ the rotation vector of its orientation, with an angle of at most half a turn: a bushing does not wind
    up, and beyond half a turn its moment changes sign. Use a `JointSpring` for angles of more than half a turn. In a
    planar mechanism y is (x, y, angle), in a spatial one (x, y, z, rotations about x, y, z). `stiffness` and `damping`
    have one number for each component of y, or all entries of a symmetric matrix, row by row. The opposite wrench acts
    on the first body.
    """

    first: str
    second: str
    stiffness: Vector = field(default=(), kw_only=True)
    damping: Vector = field(default=(), kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    def __post_init__(self) -> None:
        for entry in self.steady:
            rows = getattr(self, entry)
            if isinstance(rows, list | tuple) and rows and all(isinstance(row, list | tuple) for row in rows):
                object.__setattr__(self, entry, [number for row in rows for number in row])
        super().__post_init__()

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    def matrix(self, entry: str, planar: bool) -> list[list[Any]]:
        """The stiffness or damping matrix (3×3, in space 6×6) given by the field `entry`; zero if the field is
        empty."""
        size, given = 3 if planar else 6, getattr(self, entry) or (0.0,) * (3 if planar else 6)
        if len(given) == size:
            return [[given[i] if i == j else 0.0 for j in range(size)] for i in range(size)]
        return [list(given[size * i : size * (i + 1)]) for i in range(size)]

    def unsigned_numbers(self, planar: bool) -> tuple[Scalar, ...]:
        rows = [row for entry in self.steady for row in enumerate(self.matrix(entry, planar))]
        return tuple(row[i] for i, row in rows)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"connects body '{body_of(self.first)}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        if not self.stiffness and not self.damping:
            yield Fault("L07", where, "has no stiffness and no damping.", "Give stiffness= or damping=.")
        for entry in self.steady:
            yield from self._matrix_faults(where, entry, planar)

    def _matrix_faults(self, where: str, entry: str, planar: bool) -> Iterator[Fault]:
        """Errors of a stiffness or damping: number of values, asymmetric matrix, or negative diagonal entries."""
        size, given = 3 if planar else 6, getattr(self, entry)
        if not isinstance(given, tuple) or len(given) not in (0, size, size * size):
            found = count_text(len(given), "number") if isinstance(given, tuple) else "one number"
            remedy = f"Give {size} numbers, or a symmetric matrix of {size * size}, row by row."
            yield Fault("L04", where, f"its {entry} has {found}.", remedy)
            return
        rows = [[value_of(number) for number in row] for row in self.matrix(entry, planar)]
        if any(number is None for row in rows for number in row):
            return
        for i in range(size):
            if (rows[i][i] or 0.0) < 0:
                remedy = f"Give {entry} ≥ 0: its force always opposes the displacement or velocity."
                yield Fault("L06", where, f"its {entry} is {rows[i][i]:g}.", remedy)
            for j in range(i):
                if rows[i][j] != rows[j][i]:
                    what = f"its {entry} is not symmetric: entries {rows[i][j]:g} and {rows[j][i]:g} should be equal."
                    yield Fault(
                        "L04", where, what, "Give a symmetric matrix; otherwise no potential energy exists."
                    )


@dataclass(frozen=True)
class Force(Load):
    """A force at the origin of a marker: `Force("dig", "bucket.tip", (0, -500))`.

    Its components are along inertial axes or, with frame="body", along the axes of the body; on a flexible body these
    are the axes of the section at the marker. The components may depend on time and state.

    With useful=True the work absorbed by this load is useful work: efficiency is useful work divided by input work.
    """

    at: str
    force: Vector
    frame: str = "inertial"
    useful: bool = field(default=False, kw_only=True)

    varying: ClassVar[tuple[str, ...]] = ("force",)

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.at,)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from component_faults(where, "force", self.force, planar, in_plane=2)
        yield from frame_faults(where, self.frame)
        yield from switch_faults(where, "useful", self.useful)


@dataclass(frozen=True)
class Torque(Load):
    """A torque on a body: `Torque("brake", "drum", -5.0)`, three components in space.

    It acts on this body alone; for a torque between two bodies at a joint use an Actuator or a JointSpring.
    Components are along inertial axes, or with frame="body" along the axes of the body. They may depend on time and
    state.

    With useful=True the work absorbed by this load is useful work: efficiency is useful work divided by input work.
    """

    body: str
    torque: Scalar | Vector
    frame: str = "inertial"
    useful: bool = field(default=False, kw_only=True)

    varying: ClassVar[tuple[str, ...]] = ("torque",)

    @property
    def markers(self) -> tuple[str, ...]:
        return (f"{body_of(self.body)}.origin",)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if "." in self.body:
            what = f"its body is '{self.body}', which is the name of a marker."
            remedy = f'A torque acts on the whole body: write "{body_of(self.body)}".'
            yield Fault("M12", where, what, remedy)
        yield from component_faults(where, "torque", self.torque, planar, in_plane=1)
        yield from frame_faults(where, self.frame)
        yield from switch_faults(where, "useful", self.useful)
