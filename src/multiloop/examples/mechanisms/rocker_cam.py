"""A cam with a swinging roller follower; its profile is computed from motion law, arm length and pivot."""

from math import degrees, tau

import multiloop as ml

PIVOT, ARM = (-0.09, 0.035), 0.09
BASE, ROLLER = 0.030, 0.012
SWING, SPEED = ml.deg(15), 20.0
"""Swing angle of the rocker (rad), and speed of the cam (rad/s)."""

MASS, REACH, INERTIA = 0.25, 0.05, 2e-4
"""Mass of the rocker (kg), distance of its mass centre from the pivot (m), and inertia about the mass centre (kg
m²)."""


def program() -> ml.Expression:
    """Motion law of the rocker: rise within 100°, dwell of 40°, return within 120°, by the 3-4-5 polynomial."""
    up = ml.motion_laws.polynomial_345(0, SWING, duration=100 / 360 * tau, begin=20 / 360 * tau)
    down = ml.motion_laws.polynomial_345(0, SWING, duration=120 / 360 * tau, begin=160 / 360 * tau)
    return up - down


def rocker_cam() -> ml.Mechanism:
    """Build a cam that rotates at constant speed and a rocker whose torsion spring keeps the roller on the cam."""
    return ml.Mechanism(
        "rocker cam",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0), P=PIVOT),
            ml.Body("camshaft", mass=1.0, inertia=3e-4),
            ml.Body("rocker", mass=MASS, com=(REACH, 0), inertia=INERTIA, markers={"tip": (ARM, 0)}),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "camshaft.origin"),
            ml.Revolute("P", "ground.P", "rocker.origin"),
        ],
        pairs=[
            ml.Cam(
                "cam",
                "camshaft.origin",
                "rocker.tip",
                lift=program(),
                base=BASE,
                roller=ROLLER,
                pivot=PIVOT,
                arm=ARM,
            )
        ],
        loads=[ml.JointSpring("spring", "P", stiffness=8.0, rest=-0.3)],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(SPEED))],
        guess={"P": 0.08},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute swing angle, contact force and torque over one revolution of the cam."""
    return ml.inverse(mechanism, cycle=361)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    cam, pair = result["cam"], result.mechanism.pairs[0]
    assert isinstance(pair, ml.Cam)
    table = pair.profile_table(720)
    steepest, bend = degrees(cam.pressure_angle.max()), 1e3 * table.radius[table.radius > 0].min()
    profile = f"One whose convex radius of curvature is at least {bend:.1f} mm"
    return f"{profile}; the pressure angle is up to {steepest:.1f}°, the normal force up to {cam.normal.max():.0f} N."
