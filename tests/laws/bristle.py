"""A load with a state variable, defined outside the package: a bristle that deflects and slips (after LuGre)."""

from dataclasses import dataclass, field
from typing import ClassVar

import casadi as ca

from multiloop import Action, Load
from multiloop.dynamics.actions import MarkerWrench
from multiloop.kinematics import expression_value, span_between
from multiloop.model import Scalar


@dataclass(frozen=True)
class Bristle(Load):
    """A bristle between two markers that deflects as they move apart and then slips: tension σ z + c L̇."""

    first: str
    second: str
    stiffness: Scalar = field(kw_only=True)
    yields: Scalar = field(kw_only=True)  # deflection at which it slips
    damping: Scalar = field(default=0.0, kw_only=True)
    bend: Scalar = field(default=0.0, kw_only=True)  # at the start

    steady: ClassVar[tuple[str, ...]] = ("stiffness", "yields", "damping", "bend")

    @property
    def markers(self):
        return (self.first, self.second)

    @property
    def span(self):
        return (self.first, self.second)

    @property
    def states(self):
        return {"bend": self.bend}


@dataclass(frozen=True)
class BristleAction(Action):
    """ż = L̇ − |L̇| z / z_y,  F = σ z + c L̇,  V = σ z²/2; what slips is lost."""

    def _numbers(self, at):
        """σ, z_y, c."""
        load = self.load
        return (expression_value(at, value) for value in (load.stiffness, load.yields, load.damping))

    def _span(self, at):
        return span_between(at, self.load.first, self.load.second)

    def _tension(self, at):
        (z,), (sigma, _, c) = self.own_states(at), self._numbers(at)
        return sigma * z + c * self._span(at).length_rate

    def wrenches(self, at):
        span = self._span(at)
        w = ca.vertcat(ca.DM(3, 1), self._tension(at) / span.length * span.d)
        return (MarkerWrench(self.load.first, w), MarkerWrench(self.load.second, -w))

    def potential(self, at):
        (z,), (sigma, _, _) = self.own_states(at), self._numbers(at)
        return sigma * z**2 / 2

    def power(self, at):
        (z,), (sigma, yields, c) = self.own_states(at), self._numbers(at)
        rate = self._span(at).length_rate
        return -sigma * z * (ca.fabs(rate) * z / yields) - c * rate**2

    def state_rates(self, at):
        (z,), (_, yields, _) = self.own_states(at), self._numbers(at)
        rate = self._span(at).length_rate
        return (rate - ca.fabs(rate) * z / yields,)

    def readouts(self, at):
        return {"bend": self.own_states(at)[0], "force": self._tension(at)}
