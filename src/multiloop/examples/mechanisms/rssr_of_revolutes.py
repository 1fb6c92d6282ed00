"""The RSSR linkage as seven revolutes: three in place of one spherical joint, two in place of a universal joint."""

from math import degrees, pi

import multiloop as ml


def rssr_of_revolutes() -> ml.Mechanism:
    """Build the RSSR linkage as a closed chain of seven revolutes; a revolution takes 0.6 s.

    The links between the three revolutes B1, B2 and B3 and between C1 and C2 are massless, and the axes of the
    revolutes of each joint meet in a point.

    Source: [chaudhary], §6.2 and Fig. 10, for the linkage; dimensions, masses and the order of the axes are ours.
    """
    pitch, roll = ml.marker((0, 0, 0), z=(0, 1, 0)), ml.marker((0, 0, 0), z=(1, 0, 0))
    return ml.Mechanism(
        "RSSR of revolutes",
        bodies=[
            ml.ground(A=(0, 0, 0), D=ml.marker((0.25, 0.05, 0.10), z=(0, 1, 0), x=(1, 0, 0))),
            ml.rod("crank", length=0.10, mass=0.8),
            ml.Body("yaw", markers={"pitch": pitch}),
            ml.Body("pitch", markers={"yaw": pitch, "roll": roll}),
            ml.rod("coupler", length=0.32, mass=1.2, markers={"roll": roll}),
            ml.Body("cross", markers={"coupler": (0, 0, 0), "rocker": roll}),
            ml.rod("rocker", length=0.22, mass=1.0),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B1", "crank.b", "yaw.origin"),
            ml.Revolute("B2", "yaw.pitch", "pitch.yaw"),
            ml.Revolute("B3", "pitch.roll", "coupler.roll"),
            ml.Revolute("C1", "coupler.b", "cross.coupler"),
            ml.Revolute("C2", "cross.rocker", "rocker.b"),
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
    torque = result["A"].effort
    turned = degrees(result["A"].position[abs(torque).argmax()] - result["A"].position[0])
    return (
        f"Yes: the torque is up to {max(torque, key=abs):.3f} N m, with the crank at {turned:.1f}°, as with spherical "
        "joints. The three massless links between the revolutes have no effect, and no spin is idle."
    )
