"""Porter's governor: balls at the knees of two pairs of arms lift a heavy sleeve as the spindle speed increases."""

from math import cos, degrees, pi, sqrt

import multiloop as ml

ARM = 0.3
BALL, SLEEVE = 1.0, 5.0
SPEED = 18.0
OPEN = 0.6
"""Guess of the angle between the arms and the spindle (rad)."""


def rod(name: str, ball: float) -> ml.Body:
    """A massless arm with a ball of the mass `ball` (kg) at its end; without a ball if this is 0."""
    return ml.Body(
        name, mass=ball, inertia=(0, 0, 0), com=(ARM, 0, 0), markers={"a": (0, 0, 0), "b": (ARM, 0, 0)}
    )


def governor() -> ml.Mechanism:
    """Build the governor; the speed Omega of its spindle is a parameter, and arms, links and sleeve move freely."""
    sides = {
        "1": ml.marker((0, 0, 0), z=(0, 1, 0), x=(1, 0, 0)),
        "2": ml.marker((0, 0, 0), z=(0, -1, 0), x=(-1, 0, 0)),
    }
    joints = [ml.Revolute("bearing", "ground.O", "spindle.origin")]
    guess = {"slide": -2 * ARM * cos(OPEN)}
    for side in sides:
        joints += [
            ml.Revolute(f"arm pin {side}", f"spindle.{side}", f"arm {side}.a"),
            ml.Revolute(f"knee {side}", f"arm {side}.b", f"link {side}.a"),
            ml.Revolute(f"sleeve pin {side}", f"link {side}.b", f"sleeve.{side}"),
        ]
        guess |= {
            f"arm pin {side}": pi / 2 - OPEN,
            f"knee {side}": 2 * OPEN,
            f"sleeve pin {side}": -pi / 2 - OPEN,
        }
    return ml.Mechanism(
        "governor",
        bodies=[
            ml.ground(O=(0, 0, 0)),
            ml.Body("spindle", mass=2.0, inertia=(1e-2, 1e-2, 1e-3), markers=sides),
            *(rod(f"arm {side}", BALL) for side in sides),
            *(rod(f"link {side}", 0.0) for side in sides),
            ml.Body("sleeve", mass=SLEEVE, inertia=(1e-2, 1e-2, 1e-2), markers=sides),
        ],
        joints=[*joints, ml.Prismatic("slide", "spindle.origin", "sleeve.origin")],
        drives=[ml.Motion("bearing", ml.motion_laws.constant_speed(ml.Parameter("Omega", SPEED)))],
        guess=guess,
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Simulate the oscillation after a release slightly below the position of steady rotation."""
    steady = ml.equilibrium(mechanism)["arm pin 1"].position
    return ml.simulate(mechanism, start={"arm pin 1": steady + 0.1}, until=3.0)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    modes = ml.eigenmodes(result.mechanism)
    opened = degrees(pi / 2 - modes.state["arm pin 1"].position)
    closed = sqrt((BALL + SLEEVE) * 9.81 / (BALL * ARM))
    return (
        f"At {SPEED:g} rad/s to {opened:.1f}°, where it oscillates at {modes.frequencies[0]:.2f} rad/s; "
        f"below {closed:.2f} rad/s it remains closed."
    )
