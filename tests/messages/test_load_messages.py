"""Messages for invalid descriptions of loads, and for loads without a value."""

from dataclasses import replace

import pytest
from zoo.four_bars import four_bar
from zoo.rssr import rssr

import multiloop as ml

PARTS = {
    "planar": True,
    "bodies": [
        ml.ground(A=(0, 0), s=(0.5, 1)),
        ml.rod("arm", length=1.0, mass=1.0),
        ml.rod("fore", length=0.6, mass=0.5),
    ],
    "joints": [ml.Revolute("A", "ground.A", "arm.a"), ml.Revolute("E", "arm.b", "fore.a")],
}


def arm(*loads, **changes):
    return ml.Mechanism("arm", loads=loads, **(PARTS | changes))


def spatial(*loads, joint=None):
    joint = joint or ml.Spherical("S", "ground.O", "arm.a")
    bodies = [ml.ground(O=(0, 0, 0)), ml.rod("arm", length=1.0, mass=1.0)]
    return ml.Mechanism("arm", bodies=bodies, joints=[joint], loads=loads)


def spring(**changes):
    return ml.Spring("return", "arm.b", "ground.s", **({"stiffness": 50.0, "length": 0.3} | changes))


MESSAGES = {
    "marker that is not there": (
        lambda: arm(ml.Force("dig", "fore.tip", (0, -5))),
        ("T03", "load 'dig'", "'tip'", "'fore'"),
    ),
    "body that is not there": (
        lambda: arm(ml.Torque("brake", "form", 2.0)),
        ("T02", "load 'brake'", "'form'"),
    ),
    "marker without a name": (lambda: arm(ml.Force("dig", "fore", (0, -5))), ("T03", "load 'dig'", "'fore'")),
    "on the ground alone": (lambda: arm(ml.Force("dig", "ground.s", (0, -5))), ("L01", "load 'dig'")),
    "torque on the ground": (lambda: arm(ml.Torque("brake", "ground", 3.0)), ("L01", "load 'brake'")),
    "joint that is not there": (
        lambda: arm(ml.JointSpring("hinge", "F", stiffness=3.0)),
        ("L01", "load 'hinge'", "'F'"),
    ),
    "joint without a coordinate": (
        lambda: spatial(ml.JointSpring("hinge", "S", stiffness=3.0)),
        ("L01", "load 'hinge'", "'S'"),
    ),
    "coordinate that must be named": (
        lambda: spatial(
            ml.JointSpring("hinge", "S", stiffness=3.0), joint=ml.Cylindrical("S", "ground.O", "arm.a")
        ),
        ("L01", "load 'hinge'", "'S'", "2"),
    ),
    "coordinate that is not there": (
        lambda: arm(ml.JointSpring("hinge", "A", "slide", stiffness=3.0)),
        ("L01", "load 'hinge'", "'A'", "'slide'"),
    ),
    "spring of a body with itself": (
        lambda: arm(ml.Spring("return", "arm.a", "arm.b", stiffness=5.0, length=0.2)),
        ("L02", "load 'return'", "'arm'"),
    ),
    "frame": (
        lambda: arm(ml.Force("dig", "fore.b", (0, -5), frame="world")),
        ("L03", "load 'dig'", "'world'"),
    ),
    "three components in the plane": (
        lambda: arm(ml.Force("dig", "fore.b", (0, -5, 0))),
        ("L04", "load 'dig'", "3"),
    ),
    "a number in space": (lambda: spatial(ml.Torque("twist", "arm", 5.0)), ("L04", "load 'twist'", "1")),
    "stiffness that changes": (
        lambda: arm(spring(stiffness=50 + ml.position("A"))),
        ("L05", "load 'return'", '`50 + position("A")`'),
    ),
    "negative stiffness": (lambda: arm(spring(stiffness=-50.0)), ("L06", "load 'return'", "-50")),
    "negative damping": (
        lambda: arm(ml.JointSpring("hinge", "A", damping=-2.0)),
        ("L06", "load 'hinge'", "-2"),
    ),
    "negative length": (lambda: arm(spring(length=-0.1)), ("L06", "load 'return'", "-0.1")),
    "nothing at all": (lambda: arm(spring(stiffness=0.0)), ("L07", "load 'return'")),
    "no free length": (lambda: arm(spring(length=None)), ("L07", "load 'return'")),
    "force that is no number": (
        lambda: arm(ml.Force("dig", "fore.b", (0, "5 N"))),
        ("M05", "load 'dig'", "'5 N'"),
    ),
    "length of a spring that is not there": (
        lambda: arm(spring(preload=ml.length("retrun"))),
        ("D07", "load 'return'", '`length("retrun")`', "'retrun'"),
    ),
    "joint to read that is not there": (
        lambda: arm(ml.Force("dig", "fore.b", (0, ml.rate("B")))),
        ("D07", "load 'dig'", '`rate("B")`', "'B'"),
    ),
    "name of a joint": (lambda: arm(ml.Force("A", "fore.b", (0, 1))), ("M01", "load 'A'")),
    "name that stands twice": (lambda: arm(spring(), spring()), ("M01", "load 'return'")),
    "not a load": (lambda: arm(ml.Motion("A", 1.0)), ("M12", "loads, entry 1", "'A'")),
    "marker that is no text": (lambda: arm(ml.Force("dig", 3, (0, -5))), ("M12", "load 'dig'", "3")),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_a_mistake_is_reported_with_its_place_and_remedy(mistake, texts):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    texts.fault(caught.value, *text)


def fold():
    """Both ends of the spring coincide when the fore arm is folded back onto the arm."""
    return arm(ml.Spring("tie", "fore.b", "ground.A", preload=5.0), bodies=_folding())


def _folding():
    return [ml.ground(A=(0, 0)), ml.rod("arm", length=1.0, mass=1.0), ml.rod("fore", length=1.0, mass=0.5)]


def test_a_spring_whose_ends_meet_is_named(texts):
    drives = [ml.Motion("A", 0.0 * ml.time), ml.Motion("E", 3.141592653589793 + 0.0 * ml.time)]
    asked = (
        lambda: ml.forward(fold(), {"A": 0.0, "E": 3.141592653589793}),
        lambda: ml.inverse(fold().replace(drives=drives), t=[0.0]),
        lambda: ml.simulate(
            fold(), start={"A": 0.0, "E": 3.141592653589793}, until=0.1, target="interpreter"
        ),
        lambda: ml.simulate(fold(), start={"A": 0.0, "E": 3.141592653589793}, until=0.1),
    )
    for ask in asked:
        with pytest.raises(ml.SolveError) as caught:
            ask()
        texts.fault(caught.value, "S13", "load 'tie'", "t = 0 s")


def test_a_table_that_ends_too_soon_is_named(texts):
    gust = ml.Force("gust", "fore.b", (ml.table([0.0, 1.0], [0.0, 3.0]), 0.0))
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(arm(gust), start={"A": 0.0, "E": 0.0}, until=2.0)
    texts.fault(caught.value, "S03", "load 'gust'", hide=[r"(?<=asked at )[\d.]+"])


def test_an_effort_that_reads_a_spring_that_is_not_there_is_refused(texts):
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(arm(spring()), {"A": 0.0, "E": 0.0}, efforts={"A": ml.length("retrun")})
    texts.fault(caught.value, "S03", "effort at 'A'", "'retrun'")


def test_a_joint_with_a_load_cannot_be_cut(texts):
    four = replace(four_bar(), drives=(), loads=(ml.JointSpring("hinge", "C", stiffness=3.0),))
    with pytest.raises(ml.TopologyError) as caught:
        ml.analyse(four, cuts=["C"])
    texts.fault(caught.value, "T16", "joint 'C'")


def test_a_result_names_its_loads_and_their_outputs(texts):
    result = ml.forward(arm(spring()), {"A": 0.0, "E": 0.0})
    with pytest.raises(ml.UnknownNameError) as unknown:
        result["retrun"]
    texts.fault(unknown.value, "R01", "'retrun'")
    with pytest.raises(AttributeError) as caught:
        _ = result["return"].lenght
    texts(caught.value, "'return'", "'lenght'", "'length'")
    texts(repr(result["return"]), "'return'", "40.9017 N", "1.11803 m", "16.7295 J")


@pytest.mark.parametrize(
    "load",
    [
        ml.Torque("twist", "coupler", (1.0, 2.0, 3.0)),
        ml.Force("push", "coupler.beside", (5.0 * ml.expr.sin(ml.time), 0.0, 1.0)),
    ],
    ids=lambda load: load.name,
)
def test_a_load_that_turns_a_thin_rod_about_itself_is_refused(load, texts):
    """No inertia determines its rotation; with a force on its line it is a rod like any other."""
    thin = rssr(axial=0.0)
    coupler = thin.body("coupler")
    markers = {**dict(coupler.markers), "beside": (0.1, 0.02, 0.0)}
    bodies = [replace(coupler, markers=markers) if body is coupler else body for body in thin.bodies]
    mechanism = thin.replace(bodies=bodies, loads=[load])
    for ask in (lambda: ml.forward(mechanism), lambda: ml.inverse(mechanism, t=[0.0])):
        with pytest.raises(ml.SolveError) as caught:
            ask()
        texts.fault(caught.value, "S06", f"load '{load.name}'", "'coupler'")
    on_line = thin.replace(loads=[ml.Force("push", "coupler.com", (5.0, 3.0, 1.0))])
    one, other = ml.forward(on_line), ml.inverse(on_line, t=[0.0])
    assert one["A"].effort[0] == pytest.approx(other["A"].effort[0], rel=1e-9)
