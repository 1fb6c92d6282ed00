"""Messages for invalid gears, racks, worms and belts."""

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
    """Both wheels are on the ground and on a yoke that rotates about neither."""
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
    "no teeth": (lambda: pair(gear()), ("G04", "gear 'mesh'")),
    "none of them": (lambda: pair(gear(teeth=(0, 40))), ("G04", "gear 'mesh'", "(0, 40)")),
    "half a tooth": (lambda: pair(gear(teeth=(20.5, 40))), ("G04", "gear 'mesh'", "(20.5, 40)")),
    "teeth of one": (lambda: pair(gear(teeth=(20,))), ("G04", "gear 'mesh'", "(20,)")),
    "teeth and radii": (lambda: pair(gear(teeth=(20, 40), radii=(0.1, 0.2))), ("G04", "gear 'mesh'")),
    "no radius": (lambda: pair(gear(radii=(0.0, 0.3))), ("M13", "gear 'mesh'", "0")),
    "a radius too small": (lambda: pair(gear(radii=(0.1, 0.15))), ("G08", "gear 'mesh'", "0.3 m", "0.25 m")),
    "a module that does not fit": (
        lambda: pair(gear(teeth=(20, 40), module=0.008)),
        ("G08", "gear 'mesh'", "0.3 m", "0.24 m"),
    ),
    "a ring of the same size": (lambda: pair(gear(teeth=(40, 40), internal=True)), ("G07", "gear 'mesh'")),
    "degrees": (
        lambda: pair(gear(teeth=(20, 40), pressure_angle=20)),
        ("G05", "gear 'mesh'", "20 rad", "1145.92°"),
    ),
    "an invalid flag": (
        lambda: pair(gear(teeth=(20, 40), internal="yes")),
        ("M12", "gear 'mesh'", "`internal`", "'yes'"),
    ),
    "one axis": (lambda: pair(gear(teeth=(20, 40)), second=(0, 0)), ("G06", "gear 'mesh'")),
    "no carrier": (
        lambda: pair(
            gear(teeth=(20, 40)),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Revolute("B", "one.rim", "two.origin")],
        ),
        ("G02", "gear 'mesh'", "'one'", "'two'"),
    ),
    "no bearing": (
        lambda: pair(
            gear(teeth=(20, 40)),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Prismatic("B", "ground.B", "two.origin")],
        ),
        ("G01", "gear 'mesh'", "'two'"),
    ),
    "beside its bearing": (
        lambda: pair(gear(teeth=(20, 40), first="one.rim")),
        ("G01", "gear 'mesh'", "'one.rim'", "0.1 m", "'A'"),
    ),
    "two carriers": (carried_twice, ("G03", "gear 'mesh'", "'ground'", "'yoke'", "'one'", "'two'")),
    "a carrier that carries one of them": (
        lambda: pair(gear(teeth=(20, 40), carrier="two")),
        ("G02", "gear 'mesh'", "'two'", "'one'"),
    ),
    "a carrier that is not there": (
        lambda: pair(gear(teeth=(20, 40), carrier="groun")),
        ("T02", "gear 'mesh'", "'groun'"),
    ),
    "a wheel that is not there": (
        lambda: pair(gear(teeth=(20, 40), second="twoo.origin")),
        ("T02", "gear 'mesh'", "'twoo'"),
    ),
    "with itself": (lambda: pair(gear(teeth=(20, 40), second="one.rim")), ("T01", "gear 'mesh'", "'one'")),
    "axes at an angle": (
        lambda: in_space(gear(teeth=(20, 40)), second=((0.3, 0, 0), (0, 1, 0))),
        ("G06", "gear 'mesh'", "90°"),
    ),
    "wheels in two planes": (
        lambda: in_space(gear(teeth=(20, 40)), second=((0.3, 0, 0.05), (0, 0, 1))),
        ("G06", "gear 'mesh'", "0.05 m"),
    ),
    "bevel gears whose axes pass": (
        lambda: in_space(bevel(teeth=(20, 40)), ((0.1, 0, 0), (1, 0, 0)), ((0, 0.1, 0.02), (0, 1, 0))),
        ("G06", "gear 'mesh'", "0.02 m"),
    ),
    "bevel gears at the wrong distance": (
        lambda: in_space(bevel(teeth=(20, 40)), ((0.1, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 1, 0))),
        ("G08", "gear 'mesh'", "0.1 m", "0.05 m"),
    ),
    "a worm without lead": (
        lambda: in_space(worm(), ((0, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 0, 1))),
        ("G04", "worm 'mesh'"),
    ),
    "a worm as thick as its box": (
        lambda: in_space(worm(radius=0.1), ((0, 0, 0), (1, 0, 0)), ((0, 0.1, 0), (0, 0, 1))),
        ("G07", "worm 'mesh'", "0.1 m"),
    ),
    "a rack on a pivot": (
        lambda: pair(ml.Rack("mesh", "one.origin", "two.origin")),
        ("G01", "rack 'mesh'", "'two'"),
    ),
    "a rack through the axis": (
        lambda: pair(
            ml.Rack("mesh", "one.origin", "two.origin"),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Prismatic("B", "ground.B", "two.origin")],
        ),
        ("G06", "rack 'mesh'"),
    ),
    "a rack of another radius": (
        lambda: pair(
            ml.Rack("mesh", "one.origin", "two.origin", teeth=20, module=0.004),
            joints=[ml.Revolute("A", "ground.A", "one.origin"), ml.Prismatic("B", "ground.B", "two.origin")],
            second=(0, 0.05),
        ),
        ("G08", "rack 'mesh'", "0.05 m", "0.04 m"),
    ),
    "pulleys that overlap": (
        lambda: pair(belt(radii=(0.1, 0.25))),
        ("G08", "belt 'belt'", "0.3 m", "0.35 m"),
    ),
    "a belt without pulleys": (lambda: pair(belt()), ("G04", "belt 'belt'")),
    "a belt that pushes": (
        lambda: pair(belt(radii=(0.05, 0.1), pretension=-20.0)),
        ("G10", "belt 'belt'", "-20"),
    ),
    "friction that nothing presses": (
        lambda: pair(belt(radii=(0.05, 0.1), friction=0.3)),
        ("G10", "belt 'belt'"),
    ),
    "a chain without links": (
        lambda: pair(ml.Chain("chain", "one.origin", "two.origin", teeth=(18, 36))),
        ("G04", "'chain'"),
    ),
}


@pytest.mark.parametrize("mistake", MESSAGES)
def test_every_mistake_has_its_message(mistake, texts):
    build, text = MESSAGES[mistake]
    with pytest.raises(ml.ModelError) as caught:
        build()
    texts.fault(caught.value, *text)


def test_an_invalid_load_is_reported_together_with_a_gear(texts):
    spring = ml.JointSpring("hinge", "A", stiffness="stiff")
    with pytest.raises(ml.ModelError) as caught:
        pair(gear(teeth=(20, 40)), loads=[spring])
    texts.fault(caught.value, "M05", "load 'hinge'", "'stiff'")


def test_a_start_that_contradicts_the_teeth_is_reported_with_the_phase(texts):
    mechanism = pair(gear(teeth=(20, 40)))
    with pytest.raises(ml.AssemblyError) as caught:
        ml.forward(mechanism, {"A": 0.3, "B": 0.1})
    fault = texts.fault(caught.value, "K04", "'mesh'")
    assert all(value in fault.remedy for value in ("'B'", "-0.15", "phase=0.5", "'mesh'")), fault.remedy
    mended = pair(gear(teeth=(20, 40), phase=0.5))
    assert ml.assemble(mended, {"A": 0.3}).positions["B"][0] == pytest.approx(0.1, abs=1e-15)


def test_a_mistyped_word_is_reported_with_the_valid_ones(texts):
    found = ml.forward(pair(gear(teeth=(20, 40))), {"A": 0.3})
    with pytest.raises(AttributeError) as caught:
        _ = found["mesh"].tangental
    texts(caught.value, "'mesh'", "'tangental'", "'tangential'")
