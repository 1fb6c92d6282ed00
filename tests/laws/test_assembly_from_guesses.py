"""Does a guess select the assembly mode? Random platforms and lifts, assembled from known positions of their bodies."""

import casadi as ca
import numpy as np
import pytest
from zoo.body_poses import as_pose, joint_values
from zoo.random_platforms import FAMILIES

import multiloop as ml
from multiloop.kinematics.tree import characteristic_length
from multiloop.spatial import Pose, numeric, quaternion_from_matrix, quaternion_matrix

OFF = 0.05
"""Error of inexact guesses, relative to the size."""

FAR_ANGLE, FAR_PLACE = 0.5, 0.1
"""Differences from guessed values that are reported, in radians and relative to the size."""

SAME = 1e-9
"""Metres: loops closed to round-off, for mechanisms of about a metre."""

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
        bodies[body] = tuple(map(float, flat if mechanism.planar else (*p, *quaternion_from_matrix(R))))
    return {"joints": joints, "bodies": bodies, "platform": {"platform": bodies["platform"], **joints}}


def put_off(mechanism, guess, draw):
    """Every value changed by up to `OFF`: lengths relative to the size, angles in radians."""
    size, found = characteristic_length(mechanism), {}
    joints = {joint.name: joint.components(mechanism.planar) for joint in mechanism.binary_joints}
    for name, values in guess.items():
        names = joints.get(name, ("x", "y", "angle") if mechanism.planar else ("x", "y", "z"))
        unit = [size if part in LENGTHS else 1.0 for part in names if not part.startswith("turn")]
        unit += [0.5] * (len(values) - len(unit))  # the angle is twice the change of the quaternion
        found[name] = tuple(np.array(values) + OFF * draw.uniform(-1, 1, len(values)) * unit)
    return found


def markers_apart(mechanism, state, poses):
    """The largest distance of a marker from its known position; it does not depend on idle spins of rods."""
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


def wrapped(angle):
    return (angle + np.pi) % (2 * np.pi) - np.pi


def rotation_angle(e, other):
    e, other = (np.array(x) / np.linalg.norm(x) for x in (e, other))
    return 2 * np.arccos(min(1.0, abs(e @ other)))


def missed(mechanism, state, guess):
    """Differences from the guessed values, in radians and as parts of the size, separately: (angles, positions)."""
    size, angles, places = characteristic_length(mechanism), [0.0], [0.0]
    for name, values in guess.items():
        if name in mechanism.bodies_by_name:
            X = state.poses[name]
            places.append(
                np.linalg.norm(X[: 2 if mechanism.planar else 3, 3] - values[: 2 + (not mechanism.planar)])
                / size
            )
            turned = (
                wrapped(np.arctan2(X[1, 0], X[0, 0]) - values[2])
                if mechanism.planar
                else rotation_angle(quaternion_from_matrix(X[:, :3]), values[3:])
            )
            angles.append(abs(turned))
            continue
        joint, q = mechanism.joint(name), state.positions[name]
        plain = joint.components(mechanism.planar)
        if len(values) != len(plain):
            angles.append(rotation_angle(q[-4:], values[-4:]))
            plain = plain[:-3]
        for part, x, y in zip(plain, q, values, strict=False):
            (places if part in LENGTHS else angles).append(
                abs(x - y) / size if part in LENGTHS else abs(wrapped(x - y))
            )
    return max(angles), max(places)


def is_far(mechanism, state, guess):
    angle, place = missed(mechanism, state, guess)
    return angle > FAR_ANGLE or place > FAR_PLACE


def require_exact(family, seed):
    mechanism, poses, _ = drawn(family, seed)
    for kind, guess in guesses(mechanism, poses).items():
        state = ml.assemble(mechanism, guess=guess)
        assert markers_apart(mechanism, state, poses) < SAME, (family, seed, kind)
        assert state.distance < SAME


def put_off_closes_there(family, seed, kind):
    """Whether an inexact guess still selects that mode; a position far from the guess must be reported.

    The same holds if several modes are equally far, and none is selected.
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
    assert bool(state.missed) == is_far(mechanism, state, guess)
    return markers_apart(mechanism, state, poses) < SAME


@pytest.mark.parametrize("seed", FEW)
@pytest.mark.parametrize("family", FAMILIES)
def test_an_exact_guess_is_where_it_is_put_together(family, seed):
    require_exact(family, seed)


@pytest.mark.parametrize("family", FAMILIES)
def test_an_inexact_guess_selects_the_same_assembly_mode(family):
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
def test_inexact_guesses_of_many(family, kind):
    """If two assembly modes are nearer to each other than the guess is to either, the other one may be selected."""
    right = [put_off_closes_there(family, seed, kind) for seed in range(200)]
    assert np.mean(right) >= 0.95


@pytest.mark.parametrize("seed", range(3))
def test_the_pose_of_a_platform_is_stronger_than_joints_that_contradict_it(seed):
    """A hexapod: the exact pose, the lengths of the legs, and zero for all universal joints, which contradicts them."""
    mechanism, poses, _ = drawn("hexapod", seed)
    exact = guesses(mechanism, poses)
    legs = {f"P{k}": exact["joints"][f"P{k}"] for k in range(1, 7)}
    crosses = {f"U{k}": (0.0, 0.0) for k in range(1, 7)}
    state = ml.assemble(mechanism, guess={"platform": exact["bodies"]["platform"], **crosses, **legs})
    assert markers_apart(mechanism, state, poses) < SAME
    assert state.distance > OFF  # of the legs
    assert state.farthest.startswith(("lower", "upper"))


# assembly modes with all joints at the same places -----------------------------------------------------


def require_upright(seed, off):
    """The pose of the platform and the leg lengths alone: every leg may also be turned by half a turn about its
    line."""
    mechanism, poses, draw = drawn("hexapod", seed)
    exact = guesses(mechanism, poses)
    pose = np.array(exact["bodies"]["platform"]) + off * draw.uniform(-1, 1, 7)
    guess = {"platform": tuple(pose), **{f"P{k}": exact["joints"][f"P{k}"] for k in range(1, 7)}}
    state = ml.assemble(mechanism, guess=guess)
    assert markers_apart(mechanism, state, poses) < SAME
    for k in range(1, 7):  # (a, b) and (a + π, π − b) give the same direction; the smaller one is taken
        own = np.array(state[f"U{k}"].position)
        other = wrapped(np.array([own[0] + np.pi, np.pi - own[1]]))
        assert np.linalg.norm(own) < np.linalg.norm(other)
    assert set(state.half_turned) <= {f"U{k}" for k in range(1, 7)}
    return state


@pytest.mark.parametrize("off", [0.0, 0.03])
def test_a_hexapod_is_guessed_by_its_pose_and_leg_lengths(off, texts):
    state = require_upright(0, off)
    texts(repr(state), *state.half_turned[:1], hide=[r"(?<= )-?\d+\.\d+(?=[,)])"])


@pytest.mark.slow
@pytest.mark.parametrize("off", [0.0, 0.03])
def test_many_hexapods_are_guessed_by_their_pose_and_leg_lengths(off):
    for seed in range(1, 25):
        require_upright(seed, off)


# one measure -------------------------------------------------------------------------------------------

SIX_BAR = ml.Mechanism(
    "six-bar",
    planar=True,
    bodies=[
        ml.ground(A=(0, 0), D=(1.0, 0), G=(1.4, 0.6)),
        ml.rod("crank", length=0.3, mass=1.0),
        ml.plate("coupler", corners={"a": (0, 0), "b": (0.9, 0), "p": (0.5, 0.4)}, mass=1.0),
        ml.rod("rocker", length=0.8, mass=1.0),
        ml.rod("link", length=0.7, mass=1.0),
        ml.rod("output", length=0.6, mass=1.0),
    ],
    joints=[
        ml.Revolute("A", "ground.A", "crank.a"),
        ml.Revolute("B", "crank.b", "coupler.a"),
        ml.Revolute("C", "coupler.b", "rocker.b"),
        ml.Revolute("D", "ground.D", "rocker.a"),
        ml.Revolute("E", "coupler.p", "link.a"),
        ml.Revolute("F", "link.b", "output.b"),
        ml.Revolute("G", "ground.G", "output.a"),
    ],
)
"""A four-bar of size 0.9 m with two more links on its coupler: up to four assembly modes for each crank angle."""


def far_from(state, guess):
    """The documented distance, written independently: angles in radians, positions divided by the size."""
    angles = [wrapped(state[name].position - x) for name, x in guess.items() if "." not in name]
    places = [np.linalg.norm(state.marker(name) - x) / 0.9 for name, x in guess.items() if "." in name]
    return float(np.linalg.norm([*angles, *places]))


def require_nearest(seed, full):
    """A joint to 0.02 rad and a marker to 0.3 m, or all joints equally well and that marker: the nearest mode is
    found."""
    draw = np.random.default_rng(seed)
    start = {"A": draw.uniform(-np.pi, np.pi)}
    modes = ml.branches(SIX_BAR, start)
    meant = modes[draw.integers(len(modes))]
    joints = "BCDEFG" if full else draw.choice(list("BCD"))
    guess = {joint: meant[joint].position + draw.uniform(-0.02, 0.02) for joint in joints}
    guess["link.b"] = tuple(meant.marker("link.b") + draw.uniform(-0.3, 0.3, 2))
    state = ml.assemble(SIX_BAR, start, guess=guess)
    assert far_from(state, guess) == pytest.approx(min(far_from(mode, guess) for mode in modes), abs=1e-9)
    assert far_from(state, {name: guess[name] for name in joints}) < 0.06  # of six values at most
    reported = {miss.name: miss.amount for miss in state.missed}
    away = float(np.linalg.norm(state.marker("link.b") - guess["link.b"]))
    assert reported == ({"link.b": pytest.approx(away, abs=1e-9)} if away > 0.09 else {})


@pytest.mark.parametrize(("seed", "full"), [(40, False), (52, False), (3, False), (34, True), (82, True)])
def test_the_assembly_mode_nearest_to_a_guess_is_taken(seed, full):
    require_nearest(seed, full)


@pytest.mark.slow
@pytest.mark.parametrize("full", [False, True])
def test_the_nearest_assembly_mode_of_many_guesses(full):
    for seed in range(120):
        require_nearest(seed, full)
