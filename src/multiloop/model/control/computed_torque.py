"""Inverse dynamics in the loop: the error of every coordinate becomes a linear oscillator of its own."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from multiloop.model.control.law import ControlLaw, Gain


@dataclass(frozen=True)
class ComputedTorque(ControlLaw):
    """Efforts that inverse dynamics finds for the desired acceleration with the error drawn back.

        τ = τ(q, q̇, q̈_d + K_d ė + K_p e),      so that   ë + K_d ė + K_p e = 0

    where the model is the plant. K_p is in 1/s², K_d in 1/s: K_p = ω², K_d = 2 ω returns without swinging. What is
    desired may be coordinates of joints, or places and orientations of markers; the efforts are those of the
    actuators without effort, or of the joints themselves where there are none. The error of a place is along fixed
    axes, that of an orientation its rotation vector, for which the law holds as long as it is small. Friction that
    follows reactions is inverted to first order; what holds a joint, as exact friction does, is not known meanwhile.

    Source: [craig], ch. 9.
    Differs: with closed loops the acceleration is commanded along the rows of what is desired, and the rest follows
    from the loops (`dynamics.forward.commanded`).
    """

    kp: Gain = field(kw_only=True)
    kd: Gain = field(kw_only=True)

    gains: ClassVar[tuple[str, ...]] = ("kp", "kd")

    @property
    def inverse_terms(self) -> tuple[str, ...]:
        return ("command",)
