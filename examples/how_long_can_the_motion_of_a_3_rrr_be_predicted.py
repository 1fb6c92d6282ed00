"""How long can the free motion of a 3-RRR be predicted, and do computed torques drive it?

Check: the energy is constant; runs with rtol = 1e-8 and 1e-12 agree for 3 s, before the chaotic motion magnifies their
difference; under the exact torques of inverse dynamics it keeps its desired motion for 3 s.
Source: M. Koul and others, doi 10.1007/s11044-013-9379-2, §5, Fig. 8, Tables 1 and 2; the desired motion is ours.
"""

from multiloop.cli.demonstration import demonstrate
from multiloop.examples.free_and_forced import FreeAndForced
from multiloop.examples.mechanisms.three_rrr import START, swinging_three_rrr

EXPECTED = {
    "drift of the energy": (0.0, 1e-9, ""),
    "free, 3 s": (0.0, 1e-3, "rad"),
    "forced, 3 s": (0.0, 1e-6, "rad"),
}

mechanism = swinging_three_rrr()
motion = FreeAndForced(mechanism, start=START)


def results():
    return {
        "drift of the energy": motion.free().energy_drift,
        "free, 3 s": motion.disagreement(1e-8, until=3.0),
        "forced, 3 s": motion.error().until(3.0),
    }


def answer():
    early, late = (motion.disagreement(1e-8, until) for until in (4.0, 6.0))
    loose = motion.disagreement(1e-3, 3.0)
    exact, table = (motion.error(torque).until(3.0) for torque in ("exact torque", "linear, 10 ms"))
    return (
        f"For about 4 s at rtol = 1e-8, with an error of {early:.3f} rad ({late:.0f} rad after 6 s), and for 2 s at "
        f"1e-3 ({loose:.1f} rad after 3 s). The exact torques drive it for 3 s with an error of less than "
        f"{max(exact, 1e-6):.0e} rad, tables every 10 ms with linear interpolation with one of {table:.0f} rad."
    )


def figure():
    return motion.figure(list(START))


def main():
    demonstrate(
        "3_rrr_prediction",
        mechanism,
        solve=motion.free,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
