"""A planetary gearbox: the sun drives three planets within a fixed ring, and their carrier drives the load."""

from math import cos, pi, sin

import multiloop as ml

SUN, PLANET, RING, MODULE = 24, 30, 84, 0.002
SPEED, LOAD = 150.0, 90.0
AXES = MODULE * (SUN + PLANET) / 2


def planetary_gearbox(planets: int = 3) -> ml.Mechanism:
    """Build a planetary gearbox, without gravity; sun and carrier rotate in the housing, of which the ring is a
    part."""
    angles = [2 * pi * k / planets for k in range(planets)]
    pins = {f"pin {k}": (AXES * cos(angle), AXES * sin(angle)) for k, angle in enumerate(angles)}
    wheels = [f"planet {k}" for k in range(planets)]
    return ml.Mechanism(
        "planetary gearbox",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0, 0)),
            ml.Body("sun", mass=0.8, inertia=2.5e-4),
            ml.Body("carrier", mass=2.5, inertia=4e-3, markers=pins),
            *(ml.Body(wheel, mass=0.6, inertia=2.8e-4) for wheel in wheels),
        ],
        joints=[
            ml.Revolute("input", "ground.O", "sun.origin"),
            ml.Revolute("output", "ground.O", "carrier.origin"),
            *(
                ml.Revolute(pin, f"carrier.{pin}", f"{wheel}.origin")
                for pin, wheel in zip(pins, wheels, strict=True)
            ),
        ],
        pairs=[
            *(
                ml.Gear(f"sun mesh {k}", "sun.origin", f"{wheel}.origin", teeth=(SUN, PLANET), module=MODULE)
                for k, wheel in enumerate(wheels)
            ),
            *(
                ml.Gear(
                    f"ring mesh {k}",
                    f"{wheel}.origin",
                    "ground.O",
                    teeth=(PLANET, RING),
                    module=MODULE,
                    internal=True,
                )
                for k, wheel in enumerate(wheels)
            ),
        ],
        drives=[ml.Motion("input", ml.motion_laws.constant_speed(SPEED))],
        loads=[ml.Torque("load", "carrier", -LOAD)],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque, tooth forces and bearing loads over one revolution of the sun."""
    return ml.inverse(mechanism, t=[k * 2 * pi / SPEED / 120 for k in range(121)])


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    drives, tooth = result["input"].effort[0], abs(result["sun mesh 0"].tangential).max()
    pin = result["pin 0"].load.max()
    return (
        f"{drives:.0f} N·m at the sun for a load of {LOAD:.0f} N·m; each tooth carries {tooth:.0f} N and each pin "
        f"{pin:.0f} N."
    )
