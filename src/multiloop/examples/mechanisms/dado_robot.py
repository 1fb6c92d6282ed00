"""Dado's robot: three axes with all motors at the base, driven through gears and a pantograph; data of [dado]."""

from math import pi, radians

import numpy as np

import multiloop as ml
from multiloop.model.expressions import derivative, evaluate

R1, R2, R3, R4, R5, R6 = 8, 2, 8, 2, 8, 2
BETA, Q5_0, GAMMA_0 = radians(57), radians(46), radians(115)
UPRIGHT, LENGTH, LOAD = 0.3, 0.3, 5.0
FROM, TO = (0.3, 0.0, 0.8), (-0.3, 0.4, 0.3)
GAINS = {
    "kp": {"psi1": 100.0, "psi2": 25.0, "psi3": 25.0},
    "kd": {"psi1": 1.0, "psi2": 0.5, "psi3": 0.5},
}


def dado_robot() -> ml.Mechanism:
    """Build the robot of the source, with the gear ratio r₃ instead of the printed r₂ in eq. (B-2): six links of the
    Denavit–Hartenberg table, six gear relations.

    The end effector E, with a load of 5 kg, is to follow a straight line within a second. The motor angles ψ for this
    follow from inverse kinematics. Source: [dado], tables B-1 and B-2, eqs. (B-1)-(B-6), (34).
    """
    links, joints = ml.dh_chain(
        [
            ml.DH("q1", _link(1, 2.0, (0, -0.15, 0), (0.044, 0.008, 0.044)), s=UPRIGHT, alpha=pi / 2),
            ml.DH("q2", _link(2, 3.11, (-0.125, -0.043, 0), (0.003, 0.013, 0.016)), a=LENGTH),
            ml.DH("q5", _link(3, 0.22, (-0.188, 0, 0), (0.004, 0.02, 0.02)), a=LENGTH, alpha=pi / 2),
            ml.DH("q3", _link(4, 0.15, (-0.1, 0, 0), (0.01, 0.015, 0.02)), a=0.15, on="link 1"),
            ml.DH("q6", _link(5, 0.06, (-0.13, 0, 0), (0.0, 0.004, 0.004)), a=0.26),
            ml.DH("q4", _link(6, 0.15, (-0.05, 0, 0), (0.01, 0.015, 0.02)), a=0.15),
        ]
    )
    motors = [ml.Body(f"motor {k}") for k in (1, 2, 3)]
    return ml.Mechanism(
        "Dado's robot",
        bodies=[ml.ground(), *links, ml.Body("load", mass=LOAD), *motors],
        joints=[
            *joints,
            ml.Fixed("grip", "link 3.origin", "load.origin"),
            *(ml.Revolute(f"psi{k}", "ground.origin", f"motor {k}.origin") for k in (1, 2, 3)),
        ],
        pairs=relations(),
        drives=[ml.Motion(name, profile) for name, profile in motor_angles().items()],
        actuators=[ml.Actuator(f"psi{k}") for k in (1, 2, 3)],
    )


def relations(divisor: float = R3) -> list[ml.Relation]:
    """Gear relations (B-1) to (B-6); `divisor` is the gear ratio in (B-2), which is printed as r₂ but must be r₃."""
    q1, q2, q3, q4, q5, q6 = (ml.position(f"q{k}") for k in range(1, 7))
    psi1, psi2, psi3 = (ml.position(f"psi{k}") for k in (1, 2, 3))
    return [
        ml.Relation("B-1", q1 - psi1 / R1),
        ml.Relation("B-2", q2 - ((1 + 1 / R2) / R1 * psi1 - psi2 / R2) / divisor),
        ml.Relation("B-3", q3 - ((1 + 1 / R4) / R1 * psi1 - psi3 / R4) / R5),
        ml.Relation("B-4", q4 - (pi - q2 + BETA + q3)),
        ml.Relation("B-5", q5 - (Q5_0 - R6 * (q4 - GAMMA_0))),
        ml.Relation("B-6", q6 - (q2 - BETA - q3)),
    ]


def line() -> tuple[ml.Expression, ...]:
    """Desired coordinates x, y, z of the end effector E over time, along the line by a cycloidal law."""
    s = ml.motion_laws.cycloidal(0.0, 1.0, duration=1.0)
    x, y, z = (a + (b - a) * s for a, b in zip(FROM, TO, strict=True))
    return x, y, z


def arm_angles() -> tuple[ml.Expression, ...]:
    """Joint angles q₁, q₂, q₃ for the end effector on the line, with a positive elbow angle q₅: inverse kinematics of
    an arm of two equal links."""
    x, y, z = line()
    reach, height = ml.expr.sqrt(x * x + y * y), z - UPRIGHT
    q5 = ml.expr.acos((reach * reach + height * height) / (2 * LENGTH**2) - 1)
    q2 = ml.expr.atan2(height, reach) - q5 / 2
    q4 = GAMMA_0 + (Q5_0 - q5) / R6
    return ml.expr.atan2(y, x), q2, q4 - pi + q2 - BETA


def motor_angles(divisor: float = R3) -> dict[str, ml.Expression]:
    """Motor angles ψ over time for a motion along the line, by the gear relations (B-1) to (B-3).

    `divisor` is the gear ratio in (B-2).
    """
    q1, q2, q3 = arm_angles()
    return {
        "psi1": R1 * q1,
        "psi2": R2 * ((1 + 1 / R2) * q1 - divisor * q2),
        "psi3": R4 * ((1 + 1 / R4) * q1 - R5 * q3),
    }


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate PD control with feedforward of inertia forces, eq. (33), by RK4 with steps of 1 ms."""
    law = ml.PD(**GAINS, feed_forward="inertia")
    return ml.simulate(mechanism, control=law, until=1.0, integrator="rk4", step=1e-3, samples=1001)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    far = off_line(result)
    when = f"after {result.time[far.argmax()]:.2f} s of the motion of 1 s"
    return f"Up to {far.max():.1f} mm, {when}; {far[-1]:.1f} mm at the end."


def off_line(result: ml.Result) -> np.ndarray:
    """Distance of the end effector from its desired position over time, in mm."""
    return 1e3 * np.linalg.norm(
        result.output("load.position") - desired_motion(result.time)["load.position"], axis=1
    )


def desired_motion(times: np.ndarray) -> dict[str, np.ndarray]:
    """Desired position, velocity and acceleration of the end effector E, instants × 3, by the names of the outputs of
    the load."""
    found, parts = {}, line()
    for name in ("load.position", "load.velocity", "load.acceleration"):
        found[name] = np.transpose([evaluate(part, time=times) for part in parts])
        parts = tuple(derivative(part) for part in parts)
    return found


def _link(number: int, mass: float, com: tuple[float, ...], inertia: tuple[float, ...]) -> ml.Body:
    return ml.Body(f"link {number}", mass=mass, com=com, inertia=inertia)
