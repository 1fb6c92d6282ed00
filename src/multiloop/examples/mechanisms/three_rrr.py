"""The planar 3-RRR manipulator: a platform on three legs of two links, with motors at the base."""

import multiloop as ml

SIDE, HEIGHT = 0.4, 3**0.5 / 2
LEGS = {1: (0.0, 0.0), 2: (1.0, 0.0), 3: (0.5, HEIGHT)}
START = {"A1": 1.04, "A2": 4.1883, "A3": 5.7637}
"""Motor angles (rad) at which the manipulator is released."""


def three_rrr() -> ml.Mechanism:
    """Build the 3-RRR manipulator without drives; it falls from the angles `START`.

    Source: [koul], §4.2.
    """
    return ml.Mechanism(
        "3-RRR",
        planar=True,
        bodies=[
            ml.ground({f"A{k}": pivot for k, pivot in LEGS.items()}),
            *(ml.rod(f"proximal{k}", length=0.4, mass=3.0) for k in LEGS),
            *(ml.rod(f"distal{k}", length=0.6, mass=4.0) for k in LEGS),
            ml.plate("platform", corners={"c1": 0, "c2": SIDE, "c3": (SIDE / 2, SIDE * HEIGHT)}, mass=8.0),
        ],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.A{k}", f"proximal{k}.a") for k in LEGS),
            *(ml.Revolute(f"B{k}", f"proximal{k}.b", f"distal{k}.a") for k in LEGS),
            *(ml.Revolute(f"C{k}", f"distal{k}.b", f"platform.c{k}") for k in LEGS),
        ],
        guess={"platform": (0.79201821, 0.45656032, 3.91595341)},
    )


def swinging_three_rrr() -> ml.Mechanism:
    """Build the 3-RRR manipulator with motors that swing by 0.2 rad from `START` and back, beginning at rest.

    Source: [koul], §5, Table 2, for the start; the motion is ours.
    """
    swing = 0.1 * (1 - ml.expr.cos(4.0 * ml.time))
    return three_rrr().replace(drives=[ml.Motion(name, angle + swing) for name, angle in START.items()])


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the fall over one second."""
    return ml.simulate(mechanism, until=1.0, start=START, samples=101, rtol=1e-11)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    (x, y), (x0, y0) = result.final.marker("platform.c1"), result.at(0.0).marker("platform.c1")
    return (
        f"After 1 s corner c1 of the platform has moved by {x - x0:+.3f} m and {y - y0:+.3f} m, and motor A1 stands at "
        f"{result['A1'].position[-1]:.4f} rad."
    )
