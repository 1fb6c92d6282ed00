"""A single-cylinder four-stroke engine: the slider-crank with gas pressure on its piston."""

from math import pi

import numpy as np
from scipy.integrate import trapezoid

import multiloop as ml
from multiloop.examples.mechanisms.slider_crank import CRANK, ROD

AREA = pi * 0.08**2 / 4
RATIO, EXPONENT = 9.0, 1.35
ATMOSPHERE, FIRED = 1e5, 60e5
"""Pressures (Pa): ambient pressure, and pressure above the piston immediately after combustion."""


VARIATION = 0.02
"""Permitted fluctuation of the crank speed: (largest − smallest) / mean."""


def height(angle: np.ndarray) -> np.ndarray:
    """Height of the piston above the crankshaft at a crank angle θ: r cos θ + √(l² − r² sin² θ), with the crank radius
    r and the length l of the rod."""
    return CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)


def gas_force() -> ml.Expression:
    """Gas force over two revolutions of the crank, from ignition at top dead centre; relative to the pressure in the
    crankcase, so that it is zero when valves are open.

        p V^n = const. while expanding (0–180°) and while compressing (540–720°),   V / A = h_top − h + 2r / (ε − 1)

    p is the pressure, V the volume, n the polytropic exponent, A the area and h the height of the piston, h_top its
    largest value, r the crank radius and ε the compression ratio. Combustion takes 4°, and the pressure drops within
    12° when the exhaust valve opens.
    """
    gap = 2 * CRANK / (RATIO - 1)

    def force(degrees: np.ndarray, pressure: float, at: float) -> np.ndarray:
        room = CRANK + ROD - height(np.radians(degrees)) + gap
        return -AREA * (pressure * (at / room) ** EXPONENT - ATMOSPHERE)

    expanding, compressing = np.arange(4, 181, 4), np.arange(540, 721, 6)
    squeezed = force(compressing, ATMOSPHERE, gap * RATIO)
    degrees = np.hstack([0, expanding, 192, 300, 420, compressing])
    values = np.hstack([squeezed[-1], force(expanding, FIRED, gap), 0, 0, 0, squeezed])
    return ml.table(np.radians(degrees), values, of=ml.position("O"), kind="monotone", periodic=True)


def four_stroke_engine() -> ml.Mechanism:
    """Build an engine with a displacement of 0.5 l and a compression ratio of 9 : 1, which runs at 1500 rpm."""
    return ml.examples.slider_crank().replace(
        name="four-stroke engine",
        actuators=[ml.Actuator("O"), ml.Actuator("bore", effort=gas_force())],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque and loads over the two crank revolutions of a cycle."""
    return ml.inverse(mechanism, cycle=1441)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    angle, torque = result["O"].position, -result["O"].effort
    mean, inertia = trapezoid(torque, angle) / (angle[-1] - angle[0]), result.flywheel(Cs=VARIATION).inertia
    return (
        f"{inertia:.2f} kg m², so that the speed varies by ±1 %: the mean torque is {mean:.0f} N m, the largest "
        f"{torque.max():.0f} N m."
    )
