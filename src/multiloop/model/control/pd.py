"""PD and PID control of joint coordinates, with feed-forward terms from the model of the plant."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from multiloop.model.brief import brief
from multiloop.model.control.law import ControlLaw, Gain
from multiloop.model.expressions import (
    Constant,
    Expression,
    Scalar,
    derivative,
    integral,
    lift,
    position,
    rate,
)
from multiloop.model.integrals import Integral
from multiloop.model.joints import Joint

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

TERMS = ("inertia", "velocity", "gravity")
"""Terms that may be fed forward."""


@dataclass(frozen=True)
class PD(ControlLaw):
    """Proportional-derivative control of joint coordinates, with optional feed-forward.

        τ = K_p e + K_d ė + τ_ff,      e = q_d − q

    `feed_forward` names the terms that inverse dynamics of the model adds at the actual configuration: "inertia",
    M(q) q̈_d; "velocity", the velocity-dependent efforts at the actual rates; "gravity", the efforts that balance
    weights, springs and applied forces at rest. Without "gravity" the static error is load / K_p.

    Source: [craig], ch. 8–9; with "inertia" alone [dado], eq. (33).
    Differs: M(q) is positive definite here; DM of the paper is its negative.
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
                    f"{name}: its feed_forward is {brief(term)}. Choose among {', '.join(TERMS)}."
                )
        object.__setattr__(self, "feed_forward", given)

    def efforts(self, mechanism: Mechanism) -> dict[str, Expression]:
        found: dict[str, Expression] = {}
        for name, joint, component, profile in coordinates(self, mechanism):
            q, v = _read(mechanism, joint, component)
            total: Expression = lift(0.0)
            for gain, error in (("kp", profile - q), ("kd", _less(derivative(profile), v))):
                total = _plus(total, self.gain(gain, joint.name, component), error)
            found[name] = _plus(total, *self._integral(name, joint.name, component))
        return found

    def _integral(self, name: str, joint: str, component: str) -> tuple[Scalar, Expression]:
        """Gain and value of the integral of the error; zero for PD."""
        return 0.0, lift(0.0)

    @property
    def inverse_terms(self) -> tuple[str, ...]:
        return self.feed_forward


@dataclass(frozen=True)
class PID(PD):
    """PD control with an integral of the error, which removes the static error.

        τ = K_p e + K_d ė + K_i ∫ e dt + τ_ff

    The integral is a state variable of the simulation: `result.integrals["error of A"]`.

    Source: [craig], ch. 9.
    """

    ki: Gain = field(kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ("kp", "kd", "ki")

    def integrals(self, mechanism: Mechanism) -> tuple[Integral, ...]:
        return tuple(
            Integral(_error(name), of=profile - _read(mechanism, joint, component)[0])
            for name, joint, component, profile in coordinates(self, mechanism)
        )

    def _integral(self, name: str, joint: str, component: str) -> tuple[Scalar, Expression]:
        return self.gain("ki", joint, component), integral(_error(name))


def coordinates(law: ControlLaw, mechanism: Mechanism) -> Iterator[tuple[str, Joint, str, Expression]]:
    """The controlled coordinates: name of the effort, joint, component, and desired motion."""
    for motion in law.motions(mechanism):
        joint = mechanism.joint(motion.of)
        for component, profile in motion.named().items():
            name = f"{motion.of}.{component}" if component else motion.of
            yield name, joint, component, lift(profile)


def _error(name: str) -> str:
    return f"error of {name}"


def _read(mechanism: Mechanism, joint: Joint, component: str) -> tuple[Expression, Expression]:
    """Position and rate of a coordinate."""
    place = joint.components(mechanism.planar).index(component) if component else 0
    return position(joint.name, place), rate(joint.name, place)


def _less(desired: Expression, actual: Expression) -> Expression:
    return -actual if desired == Constant(0.0) else desired - actual


def _plus(total: Expression, gain: Scalar, error: Expression) -> Expression:
    if lift(gain) == Constant(0.0):
        return total
    return gain * error if total == Constant(0.0) else total + gain * error
