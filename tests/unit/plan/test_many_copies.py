"""Are the findings on a large mechanism those on its parts? Copies side by side, and loops in series."""

from dataclasses import replace
from math import cos, pi, sin

import numpy as np
import pytest
from zoo import ZOO
from zoo.body_poses import along, joint_values
from zoo.chains import ladder

import multiloop as ml
from multiloop.kinematics import equations_of
from multiloop.kinematics.assembly import Assembly, close_loops, find_assembly_modes
from multiloop.kinematics.conditioning import sparse_rank as independence
from multiloop.plan import plan_at, rank, rank as strokes
from multiloop.topology import tree_of

COPIES = 6


@pytest.fixture(autouse=True)
def large(monkeypatch):
    """Thresholds of the algorithms for large mechanisms, reduced."""
    monkeypatch.setattr(rank, "LARGE_MATRIX", 30)
    monkeypatch.setattr(strokes, "SPARSE_RATE_COUNT", 10)
    monkeypatch.setattr(independence, "MAX_DENSE_ROWS", 10)


def closed_at(mechanism, coordinates):
    """The mechanism closed near these joint coordinates."""
    equations = equations_of(mechanism, tree_of(mechanism))
    q, s = equations.skeleton.neutral_position.copy(), equations.time_values(0.0)
    for name, own in equations.skeleton.coordinates.items():
        q[own.q] = coordinates[name]
    p = np.array(list(mechanism.parameters.values()))
    closing = close_loops(equations, q, s, p)
    assert closing.closed
    return Assembly(mechanism, equations, closing.q, s, p, 0.0, closing.gap, 0.0, ())


def side_by_side(mechanism):
    """Copies of a mechanism on one ground."""

    def renamed(reference, k):
        body, _, marker = reference.partition(".")
        return f"ground.{marker}{k}" if body == "ground" else f"{body}{k}.{marker}"

    base, numbers = mechanism.body("ground"), range(COPIES)
    seats = {f"{name}{k}": base.marker(name) for name in base.marker_names for k in numbers}
    joints = [
        replace(
            joint, name=f"{joint.name}{k}", first=renamed(joint.first, k), second=renamed(joint.second, k)
        )
        for k in numbers
        for joint in mechanism.joints
    ]
    bodies = [replace(body, name=f"{body.name}{k}") for k in numbers for body in mechanism.moving]
    return mechanism.replace(bodies=[ml.ground(seats), *bodies], joints=joints, guess={})


FLAT = {"start": {"A": 0.0}, "guess": {"D": 0.0}}


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("bennett", {}),
        ("four-bar-space", {}),
        ("two-bearings", {}),
        ("RSSR", {}),
        ("parallelogram", FLAT),
    ],
)
def test_copies_are_found_to_be_what_one_is(name, given):
    single = find_assembly_modes(ZOO[name].build().without_drives(), **given)[0]
    one, coordinates = plan_at(single), single.coordinates()
    many = side_by_side(single.mechanism)
    assembly = closed_at(many, {f"{j}{k}": q for j, q in coordinates.items() for k in range(COPIES)})
    found = plan_at(assembly)
    for told in ("mobility", "count", "redundant"):
        assert getattr(found, told) == COPIES * getattr(one, told)
    assert found.rank.special == COPIES * one.rank.special
    assert (found.rank.doubt, found.rank.shaky) == (one.rank.doubt, one.rank.shaky) == (0, 0)
    assert len(found.idle) == COPIES * len(one.idle)
    for k in range(COPIES):
        assert all(found.unique[f"{joint}{k}"] == unique for joint, unique in one.unique.items())


def test_a_long_ladder_of_bearings_in_space():
    """In every window a force perpendicular to the plane and moments about lines in it are undetermined; no other
    constraint is redundant."""
    windows, x, y = 15, cos(-pi / 6), sin(-pi / 6)
    flat = ladder(windows).without_drives()
    bars = [ml.rod(body.name, length=1.0, mass=1.0, inertia=(5e-5, 0.1, 0.1)) for body in flat.moving]
    seats = {f"p{k}": (k, 0, 0) for k in range(windows + 1)}
    mechanism = ml.Mechanism("space ladder", bodies=[ml.ground(seats), *bars], joints=flat.joints)
    poses = {f"v{k}": along((k, 0, 0), x=(x, y, 0)) for k in range(windows + 1)}
    poses |= {f"h{k}": along((k - 1 + x, y, 0), x=(1, 0, 0)) for k in range(1, windows + 1)}
    plan = plan_at(closed_at(mechanism, joint_values(mechanism, poses)))
    assert (plan.mobility, plan.redundant, plan.count) == (1, 3 * windows, 1 - 3 * windows)
    assert plan.rank.gap > 1e8
    shared = {"moment about x", "moment about y", "force along z"}
    for components in plan.unique.values():
        assert {name for name, unique in components if not unique} == shared


@pytest.mark.parametrize("light", ["h", "v"])
def test_massless_bars_of_a_long_ladder_leave_its_motion_determined(light):
    plain = ladder(15).without_drives()
    bodies = [
        ml.rod(body.name, length=1.0, mass=0.0) if body.name[0] == light else body for body in plain.bodies
    ]
    plan = plan_at(closed_at(plain.replace(bodies=bodies), dict(plain.guess)))
    assert plan.massless.rule == "stiffened"
    assert plan.mobility == 1


def test_a_long_ladder_without_any_mass_does_not_know_how_to_move():
    plain = ladder(15).without_drives()
    bodies = [
        body if body.name == "ground" else ml.rod(body.name, length=1.0, mass=0.0) for body in plain.bodies
    ]
    plan = plan_at(closed_at(plain.replace(bodies=bodies), dict(plain.guess)))
    assert plan.massless.rule == "undetermined"
