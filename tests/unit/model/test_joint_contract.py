"""A joint type that violates its contract is reported by its name."""

from dataclasses import dataclass, field
from typing import ClassVar

import pytest

import multiloop as ml
from multiloop.model import JOINTS
from multiloop.model.joints.joint import unit_columns
from multiloop.model.serialise.kinds import PARTS


@dataclass(frozen=True)
class Doubled(ml.Revolute):
    """A pin whose motion subspace is twice as long as it should be."""

    def motion_subspace(self, pose, planar):
        return 2 * unit_columns(2)


@dataclass(frozen=True)
class Leaking(ml.Revolute):
    """A pin that transmits a moment about its own axis instead of one of its forces."""

    def constraint_wrenches(self, pose, planar):
        return unit_columns(0, 1, 2, 3, 5)


@dataclass(frozen=True)
class Sized(ml.Revolute):
    """A sound pin with a field that must be given."""

    size: float = field(kw_only=True)

    planar_too: ClassVar[bool] = True


def pendulum(joint: ml.Joint) -> ml.Mechanism:
    return ml.Mechanism(
        "pendulum",
        planar=True,
        bodies=[ml.ground(), ml.rod("bar", length=1.0, mass=1.0)],
        joints=[joint],
    )


@dataclass(frozen=True)
class SizedLeak(Leaking):
    """A leaking pin with a field that must be given: it cannot be checked before it is used."""

    size: float = field(kw_only=True)


@pytest.mark.parametrize("kind", [Doubled, Leaking])
def test_a_joint_that_breaks_its_contract_is_rejected_by_register(kind, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.register(kind)
    texts.fault(caught.value, "M18", f"'{kind.__name__}'")
    assert kind.__name__ not in PARTS


def test_a_joint_that_breaks_its_contract_is_named_at_its_first_use(texts):
    ml.register(SizedLeak)
    with pytest.raises(TypeError) as caught:
        ml.analyse(pendulum(SizedLeak("A", "ground.origin", "bar.a", size=0.1)))
    texts(caught.value, "'A'", "SizedLeak")


def test_a_joint_may_have_a_field_that_must_be_given():
    ml.register(Sized)
    assert ml.analyse(pendulum(Sized("A", "ground.origin", "bar.a", size=0.3))).mobility == 1


@pytest.mark.parametrize("kind", JOINTS, ids=lambda kind: kind.__name__)
def test_built_in_joints_allow_as_many_motions_as_they_have_degrees_of_freedom(kind):
    """The analysis checks P and W of the joint, and counts the motions that W leaves."""
    for planar in (False, True) if kind.planar_too else (False,):
        joint = kind("J", "ground.origin", "bar.a")
        bodies = [ml.ground(), ml.rod("bar", length=1.0, mass=1.0)]
        mechanism = ml.Mechanism("bar", planar=planar, bodies=bodies, joints=[joint])
        assert ml.analyse(mechanism).mobility == joint.degrees_of_freedom(planar)
