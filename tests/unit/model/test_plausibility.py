"""Numbers in wrong units are reported by `explain` and `check`; those of published mechanisms are not."""

from math import pi

import numpy as np
import pytest
from laws.cams import program, rise, sliding
from typer.testing import CliRunner
from zoo import ZOO
from zoo.four_bars import four_bar
from zoo.plain import clamped_body

import multiloop as ml
from multiloop.cli.application import application
from multiloop.model import implausible_numbers


def text_of(found):
    return "\n".join(f"{warning}." for warning in found)


def test_a_four_bar_in_millimetres(texts):
    found = implausible_numbers(four_bar(size=1000))
    links = [("W02", name) for name in ("crank", "coupler", "rocker")]
    assert [(one.code, one.place) for one in found] == [*links, ("W07", "A")]
    assert (found[0].value, found[0].unit) == (pytest.approx(300.0), "m")
    assert (found[-1].value, found[-1].unit) == (pytest.approx(1413.6, abs=1.0), "m/s")
    assert ml.analyse(four_bar(size=1000)).warnings == found
    texts(text_of(found), "'crank'", "300 m")
    texts(ml.analyse(four_bar(size=1000)).explain(), "'crank'", "300 m")


@pytest.mark.parametrize(
    ("given", "code", "number"),
    [
        ({"speed": 3000}, "W07", "900 m/s"),
        ({"size": 100}, "W03", "1.9 mm thick"),
        ({"mass": 2000}, "W04", "1.4e+05 kg/m³"),
        ({"size": 1e-3}, "W04", "5.6e+09 kg/m³"),
    ],
)
def test_other_slips_are_named_with_their_number(given, code, number):
    found = implausible_numbers(four_bar(**given))
    assert any(warning.code == code and number in warning.text for warning in found), found


@pytest.mark.parametrize("scale", [0.01, 0.1, 1.0, 10.0])
def test_similar_machines_of_real_sizes_are_plausible(scale):
    assert implausible_numbers(four_bar(scale, mass=scale**3)) == ()


def test_known_machines_are_plausible():
    """All test models and all mechanisms of the gallery."""
    known = {name: entry.build() for name, entry in ZOO.items()}
    known |= {name: getattr(ml.examples, name)() for name in ml.examples.names()}
    assert {name: said for name, m in known.items() if (said := implausible_numbers(m))} == {}


def cantilever(E: float = 210e9, density: float = 7850.0, gravity: float = 9.81) -> ml.Mechanism:
    section = ml.rectangle(0.02, 0.006)
    return clamped_body(
        ml.beam("arm", length=0.9, E=E, density=density, section=section), gravity=(0, -gravity)
    )


@pytest.mark.parametrize(
    ("E", "density", "number"),
    [
        (210, 7850.0, "E = 210 Pa"),  # in GPa
        (210e3, 7850.0, "E = 2.1e+05 Pa"),  # in MPa, or N/mm²
        (70e3, 2700.0, "E = 7e+04 Pa"),
        (2800, 1150.0, "E = 2800 Pa"),
        (210e15, 7850.0, "E = 2.1e+17 Pa"),
        (210e9, 7.85, "163.6 km/s"),  # g/cm³
        (210e9, 7.85e-6, "1.636e+05 km/s"),  # kg/mm³
    ],
)
def test_a_modulus_in_other_units_is_named(E, density, number, texts):
    found = implausible_numbers(cantilever(E=E, density=density))
    assert (found[0].code, found[0].place) == ("W06" if "km/s" in number else "W05", "arm")
    texts(text_of(found), "'arm'", number)


@pytest.mark.parametrize(
    ("E", "density"),
    [
        (210e9, 7850.0),
        (1.2e12, 3500.0),
        (10e9, 500.0),
        (1e6, 1100.0),
        (2e5, 970.0),
        (2e4, 30.0),
        (900e9, 2200.0),
    ],
)
def test_materials_from_foam_to_diamond_are_plausible(E, density):
    """Steel, diamond, wood, rubber, soft silicone, foam, pitch carbon fibre."""
    assert implausible_numbers(cantilever(E=E, density=density)) == ()


def test_a_solid_is_judged_as_a_beam_is(texts):
    pytest.importorskip("skfem")
    from dataclasses import replace

    crank = ml.examples.bell_crank().body("crank")
    assert crank.E == 210e9
    said = implausible_numbers(ml.examples.bell_crank().with_body(replace(crank, E=210.0)))
    assert [(one.code, one.place, one.value) for one in said] == [("W05", "crank", 210.0)]
    texts(text_of(said), "'crank'", "E = 210 Pa")


@pytest.mark.parametrize("gravity", [9810.0, 9.81e6, 386.1 * 25.4])
def test_gravity_in_millimetres_is_named(gravity, texts):
    said = implausible_numbers(cantilever(gravity=gravity))
    (found,) = (one for one in said if one.code == "W01")
    assert (found.value, found.unit) == (pytest.approx(gravity), "m/s²")
    texts(ml.analyse(cantilever(gravity=gravity)).explain(), f"{gravity:.4g} m/s²")


@pytest.mark.parametrize("gravity", [0.0, 1e-5, 1.62, 9.81, 24.8, 98.1])
def test_gravity_of_planets_and_of_centrifuges_is_plausible(gravity):
    assert implausible_numbers(cantilever(gravity=gravity)) == ()


def test_check_warns(tmp_path, texts):
    ml.save(four_bar(size=1000), tmp_path / "large.yaml")
    shown = CliRunner().invoke(application(), ["check", str(tmp_path / "large.yaml")])
    assert shown.exit_code == 0
    texts(shown.stdout, "'crank'", "300 m")


def test_results_warn_of_implausible_values_first(texts):
    result = ml.inverse(four_bar(size=1000), cycle=5)
    texts.warnings(result, ("W02", "crank", "300 m"), ("W02", "coupler"), ("W02", "rocker"), ("W07", "A"))
    assert "'crank'" in repr(result)
    soft = ml.simulate(cantilever(E=210), until=0.001)
    texts.warnings(soft, ("W05", "arm", "E = 210 Pa"), ("W82", "arm"))
    assert (soft.warnings[0].code, soft.warnings[0].place) == ("W05", "arm")


@pytest.mark.parametrize(
    ("changes", "number", "code", "place"),
    [
        ({"inertia": 7500.0}, "86.6 m", "W09", "crank"),  # in kg mm²
        ({"com": 150.0}, "149.7 m", "W08", "crank"),  # in mm
        ({"coefficient": 10.0}, "is 10;", "W10", "wear"),  # in per cent
        ({"radius": 20.0}, "radius of 20 m", "W11", "wear"),  # in mm
        ({"start": 60.0}, "60 rad", "W12", "A"),  # in degrees
        ({"start": -47.3}, "-47.3 rad", "W12", "A"),
    ],
)
def test_implausible_inertia_friction_and_starts_are_named(changes, number, code, place, texts):
    rod = {"length": 0.3, "mass": 1.0} | {k: v for k, v in changes.items() if k in ("inertia", "com")}
    law = ml.motion_laws.constant_speed(4.7, start=changes.get("start", 0.0))
    friction = {"coefficient": 0.1, "radius": 0.02}
    friction |= {k: v for k, v in changes.items() if k in friction}
    found = implausible_numbers(
        four_bar().replace(
            bodies=[b for b in four_bar().bodies if b.name != "crank"] + [ml.rod("crank", **rod)],
            drives=[ml.Motion("A", law)],
            loads=[ml.Friction("wear", "A", **friction)],
        )
    )
    assert [(one.code, one.place) for one in found] == [(code, place)]
    texts(text_of(found), number)


def test_a_mechanism_that_cannot_be_assembled_names_implausible_sizes(texts):
    m = four_bar()
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(m.with_body(ml.rod("crank", length=300.0, mass=1.0)))
    texts.fault(caught.value, "K01", "", "'crank' has a size of 300 m")


def valve(lift, **changes):
    """A roller on a cam with the law `lift`."""
    return sliding("circle", "roller").replace(
        pairs=[
            ml.Cam(
                "valve",
                "cam.origin",
                "follower.tip",
                **({"lift": lift, "base": 0.03, "roller": 0.01} | changes),
            )
        ]
    )


LIFTS_IN_DEGREES = {
    "motion laws": (
        lambda: (
            ml.motion_laws.cycloidal(0, 0.008, duration=80, begin=20)
            - ml.motion_laws.cycloidal(0, 0.008, duration=80, begin=130)
        ),
        "210",
    ),
    "a beginning in degrees": (lambda: rise(20, 21.4, 0.008) - rise(130, 131.4, 0.008), "131.4"),
    "a rise that begins after one turn": (lambda: rise(7, 9, 0.008) - rise(10, 12, 0.008), "0 m"),
}


@pytest.mark.parametrize("mistake", LIFTS_IN_DEGREES)
def test_a_cam_angle_in_degrees_is_named(mistake, texts):
    lift, number = LIFTS_IN_DEGREES[mistake]
    found = implausible_numbers(valve(lift()))
    code = "W15" if number == "0 m" else "W14"
    assert [(one.code, one.place) for one in found] == [(code, "valve")]
    texts(text_of(found), "'valve'", number)


def test_a_pressure_limit_in_degrees_is_named(texts):
    found = implausible_numbers(valve(program(0.005), pressure_limit=30.0))
    assert [(one.code, one.place, one.value) for one in found] == [("W13", "valve", 30.0)]
    texts(text_of(found), "'valve'", "30 rad")


@pytest.mark.parametrize(
    "lift",
    [
        program(0.005),
        program(2e-5),
        0.0,
        0.005 * (1 - ml.expr.cos(ml.cam_angle)),
        ml.table(np.linspace(0, 2 * pi, 5), [0, 0.002, 0.004, 0.002, 0], of=ml.cam_angle, periodic=True),
        ml.table(np.linspace(-pi, pi, 5), [0, 0.002, 0.004, 0.002, 0], of=ml.cam_angle, periodic=True),
    ],
)
def test_cam_laws_in_radians_are_plausible(lift):
    assert implausible_numbers(valve(lift, pressure_limit=ml.deg(60))) == ()


def test_the_coefficient_of_a_contact_is_judged_as_that_of_a_joint_is(texts):
    floor = ml.Mechanism(
        "slipping block",
        planar=True,
        bodies=[
            ml.ground(floor=(0, 0)),
            ml.Body("block", mass=1.0, inertia=1e-3, markers={"foot": (0, -0.05)}),
        ],
        joints=[ml.Free("free", "ground.floor", "block.origin")],
        loads=[ml.Contact("grip", "block.foot", "ground.floor", coefficient=30.0)],
    )
    found = implausible_numbers(floor)
    assert [(one.code, one.place, one.value) for one in found] == [("W10", "grip", 30.0)]
    texts(text_of(found), "'grip'", "is 30;")
