"""Which reaction components does equilibrium determine? Cases that can be solved by hand."""

from itertools import product

import pytest
from zoo import ZOO

import multiloop as ml


def undetermined(name):
    """Components that are not unique, joint by joint."""
    plan = ml.analyse(ZOO[name].build())
    return {joint: {c for c, flag in unique if not flag} for joint, unique in plan.unique.items()}


MOMENTS = {"moment about x", "moment about y"}


def test_a_spatial_four_bar_shares_out_of_plane_forces_and_in_plane_moments():
    """One self-equilibrated wrench acts around the loop: along z, and about x and y. In-plane forces are unique."""
    plan = ml.analyse(ZOO["four-bar-space"].build())
    assert (plan.count, plan.mobility, plan.redundant) == (-2, 1, 3)
    assert undetermined("four-bar-space") == {joint: MOMENTS | {"force along z"} for joint in "ABCD"}


def test_two_bearings_share_everything_they_hold():
    held = MOMENTS | {"force along x", "force along y", "force along z"}
    assert undetermined("two-bearings") == {"left": held, "right": held}


def test_a_sarrus_linkage_shares_one_twisting_moment():
    """A moment about the vertical is self-equilibrated: all six hinges are horizontal and transmit it.

    At the base a hinge's y is the vertical; on the legs the vertical lies between x and y of the rods.
    """
    expected = {f"base{k}": {"moment about y"} for k in "12"}
    expected |= {f"{place}{k}": MOMENTS for place, k in product(("knee", "top"), "12")}
    assert undetermined("sarrus") == expected


def test_three_parallel_cranks_share_the_force_along_themselves():
    """Three forces along the cranks can balance on the plate; across a crank its own equilibrium decides."""
    expected = {f"base {k}": {"force along x", "force along y"} for k in "abc"}
    expected |= {f"top {k}": {"force along x"} for k in "abc"}
    assert undetermined("double-parallelogram") == expected


def test_a_screw_jack_shares_all_but_what_lifts():
    """Sideways forces and tilting moments are self-equilibrated; the thrust of the thread follows from the weight
    alone.

    The guide is beside the axis, so that a sideways force also twists it.
    """
    sideways = MOMENTS | {"force along x", "force along y"}
    assert undetermined("screw-jack") == {
        "bearing": sideways,
        "thread": sideways,
        "guide": sideways | {"moment about z"},
    }


@pytest.mark.parametrize("name", ["four-bar", "scraper-C", "RSSR", "6-UPS", "RCCC"])
def test_without_redundancy_every_component_is_unique(name):
    assert not any(undetermined(name).values())


def test_a_determined_joint_of_a_redundant_mechanism_is_distinguished():
    """A pendulum on the rocker of a spatial four-bar is not affected by the self-equilibrated reactions of the loop."""
    four_bar = ZOO["four-bar-space"].build()
    swing = ml.Revolute("E", "rocker.com", "bob.a")
    mechanism = four_bar.replace(
        bodies=[*four_bar.bodies, ml.rod("bob", length=0.2, mass=0.1, inertia=(1e-6, 1e-4, 1e-4))],
        joints=[*four_bar.joints, swing],
        guess=dict(four_bar.guess) | {"E": 0.0},
    )
    plan = ml.analyse(mechanism)
    assert (plan.mobility, plan.redundant) == (2, 3)
    assert all(flag for _, flag in plan.unique["E"])
    assert not all(flag for _, flag in plan.unique["A"])
