"""An automatic guided vehicle: two driven wheels on one axle, a castor in front, and a nose that follows a path."""

import multiloop as ml

RADIUS, TRACK, NOSE = 0.15, 0.6, 0.5
CASTOR, TRAIL, WHEELBASE = 0.05, 0.06, 0.7
DURATION, LENGTH, LANE = 4.0, 4.0, 0.5
PLATFORM_MASS, WHEEL_MASS, FORK_MASS, CASTOR_MASS = 120.0, 4.0, 1.0, 0.6
WHEEL_INERTIA, CASTOR_INERTIA = 0.045, 8e-4
"""Moments of inertia of the driven wheels and the castor about their axles, kg m²."""
AHEAD = ml.motion_laws.cycloidal(NOSE, NOSE + LENGTH, duration=DURATION)
ACROSS = ml.motion_laws.cycloidal(0.0, LANE, duration=DURATION / 2, begin=DURATION / 4)
"""Desired coordinates x (AHEAD) and y (ACROSS) of the nose over time: from rest to rest with a lane change."""
START = {
    "platform.left": (0, None, None),
    "swivel": 0.0,
    "castor axle": 0.0,
    "left motor": 0.0,
    "right motor": 0.0,
}
"""Initial pose: heading along x, with the castor behind its swivel."""


def axle(x: float, y: float, z: float) -> ml.Marker:
    """A marker at (x, y, z) whose z axis points to the left, along the axle of a wheel."""
    return ml.marker((x, y, z), z=(0, 1, 0), x=(1, 0, 0))


def automatic_guided_vehicle() -> ml.Mechanism:
    """Build the vehicle: x points ahead, y left, z up, with the origin midway between the driven wheels.

    The motors of the wheels move the nose along its desired path.
    """
    platform = ml.Body(
        "platform",
        mass=PLATFORM_MASS,
        com=(0.3, 0, 0.1),
        inertia=(4.0, 9.0, 11.0),
        markers={
            "left": axle(0, TRACK / 2, 0),
            "right": axle(0, -TRACK / 2, 0),
            "swivel": (WHEELBASE, 0, 0),
            "nose": (NOSE, 0, 0),
        },
    )
    fork = ml.Body(
        "fork",
        mass=FORK_MASS,
        com=(-TRAIL / 2, 0, -0.05),
        inertia=(2e-3, 2e-3, 2e-3),
        markers={"axle": axle(-TRAIL, 0, CASTOR - RADIUS)},
    )
    wheel = {"mass": WHEEL_MASS, "inertia": (0.025, 0.025, WHEEL_INERTIA)}
    return ml.Mechanism(
        "automatic guided vehicle",
        bodies=[
            ml.ground(),
            platform,
            fork,
            ml.Body("left wheel", **wheel),
            ml.Body("right wheel", **wheel),
            ml.Body("castor", mass=CASTOR_MASS, inertia=(5e-4, 5e-4, CASTOR_INERTIA)),
        ],
        joints=[
            ml.Revolute("left motor", "platform.left", "left wheel.origin"),
            ml.Revolute("right motor", "platform.right", "right wheel.origin"),
            ml.Revolute("swivel", "platform.swivel", "fork.origin"),
            ml.Revolute("castor axle", "fork.axle", "castor.origin"),
        ],
        pairs=[
            ml.Rolling("left contact", "left wheel.origin", "ground.origin", radius=RADIUS),
            ml.Rolling("right contact", "right wheel.origin", "ground.origin", radius=RADIUS),
            ml.Rolling("castor contact", "castor.origin", "ground.origin", radius=CASTOR),
        ],
        drives=[ml.Motion("platform.nose", x=AHEAD, y=ACROSS)],
        actuators=[ml.Actuator("left motor"), ml.Actuator("right motor")],
        guess={"platform": (0, 0, RADIUS, 1, 0, 0, 0), **{name: 0.0 for name in START if "." not in name}},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the torques of both motors along the path."""
    return ml.inverse(mechanism, t=[DURATION * k / 200 for k in range(201)], start=START)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    left, right = (abs(result[f"{side} motor"].effort).max() for side in ("left", "right"))
    return f"Up to {left:.1f} N m on the left and {right:.1f} N m on the right."
