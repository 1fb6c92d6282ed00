"""A hexapod, the platform of Gough and Stewart: six legs of universal, prismatic and spherical joint (6-UPS)."""

from math import asin, atan2, cos, pi, radians, sin, sqrt

import multiloop as ml

FEET = tuple((0.5 * cos(radians(a)), 0.5 * sin(radians(a)), 0.0) for a in (-10, 10, 110, 130, 230, 250))
HEADS = tuple((0.3 * cos(radians(a)), 0.3 * sin(radians(a)), 0.0) for a in (-50, 50, 70, 170, 190, 290))
"""Centres of the universal joints on the ground (FEET) and of the spherical joints on the platform (HEADS), m."""

MASS, INERTIA = 80.0, (2.0, 2.2, 3.6)
AXIS, TILT = (0.6, 0.8, 0.0), 0.15
PERIOD, RADIUS, HEIGHT = 2.0, 0.08, 0.62


def hexapod() -> ml.Mechanism:
    """Build a hexapod whose platform moves on a circle of 80 mm in 2 s and tilts by 0.15 rad about a horizontal axis.

    The motion of the platform is prescribed; the six actuators are in the legs. The mass of the legs is neglected.
    """
    turning = 2 * pi / PERIOD * ml.time
    # marker axes of a universal joint: z along x of the body, x along y of the body; the leg is along z of the body
    cross = {"z": (1, 0, 0), "x": (0, 1, 0)}
    legs, joints, guess = [], [], dict[str, object]()
    for k, (foot, head) in enumerate(zip(FEET, HEADS, strict=True), start=1):
        legs += [
            ml.Body(
                f"lower{k}",
                markers={"foot": ml.marker((0, 0, 0), **cross), "rim": (0, 0, 0.4)},
                outline=("foot", "rim"),
            ),
            ml.Body(f"upper{k}", markers={"end": (0, 0, -0.4)}, outline=("origin", "end")),
        ]
        joints += [
            ml.Universal(f"U{k}", f"ground.f{k}", f"lower{k}.foot"),
            ml.Prismatic(f"P{k}", f"lower{k}.origin", f"upper{k}.origin"),
            ml.Spherical(f"S{k}", f"upper{k}.origin", f"platform.h{k}"),
        ]
        x, y, z = head[0] + RADIUS - foot[0], head[1] - foot[1], HEIGHT
        length = sqrt(x * x + y * y + z * z)
        guess |= {f"U{k}": (atan2(-y, z), asin(x / length)), f"P{k}": length}
    return ml.Mechanism(
        "hexapod",
        bodies=[
            ml.ground({f"f{k}": ml.marker(foot, **cross) for k, foot in enumerate(FEET, start=1)}),
            *legs,
            ml.Body(
                "platform",
                mass=MASS,
                inertia=INERTIA,
                markers={f"h{k}": head for k, head in enumerate(HEADS, start=1)},
            ),
        ],
        joints=joints,
        drives=[
            ml.Motion(
                "platform.origin",
                x=RADIUS * ml.expr.cos(turning),
                y=RADIUS * ml.expr.sin(turning),
                z=HEIGHT,
                orientation=(AXIS, TILT * ml.expr.sin(turning)),
            )
        ],
        actuators=[ml.Actuator(f"P{k}") for k in range(1, 7)],
        guess=guess,
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the forces of the legs while the platform moves along its path."""
    return ml.inverse(mechanism, cycle=121)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    forces = [result[f"P{k}"].effort for k in range(1, 7)]
    least, most = min(force.min() for force in forces), max(force.max() for force in forces)
    return f"Between {least:.0f} and {most:.0f} N each, for a platform with a weight of {MASS * 9.81:.0f} N."
