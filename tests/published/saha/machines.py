"""[saha]: the five machines of the paper in motion at any input angle, and their closed forms of I(θ) and C(θ, θ̇)."""

from __future__ import annotations

from typing import Any

import numpy as np
from published.saha.linkages import FourBar, SliderCrank
from published.saha.test_bevel_train import D1, D2, I1, I2, train
from published.saha.test_cams import Flat, Rolled, turning
from zoo import four_bars, sliders
from zoo.cams import flat_face, roller

import multiloop as ml

INPUTS = {
    "four-bar": "A",
    "slider-crank": "A",
    "flat-face cam": "O",
    "roller cam": "O",
    "bevel gears": "O1",
}
"""Joint of the input angle of each machine."""

EQUATIONS = {
    "four-bar": "(32), (33)",
    "slider-crank": "(43), (44)",
    "flat-face cam": "§4.3",
    "roller cam": "§4.4",
    "bevel gears": "(65)",
}
"""Equations of I and C in the paper."""

SPEED = 7.0


class BevelGears:
    """Eq. (65): I = I₁ + (d₁/d₂)² I₂, and no convective term."""

    inertia = I1[0] + (D1 / D2) ** 2 * I2[0]
    convective = 0.0


STARTS = {"slider-crank": 0.5}
"""Input angle in the position of the guess, where it is not zero."""


def driven(name: str, start: float, speed: float) -> ml.Mechanism:
    """The machine with an input angle that increases from `start` at a constant rate."""
    motion = ml.Motion(INPUTS[name], start + speed * ml.time)
    if name in ("flat-face cam", "roller cam"):
        made = {"flat-face cam": flat_face, "roller cam": roller}[name]
        return made(turning(speed, 0.0, start))
    if name == "bevel gears":
        return train(drives=[motion])
    made = {"four-bar": four_bars.four_bar_with_offsets, "slider-crank": sliders.slider_crank}[name]
    return made().replace(drives=[motion])


def state_of(name: str, psi: float, speed: float = SPEED) -> Any:
    """The State at the input angle ψ with the input rate `speed`.

    The linkages move there from the position of their guess, backward if ψ is less than their angle in that position.
    """
    if name not in ("four-bar", "slider-crank"):
        return ml.assemble(driven(name, psi, speed))
    start = STARTS.get(name, 0.0)
    rate = speed if psi >= start else -speed
    return ml.inverse(driven(name, start, rate), t=[0.0, abs(psi - start) / speed]).final


def states_over_a_turn(name: str, count: int) -> list[Any]:
    """States at `count` input angles of one turn, with the input rate `SPEED`."""
    motion = driven(name, STARTS.get(name, 0.0), SPEED)
    run = ml.inverse(motion, t=np.linspace(0.0, 2 * np.pi / SPEED, count))
    return [run.at(float(t)) for t in run.time]


def closed_form(name: str, state: Any) -> tuple[Any, float]:
    """The closed forms of a machine at a state, and its input rate."""
    psi, rate = state[INPUTS[name]].position, state[INPUTS[name]].rate
    if name == "four-bar":
        return FourBar(psi, psi + state["B"].position, state["D"].position), rate
    if name == "slider-crank":
        return SliderCrank(psi, psi + state["B"].position), rate
    if name == "bevel gears":
        return BevelGears(), rate
    return {"flat-face cam": Flat, "roller cam": Rolled}[name](psi, rate, 0.0), rate


def printed_inertia_and_convective(name: str, state: Any) -> tuple[float, float]:
    """I and C by the equations of the paper, C with its sign: I θ̈ = C θ̇ + τ."""
    known, rate = closed_form(name, state)
    convective = known.convective(rate) if callable(known.convective) else known.convective
    return float(known.inertia), float(convective)


def inertia_and_convective(name: str, state: Any) -> tuple[float, float]:
    """I and C by `State.matrices`, C with the sign of the paper."""
    reduced = state.matrices(independent=[INPUTS[name]]).reduced
    return reduced.I.item(), -reduced.C.item()
