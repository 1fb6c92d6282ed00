"""Assembly modes of a mechanism of any size are distinguished by the same joints."""

import re

import numpy as np
import pytest
from zoo.plain import crank_slider

import multiloop as ml

SIZES = [16.0**power for power in (-10, -5, 5, 10)]


def slider_crank(size):
    """A slider-crank whose crank is nearly upright: the piston is 0.21 to the left or to the right of the crank pin."""
    return crank_slider(
        ml.rod("crank", length=0.3 * size, mass=1.0),
        ml.rod("rod", length=0.35 * size, mass=1.0),
        ml.Body("piston", mass=1.0, inertia=0.1 * size**2),
        "slider-crank",
        pins=("A", "B", "C", "D"),
    )


def named(size):
    """The joints that the error names, and the advised guess."""
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(slider_crank(size), {"A": 1.2}, guess={})
    (fault,) = caught.value.faults
    assert fault.code == "K02"
    return re.findall(r"(\w) = ", fault.what), fault.remedy


@pytest.mark.parametrize("size", SIZES)
def test_modes_of_a_slider_crank_are_listed_by_the_same_joints(size):
    assert named(1.0)[0] == ["B", "C", "D"] * 2
    assert named(size) == named(1.0)


def leg(size):
    """A strut whose slide is at zero below a held platform: its universal joint may be turned by half a turn."""
    foot, head = size * np.array([0.3, 0.2, 0.0]), size * np.array([0.11, -0.07, 0.62])
    cross = {"z": (1, 0, 0), "x": (0, 1, 0)}
    inertia = (0.1 * size**2,) * 3
    return ml.Mechanism(
        "leg",
        bodies=[
            ml.ground(f=ml.marker(foot, **cross)),
            ml.Body("lower", mass=1.0, inertia=inertia, markers={"foot": ml.marker((0, 0, 0), **cross)}),
            ml.Body(
                "upper",
                mass=1.0,
                inertia=inertia,
                markers={"end": (0, 0, float(np.linalg.norm(head - foot)))},
            ),
            ml.Body("platform", mass=1.0, inertia=inertia, markers={"h": head}),
        ],
        joints=[
            ml.Free("floats", "ground.origin", "platform.origin"),
            ml.Universal("U", "ground.f", "lower.foot"),
            ml.Prismatic("P", "lower.origin", "upper.origin"),
            ml.Spherical("S", "upper.end", "platform.h"),
        ],
    )


@pytest.mark.parametrize("size", [*SIZES, 1.0])
def test_a_slide_at_zero_is_not_reported_as_half_turned(size):
    state = ml.assemble(leg(size), {"floats": (0, 0, 0, 1, 0, 0, 0)}, guess={"P": 0.01 * size})
    assert state.half_turned == ("U",)
