"""Base class of control laws: desired motion, gains, and the model of the plant that the controller uses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from multiloop.model.brief import brief
from multiloop.model.drives import Actuator, Motion
from multiloop.model.expressions import Expression, Scalar, depends_on_state, depends_on_time, evaluate
from multiloop.model.expressions.expression import finite_number
from multiloop.model.integrals import Integral
from multiloop.model.markers import scalar

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

Gain = Scalar | tuple[tuple[str, Scalar], ...]
"""One gain for all coordinates, or gains by the name of the joint or marker."""


@dataclass(frozen=True)
class ControlLaw:
    """A control law that makes a mechanism follow a desired motion, for `simulate(…, control=law)`.

    `desired` gives the motion as profiles by joint, {"A": profile}, or as Motions. By default it is that of the
    mechanism's drives, which are then released. `model` is the mechanism that the controller uses as its model: by
    default the plant itself, otherwise one with the same joints and other values; bodies that are flexible in the plant
    may be rigid in it.
    """

    desired: tuple[Motion, ...] | None = None
    model: Mechanism | None = field(default=None, kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "desired", _motions(type(self).__name__, self.desired))
        for name in self.gains:
            object.__setattr__(self, name, _gain(type(self).__name__, name, getattr(self, name)))

    def motions(self, mechanism: Mechanism) -> tuple[Motion, ...]:
        """The desired motions: those of the law or, if it has none, the drives of the mechanism."""
        return mechanism.drives if self.desired is None else self.desired

    def gain(self, name: str, of: str, component: str = "") -> Scalar:
        """A gain for a joint or marker, "name" or "name.component"; 0 if gains by name do not include it."""
        given = getattr(self, name)
        if not isinstance(given, tuple):
            return cast(Scalar, given)
        by_name: dict[str, Scalar] = dict(given)
        return by_name.get(f"{of}.{component}", by_name.get(of, 0.0))

    @property
    def named(self) -> set[str]:
        """The names for which gains are given."""
        given = [getattr(self, name) for name in self.gains]
        return {name for gain in given if isinstance(gain, tuple) for name, _ in gain}

    # to be defined by control laws --------------------------------------------------------------------------

    def efforts(self, mechanism: Mechanism) -> dict[str, Expression]:
        """The part of its efforts that can be written as expressions, by joint (or "joint.component")."""
        return {}

    def integrals(self, mechanism: Mechanism) -> tuple[Integral, ...]:
        """State variables of the law."""
        return ()

    def built_into(self, mechanism: Mechanism) -> Mechanism:
        """The mechanism without the controlled drives, with the law as efforts of actuators and as integrals."""
        if self.inverse_terms:
            raise ValueError(
                f"{type(self).__name__}: inverse dynamics is no expression. Give the law to `simulate` as control=."
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
        """Terms that inverse dynamics adds to the efforts: "command", or some of "inertia", "velocity", "gravity"."""
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
        f'{law}: its desired motion is {brief(given)}. Give {{"A": profile}}, a Motion or a list of Motions.'
    )


def _gain(law: str, name: str, given: Any) -> Gain:
    if isinstance(given, Mapping):
        return tuple((str(of), _one(law, f"{name} of '{of}'", value)) for of, value in given.items())
    if isinstance(given, tuple) and given and all(isinstance(part, tuple) for part in given):
        return given
    return _one(law, name, given)


def _one(law: str, name: str, given: Any) -> Scalar:
    remedy = "Give a number, a Parameter, or numbers by joint."
    if isinstance(given, Expression):
        if depends_on_time(given) or depends_on_state(given):
            raise ValueError(f"{law}: its {name} changes. {remedy}")
        value: float | None = float(evaluate(given))
    else:
        value = finite_number(given)
    if value is None or value < 0:
        raise ValueError(f"{law}: its {name} is {brief(given)}. {remedy}")
    found: Scalar = scalar(given)
    return found
