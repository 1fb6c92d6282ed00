"""Are the constants of the mechanism along its tree correct: inertia, markers, gravity, parameters, characteristic
length?"""

import casadi as ca
import numpy as np
import pytest
from zoo import ZOO, scraper
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.kinematics.constraints import constraints_of
from multiloop.kinematics.tree import characteristic_length
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.topology import tree_of


def skeleton_of(mechanism, cuts=None):
    return build_skeleton(mechanism, tree_of(mechanism, cuts))


def numbers(matrix):
    return np.array(ca.DM(matrix))


def test_a_rod_seen_from_its_far_end():
    """The rocker carried by its tip: the mass centre half a length back, m L²/3 about the pin."""
    mechanism = ml.Mechanism(
        "hanging",
        planar=True,
        bodies=[ml.ground(), ml.rod("rod", length=0.6, mass=2.0)],
        joints=[ml.Revolute("J", "ground.origin", "rod.b")],
    )
    (link,) = skeleton_of(mechanism).links
    assert link.inboard_marker == "b"
    assert numbers(link.reduced.com).ravel() == pytest.approx([-0.3, 0, 0])
    assert numbers(link.reduced.inertia)[2, 2] == pytest.approx(2.0 * 0.6**2 / 3)
    assert numbers(link.reduced.markers["a"].p).ravel() == pytest.approx([-0.6, 0, 0])


def test_inertia_given_about_another_point_is_the_same_body():
    """Set C of the scraper gives inertias about the links' origins; mass centres are at mid-length."""
    skeleton = skeleton_of(scraper.scraper("C"))
    for link in skeleton.links:
        length, mass, inertia = scraper.SET_C[link.body]
        about = numbers(link.reduced.inertia)[2, 2]
        if link.body == "coupler":  # carried by its middle, about which it is given
            assert link.inboard_marker == "m"
            assert numbers(link.reduced.com).ravel() == pytest.approx([0, 0, 0], abs=1e-15)
        else:
            assert numbers(link.reduced.com).ravel() == pytest.approx([length / 2, 0, 0])
        assert about == pytest.approx(inertia)
        assert float(link.reduced.mass) == mass


def test_a_full_tensor_turns_with_the_marker_that_carries_it():
    tensor = np.array([[0.5, 0.1, -0.05], [0.1, 0.6, 0.02], [-0.05, 0.02, 0.7]])
    mechanism = ml.Mechanism(
        "turned",
        bodies=[
            ml.ground(),
            ml.Body(
                "b",
                mass=1.5,
                com=(0.1, 0.2, 0.3),
                inertia=tensor,
                markers={"m": ml.marker((0, 0, 0.4), z=(1, 0, 0), x=(0, 1, 0))},
            ),
        ],
        joints=[ml.Revolute("J", "ground.origin", "b.m")],
    )
    (link,) = skeleton_of(mechanism).links
    R = np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]], float)  # columns x, y, z of the marker
    d = R.T @ np.array([0.1, 0.2, -0.1])
    expected = R.T @ tensor @ R + 1.5 * (d @ d * np.eye(3) - np.outer(d, d))
    assert numbers(link.reduced.com).ravel() == pytest.approx(d)
    assert numbers(link.reduced.inertia) == pytest.approx(expected)


def test_parameters_stay_symbols_and_nothing_else_does():
    skeleton = skeleton_of(ZOO["four-bar-parameters"].build())
    assert skeleton.parameter_names == tuple(sorted(skeleton.mechanism.parameters))
    assert skeleton.parameter_values == pytest.approx(
        [skeleton.mechanism.parameters[name] for name in skeleton.parameter_names]
    )
    crank = next(link for link in skeleton.links if link.body == "crank")
    assert isinstance(crank.reduced.markers["b"].p, ca.SX)
    plain = skeleton_of(ZOO["four-bar"].build())
    assert plain.parameter_names == ()
    assert all(isinstance(link.reduced.com, ca.DM) for link in plain.links)


def test_the_characteristic_length_is_the_widest_distance_of_joints_on_one_moving_body():
    assert characteristic_length(ZOO["four-bar"].build()) == pytest.approx(0.9)
    assert characteristic_length(ZOO["slider-crank"].build()) == pytest.approx(0.20)
    one = pinned_body(ml.rod("rod", length=0.7, mass=1.0), "one", joint="J")
    assert characteristic_length(one) == pytest.approx(0.7)  # no two joints: its markers
    point = one.replace(bodies=[ml.ground(), ml.Body("rod", mass=1.0, markers={"a": (0, 0)})])
    assert characteristic_length(point) == 1.0


def test_gravity_is_padded_in_the_plane():
    assert numbers(skeleton_of(ZOO["four-bar"].build()).gravity).ravel() == pytest.approx([0, -9.81, 0])
    assert numbers(skeleton_of(ZOO["RSSR"].build()).gravity).ravel() == pytest.approx([0, 0, -9.81])


def test_a_split_body_is_shared_between_its_halves():
    """All joints of the loop must stay in the tree: one body is split, each half has half of mass and inertia."""
    mechanism = ZOO["five-bar"].build()
    kept = mechanism.replace(actuators=[ml.Actuator(joint) for joint in "ABCDE"])
    skeleton = skeleton_of(kept)
    (split,) = skeleton.tree.splits
    halves = [link for link in skeleton.links if link.body in (split.body, split.twin)]
    assert len(halves) == 2
    whole = float(mechanism.body(split.body).mass)
    assert sum(float(half.reduced.mass) for half in halves) == pytest.approx(whole)
    (cut,) = skeleton.cuts
    assert isinstance(cut.joint, ml.Fixed)
    assert constraints_of(skeleton).count == 3
