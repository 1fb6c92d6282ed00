"""Assembly modes of a mechanism of any size are told apart by the same joints."""

import re

import pytest

import multiloop as ml

SIZES = [16.0**power for power in (-10, -5, 5, 10)]


def slider_crank(size):
    """A slider-crank whose crank is nearly upright: the piston is 0.21 to the left or to the right of the crank pin."""
    return ml.Mechanism(
        "slider-crank",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0)),
            ml.rod("crank", length=0.3 * size, mass=1.0),
            ml.rod("rod", length=0.35 * size, mass=1.0),
            ml.Body("piston", mass=1.0, inertia=0.1 * size**2),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "rod.a"),
            ml.Revolute("C", "rod.b", "piston.origin"),
            ml.Prismatic("D", "ground.A", "piston.origin"),
        ],
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
