"""Dry friction at joints and between the teeth of worm gears, and rolling resistance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, short_repr, suggestion
from multiloop.model.joints import Cylindrical, Helical, Joint, Prismatic, Revolute
from multiloop.model.loads.load import Load, sign_faults
from multiloop.model.markers import Vector, value_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

SIDES = ("first", "second")
"""Values of `Friction.side`: the marker of the joint that is at the centre of the guide or bearing."""


STICTIONS = ("smooth", "exact")
"""Values of `stiction`, the friction law near zero velocity: "smooth" with creep, or "exact" without creep."""


@dataclass(frozen=True)
class Friction(Load):
    """Friction along one coordinate of a joint: `Friction("wear", "A", coefficient=0.1, radius=0.02)`.

        effort = −σ(q̇ / speed) limit − viscous q̇      on the second body along q, opposite on the first

    q is the joint coordinate. The limit is a given `effort`, which may depend on time and state, or follows from the
    joint reaction F, the coefficient μ, the radius r and the length ℓ:

        pin      μ r |F|,  F perpendicular to the axis; with ℓ  μ r (|F₁| + |F₂|), two bearings at the distance ℓ
        slide    μ |F|,  F perpendicular to the axis; with ℓ  μ (|F₁| + |F₂|), two ends of a guide of the length ℓ
        screw    |F| r (tan(α + φ) − tan α) in motion against the axial load F, |F| r (tan α − tan(α − φ)) with the load

    F₁ and F₂ are the forces on the two bearings or ends, which follow from F and the moment of the reaction. α is the
    lead angle of the screw and tan φ = μ. Two coefficients are (static, sliding). With `circle`, μ is replaced by
    μ/√(1 + μ²), for the friction circle of a pin. The centre of the guide, or the middle between the bearings, is at
    the first or second marker of the joint, according to `side`. σ rises smoothly from −1 to 1 while the rate goes from
    −speed to speed: at rest there is no friction, and a joint that should stick creeps more slowly than `speed`. By
    default the speed follows from gravity g and the size L of the mechanism, √(g L)/3000 or for an angle √(g/L)/3000.
    With stiction="exact" σ is ±1 while sliding, and at rest the friction has the value within the limit that keeps the
    joint at rest; simulations switch between sliding and sticking at events.
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
        """State variables of the friction, with initial values: dissipated heat (J) and, with exact stiction, mode and
        share.

        The mode states whether the joint sticks or in which direction it slides. The share is a reference value for a
        stiction force that is statically undetermined, see `Load.shares`.
        """
        return {"heat": 0.0} | dict.fromkeys((*self.modes, *self.shares), 0.0)

    @property
    def modes(self) -> tuple[str, ...]:
        return ("mode",) if self.exact else ()

    @property
    def acts_by_states(self) -> bool:
        return self.exact

    @property
    def exact(self) -> bool:
        """Whether the friction has exact stiction: the joint sticks without creep."""
        return self.stiction == "exact"

    @property
    def reaction_dependent_forces(self) -> int:
        return 0 if self.coefficient is None and not self.exact else 1

    @property
    def coefficients(self) -> tuple[Scalar, Scalar]:
        """The static and the sliding coefficient of friction; 0 for values that are not given."""
        given = self.coefficient if isinstance(self.coefficient, tuple) else (self.coefficient,)
        return (given[0] or 0.0, given[-1] or 0.0) if given else (0.0, 0.0)

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        yield from self._choice_faults(where)
        yield from sign_faults(where, self, "viscous")
        for name, value in (
            ("coefficient", min(map(_value_or_zero, self.coefficients))),
            ("effort", _value_or_zero(self.effort)),
        ):
            if value < 0:
                remedy = "Give a value ≥ 0: friction always opposes the motion."
                yield Fault("L06", where, f"its {name} is {value:g}.", remedy)
        for name in ("radius", "length", "speed"):
            given = value_of(getattr(self, name))
            if given is not None and given <= 0:
                unit = (
                    "metres" if name != "speed" else "rad/s or m/s, below which the joint counts as sticking"
                )
                yield Fault("L06", where, f"its {name} is {given:g}.", f"Give a positive number of {unit}.")

    def _choice_faults(self, where: str) -> Iterator[Fault]:
        if (self.coefficient is None) == (self.effort is None):
            if self.effort is not None:
                what = "has both a coefficient and an effort."
            elif self.viscous == 0.0:
                what = "has neither a coefficient nor an effort."
            else:
                return
            remedy = "Give coefficient= for friction from the joint reaction, or effort= for known friction."
            yield Fault("L08", where, what, remedy)
        if isinstance(self.coefficient, tuple) and len(self.coefficient) != 2:
            what = f"its coefficient has {len(self.coefficient)} entries."
            yield Fault("L08", where, what, "Give a number, or two: (static, sliding).")
        elif _value_or_zero(self.coefficients[0]) < _value_or_zero(self.coefficients[1]):
            static, sliding = map(_value_or_zero, self.coefficients)
            what = f"its static coefficient {static:g} is below the sliding one, {sliding:g}."
            yield Fault("L08", where, what, "Give (static, sliding), the larger first.")
        yield from stiction_faults(where, self.stiction, "joint")
        if self.side not in SIDES:
            what = f"its side is {short_repr(self.side)}."
            yield Fault("L08", where, what, 'Write side="second" or side="first".')

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Errors of friction that follows from the joint reaction: it is not defined for this type of joint, the radius
        is missing, or the dimensions of a screw are such that no moment can turn it."""
        joint = mechanism.joints_by_name.get(self.joint)
        if joint is None or self.coefficient is None:
            return
        kind = type(joint).__name__
        if not isinstance(joint, (Revolute, Prismatic, Cylindrical, Helical)):
            what = f"joint '{joint.name}' is a {kind}, for which friction from the joint reaction is not defined."
            remedy = "Give effort=, or use a Revolute, Prismatic, Cylindrical or Helical joint."
            yield Fault("L08", where, what, remedy)
        elif self.turns(joint) and self.radius is None:
            what = f"has no radius, but joint '{joint.name}' is a {kind}: its friction is a moment."
            yield Fault("L08", where, what, "Give radius= of the pin or of the thread, in metres.")
        elif isinstance(joint, Helical):
            yield from self._screw_faults(where, joint)

    def turns(self, joint: Joint) -> bool:
        """Whether the joint coordinate along which the friction acts is an angle."""
        return isinstance(joint, (Revolute, Helical)) or self.component == "angle"

    def _screw_faults(self, where: str, joint: Helical) -> Iterator[Fault]:
        pitch, radius, mu = value_of(joint.pitch), value_of(self.radius), _value_or_zero(self.coefficients[0])
        if pitch is not None and radius and abs(pitch) / radius * mu >= 1:
            what = (
                f"with pitch {pitch:g} m/rad, radius {radius:g} m and coefficient {mu:g} no moment can turn the screw "
                f"'{joint.name}' against its load: pitch/radius times coefficient is {abs(pitch) / radius * mu:.3g}, "
                f"but must be below 1."
            )
            yield Fault("L08", where, what, "Give a smaller coefficient or pitch, or a larger radius.")


def stiction_faults(where: str, stiction: str, what: str) -> Iterator[Fault]:
    """Error if `stiction` is not one of STICTIONS; `what`, "joint" or "contact", is the word for the remedy."""
    if stiction not in STICTIONS:
        remedy = f'Write stiction="smooth", or stiction="exact" for a {what} with exact stiction.'
        yield Fault("L08", where, f"its stiction is {short_repr(stiction)}.", remedy)


def _value_or_zero(value: Scalar | None) -> float:
    """The numerical value of a scalar; 0 if it is missing or invalid."""
    found = None if value is None else value_of(value)
    return 0.0 if found is None else found


@dataclass(frozen=True)
class ToothFriction(Load):
    """Friction along the thread of a Worm: `ToothFriction("rub", "mesh", coefficient=0.06)`.

        force = −σ(v / speed) μ N      on the wheel along the teeth, opposite on the worm

    N is the normal force of the teeth at the pitch point and v their sliding velocity there. With the lead angle γ and
    the normal pressure angle α, the worm needs the tangential force F tan γ′ to push with F along its axis, where
    tan γ′ = (cos α tan γ + μ)/(cos α − μ tan γ), and is self-locking if μ ≥ cos α tan γ. σ rises smoothly from −1 to 1
    while v goes from −speed to speed; by default the speed is √(g L)/3000 with the size L of the mechanism, as for
    Friction.

    Source: [shigley], ch. 13, force analysis of worm gearing.
    """

    gear: str
    coefficient: Scalar | None = field(default=None, kw_only=True)
    speed: Scalar | None = field(default=None, kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("speed",)
    varying: ClassVar[tuple[str, ...]] = ("coefficient",)
    unsigned: ClassVar[tuple[str, ...]] = ("coefficient", "speed")
    acts_by_states: ClassVar[bool] = False

    @property
    def dissipates(self) -> bool:
        return True

    @property
    def states(self) -> Mapping[str, Scalar]:
        """The only state variable of this load, with its initial value: the dissipated heat (J)."""
        return {"heat": 0.0}

    @property
    def reaction_dependent_forces(self) -> int:
        return 1

    def faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if self.coefficient is None:
            yield Fault("L08", where, "has no coefficient.", "Give coefficient= of the teeth.")
        mu, speed = value_of(self.coefficient), value_of(self.speed)
        if mu is not None and mu < 0:
            remedy = "Give a value ≥ 0: friction always opposes the motion."
            yield Fault("L06", where, f"its coefficient is {mu:g}.", remedy)
        if speed is not None and speed <= 0:
            yield Fault("L06", where, f"its speed is {speed:g}.", "Give a positive number of m/s.")

    def faults_in(self, where: str, mechanism: Mechanism) -> Iterator[Fault]:
        """Error if the gear on which the friction acts is not a Worm, since the teeth of other gears do not slide at
        the pitch point."""
        from multiloop.model.pairs import Gearing, Worm

        gears = {pair.name: pair for pair in mechanism.pairs if isinstance(pair, Gearing)}
        if not isinstance(self.gear, str) or self.gear not in gears:
            remedy = suggestion(str(self.gear), gears) if gears else "Name a Worm among the pairs."
            yield Fault("L08", where, f"there is no gear {short_repr(self.gear)}.", remedy)
        elif not isinstance(gears[self.gear], Worm):
            kind = type(gears[self.gear]).__name__
            what = f"'{self.gear}' is a {kind}, whose teeth do not slide at the pitch point."
            remedy = "Use a Worm; for losses of other teeth use a Friction with effort= at a bearing."
            yield Fault("L08", where, what, remedy)


@dataclass(frozen=True)
class RollingResistance(Load):
    """The rolling resistance that a rolling pair adds to a mechanism: `Rolling("tyre", …, resistance=0.004)`.

        M = arm |N|  on the wheel against the rolling, opposite on the road

    M is a moment, N the normal force of the pair and `arm` the lever arm (m) of the resistance; `first` and `second`
    are the markers of the pair. Rotation about the normal (pivoting) is not resisted. Below `speed` (rad/s) the moment
    falls smoothly to zero, as for Friction; by default the speed is √(g/L)/3000 with the size L of the mechanism.
    """

    pair: str
    first: str
    second: str
    arm: Scalar = field(kw_only=True)
    speed: Scalar | None = field(kw_only=True)

    steady: ClassVar[tuple[str, ...]] = ("arm", "speed")
    unsigned: ClassVar[tuple[str, ...]] = ("arm", "speed")
    acts_by_states: ClassVar[bool] = False

    @property
    def markers(self) -> tuple[str, ...]:
        return (self.first, self.second)

    @property
    def states(self) -> Mapping[str, Scalar]:
        """The only state variable of this load, with its initial value: the dissipated heat (J)."""
        return {"heat": 0.0}

    @property
    def reaction_dependent_forces(self) -> int:
        return 1

    @property
    def dissipates(self) -> bool:
        return True
