"""The page docs/joints.md agrees with the code for every joint."""

import re
from pathlib import Path

import casadi as ca
import numpy as np
import pytest
from numpy.testing import assert_allclose

from multiloop import Helical, Pin
from multiloop.model import JOINTS
from multiloop.model.drives import MOTION_COMPONENTS
from multiloop.spatial import Rx, Rz, frame_of_axes, numeric, quaternion_matrix

PAGE = (Path(__file__).parents[3] / "docs" / "joints.md").read_text(encoding="utf-8")
ABSENT = "–"
UNITS = {"angle": "rad", "first": "rad", "second": "rad"} | dict.fromkeys(("slide", "x", "y", "z"), "m")
UNITS |= dict.fromkeys(("turn_x", "turn_y", "turn_z"), "rad") | {f"e{k}": "1" for k in range(4)}
CASES = [(kind, planar) for kind in JOINTS for planar in (False, True)]


def tables():
    """Every joint's table: {joint: {row: (in space, in the plane)}}."""
    found = {}
    for section in PAGE.split("\n### ")[1:]:
        name, _, rest = section.partition("\n")
        rows = [
            re.split(r"(?<!\\)\|", line)[1:-1]
            for line in rest.split("\n## ")[0].splitlines()
            if line[:1] == "|"
        ]
        cells = [[cell.strip() for cell in row] for row in rows]
        assert cells[0] == ["", "in space", "in the plane"]
        found[name.strip()] = {label: (space, plane) for label, space, plane in cells[2:]}
    return found


TABLES = tables()


def cell(kind, label, planar):
    return TABLES[kind.__name__][label][1 if planar else 0]


def listed(text):
    return [] if text == "nothing" else [entry.strip() for entry in text.split(", ")]


def made(kind):
    return kind("J", "a.b", "c.d", pitch=0.25) if kind is Helical else kind("J", "a.b", "c.d")


def named(entries, per=""):
    """The names of coordinates, whose units are checked on the way."""
    names = []
    for entry in entries:
        name, unit = re.fullmatch(r"(\w+) \((.+)\)", entry).groups()
        assert unit == UNITS[name] + per, name
        names.append(name)
    return names


def test_every_joint_and_nothing_else_has_a_table():
    assert list(TABLES) == [kind.__name__ for kind in JOINTS]
    assert all(list(rows) == ["q", "v", "pose", "holds", "cut", "driven by"] for rows in TABLES.values())


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_without_a_place_in_the_plane_is_absent_there(kind):
    absent = {rows[1] == ABSENT for rows in TABLES[kind.__name__].values()}
    assert absent == {not kind.planar_too}


@pytest.mark.parametrize(("kind", "planar"), [case for case in CASES if case[0].planar_too or not case[1]])
def test_a_table_agrees_with_the_code(kind, planar):
    joint = made(kind)
    q, v = named(listed(cell(kind, "q", planar))), named(listed(cell(kind, "v", planar)), per="/s")
    assert tuple(v) == joint.components(planar)
    assert len(q) == joint.positions(planar)
    assert len(v) == joint.degrees_of_freedom(planar)
    quaternion = [name for name in q if re.fullmatch(r"e\d", name)]
    assert [name for name in q if name not in quaternion] == [
        name for name in v if not name.startswith("turn_")
    ]
    assert quaternion == (["e0", "e1", "e2", "e3"] if len(q) > len(v) else [])

    holds = listed(cell(kind, "holds", planar))
    assert tuple(holds) == joint.wrench_names(planar)
    assert len(holds) == (3 if planar else 6) - len(v)
    assert cell(kind, "cut", planar) == ("never" if kind.must_stay else f"yes, {len(holds)} rows")
    assert listed(cell(kind, "driven by", planar)) == [name for name in v if name in MOTION_COMPONENTS]


@pytest.mark.parametrize(("kind", "planar"), [case for case in CASES if case[0].planar_too or not case[1]])
def test_a_pose_is_the_one_written(kind, planar):
    """The formula in the table, evaluated, is the pose of the code."""
    joint = made(kind)
    q = joint.neutral(planar) + np.linspace(0.3, 0.9, joint.positions(planar))
    names = named(listed(cell(kind, "q", planar)))
    written = (
        cell(kind, "pose", planar).replace("·", "*").replace("R(e)", "turned(e)").replace(") R", ") @ R")
    )
    rotation, place = re.fullmatch(r"R = (.+?), p = (.+)", written).groups()
    space = dict(zip(names, q, strict=True)) | {
        "Rz": Rz,
        "Rx": Rx,
        "turned": quaternion_matrix,
        "pitch": 0.25,
    }
    space["e"] = ca.DM(q[-4:]) if "e0" in names else None
    R = np.eye(3) if rotation == "1" else numeric(eval(rotation, {}, space))
    p = np.zeros(3) if place == "0" else eval(place, {}, space)
    pose = joint.pose(ca.DM(q), planar)
    assert_allclose(numeric(pose.R), R, atol=1e-15)
    assert_allclose(numeric(pose.p), p, atol=1e-15)


def test_the_page_agrees_on_pins_and_on_the_rule_for_x():
    names = [revolute.name for revolute in Pin("P", "crank.b", ["coupler.a", "rod.a"]).revolutes()]
    assert all(f'`"{name}"`' in PAGE for name in names)
    for z, x in (("Z", "X"), ("Y", "X"), ("X", "Y")):
        axes = dict(zip("XYZ", np.eye(3), strict=True))
        assert_allclose(frame_of_axes(axes[z])[:, 0], axes[x])
