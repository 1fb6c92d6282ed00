"""Messages for users of other programs, and for frequent confusions."""

import math
from dataclasses import replace

import numpy as np
import pytest
from zoo import ZOO

import multiloop as ml

LAST_DIGITS = (r"(?<=\.\d{5})\d+",)
"""Digits of computed positions that round-off may decide."""


def refused(ask, *words, **named):
    with pytest.raises(ml.MultiloopError) as caught:
        ask(*words, **named)
    return caught.value


@pytest.fixture
def four_bar():
    return ZOO["four-bar"].build().without_drives()


# drives that block, values out of reach -----------------------------------------------------------------


def five_bar(first, second):
    """Cranks 0.25 m, rods 0.3 m on a base of 0.3 m."""
    lengths = {"left crank": 0.25, "left rod": 0.3, "right crank": 0.25, "right rod": 0.3}
    return ml.Mechanism(
        "five-bar",
        planar=True,
        bodies=[ml.ground(A=0.0, E=0.3), *(ml.rod(name, length=L, mass=0.5) for name, L in lengths.items())],
        joints=[
            ml.Revolute("A", "ground.A", "left crank.a"),
            ml.Revolute("B", "left crank.b", "left rod.a"),
            ml.Revolute("C", "left rod.b", "right rod.b"),
            ml.Revolute("D", "right crank.b", "right rod.a"),
            ml.Revolute("E", "ground.E", "right crank.a"),
        ],
        drives=[ml.Motion("A", first), ml.Motion("E", second)],
        guess={"left rod.b": (0.15, 0.4)},
    )


@pytest.mark.parametrize(
    ("first", "second", "jams"),
    [
        (2.0, ml.motion_laws.constant_speed(-1.0, start=1.2), "E"),
        (ml.motion_laws.constant_speed(0.02, start=2.0), ml.motion_laws.constant_speed(-1.0, start=1.2), "E"),
        (ml.motion_laws.constant_speed(1.0, start=2.0), ml.motion_laws.constant_speed(-0.02, start=1.2), "A"),
    ],
)
def test_the_drive_that_jams_is_named(first, second, jams, texts):
    """The rods become collinear; the named drive is the one that moves."""
    error = refused(ml.inverse, five_bar(first, second), t=np.linspace(0.0, 1.0, 21))
    texts.fault(error, "K06", f"drive of '{jams}'", hide=[*LAST_DIGITS, r"(?<=joint ')\w"])
    ends = 0.25 * np.exp(1j * np.array([error.best["A"][0], error.best["E"][0]])) + [0.0, 0.3]
    assert abs(ends[1] - ends[0]) == pytest.approx(0.6, abs=1e-6)


def test_a_dead_point_lists_what_every_drive_prescribes(texts):
    """A marker has two numbers, the law of a relation is a function of time: each is listed by its own name."""
    steady = ml.motion_laws.constant_speed(-1.0, start=1.2)
    error = refused(ml.inverse, five_bar(2.0, steady), t=np.linspace(0.0, 1.0, 21))
    texts.fault(error, "K06", "A = 2 rad, E = 0.694055375 rad", "t = 0.505945 s", hide=[r"(?<=joint ')\w"])
    arm = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), *(ml.rod(name, length=0.3, mass=1.0) for name in ("upper", "lower"))],
        joints=[ml.Revolute("A", "ground.origin", "upper.a"), ml.Revolute("B", "upper.b", "lower.a")],
        drives=[ml.Motion("lower.b", x=ml.motion_laws.constant_speed(1.0, start=0.2), y=0.1)],
        actuators=[ml.Actuator("A"), ml.Actuator("B")],
        guess={"B": 1.0},
    )
    error = refused(ml.inverse, arm, t=np.linspace(0.0, 1.0, 21))
    texts.fault(
        error, "K06", "drive of 'lower.b'", "lower.b = (0.59160", hide=[*LAST_DIGITS, r"(?<=joint ')\w"]
    )


def test_several_values_have_their_names(four_bar, texts):
    """In the order of the components of a Motion, or of the argument."""
    texts.fault(
        refused(ml.assemble, four_bar, {"coupler": (3.0, 0.7, 0.3)}),
        "K01",
        "'coupler.origin'",
        "3",
        "0.7",
        "0.3",
        "2.71 m",
    )
    moved = four_bar.replace(drives=[ml.Motion("coupler.b", angle=0.3, x=3.0, y=0.7)])
    texts.fault(refused(ml.assemble, moved), "K01", "(angle 0.3 rad, x 3 m, y 0.7 m)")


# guesses ----------------------------------------------------------------------------------------------


def test_a_guess_in_degrees(four_bar, texts):
    told = ("guess 'D'", "110 rad", "17.5")
    texts.fault(refused(ml.assemble, four_bar, {"A": 1.0}, guess={"D": 110}), "K08", *told)
    texts.fault(refused(four_bar.replace, guess={"D": 110}), "M11", *told)
    texts.fault(
        refused(ml.assemble, four_bar, {"A": 1.0}, guess={"rocker": (1.0, 0.0, 110)}),
        "K08",
        "guess 'rocker'",
        "110 rad",
    )


@pytest.mark.parametrize(
    "guess", [{"D": 1.9}, {"D": 1.9 + 34 * math.pi}, {"D": 12}, {"coupler.b": (110, 90)}]
)
def test_a_guess_in_radians_may_count_turns(four_bar, guess):
    """For example the State of a crank after several turns; lengths may have any value."""
    assert ml.assemble(four_bar, {"A": 1.0}, guess=guess).gap < 1e-9


def test_the_turns_of_a_screw_are_many():
    jack = ml.Mechanism(
        "jack",
        bodies=[ml.ground(), ml.Body("nut", mass=1.0, inertia=(1, 1, 1))],
        joints=[ml.Helical("thread", "ground.origin", "nut.origin", pitch=0.004)],
        guess={"thread": 110},
    )
    assert ml.assemble(jack, {"thread": 110})["thread"].position == 110


def test_elastic_coordinates_of_a_rigid_body(four_bar, texts):
    texts.fault(
        refused(ml.assemble, four_bar, {"A": 1.0, "crank.eta": (0.1,)}), "K07", "start 'crank.eta'", "'crank'"
    )


def test_deflection_of_a_rigid_body_is_refused(four_bar, texts):
    run = ml.forward(four_bar, {"A": 1.0})
    texts.fault(refused(run.link, "crank"), "R01", "'crank'")
    texts.fault(refused(run.link, "crnk"), "R01", "'crnk'")


# confusions --------------------------------------------------------------------------------


def test_a_function_of_another_module(texts):
    for function in (math.sin, math.exp, float):
        with pytest.raises(TypeError) as caught:
            function(2 * ml.time)
        texts(caught.value, "`2 * time`", "ml.expr.sin(...)")


def test_a_torque_at_a_marker(four_bar, texts):
    texts.fault(
        refused(four_bar.replace, loads=[ml.Torque("brake", "crank.a", -5.0)]),
        "M12",
        "load 'brake'",
        "'crank.a'",
    )


def test_the_length_of_an_object_without_one(four_bar, texts):
    reads = ml.Torque("brake", "crank", ml.length("nospring"))
    texts.fault(
        refused(four_bar.replace, loads=[reads]), "D07", "load 'brake'", '`length("nospring")`', "'nospring'"
    )
    spring = ml.Spring("return", "crank.b", "ground.D", stiffness=10.0, length=0.1)
    itself = ml.Torque("brake", "crank", ml.length("brake"))
    texts.fault(refused(four_bar.replace, loads=[spring, itself]), "D07", "load 'brake'", '`length("brake")`')


def test_a_relation_among_the_joints(four_bar, texts):
    gear = ml.Relation("gear", ml.position("A") - 3 * ml.position("D"))
    texts.fault(
        refused(four_bar.replace, joints=[*four_bar.joints, gear]), "M12", "joints, entry 5", "'gear'"
    )


def test_a_wheel_and_its_road_swapped(texts):
    texts.fault(
        refused(
            ml.Mechanism,
            "wheel",
            planar=True,
            bodies=[ml.ground(road=(0, 0)), ml.Body("wheel", mass=1.0, inertia=0.1)],
            pairs=[ml.Rolling("contact", "ground.road", "wheel.origin", radius=0.3)],
        ),
        "P05",
        "pair 'contact'",
        "'ground.road'",
    )


@pytest.mark.parametrize(
    ("kind", "meant"),
    [
        ("Hinge", "Revolute"),
        ("Pin joint", "Revolute"),
        ("slider", "Prismatic"),
        ("Ball", "Spherical"),
        ("BallJoint", "Spherical"),
        ("weld", "Fixed"),
        ("Cardan", "Universal"),
        ("Screw", "Helical"),
        ("Floating", "Free"),
        ("SpurGear", "Gear"),
        ("motor", "Actuator"),
        ("Damper", "Spring"),
        ("bar", "Body"),
        ("Revolut", "Revolute"),
        ("prismatic_joint", "Prismatic"),
    ],
)
def test_other_names_of_the_same_kind(kind, meant, texts):
    fault = texts.fault(refused(ml.from_data, {"kind": kind, "name": "A"}), "M90", f"'{kind}'")
    assert f"'{meant}'" in fault.remedy


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("Hinge", "'Revolute'"),
        ("Slider", "'Prismatic'"),
        ("simulat", "'simulate'"),
        ("sin", "multiloop.expr.sin"),
    ],
)
def test_other_names_in_python(name, advice, texts):
    with pytest.raises(AttributeError) as caught:
        getattr(ml, name)
    texts(caught.value, f"'{name}'", advice)


# several faults of one file ---------------------------------------------------------------------------

FILE = """\
kind: Mechanism
name: four-bar
planar: true
bodies:
- {kind: Body, name: ground, markers: {A: [0, 0], D: [1.0, 0]}}
- {kind: Body, name: crank, mass: 1.0, com: [0.15, 0], inertia: 0.01, markers: {a: [0, 0], b: [0.3, 0]}}
- {kind: Body, name: coupler, mass: 2 kgg, com: [0.45, 0], inertia: 0.1, markers: {a: [0, 0], b: [0.9, 0]}}
- {kind: Body, name: rocker, mass: 1.5, com: [0.4, 0], inertia: 0.1, markers: {a: [0, 0], b: [0.8, 0]}}
joints:
- {kind: Revolute, name: A, first: ground.A, second: crnk.a}
- {kind: Revolute, name: B, first: crank.b, second: coupler.a}
- {kind: Hinge, name: C, first: coupler.b, second: rocker.b}
- {kind: Revolute, name: D, first: ground.D, second: rocker.q}
drives:
- {kind: Motion, of: A, profile: constant_speed(4.7)}
- {kind: Motion, of: C, profile: constant_speed(4.7)}
"""


def test_all_faults_of_a_file_at_once(tmp_path, texts):
    """An object with an invalid form causes no further errors, nor do its uses: C may be a joint once it has a kind."""
    path = tmp_path / "four-bar.yaml"
    path.write_text(FILE)
    texts.faults(
        refused(ml.load, path),
        ("M91", "line 7, Body 'coupler'"),
        ("M90", "line 12, kind 'Hinge'"),
        ("T02", "line 10, joint 'A'"),
        ("T03", "line 13, joint 'D'"),
    )


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        ({"joints": 5}, ["M91", "M12"]),
        ({"joints": [5], "bodies": [{"kind": "Body", "mass": 1.0}]}, ["M91", "M91", "M90"]),
        ({"gravity": ["x y", 0, 0], "name": "m"}, ["M91"]),
        ({"name": "m", "colour": "red"}, ["M91"]),
        ({"name": "m", "bodies": [{"kind": "Body", "name": ["x"]}]}, ["M91"]),
    ],
)
def test_descriptions_with_little_in_them(data, codes):
    found = [fault.code for fault in refused(ml.from_data, {"kind": "Mechanism", **data}).faults]
    assert sorted(set(found)) == sorted(set(codes)), found


# explain ----------------------------------------------------------------------------------------------


def test_a_slender_rod_on_two_balls_has_forward_dynamics(texts):
    """Without spin the missing inertia about its own line has no effect."""
    plain = ZOO["RSSR"].build().without_drives()
    bodies = [
        replace(body, inertia=(0.0, *body.inertia[1:])) if body.name == "coupler" else body
        for body in plain.bodies
    ]
    slender = plain.replace(bodies=bodies)
    texts(ml.analyse(slender).explain(), "'coupler'", "B and C")
    found = [ml.forward(each, {"A": 0.3}, rates={"A": 2.0}) for each in (slender, plain)]
    assert found[0]["A"].acceleration == pytest.approx(found[1]["A"].acceleration, rel=1e-9)


def test_a_motion_that_no_mass_decides_is_still_named(texts):
    crank = ml.Mechanism(
        "crank",
        planar=True,
        bodies=[ml.ground(), ml.Body("crank", markers={"a": 0.0})],
        joints=[ml.Revolute("A", "ground.origin", "crank.a")],
    )
    texts(ml.analyse(crank).explain(), " at A")


# tables and designs -----------------------------------------------------------------------------------


def test_round_off_is_shown_as_nothing(texts):
    """The reaction at a massless tip at the end of an arm is zero, or round-off."""
    arm = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), ml.rod("arm", length=1.0, mass=20.0), ml.Body("tip")],
        joints=[ml.Revolute("A", "ground.origin", "arm.a"), ml.Fixed("tip joint", "arm.b", "tip.origin")],
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0))],
    )
    found = ml.inverse(arm, cycle=7)
    tip = found.joints["tip joint"]
    noise = {"force": np.full_like(tip.force, 1.6e-10), "load": np.full_like(tip.load, 2.3e-10)}
    noisy = replace(tip, values={**tip.values, **noise})
    texts(repr(noisy), "'tip joint'", " 0 N")
    rows = replace(found, joints={**found.joints, "tip joint": noisy}).extremes()
    assert rows[-1].joint == "tip joint"
    assert (rows[-1].value, rows[-1].time) == (0.0, 0.0)
    texts(rows, "tip joint", " 0 N ")
    assert rows[0].value == pytest.approx(98.1)


def test_a_failed_design_states_the_reason(texts):
    length = ml.Parameter("length", 0.9)
    four_bar = ZOO["four-bar"].build()
    bodies = [
        ml.rod("coupler", length=length, mass=2.0) if b.name == "coupler" else b for b in four_bar.bodies
    ]
    designs = ml.batch(four_bar.replace(bodies=bodies), {"length": [0.9, 0.05]}, cycle=5)
    assert (designs.status[0], designs.reason(0)) == ("ok", "ok")
    texts(designs.status[1])
    texts(designs.reason(1), "`inverse`", "'four-bar'", "[K01] joint '")


# similar arguments ---------------------------------------------------------------------


def test_a_number_without_a_name_is_reported_with_the_names(four_bar, texts):
    with pytest.raises(TypeError) as caught:
        ml.inverse(four_bar, 361)
    texts(caught.value, "inverse()", "361", "parameters=, t=, cycle=, turns=, guess=, start=")


def test_an_unknown_panel_is_reported(texts):
    result = ml.inverse(ZOO["four-bar"].build(), cycle=5)
    texts.fault(refused(result.plot, show="hodograf"), "R01", "'hodograf'")


@pytest.mark.parametrize("traces", ["rocker.b", ["rocker.b"]])
def test_a_drawing_does_not_know_where_a_marker_goes(traces, texts):
    texts.fault(refused(ZOO["four-bar"].build().draw, traces=traces), "V03", "traces", "'rocker.b'")


def test_a_pin_of_several_joints(texts):
    result = ml.inverse(ZOO["scraper-C"].build(), t=0.0)
    texts.fault(refused(lambda: result["Q"]), "R01", "joint 'Q'")


def test_inverse_dynamics_of_an_undriven_mechanism(four_bar, texts):
    texts.fault(refused(ml.inverse, four_bar, t=0.0), "S01", "1", "0")


def test_the_plan_of_an_undriven_mechanism(four_bar, texts):
    texts(ml.analyse(four_bar).explain())


def test_round_off_is_no_shaking_force_nor_moment(texts):
    """Three rotors on one axis, a third of a turn apart, balance each other."""
    thirds = [2 * math.pi * k / 3 for k in range(3)]
    places = [(0.1 * math.cos(turn), 0.1 * math.sin(turn)) for turn in thirds]
    mechanism = ml.Mechanism(
        "balanced rotors",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(O=(0.3, 0.7)),
            *(ml.Body(f"rotor {k}", mass=2.0, com=place, inertia=0.1) for k, place in enumerate(places)),
        ],
        joints=[ml.Revolute(f"axis {k}", "ground.O", f"rotor {k}.origin") for k in range(3)],
        drives=[ml.Motion(f"axis {k}", ml.motion_laws.constant_speed(30.0, start=0.2)) for k in range(3)],
    )
    result = ml.inverse(mechanism, cycle=37)
    assert np.abs(result.shaking_moment).max() > 0.0
    texts(result.summary(), " 0 N,", " 0 N m.", hide=[r"180 N .*"])
