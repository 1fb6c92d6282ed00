"""Registration of user-defined types: what it accepts, and the faults that it reports."""

from dataclasses import dataclass
from typing import ClassVar

import casadi as ca
import numpy as np
import pytest

import multiloop as ml
from multiloop.dynamics.actions import ACTIONS
from multiloop.extension import Constraint, MarkerWrench, Pose, marker_motion
from multiloop.io.schema import model_schema
from multiloop.kinematics.constraints import COUPLINGS
from multiloop.model import LOADS
from multiloop.model.serialise.kinds import PARTS


@pytest.fixture(autouse=True)
def unchanged_registries():
    """Types registered by a test are removed after it."""
    registries = (PARTS.maps[0], LOADS, ACTIONS, COUPLINGS)
    before = [dict(registry) for registry in registries]
    yield
    for registry, known in zip(registries, before, strict=True):
        registry.clear()
        registry.update(known)


@dataclass(frozen=True)
class Wind(ml.Load):
    """A constant force at a marker."""

    at: str
    force: float | ml.Expression = 1.0
    steady = ("force",)

    @property
    def markers(self):
        return (self.at,)


class WindAction(ml.Action):
    def _force(self):
        return ca.vertcat(self.load.force, 0, 0)

    def wrenches(self, at):
        return (MarkerWrench(self.load.at, ca.vertcat(ca.DM(3, 1), self._force())),)

    def power(self, at):
        return ca.dot(self._force(), marker_motion(at, self.load.at)[1].v)


def slider(**changes):
    """A block of 2 kg on a horizontal guide."""
    given = {
        "planar": True,
        "bodies": [ml.ground(), ml.Body("block", mass=2.0, inertia=1.0)],
        "joints": [ml.Prismatic("S", "ground.origin", "block.origin")],
    }
    return ml.Mechanism("slider", **(given | changes))


def codes(error):
    return [(fault.code, fault.where) for fault in error.faults]


def test_a_load_is_registered_with_its_action():
    assert ml.register(Wind, action=WindAction) is Wind
    blown = slider(loads=[Wind("wind", "block.origin", 6.0)])
    assert ml.forward(blown, {"S": 0.0})["S"].acceleration == pytest.approx(3.0)
    assert ml.from_text(ml.to_text(blown)) == blown
    assert "Wind" in model_schema()["$defs"]


def test_register_is_a_decorator_with_arguments():
    @ml.register(action=WindAction)
    @dataclass(frozen=True)
    class Breeze(Wind):
        pass

    assert LOADS["Breeze"] is Breeze
    assert ACTIONS[Breeze] is WindAction


def test_a_load_derived_from_a_registered_one_inherits_its_action():
    ml.register(Wind, action=WindAction)

    @ml.register
    @dataclass(frozen=True)
    class Gust(Wind):
        pass

    blown = slider(loads=[Gust("gust", "block.origin", 4.0)])
    assert ml.forward(blown, {"S": 0.0})["S"].acceleration == pytest.approx(2.0)


def test_files_contain_registered_loads(tmp_path):
    ml.register(Wind, action=WindAction)
    blown = slider(loads=[Wind("wind", "block.origin", 6.0)])
    for name in ("slider.yaml", "slider.json"):
        ml.save(blown, tmp_path / name)
        assert ml.load(tmp_path / name) == blown


def test_a_load_without_an_action_is_rejected(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.register(Wind)
    texts.fault(caught.value, "M18", "load type 'Wind'", "action=")
    assert "Wind" not in LOADS


def test_a_load_that_was_entered_without_its_action_is_reported_when_it_acts(texts):
    LOADS["Wind"] = Wind
    with pytest.raises(ml.ModelError) as caught:
        ml.forward(slider(loads=[Wind("wind", "block.origin")]), {"S": 0.0})
    texts.fault(caught.value, "M18", "load 'wind'", "'Wind'")


def test_a_load_that_is_not_registered_is_reported_with_the_call(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.to_text(slider(loads=[Wind("wind", "block.origin")]))
    texts.fault(caught.value, "M90", "`multiloop.register(Wind, action=…)`")


def test_all_missing_members_of_a_joint_are_reported(texts):
    @dataclass(frozen=True)
    class Empty(ml.Joint):
        pass

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Empty)
    assert codes(caught.value) == [("M18", "joint type 'Empty'")] * 6
    missing = ("constraint_wrenches", "motion_subspace", "pose", "read", "coordinates", "closure")
    assert [name in fault.what for name, fault in zip(missing, caught.value.faults, strict=True)] == [
        True
    ] * 6
    texts(caught.value)


def test_all_missing_members_of_a_pair_are_reported(texts):
    @dataclass(frozen=True)
    class Empty(ml.Pair):
        pass

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Empty)
    missing = ("closure", "degrees_of_freedom", "wrench_names", "wrenches")
    assert [name in fault.what for name, fault in zip(missing, caught.value.faults, strict=True)] == [
        True
    ] * 4
    texts(caught.value)


def test_all_missing_members_of_a_load_and_its_action_are_reported(texts):
    class Empty(ml.Load):
        at: str
        steady = ("stiffness",)
        states: ClassVar = {"z": 0.0}

    class EmptyAction(ml.Action):
        pass

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Empty, action=EmptyAction)
    load, action = "load type 'Empty'", "action 'EmptyAction' of load type 'Empty'"
    assert codes(caught.value) == [("M18", load)] * 3 + [("M18", action)] * 3
    texts(caught.value)


def test_an_elastic_body_without_its_reduction_is_reported(texts):
    @dataclass(frozen=True)
    class Bending(ml.Body):
        elastic: ClassVar[int] = 2

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Bending)
    texts.fault(caught.value, "M18", "body type 'Bending'", "`reduced`")


@dataclass(frozen=True)
class OnAxis(ml.Pair):
    """The second marker stays on the x axis of the first."""

    def degrees_of_freedom(self, planar):
        return 2 if planar else 5

    def wrench_names(self, planar):
        return ("force across the line",)

    def wrenches(self, pose, planar):
        return ca.DM.eye(6)[:, 4]

    def closure(self, pose, planar):
        return pose.p[1]


def test_sizes_of_a_pair_are_checked(texts):
    @dataclass(frozen=True)
    class Wrong(OnAxis):
        def wrench_names(self, planar):
            return ("one", "two")

        def wrenches(self, pose, planar):
            return ca.DM.eye(6)[:, [3, 4]]

        def closure(self, pose, planar):
            return pose.p[:2]

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Wrong)
    texts.faults(
        caught.value,
        ("M18", "(6, 2)", "(6, 1)"),
        ("M18", "2 names", "1 wrench "),
        ("M18", "(2, 1)", "(1, 1)"),
    )


@pytest.mark.parametrize("sine", ["math", "numpy"])
def test_methods_that_do_not_accept_symbols_are_reported(sine, texts):
    import math

    def numerical(value):
        return math.sin(value) if sine == "math" else float(value)

    @dataclass(frozen=True)
    class Numerical(OnAxis):
        def closure(self, pose, planar):
            return numerical(pose.p[1])

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Numerical)
    (fault,) = caught.value.faults
    assert fault.code == "M18"
    assert "`closure`" in fault.what


def test_a_field_that_files_cannot_contain_is_reported():
    @dataclass(frozen=True)
    class Tabulated(OnAxis):
        points: np.ndarray = None

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Tabulated)
    assert codes(caught.value) == [("M18", "type 'Tabulated'")]
    assert "Tabulated" not in PARTS


@pytest.mark.parametrize("thing", [int, 3, "Drag", ml.Motion("A", 1.0)])
def test_anything_but_a_type_of_a_part_is_rejected(thing):
    with pytest.raises(ml.ModelError) as caught:
        ml.register(thing)
    assert [fault.code for fault in caught.value.faults] == ["M18"]


def test_an_action_for_a_joint_and_a_wrong_constraint_are_rejected(texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.register(OnAxis, action=WindAction, constraint=Constraint)
    texts.faults(caught.value, ("M18", "`action=`"), ("M18", "`constraint=`"))


@dataclass(frozen=True)
class Link(ml.Coupling):
    """A coupling without rows."""


def test_a_coupling_without_its_constraint_is_reported_when_it_is_used(texts):
    ml.register(Link)
    with pytest.raises(ml.ModelError) as caught:
        ml.analyse(slider(pairs=[Link("link")]))
    texts.fault(caught.value, "M18", "'link'", "constraint=")


def test_an_incomplete_constraint_is_reported(texts):
    class Rows(Constraint):
        pass

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Link, constraint=Rows)
    assert codes(caught.value) == [("M18", "constraint 'Rows' of coupling type 'Link'")] * 4
    texts(caught.value)


@dataclass(frozen=True)
class Sledge(ml.Joint):
    """A translation along x in space."""

    coordinates: ClassVar[tuple[str, ...]] = ("slide",)
    turns: ClassVar[tuple[bool, ...]] = (False,)

    def pose(self, q, planar):
        return Pose(ca.DM.eye(3), ca.vertcat(q[0], 0, 0))

    def motion_subspace(self, pose, planar):
        return ca.DM.eye(6)[:, 3]

    def constraint_wrenches(self, pose, planar):
        return ca.DM.eye(6)[:, [0, 1, 2, 4, 5]]

    def closure(self, pose, planar):
        R, p = pose.R, pose.p
        return ca.vertcat(R[2, 1], R[0, 2], R[1, 0], p[1], p[2])

    def read(self, pose, near, planar):
        return np.asarray(pose.p, dtype=float).ravel()[:1]


def test_a_user_joint_in_the_plane_names_the_missing_line(texts):
    ml.register(Sledge)
    with pytest.raises(ml.ModelError) as caught:
        ml.analyse(slider(joints=[Sledge("S", "ground.origin", "block.origin")]))
    texts.fault(caught.value, "M06", "'S'", "`planar_too = True`", "Sledge")


def test_coordinates_and_turns_must_agree(texts):
    @dataclass(frozen=True)
    class Turned(Sledge):
        turns: ClassVar[tuple[bool, ...]] = ()

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Turned)
    texts.fault(caught.value, "M18", "'Turned'", "1 coordinate,", "0 entries")


def test_a_motion_subspace_that_is_not_the_derivative_of_the_pose_is_rejected(texts):
    """The pose moves twice as fast as P states: a force would cause twice the acceleration."""

    @dataclass(frozen=True)
    class Doubled(ml.Joint):
        planar_too: ClassVar[bool] = True
        coordinates: ClassVar[tuple[str, ...]] = ("x",)
        turns: ClassVar[tuple[bool, ...]] = (False,)
        must_stay: ClassVar[bool] = True

        def pose(self, q, planar):
            return Pose(ca.DM.eye(3), ca.vertcat(2 * q[0], 0, 0))

        def motion_subspace(self, pose, planar):
            return ca.DM.eye(6)[:, [3]]

        def constraint_wrenches(self, pose, planar):
            return ca.DM.eye(6)[:, [0, 1, 2, 4, 5]]

        def read(self, pose, near, planar):
            return np.array([float(pose.p[0]) / 2])

    with pytest.raises(ml.ModelError) as caught:
        ml.register(Doubled)
    texts.fault(caught.value, "M18", "joint type 'Doubled'", "by 1 ")
