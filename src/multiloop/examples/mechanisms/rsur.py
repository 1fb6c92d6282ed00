"""The RSUR linkage: an RSSR linkage with a universal joint in place of one spherical joint, so that nothing is idle."""

from math import degrees, pi

import multiloop as ml


def rsur() -> ml.Mechanism:
    """Build the RSUR linkage; a revolution takes 0.6 s. The universal joint prevents the spin of the coupler that is
    idle in `rssr`: its axes are across the coupler and along the axis of the rocker.

    Source: [chaudhary], §6.2 and Fig. 9, for the linkage; dimensions and masses are ours.
    """
    return ml.Mechanism(
        "RSUR",
        bodies=[
            ml.ground(A=(0, 0, 0), D=ml.marker((0.25, 0.05, 0.10), z=(0, 1, 0), x=(1, 0, 0))),
            ml.rod("crank", length=0.10, mass=0.8),
            ml.rod("coupler", length=0.32, mass=1.2),
            ml.rod(
                "rocker",
                length=0.22,
                mass=1.0,
                markers={"cross": ml.marker((0.22, 0, 0), z=(1, 0, 0), x=(0, 0, 1))},
            ),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Spherical("B", "crank.b", "coupler.a"),
            ml.Universal("C", "coupler.b", "rocker.cross"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(2 * pi / 0.6))],
        guess={"rocker.b": (0.18, 0.05, 0.3)},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute motion, torque and loads over one revolution."""
    return ml.inverse(mechanism, cycle=241)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    first, second = swings(result)
    torque = max(result["A"].effort, key=abs)
    return (
        f"By {first:.1f}° about the axis across the coupler and {second:.1f}° about the axis of the rocker; the crank "
        f"needs up to {torque:.3f} N m."
    )


def swings(result: ml.Result) -> tuple[float, float]:
    """Ranges of the angles about both axes of the universal joint (degrees)."""
    angles = result["C"].position
    first, second = (degrees(angle.max() - angle.min()) for angle in angles.T)
    return first, second
