"""A shaper: a crank swings a slotted lever, which moves the ram slowly forward and quickly back (quick return)."""

from math import pi

import multiloop as ml

CRANK, HEIGHT, LEVER, LINK = 0.15, 0.30, 0.60, 0.25
CUTTING_FORCE = 4000.0


def shaper() -> ml.Mechanism:
    """Build a shaper whose crank pivot is two crank lengths above the lever's pivot, so that the lever swings by ±30°.

    The ram cuts while it moves along −x, against a force of 4 kN. Speed 60 rpm.
    """
    against = CUTTING_FORCE * ml.expr.step(-ml.rate("guide"))
    return ml.Mechanism(
        "shaper",
        planar=True,
        bodies=[
            ml.ground(D=(0, 0), O=(0, HEIGHT), guide=(0, 0.57)),
            ml.rod("crank", length=CRANK, mass=3.0),
            ml.Body("block", mass=0.8),
            ml.rod("lever", length=LEVER, mass=12.0),
            ml.rod("link", length=LINK, mass=3.0),
            ml.Body("ram", mass=40.0, com=(-0.2, 0), markers={"tool": (-0.4, 0)}, outline=("origin", "tool")),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "crank.a"),
            ml.Revolute("D", "ground.D", "lever.a"),
            ml.Revolute("pin", "crank.b", "block.origin"),
            ml.Prismatic("slot", "lever.a", "block.origin"),
            ml.Revolute("lever-link", "lever.b", "link.a"),
            ml.Revolute("link-ram", "link.b", "ram.origin"),
            ml.Prismatic("guide", "ground.guide", "ram.origin"),
        ],
        loads=[ml.Force("cutting force", "ram.tool", (against, 0))],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(2 * pi))],
        guess={"slot": 0.34, "guide": 0.02},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque, loads and the ram's speed over one revolution."""
    return ml.inverse(mechanism, cycle=1441)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    rate = result["guide"].rate
    cuts = (rate[:-1] < 0).sum()
    return (
        f"{cuts / (len(rate) - 1 - cuts):.2f} times as fast: it cuts at up to {-rate.min():.2f} m/s, "
        f"returns at up to {rate.max():.2f} m/s, and needs up to {abs(result['O'].effort).max():.0f} N m."
    )
