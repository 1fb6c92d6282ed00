"""What forces do the cylinders of an excavator exert while it digs?

Check: at rest the moments about the boom's foot, the stick's pin and the bucket's hinge vanish, of weights, soil and
cylinder. That of the bucket acts through the link: its force on the bucket, then the moment about the rocker's pin.
Source: equilibrium of boom, stick, bucket and rocker; dimensions and masses are ours.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.excavator import DIGGING, MASSES, STRUTS

mechanism = ml.examples.excavator()
solve = cache(lambda: ml.inverse(mechanism, t=np.linspace(0.0, 3.0, 151)))
begin = cache(lambda: ml.assemble(mechanism))


def moment(pin, force, at):
    """About a pin, of a force at a marker; force and markers in the inertial frame."""
    arm = begin().marker(at) - begin().marker(pin)
    return arm[0] * force[1] - arm[1] * force[0]


def along(start, end):
    line = begin().marker(end) - begin().marker(start)
    return line / np.hypot(*line)


def burden(pin, bodies):
    """The moment about a pin of the weights of bodies, and of the soil at the bucket."""
    weights = sum(moment(pin, (0, -9.81 * MASSES[body]), f"{body}.com") for body in bodies)
    return weights + (moment(pin, DIGGING, "bucket.teeth") if "bucket" in bodies else 0.0)


def by_hand():
    crowd, curl = along("boom.crowd", "stick.tail"), along("stick.curl", "rocker.b")
    lift, link = along("ground.lift", "boom.lift"), along("rocker.b", "bucket.pin")
    pushed = -burden("bucket.hinge", ["bucket"]) / moment("bucket.hinge", link, "bucket.pin") * link
    turned = burden("stick.rocker", ["rocker"]) - moment("stick.rocker", pushed, "rocker.b")
    outer = ["stick", "bucket", "rocker"]
    return {
        "lift": -burden("ground.boom", ["boom", *outer]) / moment("ground.boom", lift, "boom.lift"),
        "crowd": -burden("stick.pivot", outer) / moment("stick.pivot", crowd, "stick.tail"),
        "curl": -turned / moment("stick.rocker", curl, "rocker.b"),
    }


EXPECTED = {name: (force, 1e-3, "N") for name, force in by_hand().items()}


def results():
    return {name: solve()[name].effort[0] for name in STRUTS}


def answer():
    return ml.examples.answer("excavator", solve())


def figure():
    return solve().plot(drawing=True, traces=["bucket.teeth"])


def main():
    demonstrate(
        "excavator", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
