"""How does the carpet scraper swing when its motor is switched off, and does its computed torque drive it?

Check: the energy at the start is that of the rods one by one; runs of 15 s with rtol = 1e-8 and 1e-12 agree; under the
exact torque of inverse dynamics it keeps its desired motion for 5 s.
Source: M. Koul and others, doi 10.1007/s11044-013-9379-2, §5, Fig. 7, Tables 1 and 2.
"""

import numpy as np

from multiloop.cli.demonstration import demonstrate
from multiloop.examples.free_and_forced import FreeAndForced
from multiloop.examples.mechanisms.carpet_scraper import scraper_of_slender_rods

EXPECTED = {
    "energy": (23.0899, 5e-5, "J"),
    "drift of the energy": (0.0, 1e-9, ""),
    "free, 15 s": (0.0, 2e-6, "rad"),
    "forced, 5 s": (0.0, 1e-6, "rad"),
}

mechanism = scraper_of_slender_rods()
motion = FreeAndForced(mechanism, start={"crank pivot": 0.0}, rates={"crank pivot": 4.7124})


def results():
    return {
        "energy": motion.energy()[0],
        "drift of the energy": motion.free().energy_drift,
        "free, 15 s": motion.disagreement(1e-8, until=15.0),
        "forced, 5 s": motion.error().until(5.0),
    }


def answer():
    crank = np.degrees(motion.free()["crank pivot"].position)
    exact, table = (motion.error(torque).until(5.0) for torque in ("exact torque", "linear, 10 ms"))
    return (
        f"Its crank swings between {crank.min():.0f}° and {crank.max():.0f}°. The exact torque drives it for 5 s with "
        f"an error of less than {max(exact, 1e-6):.0e} rad, a table every 10 ms with linear interpolation with one of "
        f"{table:.1f} rad."
    )


def figure():
    return motion.figure(["crank pivot", "rocker pivot", "pantograph pivot"])


def main():
    demonstrate(
        "scraper_swing",
        mechanism,
        solve=motion.free,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
