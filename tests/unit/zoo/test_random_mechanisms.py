"""Are random mechanisms closed in their drawn position, and able to move?"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from zoo.body_poses import joint_values
from zoo.constraints import constraint_matrix, rank_of
from zoo.random_mechanisms import closed_mechanisms

from multiloop.kinematics import Equations
from multiloop.kinematics.assembly import close_loops
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.model.expressions import evaluate
from multiloop.topology import count_mobility, graph_of, tree_of

NONE = np.zeros(0)
PATIENT = settings(max_examples=35, deadline=None, suppress_health_check=list(HealthCheck))


def along_default_tree(mechanism, targets=()):
    equations = Equations(build_skeleton(mechanism, tree_of(mechanism)), targets)
    q, guess = np.array(equations.skeleton.neutral_position, float), dict(mechanism.guess)
    for link in equations.skeleton.links:
        if link.joint.name in guess:
            q[link.q] = guess[link.joint.name]
    return equations, q


@PATIENT
@given(closed_mechanisms())
def test_it_is_closed_as_drawn_and_can_move(drawn):
    mechanism = drawn.mechanism
    assert 1 <= drawn.loops == len(mechanism.connections) - len(mechanism.moving) <= 6
    assert count_mobility(graph_of(mechanism)) == drawn.mobility >= 1
    A = constraint_matrix(mechanism, drawn.poses)
    assert A.shape[1] - rank_of(A) == drawn.mobility
    equations, q = along_default_tree(mechanism)
    # Markers are computed in double precision through chains of a dozen bodies.
    assert np.abs(equations.position_residual(q, NONE, NONE)).max(initial=0.0) < 1e-12
    closing = close_loops(equations, q, NONE, NONE)
    assert closing.gap <= 1e-12
    J = equations.jacobian(closing.q, NONE, NONE)
    assert J.shape[1] - rank_of(J, 1e-7) == drawn.mobility


@PATIENT
@given(closed_mechanisms())
def test_its_guess_is_read_off_its_poses(drawn):
    values = joint_values(drawn.mechanism, drawn.poses)
    for name, value in drawn.mechanism.guess:
        found = (
            np.sign(values[name][-4]) * values[name] if len(value) >= 4 and len(value) != 6 else values[name]
        )
        assert value == pytest.approx(found, abs=1e-11), name


@PATIENT
@given(closed_mechanisms(driven=True, most_loops=3))
def test_its_drives_are_obeyed(drawn):
    mechanism = drawn.mechanism
    assert len(mechanism.drives) <= drawn.mobility
    equations, q = along_default_tree(mechanism, drive_targets(mechanism))
    for t in np.linspace(0.0, 0.3, 4):
        s = np.array([float(evaluate(motion.profile, time=t)) for motion in mechanism.drives])
        closing = close_loops(equations, q, s, NONE)
        assert closing.gap <= 1e-12
        q = closing.q
