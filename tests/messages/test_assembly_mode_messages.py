"""Messages if a mechanism has several assembly modes: a list of them, and a guess that can be typed as it is."""

import ast
import re
from functools import cache

import numpy as np
import pytest
from zoo import ZOO
from zoo.random_platforms import scissor_lift

import multiloop as ml


def four_bar():
    return ZOO["four-bar"].build().replace(guess={})


def with_a_free_marker():
    """The tip of the coupler has separate coordinates, by a Free joint that constrains nothing."""
    plain = four_bar()
    return plain.replace(joints=[*plain.joints, ml.Free("tip", "ground.A", "coupler.b")])


def with_a_free_tool():
    plain = four_bar()
    tool = ml.Body("tool", mass=0.1, inertia=1e-3)
    weld, free = (
        ml.Fixed("weld", "coupler.b", "tool.origin"),
        ml.Free("float", "ground.A", "tool.origin"),
    )
    return plain.replace(bodies=[*plain.bodies, tool], joints=[free, *plain.joints, weld])


def lift_on_a_cylinder(stages):
    """If it is folded, with its bars on top of each other, the platform is free to rotate about the pins at their
    ends."""
    plain, poses = scissor_lift(np.random.default_rng(1), stages)
    x, y, tilt = poses["a1"]
    middle = float(plain.body("a1").marker("m").point[0])
    pivot = (0.3, -0.1)
    length = np.hypot(x + middle * np.cos(tilt) - pivot[0], y + middle * np.sin(tilt) - pivot[1])
    parts = [ml.Body(name, mass=1.0, inertia=0.1) for name in ("barrel", "piston")]
    return plain.replace(
        bodies=[ml.ground(O=(0, 0), C=pivot), *plain.moving, *parts],
        joints=[
            *plain.joints,
            ml.Revolute("C1", "ground.C", "barrel.origin"),
            ml.Prismatic("cylinder", "barrel.origin", "piston.origin"),
            ml.Revolute("C2", "piston.origin", "a1.m"),
        ],
        drives=[ml.Motion("cylinder", float(length))],
    )


LOCKED = {"A1": 1.28, "A2": 1.65, "A3": 4.71}

CASES = {
    "four-bar": (four_bar, None),
    "four-bar, held": (lambda: four_bar().without_drives(), {"A": 1.0}),
    "four-bar with a free marker": (with_a_free_marker, None),
    "four-bar with a free tool": (with_a_free_tool, None),
    "3-RRR": (lambda: ZOO["3-RRR"].build().replace(guess={}, drives=[]), LOCKED),
    "spherical wrist": (lambda: ZOO["spherical-wrist"].build().replace(guess={}), None),
    "lift": (lambda: scissor_lift(np.random.default_rng(1), 2)[0], None),
    "lift on a cylinder": (lambda: lift_on_a_cylinder(1), None),
    "hexapod": (lambda: ZOO["6-UPS"].build().replace(guess={}), None),
}


def refused(mechanism, start=None, **asked):
    with pytest.raises(ml.AssemblyError) as caught:
        ml.assemble(mechanism, start, **asked)
    (fault,) = caught.value.faults
    assert fault.code == "K02"
    return caught.value


@cache
def refusal_of(name):
    """The mechanism, its start and the error."""
    build, start = CASES[name]
    mechanism = build()
    return mechanism, start, refused(mechanism, start)


def advised(error):
    """The guess in the remedy, as a user would copy it."""
    remedy = error.faults[0].remedy
    return ast.literal_eval(re.search(r"guess=(\{.*\})", remedy)[1])


def same_turn(found, wanted):
    """Whether coordinates agree, angles up to whole turns and quaternions up to their sign."""
    found, wanted = np.array(found), np.array(wanted)
    if len(found) == 4:
        return abs(found @ wanted) > 1 - 1e-9
    return np.abs(np.exp(1j * found) - np.exp(1j * wanted)).max(initial=0.0) < 1e-6


LONG = ("lift", "hexapod", "four-bar with a free tool", "spherical wrist", "four-bar, held")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in CASES]
)
def test_the_advice_taken_literally_leads_to_the_first_closure(name):
    mechanism, start, error = refusal_of(name)
    state = ml.assemble(mechanism, start, guess=advised(error))
    for joint, wanted in error.choices[0].items():
        assert same_turn(state.positions[joint], wanted), joint


def test_a_guess_that_does_not_choose_is_a_tie(texts):
    """Between an assembly mode above the base and its mirror image; the advice replaces the guess."""
    mechanism = four_bar()
    error = refused(mechanism, guess={"coupler.b": (0.8, 0.0)})
    texts.fault(error, "K02", "-1.01948", "-0.841069", "-1.86055")
    # printed digits
    assert ml.assemble(mechanism, guess=advised(error))["B"].position == pytest.approx(-1.01948, abs=5e-6)


def test_the_listed_joints_distinguish_the_assembly_modes():
    """In a lift some bars have equal positions in several assembly modes: the joints that differ are listed."""
    _, _, error = refusal_of("lift on a cylinder")
    listed = re.findall(r"\(\d\) ([^;]+?)(?:;|\.$)", error.faults[0].what)
    assert len(listed) == len(set(listed)) == len(error.choices) == 4


@pytest.mark.parametrize("stages", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_lift_is_not_taken_folded(stages):
    """A folded position has a free degree of freedom and is no assembly mode; every listed one is isolated."""
    mechanism = lift_on_a_cylinder(stages)
    found = ml.branches(mechanism)
    assert len(found) >= 4
    for state in found:
        again = ml.assemble(mechanism, guess=state.positions)
        assert again.distance < 1e-9


def row(count, begun=0):
    """Driven four-bars in a row, each with two assembly modes; the couplers of the first ones are guessed."""
    plain = four_bar()
    places = {f"A{k}": (2.0 * k, 0.0) for k in range(count)} | {
        f"D{k}": (2.0 * k + 1, 0.0) for k in range(count)
    }
    sizes = {"crank": 0.3, "coupler": 0.9, "rocker": 0.8}
    ends = {
        "A": ("ground.A", "crank", ".a"),
        "B": ("crank", "coupler", ".a"),
        "C": ("coupler", "rocker", ".b"),
        "D": ("ground.D", "rocker", ".a"),
    }
    joints = [
        ml.Revolute(f"{name}{k}", f"{one}{k}" if "." in one else f"{one}{k}.b", f"{other}{k}{marker}")
        for k in range(count)
        for name, (one, other, marker) in ends.items()
    ]
    return plain.replace(
        bodies=[
            ml.ground(places),
            *(ml.rod(f"{name}{k}", length=x, mass=1.0) for k in range(count) for name, x in sizes.items()),
        ],
        joints=joints,
        drives=[ml.Motion(f"A{k}", ml.motion_laws.constant_speed(4.7, start=1.0)) for k in range(count)],
        guess={f"coupler{k}.b": (2.0 * k + 0.8, -0.7) for k in range(begun)},
    )


@pytest.mark.parametrize("begun", [0, 20])
def test_a_large_mechanism_is_not_closed_silently(begun, texts):
    """123 rates: the list is a part of all assembly modes, and each entry, taken as a whole, is a guess that selects
    it."""
    large = row(41, begun)
    error = refused(large)
    assert f" {len(error.choices)} " in error.faults[0].what
    texts(error, hide=[r"\b\d+\b(?=[^\n]*\(1\) )", r"(?<=\(1\) ).*(?=\n)"])
    state = ml.assemble(large, guess=error.choices[0])
    assert [state[name].position for name in ("B0", "B40")] == pytest.approx(
        [error.choices[0][name][0] for name in ("B0", "B40")], abs=1e-9
    )


def test_a_guess_in_a_large_mechanism_chooses():
    state = ml.assemble(row(41, 41))
    assert all(state.marker(f"coupler{k}.b")[1] < 0 for k in range(41))


def test_orientations_are_listed_by_angle_and_axis_only_where_needed(texts):
    """An RSSR has two spherical joints, which are not listed because its rocker suffices; a Delta is distinguished by
    them alone."""
    error = refused(ZOO["RSSR"].build().replace(guess={}))
    texts.fault(error, "K02", "D = -1.91692", "D = 0.740912")
    error = refused(ZOO["delta"].build().replace(guess={}))
    fault = texts.fault(error, "K02", "Bleft1", "104.5°", "(0.112, 0.142, 0.983)")
    assert fault.what.count("°") == 8
