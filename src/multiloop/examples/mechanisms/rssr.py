"""The RSSR linkage: a crank, a coupler with two spherical joints, and a rocker whose axis is skew to the crank's."""

from math import degrees, pi

import multiloop as ml


def rssr() -> ml.Mechanism:
    """Build the RSSR linkage; a revolution takes 0.6 s. The coupler's spin about its axis is an idle degree of freedom.

    Source: [chaudhary], §6.2, for the linkage; dimensions and masses are ours.
    """
    return ml.Mechanism(
        "RSSR",
        bodies=[
            ml.ground(A=(0, 0, 0), D=ml.marker((0.25, 0.05, 0.10), z=(0, 1, 0), x=(1, 0, 0))),
            ml.rod("crank", length=0.10, mass=0.8),
            ml.rod("coupler", length=0.32, mass=1.2),
            ml.rod("rocker", length=0.22, mass=1.0),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Spherical("B", "crank.b", "coupler.a"),
            ml.Spherical("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(2 * pi / 0.6))],
        guess={"rocker.b": (0.18, 0.05, 0.3)},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque and loads over one revolution."""
    return ml.inverse(mechanism, cycle=241)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    torque = result["A"].effort
    turned = degrees(result["A"].position[abs(torque).argmax()] - result["A"].position[0])
    return f"Up to {max(torque, key=abs):.3f} N m, with the crank at {turned:.1f}°."
