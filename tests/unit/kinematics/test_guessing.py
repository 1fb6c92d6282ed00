"""Is a guess interpreted correctly: what it positions, its assembly mode, and the distance of a position from it?"""

import numpy as np
import pytest
from zoo import ZOO
from zoo.chains import ladder

import multiloop as ml
from multiloop.kinematics.assembly import (
    Guess,
    Request,
    SeparateBodies,
    find_assembly_modes,
    held_elastic_coordinates,
    position_requests,
    requests_not_held,
)
from multiloop.kinematics.assembly.pose_fit import PoseFit
from multiloop.kinematics.constraints import Target
from multiloop.spatial import cross_matrices, rotation_vectors, rotations_from_vectors

DISTANCE = ml.Mechanism(
    "rod without mass",
    bodies=[
        ml.ground(D=(1.0, 0.2, 0.0)),
        ml.rod("crank", length=0.3, mass=1.0, inertia=(1e-3, 1e-2, 1e-2)),
        ml.Body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1)),
    ],
    joints=[ml.Revolute("A", "ground.origin", "crank.a"), ml.Spherical("B", "crank.b", "ball.origin")],
    pairs=[ml.Distance("rope", "ball.com", "ground.D", length=0.9)],
)


def guess_of(mechanism, guess, start=None):
    held = position_requests(mechanism, start or {}, "start")
    wished = requests_not_held(position_requests(mechanism, guess, "guess"), held)
    return Guess(SeparateBodies(mechanism, held_elastic_coordinates(mechanism, held)), held, wished)


# rotations --------------------------------------------------------------------------------------------


def test_rotation_vectors_undo_rotations_up_to_a_half_turn():
    draw = np.random.default_rng(1)
    axes = draw.normal(size=(7, 3))
    axes /= np.linalg.norm(axes, axis=1)[:, None]
    vectors = axes * np.array([0.0, 1e-9, 0.3, 2.0, 3.0, 3.1415, np.pi])[:, None]
    R = rotations_from_vectors(vectors)
    assert R @ R.swapaxes(1, 2) == pytest.approx(np.tile(np.eye(3), (7, 1, 1)), abs=1e-14)
    assert rotations_from_vectors(rotation_vectors(R)) == pytest.approx(R, abs=1e-12)
    assert rotation_vectors(R)[:6] == pytest.approx(vectors[:6], abs=1e-10)
    x = draw.normal(size=3)
    assert cross_matrices(axes) @ x == pytest.approx(np.cross(axes, x), abs=1e-15)


# fitting ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "mechanism",
    [ZOO["four-bar"].build(), ZOO["RSUR"].build(), ZOO["swash-pump"].build(), DISTANCE],
    ids=lambda mechanism: mechanism.name,
)
def test_slopes_of_the_rows_are_their_differences(mechanism):
    """At a fitted position: away from it the derivatives of rotations omit terms of the size of the misfit."""
    guess = guess_of(mechanism, dict(mechanism.guess) or {"A": 0.4})
    at = guess.fitted_position()
    fitting = PoseFit(guess.parts, np.zeros(guess.parts.rates, bool), (guess._guessed_marker_rows,))
    J = fitting.jacobian(at).dense()
    h = 1e-6
    for column in range(J.shape[1]):
        step = np.zeros(J.shape[1])
        step[column] = h
        ahead, behind = (fitting.residual(fitting.apply_step(at, sign * step)) for sign in (1, -1))
        # h² of the curvature, and round-off over h
        assert (ahead - behind) / (2 * h) == pytest.approx(J[:, column], abs=1e-8)


def test_the_least_motion_is_that_of_the_bodies():
    """Two rods on one pin whose far ends should meet halfway: both move equally, whichever is the parent in the
    tree."""
    mechanism = ml.Mechanism(
        "two floating rods",
        planar=True,
        bodies=[ml.ground(), ml.rod("one", length=1.0, mass=1.0), ml.rod("two", length=1.0, mass=1.0)],
        joints=[ml.Free("F", "ground.origin", "one.origin"), ml.Revolute("J", "one.b", "two.a")],
    )
    guess = guess_of(mechanism, {"one": (0.0, 0.0, 0.0), "two": (1.2, 0.0, 0.0)})
    at = guess.fitted_position()
    # The coordinates of the floating joint follow, with a weight of a hundredth of a body's.
    assert guess.parts.poses(at)[:, 0, 3] == pytest.approx([0.1, 1.1], abs=1e-3)


# what a guess determines ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("guess", "start", "full"),
    [
        ({"A": 0.1, "B": 0.2, "D": 1.8}, None, True),
        ({"B": 0.2, "D": 1.8}, {"A": 0.1}, True),
        ({"A": 0.1, "B": 0.2, "C": 0.3}, None, True),
        ({"A": 0.1, "D": 1.8}, None, False),
        ({"crank": (0, 0, 0.1), "coupler": (0.3, 0, 0.5), "rocker": (1, 0, 1.8)}, None, True),
        ({"crank": (0, 0, 0.1), "B": 0.2, "C": 0.3}, None, True),
        ({"coupler.b": (0.8, 0.7)}, {"A": 0.1}, False),
        ({"coupler.b": (0.8, 0.7, 0.5), "C": 0.3}, {"A": 0.1}, True),
        ({"coupler": (None, None, 0.5), "D": 1.8}, {"A": 0.1, "coupler": (0.3, 0.0, None)}, True),
        ({}, {"A": 0.1}, False),
    ],
)
def test_a_guess_is_full_where_every_body_is_placed(guess, start, full):
    mechanism = ZOO["four-bar"].build().without_drives()
    assert guess_of(mechanism, guess, start).places_all_bodies is full


def test_a_full_guess_is_not_searched_beyond(monkeypatch):
    from multiloop.kinematics.assembly.search import AssemblySearch

    mechanism, tries = ZOO["four-bar"].build(), []
    attempt = AssemblySearch.close_from
    monkeypatch.setattr(AssemblySearch, "close_from", lambda self, q: tries.append(1) or attempt(self, q))
    assert len(find_assembly_modes(mechanism)) == len(tries) == 1
    assert len(find_assembly_modes(mechanism, guess={"coupler.b": (0.8, 0.7)})) == 2
    assert len(tries) > 10


def test_joints_in_a_guess_may_have_turned_more_than_once():
    mechanism = ZOO["four-bar"].build()
    turned = {name: values[0] + 4 * np.pi for name, values in mechanism.guess if name != "A"}
    state = ml.assemble(mechanism, guess=turned)
    for name, angle in turned.items():
        assert state[name].position == pytest.approx(angle, abs=2e-3)  # guesses have three decimals
    assert state.distance < 2e-3  # as above


# requests ---------------------------------------------------------------------------------------------


def test_a_component_that_the_start_leaves_open_is_still_guessed():
    """The height of the coupler's middle is held; for either height there are two assembly modes, between which the
    guess selects."""
    mechanism = ZOO["four-bar"].build().replace(drives=[], guess={})
    whole = ml.assemble(mechanism, {"A": 1.0}, guess={"D": 1.7})
    x, y = whole.marker("coupler.com")
    start, guess = {"coupler.com": (None, y), "A": 1.0}, {"coupler.com": (x, 0.0)}
    held = position_requests(mechanism, start, "start")
    wished = position_requests(mechanism, guess, "guess")
    assert requests_not_held(wished, held) == (Request(Target("coupler.com", ("x",)), (x,)),)
    open_y = {"coupler.com": (x, None)}
    for y_guess in (y, -y):
        state = ml.assemble(mechanism, open_y, guess={"A": 1.0, "coupler.com": (0.0, y_guess)})
        assert np.sign(state.marker("coupler.com")[1]) == np.sign(y_guess)


def test_an_orientation_goes_as_a_whole():
    request = Request(Target("body.origin", ("x", "turn")), (1.0, 1.0, 0.0, 0.0, 0.0))
    assert list(request.by_component()) == [("x", (1.0,)), ("turn", (1.0, 0.0, 0.0, 0.0))]
    assert request.without({("body.origin", "x")}) == Request(
        Target("body.origin", ("turn",)), (1.0, 0.0, 0.0, 0.0)
    )
    assert request.without({("body.origin", "x"), ("body.origin", "turn")}) is None


# large mechanisms -------------------------------------------------------------------------------------


def rough_bodies(state):
    """The poses of all bodies in the plane, to three digits."""
    poses = {name: X for name, X in state.poses.items() if name != "ground"}
    flat = {name: (X[0, 3], X[1, 3], np.arctan2(X[1, 0], X[0, 0])) for name, X in poses.items()}
    return {name: tuple(round(float(value), 3) for value in pose) for name, pose in flat.items()}


def test_the_work_of_fitting_grows_with_the_number_of_bodies(monkeypatch):
    """Undriven ladders with guessed bodies: the same number of steps for any length, and of derivatives per body."""
    work, count = [], PoseFit.jacobian
    monkeypatch.setattr(PoseFit, "jacobian", lambda self, at: work.append(count(self, at)) or work[-1])
    steps, slopes = [], []
    for windows in (10, 40):
        driven = ladder(windows)
        free = driven.replace(drives=[], guess=rough_bodies(ml.assemble(driven)))
        work.clear()
        assembly = find_assembly_modes(free)[0]
        assert assembly.gap <= 1e-12
        assert 0 < assembly.distance < 2e-3
        steps.append(len(work))
        slopes.append(work[-1].sparse().nnz / len(free.moving))
    assert steps[0] == steps[1] < 12
    assert slopes[0] == pytest.approx(slopes[1], rel=0.1)
