"""A piston pump with a geared motor; it delivers against pressure on one stroke, and its seal has friction on both."""

import multiloop as ml

CRANK, ROD, PISTON = 0.04, 0.16, 0.9
PUSH, SEAL = 1500.0, 110.0
"""Pressure times area on the delivery stroke, and friction force of the seal, both in N."""
SPEED, RATIO, ROTOR = 20.0, 15.0, 3e-4
"""Crank speed in rad/s; gear ratio of motor to crank; rotor inertia in kg m²."""


NEEDLES, CAPACITY = 10 / 3, 9000.0
"""Life exponent of needle bearings, and dynamic load rating (N) of the wrist-pin bearing."""


def piston_pump() -> ml.Mechanism:
    """Build the pump; its piston moves along x, and its valves open and close at the dead centres."""
    delivering = (1 + ml.expr.clip(ml.rate("bore") / 1e-4, -1.0, 1.0)) / 2
    return ml.Mechanism(
        "piston pump",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.rod("crank", length=CRANK, mass=1.5),
            ml.rod("rod", length=ROD, mass=0.0),
            ml.Body("piston", mass=PISTON),
        ],
        joints=[
            ml.Revolute("shaft", "ground.origin", "crank.a"),
            ml.Revolute("crank pin", "crank.b", "rod.a"),
            ml.Revolute("wrist pin", "rod.b", "piston.origin"),
            ml.Prismatic("bore", "ground.origin", "piston.origin"),
        ],
        drives=[ml.Motion("shaft", ml.motion_laws.constant_speed(SPEED))],
        actuators=[ml.Actuator("shaft", rotor_inertia=ROTOR, ratio=RATIO)],
        loads=[
            ml.Force("pressure", "piston.origin", (-PUSH * delivering, 0.0), useful=True),
            ml.Friction("seal", "bore", effort=SEAL, speed=1e-4),
        ],
        guess={"bore": CRANK + ROD},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the torque of the motor, losses and loads over one revolution."""
    return ml.inverse(mechanism, cycle=1441)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    life = result["wrist pin"].rated_life(CAPACITY, NEEDLES)
    crank = result["shaft"].rms_effort
    return (
        f"{result.energy_balance()} The crank takes {crank:.1f} N m RMS, which is {crank / RATIO:.2f} N m at the motor "
        f"through its gear of {RATIO:g} : 1. The wrist pin lasts {life:.0f} h."
    )
