"""Are joint coordinates read correctly: joints cut or not, whole turns, positions of joints?"""

import numpy as np
import pytest
from zoo import ZOO
from zoo.body_poses import joint_values

from multiloop.kinematics import equations_of, joint_coordinates
from multiloop.kinematics.assembly import find_assembly_modes
from multiloop.kinematics.joint_coordinates import joint_points
from multiloop.spatial import Pose
from multiloop.topology import candidate_trees, graph_of, tree_of


@pytest.mark.parametrize("name", list(ZOO))
def test_all_joints_read_as_their_markers_stand(name):
    """Cut or not: the test models compute joint coordinates from the poses of bodies independently."""
    import casadi as ca

    from multiloop.kinematics.joint_coordinates import body_poses

    mechanism = ZOO[name].build()
    assembly = find_assembly_modes(mechanism)[0]
    X = body_poses(assembly.equations, assembly.q, assembly.p)
    poses = {body: Pose(ca.DM(x[:, :3]), ca.DM(x[:, 3])) for body, x in X.items() if body != "ground"}
    expected = joint_values(mechanism, poses)
    found = assembly.coordinates()
    for joint in mechanism.connections:
        one, other = found[joint.name], expected[joint.name]
        if joint.positions(mechanism.planar) != len(joint.components(mechanism.planar)):
            other = np.concatenate([other[:-4], other[-4:] * np.sign(other[-4:] @ one[-4:])])
        turns = np.array([*joint.turning(mechanism.planar)], bool)
        difference = one - other
        if turns.size:
            difference[turns] = (difference[turns] + np.pi) % (2 * np.pi) - np.pi
        assert difference == pytest.approx(0.0, abs=1e-9), joint.name


def test_a_cut_joint_is_read_on_the_turn_that_is_near():
    mechanism = ZOO["four-bar"].build()
    assembly = find_assembly_modes(mechanism)[0]
    equations = equations_of(mechanism, tree_of(mechanism, ["C"]))
    q = assembly.coordinates_on(equations)
    plain = joint_coordinates(equations, q, assembly.p, None)
    assert abs(plain["C"][0]) <= np.pi
    for turns in (-2, 1, 7):
        near = {"C": plain["C"] + 2 * np.pi * turns + 0.3}
        found = joint_coordinates(equations, q, assembly.p, near)["C"]
        assert found == pytest.approx(plain["C"] + 2 * np.pi * turns, abs=1e-12)


@pytest.mark.parametrize("name", ["scraper-C", "RSSR", "swash-pump", "6-UPS"])
def test_the_same_position_on_another_tree(name):
    mechanism = ZOO[name].build()
    assembly = find_assembly_modes(mechanism)[0]
    for tree in candidate_trees(graph_of(mechanism), 5):
        equations = equations_of(mechanism, tree)
        q = assembly.coordinates_on(equations)
        rows = equations.row_scale * equations.position_residual(q, np.zeros(0), assembly.p)
        assert np.abs(rows).max() <= 1e-11
        assert joint_points(equations, q, assembly.p) == pytest.approx(assembly.joint_points, abs=1e-11)
