"""Unilateral loads: stops, ropes, freewheels, backlash between two stops, and contact with impact and stiction."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar

from multiloop.model.expressions import Expression, Position, Scalar, joints_of, nodes_of
from multiloop.model.expressions.expression import is_number
from multiloop.model.expressions.expression_text import shortened_text
from multiloop.model.expressions.nodes import StateVariable, Time
from multiloop.model.faults import Fault, short_repr
from multiloop.model.loads.friction import stiction_faults
from multiloop.model.loads.load import Load, sign_faults
from multiloop.model.markers import body_of, value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


@dataclass(frozen=True)
class SwitchingLoad(Load):
    """A load with contact modes that change at events: one force and one mode for each possible contact."""

    @property
    def modes(self) -> tuple[str, ...]:
        return ("mode",)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """State variables of the load with their initial values 0: the contact modes, and shares (`Load.shares`), the
        reference values of statically undetermined forces."""
        return dict.fromkeys((*self.modes, *self.shares), 0.0)

    @property
    def reaction_dependent_forces(self) -> int:
        return len(self.modes)


@dataclass(frozen=True)
class UnilateralLoad(SwitchingLoad):
    """A unilateral constraint with one force ≥ 0, which acts only while its gap is closed.

    After an impact the rate of the gap is −`restitution` times its rate before (Newton's law of impact). A rebound with
    less than a millionth of the largest impact energy of the simulation is suppressed or, if `speed` (m/s or rad/s) is
    given, a rebound slower than `speed`.
    """

    restitution: Scalar = field(default=0.0, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    unsigned: ClassVar[tuple[str, ...]] = ("restitution", "speed")
    steady: ClassVar[tuple[str, ...]] = ("restitution", "speed")


def restitution_faults(where: str, restitution: Scalar | None, speed: Scalar | None) -> Iterator[Fault]:
    """Errors of a coefficient of restitution outside 0 … 1, and of a rebound speed that is not positive."""
    e, slow = (None if value is None else value_of(value) for value in (restitution, speed))
    if e is not None and not 0 <= e <= 1:
        yield Fault(
            "L06", where, f"its restitution is {e:g}.", "Give a number from 0 (plastic) to 1 (elastic)."
        )
    if slow is not None and slow <= 0:
        remedy = "Give a positive speed in m/s or rad/s, below which the bodies do not rebound."
        yield Fault("L06", where, f"its speed is {slow:g}.", remedy)


@dataclass(frozen=True)
class Stop(SwitchingLoad):
    """Stops at the ends of a joint's stroke: `Stop("end", "slide", high=0.3, stiffness=1e6, damping=200.0)`.

        δ = q − high or low − q,   effort = max(0, k δ + c δ̇)  against δ if δ > 0, else 0

    q is the joint coordinate, δ the penetration, k the `stiffness` and c the `damping`. A stop pushes and never pulls.
    `component` names the coordinate at a joint with several coordinates. With a `restitution` e the stop is rigid: an
    impact multiplies the rate by −e instantaneously, by impulses through all joints. A rebound with less than a
    millionth of the largest impact energy of the simulation is suppressed or, if `speed` is given, a rebound slower
    than `speed`.
    """

    joint: str
    component: str = ""
    low: Scalar | None = field(default=None, kw_only=True)
    high: Scalar | None = field(default=None, kw_only=True)
    stiffness: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)
    restitution: Scalar | None = field(default=None, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("low", "high", "stiffness", "damping", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("stiffness", "damping", "restitution", "speed")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the contact modes of a rigid stop, one for each limit; empty for an elastic stop."""
        if self.restitution is None:
            return ()
        ends = {"low": self.low, "high": self.high}
        return tuple(f"{name} mode" for name, end in ends.items() if end is not None)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        yield from restitution_faults(where, self.restitution, self.speed)
        soft = self.stiffness != 0.0 or self.damping != 0.0
        if self.restitution is not None and soft:
            what = "has a restitution and a stiffness or damping."
            yield Fault("L07", where, what, "Give restitution= for a hard stop, or stiffness= for a buffer.")
        if not (soft or self.restitution is not None) or (self.low is None and self.high is None):
            remedy = "Give stiffness= or restitution=, and low=, high= or both."
            yield Fault("L07", where, "needs a stiffness or a restitution, and at least one limit.", remedy)
        low, high = value_of(self.low), value_of(self.high)
        if low is not None and high is not None and low >= high:
            what = f"its low is {low:g} and its high is {high:g}."
            yield Fault("L06", where, what, "Give low below high.")


@dataclass(frozen=True)
class Rope(UnilateralLoad):
    """A massless, inextensible rope between the origins of two markers: `Rope("sling", "hook.a", "load.a", length=2)`.

        g = length − L ≥ 0,      tension ≥ 0,      no tension while it is slack

    g is the slack and L the distance between the markers. A rope pulls and never pushes. When it becomes taut there is
    an impact, which is plastic unless `restitution` is given.
    """

    first: str
    second: str
    length: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("length", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("length", "restitution", "speed")

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def span(self) -> tuple[str, str] | None:
        return (self.first, self.second)

    @property
    def needs_distance(self) -> bool:
        return False

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"connects body '{body_of(self.first)}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        length = value_of(self.length)
        if length is not None and length <= 0:
            remedy = "Give the length at which the rope is taut, in metres."
            yield Fault("L06", where, f"its length is {length:g}.", remedy)
        yield from restitution_faults(where, self.restitution, self.speed)


DIRECTIONS = ("forward", "backward")
"""Values of `Freewheel.free`, the direction in which the freewheel overruns."""


@dataclass(frozen=True)
class Freewheel(SwitchingLoad):
    """A clutch, ratchet or backstop along one coordinate of a joint: `Freewheel("clutch", "A")`.

        q̇ ≥ 0,      effort ≥ 0,      no effort while it overruns

    It overruns (rotates without effort) in the direction `free`, "forward" or "backward"; the inequalities are for
    "forward". In the other direction it transmits any effort.
    """

    joint: str
    component: str = ""
    free: str = field(default="forward", kw_only=True)

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if self.free not in DIRECTIONS:
            what = f"its free direction is {short_repr(self.free)}."
            yield Fault("L08", where, what, 'Write free="forward" or free="backward".')


EXAMPLE = 'along=0.02 * position("A") + 0.06 * position("B")'


@dataclass(frozen=True)
class Backlash(Load):
    """Backlash of a joint coordinate, `Backlash("play", "A", play=0.01, stiffness=2e3)`, or of a sum of several.

        δ = ±(x − rest) − play/2,   F = max(0, k δ + c δ̇)  against δ if δ > 0, else 0

    x is the coordinate, or the expression `along` of joint positions that rigid teeth would keep constant, as in a
    Relation; `rest` is the value of x in the middle of the backlash. There are two flanks, one for each sign: δ is the
    penetration of a flank, F its force, k the `stiffness` and c the `damping`. For gears with pitch radii r₁ and r₂, x
    is r₁ θ₁ + r₂ θ₂, the displacement along the pitch circles, and F is the tooth force. The effort at every coordinate
    q is F ∂x/∂q, on the second body of the joint and opposite on the first. With `play` 0 only the compliance of the
    teeth is modelled.
    """

    joint: str = ""
    component: str = ""
    along: Scalar | None = field(default=None, kw_only=True)
    play: Scalar = field(default=0.0, kw_only=True)
    rest: Scalar = field(default=0.0, kw_only=True)
    stiffness: Scalar = field(default=0.0, kw_only=True)
    damping: Scalar = field(default=0.0, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("play", "rest", "stiffness", "damping")
    varying: ClassVar[tuple[str, ...]] = ("along",)
    unsigned: ClassVar[tuple[str, ...]] = ("play", "stiffness", "damping")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),) if self.along is None else ()

    @property
    def joints(self) -> tuple[str, ...]:
        return joints_of(self.along) if isinstance(self.along, Expression) else super().joints

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from sign_faults(where, self)
        play = value_of(self.play)
        if play is not None and play < 0:
            yield Fault(
                "L06", where, f"its play is {play:g}.", "Give the total backlash from flank to flank, ≥ 0."
            )
        if self.stiffness == 0.0:
            yield Fault("L07", where, "has no stiffness.", "Give stiffness= of the flanks.")
        if self.along is not None and (isinstance(self.along, Expression) or _finite(self.along)):
            yield from self._reading_faults(where, self.along)

    def _reading_faults(self, where: str, along: Scalar) -> Iterator[Fault]:
        """Errors of an expression `along` that depends on anything but joint positions, or is given besides a joint."""
        if self.joint or self.component:
            remedy = "Give one of them: the name of a joint, or an expression of positions."
            yield Fault("L09", where, f"has both a joint, '{self.joint}', and an `along`.", remedy)
        leaves = [node for node in nodes_of(along) if isinstance(node, StateVariable | Time)]
        if not leaves:
            what = f"its `along` is {shortened_text(along)}, which contains no joint coordinate."
            yield Fault("L09", where, what, f"Use positions of joints: {EXAMPLE}.")
        elif not all(isinstance(leaf, Position) for leaf in leaves):
            what = f"its `along` is {shortened_text(along)}, which depends on more than positions."
            yield Fault("L09", where, what, f"Use positions of joints only: {EXAMPLE}.")

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Errors of an expression `along` that contains components of a quaternion."""
        for node in nodes_of(self.along) if isinstance(self.along, Expression) else ():
            joint = mechanism.joints_by_name.get(node.joint) if isinstance(node, Position) else None
            if joint is None or not isinstance(node, Position):
                continue
            positions, rates = joint.positions(mechanism.planar), joint.degrees_of_freedom(mechanism.planar)
            if positions != rates and positions > node.component >= positions - 4:
                what = f"reads {shortened_text(node)}, which is part of a quaternion."
                yield Fault("L09", where, what, "Use displacements, or angles of joints with fixed axes.")


def _finite(value: Any) -> bool:
    return is_number(value) and isfinite(value)


@dataclass(frozen=True)
class Contact(UnilateralLoad):
    """Contact of a point or ball with a plane: `Contact("foot", "leg.tip", "ground.floor", coefficient=0.3)`.

        g = n · p − radius ≥ 0,      N ≥ 0,      |T| ≤ μ N,      T = −μ N v/|v| while it slides

    The first marker is the point or the centre of the ball, at the position p relative to the second marker. The second
    marker lies in the plane; its z axis (in a planar mechanism its y axis) is the normal n that points to the ball. g
    is the gap, N the normal force, T the friction force, v the sliding velocity and μ the `coefficient`. The plane may
    belong to any body. With stiction="exact" a contact at rest sticks with any friction force T within the friction
    cone. With stiction="smooth" the friction force is μ N σ(|v|/slip), with σ as for `Friction`: it vanishes at rest,
    and a contact that should stick creeps more slowly than `slip`, in m/s. By default `slip` follows from gravity and
    the size of the mechanism, as the `speed` of `Friction`.
    """

    first: str
    second: str
    radius: Scalar = field(default=0.0, kw_only=True)
    coefficient: Scalar = field(default=0.0, kw_only=True)
    stiction: str = field(default="exact", kw_only=True)
    slip: Scalar | None = field(default=None, kw_only=True)
    tangents: int = field(default=2, init=False, repr=False, compare=False)
    """Number of tangential directions: two in a spatial mechanism, one in a planar one."""

    steady: ClassVar[tuple[str, ...]] = ("radius", "coefficient", "slip", "restitution", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("radius", "coefficient", "slip", "restitution", "speed")

    def in_mechanism(self, planar: bool) -> Load:
        found = replace(self)
        object.__setattr__(found, "tangents", 1 if planar else 2)
        return found

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def is_rough(self) -> bool:
        """Whether the contact has friction: its coefficient is not the number 0."""
        return not (isinstance(self.coefficient, int | float) and self.coefficient == 0)

    @property
    def exact(self) -> bool:
        """Whether the contact has exact stiction: it sticks without creep."""
        return self.is_rough and self.stiction == "exact"

    @property
    def modes(self) -> tuple[str, ...]:
        """Names of the contact modes: of the normal force and, with exact stiction, of the friction force.

        In a spatial mechanism the direction of sliding is a third mode: an angle from the x axis towards the y axis of
        the plane's marker.
        """
        if not self.exact:
            return ("mode",)
        return ("mode", "friction") if self.tangents == 1 else ("mode", "friction", "direction")

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if body_of(self.first) == body_of(self.second):
            what = f"connects body '{body_of(self.first)}' with itself."
            yield Fault("L02", where, what, "Give markers of two different bodies.")
        yield from sign_faults(where, self, "radius", "coefficient", "slip")
        yield from restitution_faults(where, self.restitution, self.speed)
        yield from stiction_faults(where, self.stiction, "contact")
