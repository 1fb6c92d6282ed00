"""Force of a Spring with damper and preload along the line between two markers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.dynamics.actions.action import Action, Applied
from multiloop.kinematics.snapshot import Snapshot
from multiloop.kinematics.spans import Span, expression_value, span_between
from multiloop.model import Spring
from multiloop.spatial import Matrix


@dataclass(frozen=True)
class SpringAction(Action):
    """Tension along the line of two markers.

        F = F₀ + k (L − l) + c L̇,      f = F d/L on the first body, −f on the second,      V = k (L − l)²/2 + F₀ (L − l)

    A variable preload F₀ has no potential; its power is −F₀ L̇. The power dissipated by a damper in parallel with it is
    the output `loss`.
    """

    load: Spring

    def _span(self, at: Snapshot) -> Span:
        return span_between(at, self.load.first, self.load.second)

    def _numbers(self, at: Snapshot) -> tuple[Any, ...]:
        """k, l, F₀, c."""
        load = self.load
        return tuple(
            expression_value(at, value)
            for value in (load.stiffness, load.length or 0.0, load.preload, load.damping)
        )

    def _pull(self, at: Snapshot) -> Matrix:
        """f on the first body. The part proportional to L needs no direction and is valid at L = 0 too."""
        span, (k, free, preload, c) = self._span(at), self._numbers(at)
        rest: Any = preload - k * free if _is_any(k * free) else preload
        if _is_any(c):
            rest = rest + c * (ca.dot(span.d, span.rate) / span.length)
        return k * span.d + (rest / span.length) * span.d if _is_any(rest) else k * span.d

    def wrenches(self, at: Snapshot) -> tuple[Applied, ...]:
        w = ca.vertcat(ca.DM(3, 1), self._pull(at))
        return (Applied(self.load.first, w), Applied(self.load.second, -w))

    def potential(self, at: Snapshot) -> Matrix:
        k, free, preload, _ = self._numbers(at)
        longer = self._span(at).length - free
        return k * longer**2 / 2 + (preload * longer if self.load.dissipates else 0.0)

    def power(self, at: Snapshot) -> Matrix:
        span, (_, _, preload, c) = self._span(at), self._numbers(at)
        lost = c * span.length_rate**2
        return -lost if self.load.dissipates else -lost - preload * span.length_rate

    def readouts(self, at: Snapshot) -> dict[str, Matrix]:
        span, (k, free, preload, c) = self._span(at), self._numbers(at)
        force = preload + k * (span.length - free) + c * span.length_rate
        told = {"force": force, "length": span.length, "length_rate": span.length_rate}
        mixed = not self.load.dissipates and _is_any(c)
        return told | ({"loss": c * span.length_rate**2} if mixed else {})


def _is_any(value: Any) -> bool:
    """Whether a number may differ from zero."""
    return not (isinstance(value, float) and value == 0.0)
