"""Does a guess decide? Random platforms and lifts, put together from where their bodies are known to stand."""

import casadi as ca
import numpy as np
import pytest
from zoo.posing import as_pose, joint_values
from zoo.random_platforms import FAMILIES

import multiloop as ml
from multiloop.kinematics.geometry import characteristic_length
from multiloop.spatial import Pose, numeric, quaternion_matrix, quaternion_of

OFF = 0.05
"""Part of the size by which guesses are put off, and beyond which a State says that it lies elsewhere."""

SAME = 1e-9
"""Metres: loops closed to round-off, on machines of a metre."""

FEW, ALL = range(2), range(2, 200)
LENGTHS = ("x", "y", "z", "slide")


def drawn(family, seed):
    draw = np.random.default_rng([seed, *family.encode()])
    return *FAMILIES[family](draw), draw


def guesses(mechanism, poses):
    """Full guesses: by joints, by bodies, and of the platform with all joints."""
    joints = {name: tuple(q) for name, q in joint_values(mechanism, poses).items() if len(q)}
    bodies = {}
    for body, pose in poses.items():
        X = as_pose(pose)
        R, p = numeric(X.R), numeric(X.p)
        flat = (*p[:2], np.arctan2(R[1, 0], R[0, 0]))
        bodies[body] = tuple(map(float, flat if mechanism.planar else (*p, *quaternion_of(R))))
    return {"joints": joints, "bodies": bodies, "platform": {"platform": bodies["platform"], **joints}}


def put_off(mechanism, guess, draw):
    """Every value by up to `OFF`: lengths relative to the size, angles in radians."""
    size, found = characteristic_length(mechanism), {}
    joints = {joint.name: joint.components(mechanism.planar) for joint in mechanism.binary_joints}
    for name, values in guess.items():
        names = joints.get(name, ("x", "y", "angle") if mechanism.planar else ("x", "y", "z"))
        unit = [size if part in LENGTHS else 1.0 for part in names if not part.startswith("turn")]
        unit += [0.5] * (len(values) - len(unit))  # a quaternion turns by twice its change
        found[name] = tuple(np.array(values) + OFF * draw.uniform(-1, 1, len(values)) * unit)
    return found


def markers_apart(mechanism, state, poses):
    """How far any marker is from where poses put it; blind to idle spins of rods about themselves."""
    worst = 0.0
    for body in mechanism.moving:
        X = as_pose(poses[body.name])
        for name in body.marker_names:
            point = np.array([*map(float, body.marker(name).point), 0.0, 0.0])[:3]
            there = (numeric(X.R) @ point + numeric(X.p))[: 2 if mechanism.planar else 3]
            worst = max(worst, float(np.linalg.norm(state.marker(f"{body.name}.{name}") - there)))
    return worst


def guessed_pose(mechanism, values):
    if mechanism.planar:
        return values
    e = np.array(values[3:]) / np.linalg.norm(values[3:])
    return Pose(quaternion_matrix(ca.DM(e)), ca.DM(values[:3]))


def require_exact(family, seed):
    mechanism, poses, _ = drawn(family, seed)
    for kind, guess in guesses(mechanism, poses).items():
        state = ml.assemble(mechanism, guess=guess)
        assert markers_apart(mechanism, state, poses) < SAME, (family, seed, kind)
        assert state.distance < SAME


def put_off_closes_there(family, seed, kind):
    """Whether a guess that is put off still leads there; where the closure is far from the guess it must be said.

    So it is where several are equally far, and none is taken.
    """
    mechanism, poses, draw = drawn(family, seed)
    guess = put_off(mechanism, guesses(mechanism, poses)[kind], draw)
    try:
        state = ml.assemble(mechanism, guess=guess)
    except ml.AssemblyError as error:
        if [fault.code for fault in error.faults] != ["K02"]:
            raise
        return False
    if kind == "bodies":
        guessed = {body: guessed_pose(mechanism, values) for body, values in guess.items()}
        away = markers_apart(mechanism, state, guessed) / characteristic_length(mechanism)
        assert state.distance >= away - SAME, (family, seed)
    assert ("from its guess" in repr(state)) == (state.distance > OFF)
    return markers_apart(mechanism, state, poses) < SAME


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.parametrize("family", FAMILIES)
def test_an_exact_guess_is_where_it_is_put_together(family, seed):
    require_exact(family, seed)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_guess_put_off_leads_to_the_same_closure(family):
    kinds = ("joints", "bodies", "platform")
    assert all(put_off_closes_there(family, seed, kinds[seed]) for seed in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_exact_guesses_of_many(family):
    for seed in ALL:
        require_exact(family, seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["joints", "bodies", "platform"])
@pytest.mark.parametrize("family", FAMILIES)
def test_guesses_put_off_of_many(family, kind):
    """Where two closures are nearer to each other than the guess is to either, it may be the other one."""
    right = [put_off_closes_there(family, seed, kind) for seed in range(200)]
    assert np.mean(right) >= 0.95


@pytest.mark.parametrize("seed", range(3))
def test_the_pose_of_a_platform_is_stronger_than_joints_that_contradict_it(seed):
    """A hexapod: the exact pose, the lengths of the legs, and all crosses at zero, where they are not."""
    mechanism, poses, _ = drawn("hexapod", seed)
    exact = guesses(mechanism, poses)
    legs = {f"P{k}": exact["joints"][f"P{k}"] for k in range(1, 7)}
    crosses = {f"U{k}": (0.0, 0.0) for k in range(1, 7)}
    state = ml.assemble(mechanism, guess={"platform": exact["bodies"]["platform"], **crosses, **legs})
    assert markers_apart(mechanism, state, poses) < SAME
    assert state.distance > OFF  # of the legs
    assert state.farthest.startswith(("lower", "upper"))
