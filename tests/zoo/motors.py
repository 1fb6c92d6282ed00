"""A robot with motors, rotors and gearboxes at its joints, and a payload in its hand."""

from __future__ import annotations

from multiloop import Body, Mechanism, Motion, Payload, Revolute, ground, marker, with_rotor
from zoo.entry import Entry, swinging


def geared_arm() -> Mechanism:
    """A turntable that carries an arm; both motors are on the body before their joint, so that one is rotated by the
    turntable."""
    column = {"shoulder": marker((0.05, 0, 0.3), z=(0, -1, 0), x=(1, 0, 0))}
    arm = Mechanism(
        "geared arm",
        bodies=[
            ground(),
            Body("column", mass=6.0, com=(0.01, 0, 0.15), inertia=(0.06, 0.05, 0.04), markers=column),
            Body(
                "arm",
                mass=3.0,
                com=(0.2, 0.01, 0),
                inertia=(0.006, 0.05, 0.05),
                markers={"hand": (0.5, 0, 0)},
            ),
        ],
        joints=[
            Revolute("turn", "ground.origin", "column.origin"),
            Revolute("lift", "column.shoulder", "arm.origin"),
            Payload("box", "arm.hand", mass=2.0, com=(0.05, 0.02, 0.01), inertia=(0.004, 0.006, 0.005)),
        ],
        drives=[Motion("turn", swinging(0.2, 0.7)), Motion("lift", swinging(0.4, 0.5))],
    )
    turned = with_rotor(arm, "turn", inertia=0.02, ratio=3.0)
    guess = {"turn": 0.2, "lift": 0.4, "motor of turn": 0.6, "motor of lift": -1.6}
    return with_rotor(turned, "lift", inertia=0.015, ratio=-4.0).replace(guess=guess)


FAMILY = (Entry("geared-arm", geared_arm, 5, 0, count=2, mobility=2, massless=True),)
