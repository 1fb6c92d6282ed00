"""When must the motor of a flexible arm start, so that its tip follows a prescribed motion?

Check: with its first clamped mode alone and a prescribed tip y = L θ + η, the arm has η̈ − σ² η = c ÿ for small angles,
σ² = K/(H/L − M), M = m/4, H = m L/β², K = β⁴ E I/4L³, β = 1.8751. The only η that stays bounded grows as e^{σt} before
the motion, and so does the torque. It is the integral of −c ÿ e^{−σ|t−s|}/2σ over the motion, ÿ = a sin Ωs.
Source: Bayo, Journal of Robotic Systems 4 (1987); dimensions are ours.
"""

from functools import cache
from math import exp, pi, sqrt

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import flexible_arm as arm

mechanism = ml.examples.flexible_arm()
solve = cache(lambda: ml.examples.ask("flexible_arm"))

L, T, BETA = arm.LENGTH, arm.DURATION, 1.8751041
M, H, K = arm.MASS / 4, arm.MASS * L / BETA**2, BETA**4 * arm.EI / L**3 / 4
SIGMA, C, OMEGA = sqrt(K / (H / L - M)), H / (H - M * L), 2 * pi / T
PEAK = arm.WAY * OMEGA / T
BEND = -C * PEAK * OMEGA / (OMEGA**2 + SIGMA**2) * (1 - exp(-SIGMA * T)) / (2 * SIGMA)
EXPECTED = {  # small angles: their square is 4e-4
    "growth": (SIGMA, 0.01 * SIGMA, "1/s"),
    "bend": (BEND, 2e-3 * abs(BEND), "m"),
    "torque": ((H - arm.MASS * L / 3) * SIGMA**2 * BEND, 1e-4, "N m"),
}


def results():
    found = solve()
    begin = int(np.argmin(np.abs(found.time)))
    early = (found.time < 0) & (found.time > -2 / SIGMA)
    slope = np.polyfit(found.time[early], np.log(np.abs(found["motor"].effort[early])), 1)[0]
    bend, torque = found.link("arm").eta[begin, 0], found["motor"].effort[begin]
    return {"growth": slope, "bend": bend, "torque": torque}


def answer():
    return ml.examples.answer("flexible_arm", solve())


def figure():
    page, found = Figure(figsize=(9, 5.5)), solve()
    above, below = page.subplots(2, sharex=True)
    above.plot(found.time, 1e3 * found.marker("arm.b")[:, 1], label="tip (mm)")
    above.plot(found.time, 1e3 * L * found["motor"].position, label="L × angle of the motor (mm)")
    below.plot(found.time, found["motor"].effort, "C1", label="torque (N m)")
    below.set(xlabel="time (s)", xlim=(-0.3, T + 0.3))
    for axes in (above, below):
        axes.axvspan(0.0, T, color="0.92")
        axes.legend(loc="best")
    return page


def main():
    demonstrate(
        "flexible_arm",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
