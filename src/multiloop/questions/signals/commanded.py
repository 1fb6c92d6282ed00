"""An effort given by a control law: an expression, and the effort from inverse dynamics of the controller's model."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from multiloop.kinematics.targets import drive_profiles, drive_targets, driven_targets
from multiloop.model import Mechanism
from multiloop.model.control import ControlLaw
from multiloop.model.expressions import Expression, derivative, joints_of, lift
from multiloop.model.expressions.text import written


@dataclass(frozen=True)
class Commanded:
    """The effort at one joint; the drives of the mechanism `desired` are the desired motion."""

    law: ControlLaw
    desired: Mechanism
    name: str
    own: Expression

    @property
    def joints(self) -> list[str]:
        """Joints that it reads: those of its expression, and those whose motion is desired."""
        moved = [target.of for target in drive_targets(self.desired) if not target.on_marker]
        return [*joints_of(self.own), *moved]

    @property
    def expressions(self) -> list[Expression]:
        """Expressions whose corners are its corners: its own expression and the desired accelerations."""
        return [
            self.own,
            *(derivative(derivative(lift(profile))) for profile in drive_profiles(self.desired)),
        ]

    @property
    def wanted(self) -> Iterator[tuple[str, Expression]]:
        """Desired positions, rates and accelerations, each with a description."""
        for one in driven_targets(self.desired):
            for profile in map(lift, one.profiles):
                for _ in range(3):
                    yield f"desired motion of '{one.target.of}'", profile
                    profile = derivative(profile)

    @property
    def words(self) -> str:
        """Text of everything that its trace depends on."""
        law, model = self.law, self.law.model
        gains = [(name, repr(getattr(law, name))) for name in law.gains]
        believed = model.fingerprint if model is not None else ""
        return repr((law.inverse_terms, gains, believed, self.desired.fingerprint, written(self.own)))
