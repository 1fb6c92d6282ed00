"""Mean pressure and PV value of pins, Hertz pressure of gears and cams, against closed forms."""

from __future__ import annotations

from math import atan, cos, pi, radians, sin, sqrt, tan

import numpy as np
import pytest
from zoo.four_bars import four_bar

import multiloop as ml
from multiloop.view.film.film_curves import film_panels

STEEL = 2.06e11


@pytest.fixture(scope="module")
def pinned():
    """A four-bar whose joint C has a pin of 10 mm diameter and 12 mm width."""
    plain = four_bar()
    joints = [
        ml.Revolute(one.name, one.first, one.second, diameter=0.010, width=0.012) if one.name == "C" else one
        for one in plain.joints
    ]
    return plain.replace(joints=joints)


def test_pressure_and_pv_of_a_pin(pinned):
    result = ml.inverse(pinned, cycle=13)
    pressure = result["C"].load / (0.010 * 0.012)
    speed = np.abs(result["C"].rate) * 0.005
    assert result.output("C.mean_pressure") == pytest.approx(pressure, rel=1e-12)
    assert result.output("C.sliding_speed") == pytest.approx(speed, rel=1e-12)
    assert result.output("C.pressure_velocity") == pytest.approx(pressure * speed, rel=1e-12)
    assert result.dataset["mean_pressure C"].attrs["units"] == "Pa"
    assert "C.mean_pressure [Pa]" in result.to_table().columns
    assert len(result.plot(show=["C.mean_pressure", "C.pressure_velocity"]).axes) == 2


def test_the_pressure_in_space_is_that_across_the_axis():
    """A spinning plate that hangs on a bearing with an inclined axis: the force along the axis is no pin pressure."""
    tilt = 0.3
    plate = ml.Mechanism(
        "plate",
        bodies=[
            ml.ground(O=ml.marker((0, 0, 0), z=(sin(tilt), 0, cos(tilt)))),
            ml.Body("plate", mass=2.0, inertia=(0.1, 0.1, 0.2)),
        ],
        joints=[ml.Revolute("O", "ground.O", "plate.origin", diameter=0.02, width=0.05)],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(3.0))],
    )
    result = ml.inverse(plate, t=[0.0])
    weight = 2.0 * np.linalg.norm(plate.gravity)
    assert result["O"].load == pytest.approx(weight, rel=1e-12)
    assert result.output("O.mean_pressure") == pytest.approx(weight * sin(tilt) / (0.02 * 0.05), rel=1e-12)
    assert result.output("O.sliding_speed") == pytest.approx(0.03, rel=1e-12)


def test_dimensions_are_numbers_parameters_and_saved(pinned, tmp_path):
    numbers = pinned.numbers()
    assert numbers["C.diameter"].value == 0.010
    assert numbers["C.diameter"].unit == "m"
    assert ml.load(ml.save(pinned, tmp_path / "pinned.yaml")) == pinned
    geared = pair_of_gears(E=(STEEL, 1.1e11))
    assert geared.numbers()["mesh.E.second"].unit == "Pa"
    assert ml.load(ml.save(geared, tmp_path / "geared.yaml")) == geared
    wider = pinned.parametrise(["C.width"])
    at = ml.inverse(pinned, t=[0.0]).output("C.mean_pressure")
    half = ml.inverse(wider, t=[0.0], parameters={"C.width": 0.024}).output("C.mean_pressure")
    assert half == pytest.approx(at / 2, rel=1e-12)


def pair_of_gears(**more):
    """Two gears of 20 and 40 teeth at the distance 0.09 m, with a torque of 30 N m on the second."""
    helix = more.get("helix_angle", 0.0)
    distance = 0.003 * 60 / 2 / cos(helix) if not more.get("internal") else 0.003 * 20 / 2
    return ml.Mechanism(
        "gears",
        gravity=(0, 0, 0),
        bodies=[
            ml.ground(A=(0, 0, 0), B=(distance, 0, 0)),
            ml.Body("pinion", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
            ml.Body("wheel", mass=2.0, inertia=(4e-3, 4e-3, 4e-3)),
        ],
        joints=[ml.Revolute("P", "ground.A", "pinion.origin"), ml.Revolute("W", "ground.B", "wheel.origin")],
        pairs=[
            ml.Gear(
                "mesh", "pinion.origin", "wheel.origin", teeth=(20, 40), module=0.003, width=0.025, **more
            )
        ],
        drives=[ml.Motion("P", ml.motion_laws.constant_speed(10.0))],
        loads=[ml.Torque("load", "wheel", (0, 0, 30.0))],
    )


def test_pressure_of_spur_gears_by_the_radii_of_curvature():
    """ISO 6336-2 without factors: σ = Z_H Z_E √(F_t (u + 1) / (d₁ b u)); for 20° and steel Z_H = 2.495 and
    Z_E = 189.8 √MPa."""
    result = ml.inverse(pair_of_gears(E=STEEL), t=[0.0])
    tangential = 30.0 / 0.06
    assert np.abs(result["mesh"].tangential) == pytest.approx(tangential, rel=1e-12)
    curvature = (1 / 0.03 + 1 / 0.06) / sin(radians(20))
    normal = tangential / cos(radians(20))
    modulus = STEEL / 2 / (1 - 0.3**2)
    expected = sqrt(normal * modulus * curvature / (pi * 0.025))
    assert result.output("mesh.hertz_pressure") == pytest.approx(expected, rel=1e-12)
    rounded = 2.495 * 189.8 * sqrt(tangential / (60.0 * 25.0) * 3 / 2) * 1e6
    assert expected == pytest.approx(rounded, rel=5e-4)


def test_pressure_of_helical_and_internal_gears():
    """The zone factor Z_H = √(2 cos β_b / (cos² α_t tan α_t)) of ISO 6336-2; internal gears with u − 1."""
    beta, alpha = radians(25), radians(20)
    helical = ml.inverse(pair_of_gears(E=(STEEL, 1.1e11), nu=(0.3, 0.28), helix_angle=beta), t=[0.0])
    transverse = atan(tan(alpha) / cos(beta))
    base = np.arcsin(sin(beta) * cos(alpha))
    zone = sqrt(2 * cos(base) / (cos(transverse) ** 2 * tan(transverse)))
    modulus = 1 / ((1 - 0.3**2) / STEEL + (1 - 0.28**2) / 1.1e11)
    d1 = 0.06 / cos(beta)
    tangential = 30.0 / d1
    expected = zone * sqrt(modulus / pi) * sqrt(tangential / (d1 * 0.025) * 3 / 2)
    assert helical.output("mesh.hertz_pressure") == pytest.approx(expected, rel=1e-12)
    internal = ml.inverse(pair_of_gears(E=STEEL, internal=True), t=[0.0])
    spur = ml.inverse(pair_of_gears(E=STEEL), t=[0.0])
    ratio = internal.output("mesh.hertz_pressure") / spur.output("mesh.hertz_pressure")
    assert ratio == pytest.approx(sqrt((1 - 1 / 2) / (1 + 1 / 2)), rel=1e-12)


def eccentric(**more):
    """A circular cam of 30 mm radius, 10 mm off its axis, and a follower on a vertical guide with a spring."""
    return ml.Mechanism(
        "eccentric",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0), G=ml.marker((0, 0), angle=pi / 2)),
            ml.Body("shaft", mass=1.0, inertia=1e-3),
            ml.Body("tappet", mass=0.2, inertia=1e-4, markers={"rail": ml.marker((0, 0), angle=pi / 2)}),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "shaft.origin"),
            ml.Prismatic("G", "ground.G", "tappet.rail"),
        ],
        pairs=[
            ml.Cam(
                "cam",
                "shaft.origin",
                "tappet.origin",
                profile=ml.Circle(radius=0.03, centre=(0.01, 0)),
                width=0.015,
                E=STEEL,
                **more,
            )
        ],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(20.0))],
        guess={"G": 0.04},
        loads=[ml.Force("push", "tappet.origin", (0, -200.0))],
    )


@pytest.mark.parametrize("roller", [0.0, 0.008])
def test_pressure_between_a_cam_and_its_follower(roller):
    result = ml.inverse(eccentric(**({"roller": roller} if roller else {})), t=np.linspace(0, 0.3, 7))
    curvature = 1 / 0.03 + (1 / roller if roller else 0.0)
    modulus = STEEL / 2 / (1 - 0.3**2)
    expected = np.sqrt(result["cam"].normal * modulus * curvature / (pi * 0.015))
    assert result["cam"].normal.min() > 0
    assert result.output("cam.hertz_pressure") == pytest.approx(expected, rel=1e-9)


def test_forces_of_cams_and_contacts_are_plotted_and_filmed_by_name():
    """Components and normal force of a cam, and of a contact with friction."""
    cam = ml.inverse(eccentric(roller=0.008), t=np.linspace(0, 0.3, 7))
    names = ["cam.force", "cam.force.y", "cam.normal", "cam.tangential"]
    assert [len(panel.curves) for panel in film_panels(cam, ["cam.force"])] == [2]
    assert film_panels(cam, ["cam.normal"])[0].curves[0].values == pytest.approx(cam["cam"].normal)
    figure = cam.plot(show=names)
    lines = [line for axis in figure.axes for line in axis.get_lines() if len(line.get_xdata()) == 7]
    for values in (*cam["cam"].force.T, cam["cam"].normal):
        assert any(np.allclose(line.get_ydata(), values, atol=1e-9) for line in lines)


@pytest.mark.parametrize(
    "changed",
    [{"E": -1.0}, {"E": (STEEL, 0.0)}, {"E": (STEEL,) * 3}, {"nu": 0.7}, {"E": "steel"}],
    ids=["negative", "zero", "three", "ratio", "text"],
)
def test_invalid_elastic_constants_are_reported(changed, texts):
    with pytest.raises(ml.ModelError) as caught:
        ml.analyse(pair_of_gears(**({"E": STEEL} | changed)))
    texts.fault(caught.value, caught.value.faults[0].code, "mesh")


@pytest.mark.parametrize("changed", [{"diameter": 0.0}, {"width": -0.01}, {"width": "wide"}])
def test_invalid_dimensions_of_pins_are_reported(pinned, changed, texts):
    joints = [
        ml.Revolute(one.name, one.first, one.second, **changed) if one.name == "C" else one
        for one in pinned.joints
    ]
    with pytest.raises(ml.ModelError) as caught:
        ml.analyse(pinned.replace(joints=joints))
    texts.fault(caught.value, caught.value.faults[0].code, "C")


def test_missing_elastic_constants_are_named(texts):
    result = ml.inverse(pair_of_gears(), t=[0.0])
    with pytest.raises(ml.SolveError) as caught:
        result.output("mesh.hertz_pressure")
    texts.fault(caught.value, "R09", "mesh.hertz_pressure")


def test_forces_of_a_contact_are_plotted_and_filmed_by_name():
    """A ball that slides on the floor with the normal force m g and the friction force μ m g."""
    ball = ml.Mechanism(
        "ball",
        planar=True,
        bodies=[ml.ground(), ml.Body("ball", mass=0.2, inertia=8e-5)],
        joints=[ml.Free("pose", "ground.origin", "ball.origin")],
        loads=[ml.Contact("floor", "ball.origin", "ground.origin", radius=0.03, coefficient=0.3)],
    )
    run = ml.simulate(ball, start={"pose": (0, 0.03, 0)}, rates={"pose": (1.0, 0, 0)}, until=0.02, samples=5)
    weight = 0.2 * 9.81
    assert run.output("floor.normal") == pytest.approx(weight, rel=1e-6)
    assert run.output("floor.force") == pytest.approx(np.tile([-0.3 * weight, weight], (5, 1)), rel=1e-6)
    (panel,) = film_panels(run, ["floor.force"])
    assert [curve.values[0] for curve in panel.curves] == pytest.approx([-0.3 * weight, weight], rel=1e-6)
    figure = run.plot(show=["floor.normal", "floor.force.x"])
    shown = [
        line.get_ydata()[0] for axis in figure.axes for line in axis.get_lines() if len(line.get_xdata()) == 5
    ]
    assert sorted(shown) == pytest.approx([-0.3 * weight, weight], rel=1e-6)
