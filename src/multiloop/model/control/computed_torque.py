"""Computed-torque control: inverse dynamics in the control loop, which gives decoupled linear error dynamics."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.control.law import ControlLaw, Gain


@dataclass(frozen=True)
class ComputedTorque(ControlLaw):
    """Computed torque: efforts from inverse dynamics for the desired acceleration with feedback of the error.

        τ = τ(q, q̇, q̈_d + K_d ė + K_p e),      so that   ë + K_d ė + K_p e = 0

    if the model equals the plant. K_p is in 1/s², K_d in 1/s; K_p = ω², K_d = 2 ω is critically damped. The desired
    motion may be given for joint coordinates, or for positions and orientations of markers. The efforts are those of
    the actuators without a given effort or, if there are none, of the driven joints. The error of a position is along
    fixed axes; that of an orientation is its rotation vector, for which the law holds while it is small. Friction that
    depends on reactions is inverted to first order; stiction forces of exact friction are not known to the controller.

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
