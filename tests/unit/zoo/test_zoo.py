"""Are the test models consistent, and are the facts stated with them true?"""

from functools import cache
from itertools import islice

import casadi as ca
import numpy as np
import pytest
from zoo import NEARLY, ZOO, excavator, scraper
from zoo.body_poses import joint_ends
from zoo.constraints import columns_of, constraint_matrix, drive_rows, gap_of, rank_of

from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.model import period_of
from multiloop.model.expressions import evaluate
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.spatial import Pose
from multiloop.topology import candidate_trees, graph_of, tree_of

NONE = np.zeros(0)
TREES = 4
"""Trees tried for each mechanism, the default one first."""

DISTINCT = 1e6
"""Gap between the singular values that count and those that are round-off."""


def guessed(equations):
    """q of a tree from the mechanism's guess."""
    skeleton = equations.skeleton
    guess = dict(skeleton.mechanism.guess)
    q = np.array(skeleton.neutral_position, float)
    for link in skeleton.links:
        if link.joint.name in guess:
            q[link.q] = guess[link.joint.name]
    return q


def body_poses(equations, q):
    """Poses of the body frames, in numbers."""
    skeleton = equations.skeleton
    mechanism, found = (
        skeleton.mechanism,
        equations.tree_functions.inboard_poses(q, skeleton.parameter_values),
    )
    poses = {}
    for link in skeleton.links:
        handle = marker_pose(
            mechanism.body(link.body).marker(link.inboard_marker), nominal_value, mechanism.planar
        )
        inboard = Pose(ca.DM(found[link.body].R), ca.DM(found[link.body].p))
        poses[link.body] = inboard @ handle.inverse()
    return poses


@cache
def closed(name):
    """A mechanism of the zoo with its equations along the default tree, closed from its guess."""
    mechanism = (ZOO | NEARLY)[name].build()
    equations = Equations(build_skeleton(mechanism, tree_of(mechanism)))
    closing = close_loops(equations, guessed(equations), NONE, equations.skeleton.parameter_values)
    return mechanism, equations, closing


def loop_jacobian(equations, q):
    return equations.row_scale[:, None] * equations.jacobian(q, NONE, equations.skeleton.parameter_values)


@pytest.fixture(params=ZOO)
def name(request):
    return request.param


def test_its_bodies_loops_and_freedoms_are_counted_right(name):
    entry, (mechanism, _, _) = ZOO[name], closed(name)
    dimension = 3 if mechanism.planar else 6
    held = sum(dimension - joint.degrees_of_freedom(mechanism.planar) for joint in mechanism.connections)
    held += sum(coupling.rows for coupling in mechanism.couplings)
    assert len(mechanism.moving) == entry.moving
    assert len(mechanism.connections) - len(mechanism.moving) == entry.loops
    assert dimension * len(mechanism.moving) - held == entry.count
    assert entry.redundant == entry.mobility - entry.count
    assert any(evaluate(body.mass) == 0 for body in mechanism.moving) == entry.massless


def test_it_closes_from_its_guess_whatever_is_cut(name):
    mechanism = ZOO[name].build()
    for tree in islice(candidate_trees(graph_of(mechanism)), TREES):
        equations = Equations(build_skeleton(mechanism, tree))
        closing = close_loops(equations, guessed(equations), NONE, equations.skeleton.parameter_values)
        assert closing.gap <= 1e-12, tree.cuts
        # guesses have three decimals
        assert np.abs(closing.q - guessed(equations)).max(initial=0.0) < 0.02, "the guess was another closure"
        J = loop_jacobian(equations, closing.q)
        assert J.shape[1] - rank_of(J) == ZOO[name].mobility + ZOO[name].rates_alone, tree.cuts


def test_all_joints_together_leave_its_mobility(name):
    entry, (mechanism, equations, closing) = ZOO[name], closed(name)
    A = constraint_matrix(mechanism, body_poses(equations, closing.q))
    rank = rank_of(A)
    assert A.shape[1] - rank == entry.mobility
    assert A.shape[0] - rank == entry.redundant
    assert gap_of(A, rank) > DISTINCT


def test_every_joint_is_the_right_way_up(name):
    mechanism, equations, closing = closed(name)
    poses = body_poses(equations, closing.q)
    for joint in mechanism.connections:
        F, S = joint_ends(mechanism, joint, poses)
        assert not joint.is_inverted(F.inverse() @ S), joint.name


def test_it_moves_finitely_in_every_direction_left(name):
    _, equations, closing = closed(name)
    J = loop_jacobian(equations, closing.q)
    null = np.linalg.svd(J)[2][J.shape[1] - ZOO[name].mobility :] if J.size else np.eye(J.shape[1])
    for direction in null[:4]:
        moved = equations.chart.apply_step(closing.q, 0.05 * direction)
        again = close_loops(equations, moved, NONE, equations.skeleton.parameter_values)
        assert again.gap <= 1e-12
        # The correction is of second order: the mechanism moved, it did not return.
        assert np.linalg.norm(again.q - closing.q) > 0.5 * np.linalg.norm(moved - closing.q)


def test_its_idle_bodies_and_no_others_move_alone(name):
    """With the drives held and all other bodies at rest; a body at the end of a chain is not meant."""
    entry, (mechanism, equations, closing) = ZOO[name], closed(name)
    poses, size = body_poses(equations, closing.q), 3 if mechanism.planar else 6
    driven = [drive_rows(mechanism, mechanism.joint(motion.of), poses) for motion in mechanism.drives]
    A = np.vstack([constraint_matrix(mechanism, poses), *driven])
    holding = [joint for joint in mechanism.connections if joint.degrees_of_freedom(mechanism.planar) < size]
    ends = [end.partition(".")[0] for joint in holding for end in (joint.first, joint.second)]
    inner = [body.name for body in mechanism.moving if ends.count(body.name) > 1]
    alone = {body for body in inner if rank_of(A[:, columns_of(mechanism, body)]) < size}
    assert alone == set(entry.idle)


@pytest.mark.parametrize("name", [name for name in ZOO if ZOO[name].build().drives])
def test_it_follows_its_drive_all_the_way(name):
    mechanism = ZOO[name].build()
    profiles = [profile for motion in mechanism.drives for profile in motion.named().values()]
    equations = Equations(build_skeleton(mechanism, tree_of(mechanism)), drive_targets(mechanism))
    start = np.array([float(evaluate(profile, time=0.0)) for profile in profiles])
    starts = [value for motion in mechanism.drives for value in dict(mechanism.guess)[motion.of]]
    # guesses have three decimals
    assert start == pytest.approx(starts, abs=6e-4), "the guess is not where the drives start"
    end = max(period_of(profile, 2 * np.pi) or 2.0 for profile in profiles)
    q = guessed(equations)
    for t in np.linspace(0.0, end, 49):
        s = np.array([float(evaluate(profile, time=t)) for profile in profiles])
        closing = close_loops(equations, q, s, equations.skeleton.parameter_values)
        assert closing.gap <= 1e-12, t
        assert np.abs(closing.q - q).max() < 0.8, t  # it did not jump to another branch
        q = closing.q
    turned = abs(float(evaluate(profiles[0], time=end)) - start[0])
    assert (turned == pytest.approx(2 * np.pi)) == ZOO[name].turns


@pytest.mark.parametrize("data", ["C", "K"])
def test_the_scraper_falls_apart_as_in_the_papers(data):
    tree = tree_of(scraper.scraper(data))
    assert tree.cuts == scraper.PAPER_CUTS
    assert [subsystem.bodies for subsystem in tree.subsystems] == [
        ("rocker", "coupler"),
        ("crank",),
        ("link4", "link5", "link6", "link7"),
    ]


def test_the_excavator_falls_apart_as_in_the_paper():
    mechanism = excavator.excavator()
    assert set(tree_of(mechanism).cuts) == set(excavator.PAPER_CUTS)
    tree = tree_of(mechanism, excavator.PAPER_CUTS)
    assert [subsystem.joints for subsystem in tree.subsystems] == [
        ("1", "2", "3", "4"),
        ("6", "7", "8", "12", "13"),
        ("9", "10"),
    ]


def test_a_typed_bennett_linkage_closes_only_nearly_and_has_lost_its_rank():
    """Rounded to four digits it has a gap of about 1e-6, and its zero singular value is as large."""
    _, equations, closing = closed("bennett-typed")
    assert 1e-8 < closing.gap < 1e-5
    assert 1e-8 < np.linalg.svd(loop_jacobian(equations, closing.q), compute_uv=False)[-1] < 1e-5
    _, exact, at = closed("bennett")
    assert np.linalg.svd(loop_jacobian(exact, at.q), compute_uv=False)[-1] < 1e-14
