"""What forces do the three cylinders of a face shovel exert?

Check: at rest, the force of a cylinder is the increase of the potential energy per extension, by central differences of
the heights of all mass centres; over the whole motion, the work of the cylinders is the increase of this energy.
Source: M. Koul and others, doi 10.1007/s11044-013-9379-2, Fig. 1, for the structure; dimensions and masses are ours.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.face_shovel import STROKES

mechanism = ml.examples.face_shovel()
solve = cache(lambda: ml.inverse(mechanism, t=np.linspace(0.0, 2.0, 201)))
free = mechanism.without_drives()
STEP = 1e-4


def potential(state):
    """Of all weights, in J."""
    return sum(9.81 * body.mass * state.marker(f"{body.name}.com")[1] for body in mechanism.moving)


@cache
def slope(joint):
    """Increase of the potential energy per extension of one cylinder at the start of the motion, in kN."""
    lengths = {name: solve()[name].position[0] for name in STROKES}
    low, high = (ml.assemble(free, lengths | {joint: lengths[joint] + h}) for h in (-STEP, STEP))
    return (potential(high) - potential(low)) / (2e3 * STEP)


EXPECTED = {
    f"force of the {name} cylinder": (slope(joint), 1e-5, "kN") for joint, (name, _) in STROKES.items()
}
EXPECTED["work"] = (potential(solve().final) - potential(solve().initial), 0.5, "J")


def results():
    found = {f"force of the {name} cylinder": solve()[j].effort[0] / 1e3 for j, (name, _) in STROKES.items()}
    power = sum(solve()[joint].effort * solve()[joint].rate for joint in STROKES)
    return found | {"work": np.trapezoid(power, solve().time)}


def answer():
    return ml.examples.answer("face_shovel", solve())


def figure():
    return solve().plot(show=["efforts"], drawing=True, traces=["bucket.com"])


def main():
    demonstrate(
        "face_shovel",
        mechanism,
        solve=solve,
        results=results,
        expected=EXPECTED,
        figure=figure,
        answer=answer,
    )


if __name__ == "__main__":
    main()
