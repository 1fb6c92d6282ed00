"""Dry friction at a joint, proportional to the joint reaction or with a given effort."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.brief import brief
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault
from multiloop.model.joints import Cylindrical, Helical, Joint, Prismatic, Revolute
from multiloop.model.loads.load import Load
from multiloop.model.loads.spring import sign_faults
from multiloop.model.markers import Vector, value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

SIDES = ("first", "second")
"""Marker at the centre of the guide or bearing."""


STICTIONS = ("smooth", "exact")
"""Friction laws near zero velocity."""


@dataclass(frozen=True)
class Friction(Load):
    """Friction along one coordinate of a joint: `Friction("wear", "A", coefficient=0.1, radius=0.02)`.

        effort = −σ(q̇ / speed) limit − viscous q̇      on the second body along q, opposite on the first

    The limit follows from the joint reaction F, or is a given `effort`, which may depend on time and state.

        pin      μ r |F|,  F perpendicular to the axis; with a `length` ℓ the forces of two bearings at that distance
        slide    μ |F|,  F perpendicular to the axis; with ℓ  μ (|N₁| + |N₂|), the forces at the two ends of a guide
        screw    |F| r (tan(α + φ) − tan α) against the axial load F, |F| r (tan α − tan(α − φ)) with it

    Two coefficients are (static, sliding). `circle` uses μ / √(1 + μ²), the friction circle of a pin. The centre of a
    guide or bearing is the marker of its `side`. σ rises smoothly from −1 to 1 while the rate goes from −speed to
    speed: at rest there is no friction, and a joint that should stick creeps more slowly than `speed`. By default the
    speed follows from gravity and the size of the mechanism, √(g ℓ)/3000 or for an angle √(g/ℓ)/3000. With
    stiction="exact" σ is ±1 while sliding, and at rest the friction takes any value within the limit that holds the
    joint; simulations switch between the two at events.
    """

    joint: str
    component: str = ""
    coefficient: Scalar | Vector | None = field(default=None, kw_only=True)
    radius: Scalar | None = field(default=None, kw_only=True)
    length: Scalar | None = field(default=None, kw_only=True)
    effort: Scalar | None = field(default=None, kw_only=True)
    viscous: Scalar = field(default=0.0, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)
    stiction: str = field(default="smooth", kw_only=True)
    circle: bool = field(default=False, kw_only=True)
    side: str = field(default="second", kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("radius", "length", "speed")
    varying: ClassVar[tuple[str, ...]] = ("coefficient", "effort", "viscous")
    unsigned: ClassVar[tuple[str, ...]] = ("viscous", "coefficient", "effort", "radius", "length", "speed")

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def coordinates(self) -> tuple[tuple[str, str], ...]:
        return ((self.joint, self.component),)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """Dissipated heat, mode (sticking or direction of sliding), and force for distributing undetermined forces."""
        return {"heat": 0.0} | dict.fromkeys((*self.modes, *self.shares), 0.0)

    @property
    def modes(self) -> tuple[str, ...]:
        return ("mode",) if self.exact else ()

    @property
    def acts_by_states(self) -> bool:
        return self.exact

    @property
    def exact(self) -> bool:
        """Whether it has exact stiction, without creep."""
        return self.stiction == "exact"

    @property
    def strengths(self) -> int:
        return 0 if self.coefficient is None and not self.exact else 1

    @property
    def coefficients(self) -> tuple[Scalar, Scalar]:
        """Static and sliding coefficients."""
        given = self.coefficient if isinstance(self.coefficient, tuple) else (self.coefficient,)
        return (given[0] or 0.0, given[-1] or 0.0) if given else (0.0, 0.0)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from self._choice_faults(where)
        yield from sign_faults(where, self, "viscous")
        for name, value in (
            ("coefficient", min(map(_known, self.coefficients))),
            ("effort", _known(self.effort)),
        ):
            if value < 0:
                remedy = "Give it without sign: friction is against the motion by itself."
                yield Fault("L06", where, f"its {name} is {value:g}.", remedy)
        for name in ("radius", "length", "speed"):
            given = value_of(getattr(self, name))
            if given is not None and given <= 0:
                unit = "metres" if name != "speed" else "rad/s or m/s: below it the joint creeps"
                yield Fault("L06", where, f"its {name} is {given:g}.", f"Give a positive number of {unit}.")

    def _choice_faults(self, where: str) -> Iterator[Fault]:
        if (self.coefficient is None) == (self.effort is None):
            if self.effort is not None:
                what = "has both a coefficient and an effort."
            elif self.viscous == 0.0:
                what = "has neither a coefficient nor an effort."
            else:
                return
            remedy = (
                "Give coefficient= for friction by the joint's own force, or effort= for one that is known."
            )
            yield Fault("L08", where, what, remedy)
        if isinstance(self.coefficient, tuple) and len(self.coefficient) != 2:
            what = f"its coefficient has {len(self.coefficient)} entries."
            yield Fault("L08", where, what, "Give a number, or two: (static, sliding).")
        elif _known(self.coefficients[0]) < _known(self.coefficients[1]):
            static, sliding = map(_known, self.coefficients)
            what = f"its static coefficient {static:g} is below the sliding one, {sliding:g}."
            yield Fault("L08", where, what, "Give (static, sliding), the larger first.")
        yield from stiction_faults(where, self.stiction, "joint")
        if self.side not in SIDES:
            what = f"its side is {brief(self.side)}."
            yield Fault("L08", where, what, 'Write side="second" or side="first".')

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Errors of joint types without a friction law for their reaction, and of missing dimensions."""
        joint = mechanism.joints_by_name.get(self.joint)
        if joint is None or self.coefficient is None:
            return
        kind = type(joint).__name__
        if not isinstance(joint, (Revolute, Prismatic, Cylindrical, Helical)):
            what = f"joint '{joint.name}' is a {kind}, of which it is not known what its force presses on."
            remedy = "Give effort=, or take a Revolute, Prismatic, Cylindrical or Helical joint."
            yield Fault("L08", where, what, remedy)
        elif self.turns(joint) and self.radius is None:
            what = f"has no radius, but joint '{joint.name}' is a {kind}: its friction is a moment."
            yield Fault("L08", where, what, "Give radius=, that of the pin or of the thread, in metres.")
        elif isinstance(joint, Helical):
            yield from self._screw_faults(where, joint)

    def turns(self, joint: Joint) -> bool:
        """Whether its coordinate is an angle."""
        return isinstance(joint, (Revolute, Helical)) or self.component == "angle"

    def _screw_faults(self, where: str, joint: Helical) -> Iterator[Fault]:
        pitch, radius, mu = value_of(joint.pitch), value_of(self.radius), _known(self.coefficients[0])
        if pitch is not None and radius and abs(pitch) / radius * mu >= 1:
            what = (
                f"with pitch {pitch:g} m/rad, radius {radius:g} m and coefficient {mu:g} no moment turns the screw "
                f"'{joint.name}' against its load: tan α tan φ is {abs(pitch) / radius * mu:.3g}."
            )
            yield Fault("L08", where, what, "Give a smaller coefficient or pitch, or a larger radius.")


def stiction_faults(where: str, stiction: str, what: str) -> Iterator[Fault]:
    """Error if `stiction` is not one of STICTIONS; `what` is "joint" or "contact"."""
    if stiction not in STICTIONS:
        remedy = f'Write stiction="smooth", or stiction="exact" for a {what} that sticks without creeping.'
        yield Fault("L08", where, f"its stiction is {brief(stiction)}.", remedy)


def _known(value: Scalar | None) -> float:
    """The numerical value, or 0 if it is unknown."""
    found = None if value is None else value_of(value)
    return 0.0 if found is None else found
