"""What a user reads when a load is described wrongly, or has no value where it is asked: word for word."""

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
        "[T03] load 'dig': its marker 'tip' does not exist on body 'fore'.\n       Known are: a, b, com, origin.",
    ),
    "body that is not there": (
        lambda: arm(ml.Torque("brake", "form", 2.0)),
        "[T02] load 'brake': its body 'form' does not exist.\n       Did you mean 'fore'?",
    ),
    "marker without a name": (
        lambda: arm(ml.Force("dig", "fore", (0, -5))),
        "[T03] load 'dig': its side 'fore' names no marker.\n"
        "       Give one of 'fore.a', 'fore.b', 'fore.origin', 'fore.com'.",
    ),
    "on the ground alone": (
        lambda: arm(ml.Force("dig", "ground.s", (0, -5))),
        "[L01] load 'dig': acts on the ground alone, which does not move.\n"
        "       Name a moving body, or a marker of one.",
    ),
    "torque on the ground": (
        lambda: arm(ml.Torque("brake", "ground", 3.0)),
        "[L01] load 'brake': acts on the ground alone, which does not move.\n"
        "       Name a moving body, or a marker of one.",
    ),
    "joint that is not there": (
        lambda: arm(ml.JointSpring("hinge", "F", stiffness=3.0)),
        "[L01] load 'hinge': there is no joint 'F'.\n       Known are: A, E.",
    ),
    "joint without a coordinate": (
        lambda: spatial(ml.JointSpring("hinge", "S", stiffness=3.0)),
        "[L01] load 'hinge': joint 'S' is a Spherical, which has no coordinate along which it could act.\n"
        "       Name another joint, or take a Torque or a Spring.",
    ),
    "coordinate that must be named": (
        lambda: spatial(
            ml.JointSpring("hinge", "S", stiffness=3.0), joint=ml.Cylindrical("S", "ground.O", "arm.a")
        ),
        "[L01] load 'hinge': joint 'S' has 2 coordinates.\n"
        '       Name one of angle, slide with component="angle".',
    ),
    "coordinate that is not there": (
        lambda: arm(ml.JointSpring("hinge", "A", "slide", stiffness=3.0)),
        "[L01] load 'hinge': joint 'A' has no component 'slide'.\n       Known are: angle.",
    ),
    "spring of a body with itself": (
        lambda: arm(ml.Spring("return", "arm.a", "arm.b", stiffness=5.0, length=0.2)),
        "[L02] load 'return': connects body 'arm' with itself.\n       Give markers of two different bodies.",
    ),
    "frame": (
        lambda: arm(ml.Force("dig", "fore.b", (0, -5), frame="world")),
        "[L03] load 'dig': its frame is 'world'.\n"
        '       Write frame="inertial" for components along fixed axes, frame="body" for the body\'s own.',
    ),
    "three components in the plane": (
        lambda: arm(ml.Force("dig", "fore.b", (0, -5, 0))),
        "[L04] load 'dig': its force has 3 components in a planar mechanism.\n"
        "       Give 2 components, e.g. (0, -50).",
    ),
    "a number in space": (
        lambda: spatial(ml.Torque("twist", "arm", 5.0)),
        "[L04] load 'twist': its torque has 1 component in a spatial mechanism.\n"
        "       Give 3 components, e.g. (0, 0, 5).",
    ),
    "stiffness that changes": (
        lambda: arm(spring(stiffness=50 + ml.position("A"))),
        "[L05] load 'return': its stiffness is `50 + position(\"A\")`, which changes as the mechanism moves.\n"
        "       Give a number or a Parameter; let a `preload` or a Force have what changes.",
    ),
    "negative stiffness": (
        lambda: arm(spring(stiffness=-50.0)),
        "[L06] load 'return': its stiffness is -50.\n"
        "       Give a positive stiffness: its force is against the motion by itself.",
    ),
    "negative damping": (
        lambda: arm(ml.JointSpring("hinge", "A", damping=-2.0)),
        "[L06] load 'hinge': its damping is -2.\n"
        "       Give a positive damping: its force is against the motion by itself.",
    ),
    "negative length": (
        lambda: arm(spring(length=-0.1)),
        "[L06] load 'return': its length is -0.1.\n       Give the free length in metres, zero or more.",
    ),
    "nothing at all": (
        lambda: arm(spring(stiffness=0.0)),
        "[L07] load 'return': does nothing.\n       Give stiffness=, damping= or preload=.",
    ),
    "no free length": (
        lambda: arm(spring(length=None)),
        "[L07] load 'return': has a stiffness but no free length.\n"
        "       Give length=, where it is slack; 0.0 for one that pulls its ends together.",
    ),
    "force that is no number": (
        lambda: arm(ml.Force("dig", "fore.b", (0, "5 N"))),
        "[M05] load 'dig': its force is '5 N', which is not a number.\n       Give a number or an expression.",
    ),
    "length of a spring that is not there": (
        lambda: arm(spring(preload=ml.length("retrun"))),
        "[D07] load 'return': its preload reads `length(\"retrun\")`, but there is no spring 'retrun'.\n"
        "       Did you mean 'return'?",
    ),
    "joint to read that is not there": (
        lambda: arm(ml.Force("dig", "fore.b", (0, ml.rate("B")))),
        "[D07] load 'dig': its force reads `rate(\"B\")`, but there is no joint 'B'.\n       Known are: A, E.",
    ),
    "name of a joint": (
        lambda: arm(ml.Force("A", "fore.b", (0, 1))),
        "[M01] load 'A': has the name of a joint.\n       Rename one of them: results address both by name.",
    ),
    "name that stands twice": (
        lambda: arm(spring(), spring()),
        "[M01] load 'return': is there twice.\n       Give each its own name.",
    ),
    "not a load": (
        lambda: arm(ml.Motion("A", 1.0)),
        "[M12] loads, entry 1: is the Motion 'A', which is no load.\n       Put it into `drives`.",
    ),
    "marker that is no text": (
        lambda: arm(ml.Force("dig", 3, (0, -5))),
        "[M12] load 'dig': where it acts is 3, which is not text.\n       Write \"body.marker\".",
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_a_mistake_is_told_with_its_place_and_remedy(mistake):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    head, _, rest = str(caught.value).partition("\n")
    assert head == "mechanism 'arm' has 1 fault:"
    assert rest == text


def fold():
    """Both ends of the spring meet where the fore arm lies folded back on the arm."""
    return arm(ml.Spring("tie", "fore.b", "ground.A", preload=5.0), bodies=_folding())


def _folding():
    return [ml.ground(A=(0, 0)), ml.rod("arm", length=1.0, mass=1.0), ml.rod("fore", length=1.0, mass=0.5)]


def test_a_spring_whose_ends_meet_is_named():
    text = (
        "of mechanism 'arm' cannot be answered:\n"
        "[S13] load 'tie': its two ends meet at t = 0 s, where its force has no direction.\n"
        "       Move one of its markers, or keep the motion away from there."
    )
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
        assert str(caught.value).partition(" ")[2] == text


def test_a_table_that_ends_too_soon_is_named():
    gust = ml.Force("gust", "fore.b", (ml.table([0.0, 1.0], [0.0, 3.0]), 0.0))
    with pytest.raises(ml.SolveError) as caught:
        ml.simulate(arm(gust), start={"A": 0.0, "E": 0.0}, until=2.0)
    assert str(caught.value).startswith(
        "`simulate` of mechanism 'arm' cannot be answered:\n[S03] load 'gust': "
    )
    assert str(caught.value).endswith("Run within its times, or make the table longer.")


def test_an_effort_that_reads_a_spring_that_is_not_there_is_refused():
    with pytest.raises(ml.SolveError) as caught:
        ml.forward(arm(spring()), {"A": 0.0, "E": 0.0}, efforts={"A": ml.length("retrun")})
    assert str(caught.value) == (
        "`forward` of mechanism 'arm' cannot be answered:\n"
        "[S03] effort at 'A': it reads the length of 'retrun', but there is no such spring.\n"
        "       Did you mean 'return'?"
    )


def test_a_joint_with_a_load_cannot_be_cut():
    four = replace(four_bar(), drives=(), loads=(ml.JointSpring("hinge", "C", stiffness=3.0),))
    with pytest.raises(ml.TopologyError, match="joint 'C' carries a drive, an actuator or a load"):
        ml.analyse(four, cuts=["C"])


def test_a_result_names_its_loads_and_what_they_tell():
    result = ml.forward(arm(spring()), {"A": 0.0, "E": 0.0})
    with pytest.raises(ml.UnknownNameError, match="joint or load 'retrun': is not there"):
        result["retrun"]
    with pytest.raises(AttributeError, match=r"load 'return' tells no 'lenght'\. Did you mean 'length'"):
        _ = result["return"].lenght
    assert repr(result["return"]) == (
        "Spring 'return' over 1 instant: force 40.9017 N, length 1.11803 m, energy 16.7295 J."
    )


@pytest.mark.parametrize(
    "load",
    [
        ml.Torque("twist", "coupler", (1.0, 2.0, 3.0)),
        ml.Force("push", "coupler.beside", (5.0 * ml.functions.sin(ml.time), 0.0, 1.0)),
    ],
    ids=lambda load: load.name,
)
def test_a_load_that_turns_a_thin_rod_about_itself_is_refused(load):
    """No mass decides how it would turn; pushed on its line it is a rod like any other."""
    thin = rssr(axial=0.0)
    coupler = thin.body("coupler")
    markers = {**dict(coupler.markers), "beside": (0.1, 0.02, 0.0)}
    bodies = [replace(coupler, markers=markers) if body is coupler else body for body in thin.bodies]
    mechanism = thin.replace(bodies=bodies, loads=[load])
    text = (
        "of mechanism 'RSSR' cannot be answered:\n"
        f"[S06] load '{load.name}': turns 'coupler' about its own line, about which the body has no inertia.\n"
        "       Give 'coupler' some inertia about the line, or let the load act on the line."
    )
    for ask in (lambda: ml.forward(mechanism), lambda: ml.inverse(mechanism, t=[0.0])):
        with pytest.raises(ml.SolveError) as caught:
            ask()
        assert str(caught.value).partition(" ")[2] == text
    on_line = thin.replace(loads=[ml.Force("push", "coupler.com", (5.0, 3.0, 1.0))])
    one, other = ml.forward(on_line), ml.inverse(on_line, t=[0.0])
    assert one["A"].effort[0] == pytest.approx(other["A"].effort[0], rel=1e-9)
