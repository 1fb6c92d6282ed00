"""A strut is equivalent to two bodies and three joints, described in one line."""

import numpy as np
import pytest

import multiloop as ml

BODIES = [ml.ground(A=(0, 0), foot=(0.4, -0.5)), ml.rod("lid", length=1.2, mass=60.0, markers={"head": 0.7})]
DRIVE = ml.Motion("cylinder", ml.motion_laws.cycloidal(0.60, 0.78, duration=2.0))
HINGE = ml.Revolute("A", "ground.A", "lid.a")
TIMES = np.linspace(0.0, 2.0, 21)


def lid(**changes):
    given = {"length": (0.55, 0.8), "mass": (4.0, 2.0), "bore": 0.04, "shaft": 0.02} | changes
    joints = [HINGE, ml.Strut("cylinder", "ground.foot", "lid.head", **given)]
    return ml.Mechanism("lid", planar=True, bodies=BODIES, joints=joints, drives=[DRIVE], guess={"A": 0.0})


def spelt_out():
    """The same with a barrel and a rod that slides in it."""
    barrel = ml.rod("barrel", length=0.55, mass=4.0)
    rod = ml.Body("rod", mass=2.0, com=(-0.275, 0), inertia=2.0 * 0.55**2 / 12, markers={"b": (0, 0)})
    joints = [
        HINGE,
        ml.Revolute("foot", "ground.foot", "barrel.a"),
        ml.Prismatic("cylinder", "barrel.a", "rod.b"),
        ml.Revolute("head", "rod.b", "lid.head"),
    ]
    guess = {"A": 0.0, "foot": 1.0}
    return ml.Mechanism(
        "lid", planar=True, bodies=[*BODIES, barrel, rod], joints=joints, drives=[DRIVE], guess=guess
    )


def test_it_is_what_it_stands_for():
    one, other = ml.inverse(lid(), t=TIMES), ml.inverse(spelt_out(), t=TIMES)
    assert one["cylinder"].effort == pytest.approx(other["cylinder"].effort, rel=1e-12)
    assert one["cylinder/foot"].load == pytest.approx(other["foot"].load, rel=1e-12)
    assert one["cylinder/head"].force == pytest.approx(other["head"].force, rel=1e-10)
    assert one.status == "ok"


def test_its_coordinate_is_its_length():
    loads = ml.inverse(lid(), t=TIMES)
    span = np.linalg.norm(loads.marker("lid.head") - np.array([0.4, -0.5]), axis=1)
    assert loads["cylinder"].position == pytest.approx(span, rel=1e-14)


def test_pressure_and_flow_are_those_of_the_side_that_works():
    strut = ml.inverse(lid(), t=TIMES)["cylinder"]
    bore, ring = np.pi * 0.04**2 / 4, np.pi * (0.04**2 - 0.02**2) / 4
    assert strut.effort.min() > 0
    assert strut.pressure == pytest.approx(strut.effort / bore, rel=1e-14)
    assert strut.flow == pytest.approx(strut.rate * bore, rel=1e-14)
    drawn_in = ml.Motion("cylinder", ml.motion_laws.cycloidal(0.78, 0.60, duration=2.0))
    upside_down = lid().replace(drives=[drawn_in], gravity=(0, 9.81))
    strut = ml.inverse(upside_down, t=TIMES)["cylinder"]
    assert strut.effort.max() < 0
    assert strut.pressure == pytest.approx(-strut.effort / ring, rel=1e-14)
    assert strut.flow == pytest.approx(-strut.rate * ring, rel=1e-14)


def test_without_a_bore_there_is_no_pressure(texts):
    strut = ml.inverse(lid(bore=None, shaft=0.0), t=0.5)["cylinder"]
    with pytest.raises(AttributeError) as caught:
        _ = strut.pressure
    texts(caught.value, "'cylinder'")


def test_a_stroke_that_is_too_short_is_reported(texts):
    loads = ml.inverse(lid(length=(0.62, 0.7)), t=TIMES)
    texts(loads.status, "'cylinder'", "0.78 m", "0.7 m", "0.6 m", "0.62 m")


def test_a_massless_strut_can_be_released():
    run = ml.simulate(lid(mass=0.0).without_drives(), start={"A": 0.3}, until=0.2)
    light = ml.Mechanism("light", planar=True, bodies=BODIES, joints=[HINGE])
    alone = ml.simulate(light, start={"A": 0.3}, until=0.2)
    assert run["A"].position == pytest.approx(alone["A"].position, abs=1e-9)


def test_it_takes_parameters_and_goes_into_text():
    strut = lid(length=(ml.Parameter("short", 0.55), 0.8), bore=ml.Parameter("D", 0.04), shaft=0.01)
    assert ml.from_text(ml.to_text(strut)) == strut
    half = ml.inverse(strut, t=0.5, parameters={"D": 0.02})["cylinder"].pressure
    assert half == pytest.approx(4 * ml.inverse(strut, t=0.5)["cylinder"].pressure, rel=1e-12)


def test_legs_of_a_hexapod_are_struts():
    angles = np.radians([-10, 10, 110, 130, 230, 250]), np.radians([-50, 50, 70, 170, 190, 290])
    feet, heads = (
        [(r * np.cos(a), r * np.sin(a), 0.0) for a in way] for r, way in zip((0.5, 0.3), angles, strict=True)
    )
    seats = {f"f{k}": ml.marker(foot, z=(1, 0, 0), x=(0, 1, 0)) for k, foot in enumerate(feet)}
    platform = ml.Body(
        "platform", 80.0, inertia=(2.0, 2.2, 3.6), markers={f"h{k}": h for k, h in enumerate(heads)}
    )
    still = ml.Motion("platform.origin", x=0.0, y=0.0, z=0.62, orientation=((0, 1, 0), 0.0))
    hexapod = ml.Mechanism(
        "hexapod",
        bodies=[ml.ground(seats), platform],
        joints=[ml.Strut(f"P{k}", f"ground.f{k}", f"platform.h{k}", length=(0.4, 0.8)) for k in range(6)],
        drives=[still],
        actuators=[ml.Actuator(f"P{k}") for k in range(6)],
    )
    loads = ml.inverse(hexapod, t=0.0)
    ways = np.add(heads, (0, 0, 0.62)) - feet
    lengths = np.linalg.norm(ways, axis=1)
    assert [loads[f"P{k}"].position[0] for k in range(6)] == pytest.approx(lengths, rel=1e-12)
    lines = ways / lengths[:, None]
    balance = np.vstack([lines.T, np.cross(heads, lines).T])
    pushes = np.linalg.solve(balance, [0, 0, 80 * 9.81, 0, 0, 0])
    assert [loads[f"P{k}"].effort[0] for k in range(6)] == pytest.approx(pushes, rel=1e-10)
    assert loads.status == "ok"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"length": (0.8, 0.5)}, ("[M13]", "'cylinder'", "(0.8, 0.5)")),
        ({"length": "long"}, ("[M13]", "'long'")),
        ({"mass": (1, 2, 3)}, ("[M03]", "'cylinder'", "(1.0, 2.0, 3.0)")),
        ({"mass": []}, ("[M03]",)),
        ({"mass": -1.0}, ("[M03]", "-1.0")),
        ({"shaft": 0.04}, ("[M13]", "'cylinder'", "0.04")),
    ],
)
def test_numbers_that_cannot_be_are_refused(changes, expected, texts):
    with pytest.raises(ml.ModelError) as caught:
        lid(**changes)
    texts(caught.value, *expected)


def test_a_drawing_names_it_once():
    from multiloop.view import draw_mechanism

    words = [text.get_text() for text in draw_mechanism(lid()).axes[0].texts]
    assert words.count("cylinder") == 1
    assert not any("/" in word for word in words)
