"""How far does a four-bar drift in 1 s when its motor plays the computed torque back, open loop?

Check: zero with the exact torque; with linear interpolation of a table, half the step reduces it to a quarter.
Source: M. Koul and others, doi 10.1007/s11044-013-9379-2, §5: simulation forced by torques of inverse dynamics.
"""

from functools import cache

import numpy as np
from matplotlib.figure import Figure

import multiloop as ml
from multiloop.cli.demonstration import demonstrate

EXPECTED = {"exact": (0.0, 1e-5, "rad"), "coarse": (0.1244, 5e-4, "rad"), "coarse/fine": (4.0, 0.15, "")}

SPEED, TIMES = 4.712, np.linspace(0.0, 1.0, 41)
CASES = {"exact torque": 0, "table every 25 ms": 1, "table every 50 ms": 2}

mechanism = ml.examples.four_bar()
desired = cache(lambda: ml.inverse(mechanism, t=TIMES))


@cache
def drift(step):
    """Deviation of the released four-bar, with the exact torque (step 0) or a table of every `step`-th instant."""
    torque = ml.RequiredEfforts(mechanism)
    if step:
        torque = ml.table(TIMES[::step], desired()["A"].effort[::step], kind="linear")
    given = {"start": {"A": 0.0}, "rates": {"A": SPEED}, "efforts": {"A": torque}}
    run = ml.simulate(mechanism.without_drives(), until=1.0, samples=TIMES, rtol=1e-5, **given)
    return run.deviation_from(desired())


def results():
    exact, fine, coarse = (drift(step).until(1.0) for step in CASES.values())
    return {"exact": exact, "coarse": coarse, "coarse/fine": coarse / fine}


def answer():
    exact, fine, coarse = (drift(step).until(1.0) for step in CASES.values())
    tables = f"By {coarse:.3f} rad with a table every 50 ms and {fine:.3f} rad with one every 25 ms"
    return f"{tables}; with the exact torque by less than {max(exact, 1e-5):.0e} rad."


def figure():
    page = Figure(figsize=(7, 4), layout="constrained")
    axes = page.add_subplot(xlabel="time (s)", ylabel="largest deviation (rad)", yscale="log")
    for name, step in CASES.items():
        axes.plot(TIMES[1:], drift(step).largest[1:], label=name)
    axes.legend()
    return page


def main():
    demonstrate(
        "drift", mechanism, solve=desired, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
