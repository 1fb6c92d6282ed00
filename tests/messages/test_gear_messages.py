"""What a user reads when a gear, a rack, a worm or a belt is wrong, word for word."""

import pytest

import multiloop as ml


def pair(gearing, first=(0, 0), second=(0.3, 0), **changes):
    """Two wheels on the ground."""
    given = {
        "planar": True,
        "bodies": [
            ml.ground(A=first, B=second),
            ml.Body("one", mass=1.0, inertia=0.02, markers={"rim": (0.1, 0)}),
            ml.Body("two", mass=2.0, inertia=0.08),
        ],
        "joints": [ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "ground.B", "two.origin")],
        "pairs": [gearing],
    }
    return ml.Mechanism("train", **(given | changes))


def gear(**given):
    return ml.Gear("mesh", given.pop("first", "one.origin"), given.pop("second", "two.origin"), **given)


def in_space(gearing, first=((0, 0, 0), (0, 0, 1)), second=((0.3, 0, 0), (0, 0, 1)), joint=ml.Revolute):
    return ml.Mechanism(
        "train",
        bodies=[
            ml.ground(A=ml.marker(first[0], z=first[1]), B=ml.marker(second[0], z=second[1])),
            ml.Body("one", mass=1.0, inertia=(0.02, 0.02, 0.02)),
            ml.Body("two", mass=2.0, inertia=(0.08, 0.08, 0.08)),
        ],
        joints=[ml.Revolute("A", "ground.A", "one.origin"), joint("B", "ground.B", "two.origin")],
        pairs=[gearing],
    )


def carried_twice():
    """Both wheels stand on the ground and on a yoke that turns about neither."""
    yoke = ml.Body("yoke", mass=1.0, inertia=0.1, markers={"a": (0, 0), "b": (0.3, 0)})
    plain = pair(gear(teeth=(20, 40)))
    return plain.replace(
        bodies=[*plain.bodies, yoke],
        joints=[
            *plain.joints,
            ml.Revolute("C", "yoke.a", "one.origin"),
            ml.Revolute("D", "yoke.b", "two.origin"),
        ],
    )


def bevel(**given):
    return ml.Bevel("mesh", "one.origin", "two.origin", **given)


def worm(**given):
    return ml.Worm("mesh", "one.origin", "two.origin", **({"teeth": (1, 30)} | given))


def belt(**given):
    return ml.Belt("belt", "one.origin", "two.origin", **given)


MESSAGES = {
    "no teeth": (
        lambda: pair(gear()),
        "[G04] gear 'mesh': has no teeth.\n"
        "       Give teeth=(20, 40), or the pitch radii, radii=(0.02, 0.04).",
    ),
    "none of them": (
        lambda: pair(gear(teeth=(0, 40))),
        "[G04] gear 'mesh': its teeth are (0, 40).\n       Give two whole numbers above zero, e.g. teeth=(20, 40).",
    ),
    "half a tooth": (
        lambda: pair(gear(teeth=(20.5, 40))),
        "[G04] gear 'mesh': its teeth are (20.5, 40).\n       Give two whole numbers above zero, e.g. teeth=(20, 40).",
    ),
    "teeth of one": (
        lambda: pair(gear(teeth=(20,))),
        "[G04] gear 'mesh': its teeth are (20,).\n       Give two whole numbers above zero, e.g. teeth=(20, 40).",
    ),
    "teeth and radii": (
        lambda: pair(gear(teeth=(20, 40), radii=(0.1, 0.2))),
        "[G04] gear 'mesh': has teeth and radii.\n       Give one of them; the other follows.",
    ),
    "no radius": (
        lambda: pair(gear(radii=(0.0, 0.3))),
        "[M13] gear 'mesh': its first radius is 0.\n       Give a length above zero, in metres.",
    ),
    "a radius too small": (
        lambda: pair(gear(radii=(0.1, 0.15))),
        "[G08] gear 'mesh': the axes are 0.3 m apart, but its radii ask for 0.25 m.\n"
        "       Move a bearing, or give teeth alone: the wheels then roll on the circles that fit the distance.",
    ),
    "a module that does not fit": (
        lambda: pair(gear(teeth=(20, 40), module=0.008)),
        "[G08] gear 'mesh': the axes are 0.3 m apart, but its teeth and module ask for 0.24 m.\n"
        "       Move a bearing, or give teeth alone: the wheels then roll on the circles that fit the distance.",
    ),
    "a ring of the same size": (
        lambda: pair(gear(teeth=(40, 40), internal=True)),
        "[G07] gear 'mesh': is internal, but both wheels have the same size.\n"
        "       The gear inside has to be smaller than the ring around it.",
    ),
    "degrees": (
        lambda: pair(gear(teeth=(20, 40), pressure_angle=20)),
        "[G05] gear 'mesh': its pressure angle is 20 rad, 1145.92°.\n"
        "       Give an angle between 0° and 90°, in radians: `deg(20)` is 20°.",
    ),
    "a flag that is none": (
        lambda: pair(gear(teeth=(20, 40), internal="yes")),
        "[M12] gear 'mesh': its `internal` is 'yes'.\n       Give True or False.",
    ),
    "one axis": (
        lambda: pair(gear(teeth=(20, 40)), second=(0, 0)),
        "[G06] gear 'mesh': both wheels turn about the same line.\n"
        "       Put them side by side; wheels on one axis are geared by a third, or tied by a Relation.",
    ),
    "no carrier": (
        lambda: pair(
            gear(teeth=(20, 40)),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "one.rim", "two.origin")],
        ),
        "[G02] gear 'mesh': no body carries both 'one' and 'two'.\n"
        "       Join both to one body, the carrier: a gear by a Revolute through its centre, a rack by a Prismatic.",
    ),
    "no bearing": (
        lambda: pair(
            gear(teeth=(20, 40)),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Prismatic("B", "ground.B", "two.origin")],
        ),
        "[G01] gear 'mesh': 'two' turns in no bearing.\n"
        "       Put the marker on the axis of its bearing, or give the wheel a Revolute through it.",
    ),
    "beside its bearing": (
        lambda: pair(gear(teeth=(20, 40), first="one.rim")),
        "[G01] gear 'mesh': 'one.rim' is 0.1 m off the axis of 'A'.\n"
        "       Put the marker on the axis of its bearing, or give the wheel a Revolute through it.",
    ),
    "two carriers": (
        carried_twice,
        "[G03] gear 'mesh': 'ground', 'yoke' all carry 'one' and 'two'.\n       Choose one: carrier=\"ground\".",
    ),
    "a carrier that carries one of them": (
        lambda: pair(gear(teeth=(20, 40), carrier="two")),
        "[G02] gear 'mesh': 'two' does not carry both 'one' and 'two'.\n       Write carrier='ground'.",
    ),
    "a carrier that is not there": (
        lambda: pair(gear(teeth=(20, 40), carrier="groun")),
        "[T02] gear 'mesh': its carrier 'groun' does not exist.\n       Did you mean 'ground'?",
    ),
    "a wheel that is not there": (
        lambda: pair(gear(teeth=(20, 40), second="twoo.origin")),
        "[T02] gear 'mesh': its second body 'twoo' does not exist.\n       Did you mean 'two'?",
    ),
    "with itself": (
        lambda: pair(gear(teeth=(20, 40), second="one.rim")),
        "[T01] gear 'mesh': connects body 'one' with itself.\n       Give markers of two different bodies.",
    ),
    "axes at an angle": (
        lambda: in_space(gear(teeth=(20, 40)), second=((0.3, 0, 0), (0, 1, 0))),
        "[G06] gear 'mesh': its axes are at 90° to each other.\n"
        "       Turn a bearing; wheels at an angle are a Bevel, or a Worm where the axes do not meet.",
    ),
    "wheels in two planes": (
        lambda: in_space(gear(teeth=(20, 40)), second=((0.3, 0, 0.05), (0, 0, 1))),
        "[G06] gear 'mesh': its wheels are 0.05 m apart along their axes.\n"
        "       Put both markers into the middle of their teeth, in one plane.",
    ),
    "bevel gears whose axes pass": (
        lambda: in_space(bevel(teeth=(20, 40)), ((0.1, 0, 0), (1, 0, 0)), ((0, 0.1, 0.02), (0, 1, 0))),
        "[G06] gear 'mesh': its axes pass each other at 0.02 m.\n"
        "       Let them meet in one point, the apex of the cones; axes that pass each other take a Worm.",
    ),
    "bevel gears at the wrong distance": (
        lambda: in_space(bevel(teeth=(20, 40)), ((0.1, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 1, 0))),
        "[G08] gear 'mesh': with its first centre 0.1 m from the apex, the second has to be 0.05 m from it, "
        "and is 0.1 m.\n       Move a centre, or change the teeth.",
    ),
    "a worm without lead": (
        lambda: in_space(worm(), ((0, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 0, 1))),
        "[G04] worm 'mesh': has no lead angle.\n       Give lead_angle= of the thread, or radius= of the worm.",
    ),
    "a worm as thick as its box": (
        lambda: in_space(worm(radius=0.1), ((0, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 0, 1))),
        "[G07] worm 'mesh': its radius is 0.1 m, and the axes are 0.1 m apart.\n"
        "       The worm has to leave room for its wheel.",
    ),
    "a rack on a pivot": (
        lambda: pair(ml.Rack("mesh", "one.origin", "two.origin")),
        "[G01] rack 'mesh': 'two' slides on nothing.\n       Let it slide on the carrier by a Prismatic joint.",
    ),
    "a rack through the axis": (
        lambda: pair(
            ml.Rack("mesh", "one.origin", "two.origin"),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Prismatic("B", "ground.B", "two.origin")],
        ),
        "[G06] rack 'mesh': its pitch line goes through the axis of its pinion.\n"
        "       Put the second marker on the pitch line, a pitch radius away from the axis.",
    ),
    "a rack of another radius": (
        lambda: pair(
            ml.Rack("mesh", "one.origin", "two.origin", teeth=20, module=0.004),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Prismatic("B", "ground.B", "two.origin")],
            second=(0, 0.05),
        ),
        "[G08] rack 'mesh': its pitch line is 0.05 m off the axis, but its pinion has the radius 0.04 m.\n"
        "       Move the second marker, or leave the radius out.",
    ),
    "pulleys that overlap": (
        lambda: pair(belt(radii=(0.1, 0.25))),
        "[G08] belt 'belt': the axes are 0.3 m apart, and its wheels need more than 0.35 m.\n"
        "       Move a bearing, or take smaller wheels.",
    ),
    "a belt without pulleys": (
        lambda: pair(belt()),
        "[G04] belt 'belt': has no radii.\n       Give the radii of both pulleys in metres, radii=(0.05, 0.1).",
    ),
    "a belt that pushes": (
        lambda: pair(belt(radii=(0.05, 0.1), pretension=-20.0)),
        "[G10] belt 'belt': its pretension is -20.\n       Give a number above zero, or none.",
    ),
    "friction that nothing presses": (
        lambda: pair(belt(radii=(0.05, 0.1), friction=0.3)),
        "[G10] belt 'belt': has friction but no pretension.\n       Give pretension= too: friction holds by it.",
    ),
    "a chain without links": (
        lambda: pair(ml.Chain("chain", "one.origin", "two.origin", teeth=(18, 36))),
        "[G04] chain 'chain': has no pitch.\n       Give the length of a link in metres, pitch=0.0127.",
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_every_mistake_has_its_words(mistake):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    assert str(caught.value).partition("\n")[2] == text


def test_a_load_that_is_wrong_beside_a_gear_is_told_too():
    spring = ml.JointSpring("hinge", "A", stiffness="stiff")
    with pytest.raises(ml.ModelError) as caught:
        pair(gear(teeth=(20, 40)), loads=[spring])
    assert "[M05] load 'hinge': its stiffness is 'stiff', which is not a number." in str(caught.value)


def test_a_start_that_contradicts_the_teeth_is_told_the_phase():
    mechanism = pair(gear(teeth=(20, 40)))
    with pytest.raises(ml.AssemblyError) as caught:
        ml.forward(mechanism, {"A": 0.3, "B": 0.1})
    assert str(caught.value).endswith(
        "Too much is held: without 'B' the mechanism closes; it would be -0.15 then. "
        "These angles mesh with phase=0.5 of 'mesh'."
    )
    mended = pair(gear(teeth=(20, 40), phase=0.5))
    assert ml.assemble(mended, {"A": 0.3}).positions["B"][0] == pytest.approx(0.1, abs=1e-15)


def test_a_mistyped_word_is_answered_with_those_that_are_there():
    found = ml.forward(pair(gear(teeth=(20, 40))), {"A": 0.3})
    with pytest.raises(
        AttributeError, match=r"coupling 'mesh' tells no 'tangental'\. Did you mean 'tangential'\?"
    ):
        _ = found["mesh"].tangental
