"""Are requested positions interpreted correctly: joints, markers, bodies, open components, quaternions?"""

import numpy as np
import pytest
from zoo import ZOO

from multiloop import AssemblyError
from multiloop.kinematics.assembly import Request, position_requests, rate_requests
from multiloop.kinematics.constraints import Target


@pytest.fixture
def flat():
    return ZOO["four-bar"].build()


@pytest.fixture
def space():
    return ZOO["RSSR"].build()


def test_a_number_for_a_joint_of_one_freedom(flat):
    assert position_requests(flat, {"A": 1}, "start") == (Request(Target("A", ("angle",)), (1.0,)),)
    assert position_requests(flat, {"A": [1.0]}, "start") == position_requests(
        flat, {"A": np.array([1])}, "guess"
    )


def test_a_marker_takes_a_point_and_perhaps_an_angle(flat):
    assert position_requests(flat, {"crank.b": (1, 2)}, "start") == (
        Request(Target("crank.b", ("x", "y")), (1.0, 2.0)),
    )
    assert position_requests(flat, {"crank.b": (1, 2, 3)}, "start") == (
        Request(Target("crank.b", ("x", "y", "angle")), (1.0, 2.0, 3.0)),
    )


def test_none_leaves_a_component_open(flat):
    assert position_requests(flat, {"crank.b": (None, 2)}, "start") == (
        Request(Target("crank.b", ("y",)), (2.0,)),
    )
    assert position_requests(flat, {"crank.b": (None, None)}, "start") == ()


def test_a_body_is_its_origin(flat):
    assert position_requests(flat, {"crank": (None, None, 0.3)}, "start") == (
        Request(Target("crank.origin", ("angle",)), (0.3,)),
    )


def test_a_ball_takes_a_quaternion_and_turns_with_three_rates(space):
    (request,) = position_requests(space, {"B": (2, 0, 0, 0)}, "start")
    assert request == Request(Target("B", ("turn",)), (1.0, 0.0, 0.0, 0.0))
    (request,) = rate_requests(space, {"B": (1, 2, 3)})
    assert request == Request(Target("B", ("turn_x", "turn_y", "turn_z")), (1.0, 2.0, 3.0))


def test_a_marker_in_space_takes_a_point_and_perhaps_a_quaternion(space):
    (request,) = position_requests(space, {"coupler": (1, None, 3, 0, 3, 0, 4)}, "start")
    assert request == Request(Target("coupler.origin", ("x", "z", "turn")), (1.0, 3.0, 0.0, 0.6, 0.0, 0.8))
    (request,) = rate_requests(space, {"coupler.b": (1, None, 3, 4, 5, None)})
    assert request == Request(Target("coupler.b", ("x", "z", "turn_x", "turn_y")), (1.0, 3.0, 4.0, 5.0))


def test_all_that_is_wrong_comes_together(flat):
    with pytest.raises(AssemblyError) as caught:
        position_requests(flat, {"A": (1, 2), "ground.A": (0, 0), "Q": 1.0, "B": True}, "start")
    assert [(fault.code, fault.where) for fault in caught.value.faults] == [
        ("K08", "start 'A'"),
        ("K07", "start 'ground.A'"),
        ("K07", "start 'Q'"),
        ("K08", "start 'B'"),
    ]


def test_any_array_of_numbers_will_do(flat):
    plain = position_requests(flat, {"A": 1.0, "crank.b": (1, 2)}, "start")
    assert position_requests(flat, {"A": np.array(1), "crank.b": np.array([1, 2])}, "start") == plain
