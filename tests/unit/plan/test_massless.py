"""Does the mass determine the motion? Massless links are allowed if it does, and another tree may help."""

import pytest
from zoo import ZOO
from zoo.plain import free_body

import multiloop as ml


def pendulum(last_mass):
    """Two rods, the outer one heavy or massless."""
    outer = ml.rod("outer", length=0.4, mass=last_mass)
    return ml.Mechanism(
        "double pendulum",
        planar=True,
        bodies=[ml.ground(O=(0, 0)), ml.rod("inner", length=0.5, mass=1.0), outer],
        joints=[ml.Revolute("O", "ground.O", "inner.a"), ml.Revolute("P", "inner.b", "outer.a")],
    )


def test_a_heavy_pendulum_is_regular():
    assert ml.analyse(pendulum(1.0)).massless.rule == "regular"


def test_a_joint_that_moves_no_mass_is_named():
    massless = ml.analyse(pendulum(0.0)).massless
    assert massless.rule == "undetermined"
    assert massless.undetermined == ("P",)
    assert massless.thin == ("P",)


def without_mass(name, *bodies):
    """A mechanism of the zoo with some links made massless."""
    mechanism = ZOO[name].build()
    light = [
        ml.Body(body.name, markers=body.markers) if body.name in bodies else body for body in mechanism.bodies
    ]
    return mechanism.replace(bodies=light)


def test_a_massless_coupler_is_put_where_it_carries_something():
    """At the end of a branch it would carry no mass; so the loop is cut at the rocker's pivot."""
    plan = ml.analyse(without_mass("four-bar", "coupler"))
    assert plan.massless.rule == "regular"
    assert plan.cuts == ("D",)


def test_a_tree_that_the_user_wants_is_kept_and_its_inertia_stiffened():
    plan = ml.analyse(without_mass("four-bar", "coupler"), cuts=["C"])
    assert plan.cuts == ("C",)
    assert plan.massless.rule == "stiffened"
    assert plan.massless.thin == ("B",)
    assert plan.massless.undetermined == ()


def test_nothing_that_moves_has_mass():
    massless = ml.analyse(without_mass("four-bar", "crank", "coupler", "rocker")).massless
    assert massless.rule == "undetermined"


@pytest.mark.parametrize("name", [name for name, entry in ZOO.items() if not entry.massless])
def test_the_zoo_is_regular(name):
    assert ml.analyse(ZOO[name].build()).massless.undetermined == ()


@pytest.mark.parametrize("mass", [1.0, 1e6, 1e12])
def test_rotation_of_a_small_ball_is_determined_however_great_its_mass_is(mass):
    """Its rotation is compared with rotations, not with a translation over some length; at rest it follows from g and
    J."""
    ball = free_body(
        ml.Body("ball", mass=mass, inertia=(0.01, 0.01, 0.01)),
        "ball",
        joint="F",
        loads=[ml.Torque("spin", "ball", (0.0, 0.0, 0.02))],
    )
    place = {"F": (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)}
    assert ml.analyse(ball, start=place).massless.rule == "regular"
    result = ml.forward(ball, place)
    expected = [0.0, 0.0, -9.81, 0.0, 0.0, 2.0]
    assert result["F"].acceleration[0] == pytest.approx(expected, abs=1e-12)
