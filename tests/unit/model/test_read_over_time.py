"""Coordinates computed from many poses at once equal those computed one by one, and those that made the poses."""

import casadi as ca
import numpy as np
import pytest

import multiloop as ml
from multiloop.spatial import Pose

CASES = [
    (ml.Revolute, True),
    (ml.Revolute, False),
    (ml.Prismatic, True),
    (ml.Prismatic, False),
    (ml.Planar, True),
    (ml.Planar, False),
    (ml.Cylindrical, False),
    (ml.Universal, False),
    (ml.Spherical, False),
    (ml.Free, True),
    (ml.Free, False),
]


def walk(joint, planar, count=400):
    """Coordinates that vary over several turns; unit quaternions, of one sign after another."""
    rng = np.random.default_rng(3)
    q = np.cumsum(rng.normal(scale=0.4, size=(count, joint.positions(planar))), axis=0)
    if joint.positions(planar) > len(joint.components(planar)):
        e = np.eye(4)[0] + np.cumsum(rng.normal(scale=0.1, size=(count, 4)), axis=0)
        q[:, -4:] = e / np.linalg.norm(e, axis=1)[:, None]
    return q


@pytest.mark.parametrize(("kind", "planar"), CASES)
def test_what_made_the_poses_comes_back(kind, planar):
    joint = kind("J", "ground.origin", "body.origin")
    q = walk(joint, planar)
    poses = [joint.pose(ca.DM(one), planar) for one in q]
    frames = np.array([ca.DM(ca.horzcat(pose.R, pose.p)).full() for pose in poses])
    found = joint.read_trajectory(frames, q[0], planar)
    assert found == pytest.approx(q, abs=1e-12)
    near, rows = q[0], []
    for frame in frames:
        near = joint.read(Pose(frame[:, :3], frame[:, 3]), near, planar)
        rows.append(near)
    assert found == pytest.approx(np.array(rows), abs=1e-13)


def test_a_kind_that_reads_anew_is_read_one_by_one():
    """Its `read` need not support many poses at once."""

    class Counted(ml.Revolute):
        def read(self, pose, near, planar):
            return super().read(pose, near, planar) if np.ndim(pose.R) == 2 else None

    frames = np.tile(np.column_stack([np.eye(3), np.zeros(3)]), (5, 1, 1))
    assert Counted("J", "ground.origin", "body.origin").read_trajectory(frames, np.zeros(1), True).shape == (
        5,
        1,
    )
