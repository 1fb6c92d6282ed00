"""Control laws: PD and PID control of joints with feed-forward terms, computed torque, and their base class.

Source: [craig], ch. 8–9; [dado], eq. (33), for PD control with feed-forward of the inertia forces.
Theory: docs/theory/06-forward-dynamics.md, eq. (6.24).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from multiloop.model.drives import Actuator, Motion
from multiloop.model.expressions import (
    Constant,
    Expression,
    Scalar,
    depends_on_state,
    depends_on_time,
    derivative,
    evaluate,
    integral,
    lift,
    position,
    rate,
)
from multiloop.model.expressions.expression import finite_number
from multiloop.model.faults import short_repr
from multiloop.model.joints import Joint
from multiloop.model.markers import scalar
from multiloop.model.states import Integral
from multiloop.model.synonyms import SuggestsArguments

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

Gain = Scalar | tuple[tuple[str, Scalar], ...]
"""A gain: one value for all coordinates, or pairs of joint or marker name and value."""


@dataclass(frozen=True)
class ControlLaw(SuggestsArguments):
    """A control law that makes a mechanism follow a desired motion, for `simulate(…, control=law)`.

    `desired` gives the motion as profiles by joint, {"A": profile}, or as Motions. By default the desired motion is
    that of the mechanism's drives, which are then released. `model` is the mechanism that the controller uses as its
    model: by default the plant itself, otherwise a mechanism with the same joints and other values; bodies that are
    flexible in the plant may be rigid in the model.
    """

    desired: tuple[Motion, ...] | None = None
    model: Mechanism | None = field(default=None, kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "desired", _motions(type(self).__name__, self.desired))
        for name in self.gains:
            object.__setattr__(self, name, _gain(type(self).__name__, name, getattr(self, name)))

    def motions(self, mechanism: Mechanism) -> tuple[Motion, ...]:
        """The desired motions: the field `desired` or, if it is None, the drives of the mechanism."""
        return mechanism.drives if self.desired is None else self.desired

    def gain(self, name: str, of: str, component: str = "") -> Scalar:
        """Value of the gain `name` of this law for the joint or marker `of`, or for one component of it.

        The value is 0 if the gain is given by name of joint or marker, but neither for "of.component" nor for "of".
        """
        given = getattr(self, name)
        if not isinstance(given, tuple):
            return cast(Scalar, given)
        by_name: dict[str, Scalar] = dict(given)
        return by_name.get(f"{of}.{component}", by_name.get(of, 0.0))

    @property
    def named(self) -> set[str]:
        """Names of the joints or markers for which gains are given."""
        given = [getattr(self, name) for name in self.gains]
        return {name for gain in given if isinstance(gain, tuple) for name, _ in gain}

    # methods that control laws define --------------------------------------------------------------------------

    def efforts(self, mechanism: Mechanism) -> dict[str, Expression]:
        """Expressions of the control efforts, without the terms that inverse dynamics computes; the keys are "joint" or
        "joint.component"."""
        return {}

    def integrals(self, mechanism: Mechanism) -> tuple[Integral, ...]:
        """State variables that the control law adds, such as the integral of the error."""
        return ()

    def built_into(self, mechanism: Mechanism) -> Mechanism:
        """A copy of the mechanism in which actuators and integrals of the control law replace the controlled drives."""
        if self.inverse_terms:
            raise ValueError(
                f"{type(self).__name__}: its efforts require inverse dynamics and cannot be written as expressions. "
                "Pass the law to `simulate` as control=."
            )
        drawn, efforts = {motion.of for motion in self.motions(mechanism)}, self.efforts(mechanism)
        described = {(actuator.joint, actuator.component): actuator for actuator in mechanism.actuators}
        for name, effort in efforts.items():
            joint, _, component = name.partition(".")
            own = described.get((joint, component), Actuator(joint, component))
            described[joint, component] = replace(own, effort=effort)
        return mechanism.replace(
            drives=[motion for motion in mechanism.drives if motion.of not in drawn],
            actuators=list(described.values()),
            integrals=(*mechanism.integrals, *self.integrals(mechanism)),
        )

    @property
    def inverse_terms(self) -> tuple[str, ...]:
        """Names of the terms of the control efforts that are computed by inverse dynamics.

        For computed torque the only name is "command"; for PD and PID control they are those of the feed-forward terms,
        "inertia", "velocity" and "gravity".
        """
        return ()


def _motions(law: str, given: Any) -> tuple[Motion, ...] | None:
    if given is None:
        return None
    if isinstance(given, Motion):
        return (given,)
    if isinstance(given, Mapping):
        return tuple(Motion(joint, profile) for joint, profile in given.items())
    if isinstance(given, Sequence) and given and all(isinstance(part, Motion) for part in given):
        return tuple(given)
    raise ValueError(
        f'{law}: its desired motion is {short_repr(given)}. Give {{"A": profile}}, a Motion or a list of Motions.'
    )


def _gain(law: str, name: str, given: Any) -> Gain:
    if isinstance(given, Mapping):
        return tuple((str(of), _scalar_gain(law, f"{name} of '{of}'", value)) for of, value in given.items())
    if isinstance(given, tuple) and given and all(isinstance(part, tuple) for part in given):
        return given
    return _scalar_gain(law, name, given)


def _scalar_gain(law: str, name: str, given: Any) -> Scalar:
    remedy = "Give a number, a Parameter, or numbers by joint."
    if isinstance(given, Expression):
        if depends_on_time(given) or depends_on_state(given):
            raise ValueError(f"{law}: its {name} is not constant. {remedy}")
        value: float | None = float(evaluate(given))
    else:
        value = finite_number(given)
    if value is None or value < 0:
        raise ValueError(f"{law}: its {name} is {short_repr(given)}. {remedy}")
    found: Scalar = scalar(given)
    return found


TERMS = ("inertia", "velocity", "gravity")
"""Feed-forward terms of PD control."""


@dataclass(frozen=True)
class PD(ControlLaw):
    """Proportional-derivative control of joint coordinates q by efforts τ, with optional feed-forward efforts τ_ff:

        τ = K_p e + K_d ė + τ_ff,      e = q_d − q

    Arguments:

        kp, kd          the gains K_p and K_d, effort per error and per rate, one for all coordinates or by joint
        feed_forward    the terms that inverse dynamics of the model adds at the actual configuration: "inertia",
                        M(q) q̈_d with the mass matrix M; "velocity", the velocity-dependent efforts at the actual
                        rates; "gravity", the efforts that balance weights, springs and applied forces at rest
        desired         the desired motion, {"A": profile} or Motions; by default the drives of the mechanism, which
                        are then released
        model           the mechanism that the controller uses as its model, by default the controlled mechanism itself

    q_d are the desired coordinates and e their errors. Without "gravity" the static error is load / K_p.

    Source: [craig], ch. 8–9; for "inertia" alone [dado], eq. (33).
    Differs: M(q) is positive definite here; the matrix DM of the paper is −M.
    """

    kp: Gain = field(kw_only=True)
    kd: Gain = field(default=0.0, kw_only=True)
    feed_forward: tuple[str, ...] = field(default=(), kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ("kp", "kd")

    def __post_init__(self) -> None:
        super().__post_init__()
        given = (self.feed_forward,) if isinstance(self.feed_forward, str) else tuple(self.feed_forward)
        for term in given:
            if term not in TERMS:
                name = type(self).__name__
                raise ValueError(
                    f"{name}: its feed_forward is {short_repr(term)}. Choose among {', '.join(TERMS)}."
                )
        object.__setattr__(self, "feed_forward", given)

    def efforts(self, mechanism: Mechanism) -> dict[str, Expression]:
        found: dict[str, Expression] = {}
        for name, joint, component, profile in controlled_coordinates(self, mechanism):
            q, v = _coordinate_and_rate(mechanism, joint, component)
            total: Expression = lift(0.0)
            for gain, error in (("kp", profile - q), ("kd", _difference(derivative(profile), v))):
                total = _add_term(total, self.gain(gain, joint.name, component), error)
            found[name] = _add_term(total, *self._integral(name, joint.name, component))
        return found

    def _integral(self, name: str, joint: str, component: str) -> tuple[Scalar, Expression]:
        """The integral gain K_i of a joint coordinate, and the time integral of its error as an expression; both are
        zero for PD control."""
        return 0.0, lift(0.0)

    @property
    def inverse_terms(self) -> tuple[str, ...]:
        return self.feed_forward


@dataclass(frozen=True)
class PID(PD):
    """PD control with an integral of the error, which removes the static error.

        τ = K_p e + K_d ė + K_i ∫ e dt + τ_ff

    e is the error of a coordinate, K_p, K_d and τ_ff are the gains and the feed-forward effort of PD. The integral is a
    state variable of the simulation: `result.integrals["error of A"]`. `ki` is the gain K_i, one for all coordinates or
    by name; the other arguments are those of PD.

    Source: [craig], ch. 9.
    """

    ki: Gain = field(kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ("kp", "kd", "ki")

    def integrals(self, mechanism: Mechanism) -> tuple[Integral, ...]:
        return tuple(
            Integral(_error_name(name), of=profile - _coordinate_and_rate(mechanism, joint, component)[0])
            for name, joint, component, profile in controlled_coordinates(self, mechanism)
        )

    def _integral(self, name: str, joint: str, component: str) -> tuple[Scalar, Expression]:
        return self.gain("ki", joint, component), integral(_error_name(name))


def controlled_coordinates(
    law: ControlLaw, mechanism: Mechanism
) -> Iterator[tuple[str, Joint, str, Expression]]:
    """For every controlled coordinate: name of its effort, joint, component, and desired motion."""
    for motion in law.motions(mechanism):
        joint = mechanism.joint(motion.of)
        for component, profile in motion.named().items():
            name = f"{motion.of}.{component}" if component else motion.of
            yield name, joint, component, lift(profile)


def _error_name(name: str) -> str:
    return f"error of {name}"


def _coordinate_and_rate(mechanism: Mechanism, joint: Joint, component: str) -> tuple[Expression, Expression]:
    """Position and rate of the coordinate `component` of a joint as expressions."""
    place = joint.components(mechanism.planar).index(component) if component else 0
    return position(joint.name, place), rate(joint.name, place)


def _difference(desired: Expression, actual: Expression) -> Expression:
    return -actual if desired == Constant(0.0) else desired - actual


def _add_term(total: Expression, gain: Scalar, error: Expression) -> Expression:
    if lift(gain) == Constant(0.0):
        return total
    return gain * error if total == Constant(0.0) else total + gain * error


@dataclass(frozen=True)
class ComputedTorque(ControlLaw):
    """Computed torque: efforts from inverse dynamics for the desired acceleration with feedback of the error.

        τ = τ(q, q̇, q̈_d + K_d ė + K_p e),      so that   ë + K_d ė + K_p e = 0

    if the model equals the plant. e = q_d − q is the error of the coordinates q with the desired values q_d; τ(q, q̇,
    q̈) are the efforts of inverse dynamics. Arguments:

        kp, kd      the gains K_p in 1/s² and K_d in 1/s, one for all coordinates or by name, {"A": 100, "B": 25};
                    K_p = ω², K_d = 2 ω is critically damped, with the natural frequency ω
        desired     the desired motion, {"A": profile} or Motions; by default the drives of the mechanism, which are
                    then released
        model       the mechanism that the controller uses as its model, by default the controlled mechanism itself

    The desired motion may be given for joint coordinates, or for positions and orientations of markers. The efforts act
    at the actuators without a given effort or, if there are none, at the driven joints. The error of a position has
    components along inertial axes; the error of an orientation is a rotation vector, and the law is valid while
    this vector is small. Friction that depends on reactions is included to first order; stiction forces of exact
    friction are not known to the controller.

    Source: [craig], ch. 9.
    Differs: with closed loops the acceleration is commanded for the desired coordinates only, and the others follow
    from the loop constraints (`dynamics.forward.commanded`).
    """

    kp: Gain = field(kw_only=True)
    kd: Gain = field(kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ("kp", "kd")

    @property
    def inverse_terms(self) -> tuple[str, ...]:
        return ("command",)
