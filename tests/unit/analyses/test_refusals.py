"""Requests without a solution are refused by name, instead of returning a number."""

import numpy as np
import pytest
from laws.closed_positions import built
from zoo import ZOO
from zoo.plain import planar_four_bar

import multiloop as ml


def four_bar(lengths=(0.3, 0.9, 0.8, 1.0), *, drives=(), guess=None):
    """Crank, coupler, rocker and base of given lengths; the open assembly mode unless a guess is given."""
    crank, coupler, rocker, base = lengths
    return planar_four_bar(
        lengths=(crank, coupler, rocker, base),
        drives=drives,
        guess={"coupler.b": (0.8, 0.7)} if guess is None else guess,
    )


def refused(code, ask, *arguments, **options):
    with pytest.raises(ml.MultiloopError) as caught:
        ask(*arguments, **options)
    assert caught.value.faults[0].code == code, str(caught.value)
    return caught.value


def test_drives_that_contradict_each_other():
    """Both at the closed position, but the rate of the rocker differs from that of its drive."""
    at = ml.assemble(four_bar(), {"A": 1.0})
    drives = [ml.Motion(name, ml.motion_laws.constant_speed(1.0, start=at[name].position)) for name in "AD"]
    error = refused("K09", ml.inverse, four_bar(drives=drives), t=[0.0])
    assert "'A' and 'D'" in error.faults[0].where


def test_a_freedom_with_an_actuator_but_without_a_motion():
    mechanism = ZOO["five-bar"].build()
    actuators = [ml.Actuator(motion.of) for motion in mechanism.drives]
    error = refused(
        "S01", ml.inverse, mechanism.replace(drives=mechanism.drives[:1], actuators=actuators), t=[0.0]
    )
    assert mechanism.drives[1].of in error.faults[0].what


def test_actuators_that_do_not_reach_every_freedom():
    """Two separate four-bars with both actuators on the first."""
    one = four_bar()
    names = {body.name: f"{body.name}2" for body in one.moving}

    def renamed(reference):
        body, _, marker = reference.partition(".")
        return f"{names.get(body, body)}.{marker}"

    mechanism = one.replace(
        bodies=[
            *one.bodies,
            *(ml.Body(names[b.name], b.mass, b.com, b.inertia, markers=b.markers) for b in one.moving),
        ],
        joints=[
            *one.joints,
            *(ml.Revolute(f"{j.name}2", renamed(j.first), renamed(j.second)) for j in one.joints),
        ],
        drives=[
            ml.Motion("A", ml.motion_laws.constant_speed(1.0)),
            ml.Motion("A2", ml.motion_laws.constant_speed(1.0)),
        ],
        actuators=[ml.Actuator("A"), ml.Actuator("D")],
        guess={"coupler.b": (0.8, 0.7), "coupler2.b": (0.8, 0.7)},
    )
    refused("S01", ml.inverse, mechanism, t=[0.0])


def test_a_held_ball_that_the_loop_puts_elsewhere():
    mechanism = ZOO["RSSR"].build()
    at = ml.assemble(mechanism)
    held = {"A": at["A"].position, "B": tuple(at["B"].position), "D": at["D"].position, "C": (1.0, 0, 0, 0)}
    refused("K04", ml.assemble, mechanism.without_drives(), held)


@pytest.mark.parametrize("method", ["subsystem", "system", "virtual_work", "traditional"])
def test_an_instant_at_a_change_point(method):
    flat = four_bar(
        (0.3, 1.0, 0.3, 1.0),
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0))],
        guess={"B": 0.0, "D": 0.0},
    )
    error = refused("S04", ml.inverse, flat, t=[0.0], method=method)
    assert error.time == 0.0


def test_bars_that_only_shake(texts):
    """A table on three parallel bars of different lengths: it is mobile to first order only."""
    bars = [ml.rod(f"bar{k}", length=length, mass=1.0) for k, length in enumerate((1.0, 0.7, 0.4))]
    table = ml.Body(
        "table", mass=1.0, com=(1, 0), inertia=0.1, markers={f"p{k}": (k, -0.3 * k) for k in range(3)}
    )
    mechanism = ml.Mechanism(
        "guide",
        planar=True,
        bodies=[ml.ground(A0=(0, 0), A1=(1, 0), A2=(2, 0)), *bars, table],
        joints=[
            *(ml.Revolute(f"A{k}", f"ground.A{k}", f"bar{k}.a") for k in range(3)),
            *(ml.Revolute(f"T{k}", f"bar{k}.b", f"table.p{k}") for k in range(3)),
        ],
        guess={f"A{k}": np.pi / 2 for k in range(3)},
    )
    plan = ml.analyse(mechanism)
    assert (plan.mobility, plan.rank.shaky) == (0, 1)
    texts(plan.explain())


def test_efforts_beyond_the_times_of_a_result(texts):
    known = ml.inverse(
        four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0))]), t=np.linspace(0, 0.2, 5)
    )
    ask = {"start": {"A": 0.0}, "efforts": {"A": known}, "until": 0.5, "samples": 3, "rtol": 1e-6}
    error = refused("S03", ml.simulate, four_bar(), **ask)
    texts.fault(error, "S03", "'A'", "0.2 s", hide=[r"(?<=t = )[\d.]+"])


def test_simulating_a_drive_into_a_dead_point_ends():
    drives = [ml.Motion("A", ml.motion_laws.constant_speed(2.0, start=1.0))]
    mechanism = four_bar((0.8, 0.5, 0.3, 0.7), drives=drives, guess={"coupler.b": (0.5, 0.3)})
    error = refused("S07", ml.simulate, mechanism, until=0.07, samples=8, rtol=1e-8)
    assert 0.05 < error.time < 0.07


def test_a_drive_beyond_its_table():
    mechanism = four_bar(drives=[ml.Motion("A", ml.table([0, 1, 2], [0, 1, 1.5]))])
    error = refused("K10", ml.inverse, mechanism, t=[0.0, 3.0])
    assert error.faults[0].where == "drive of 'A'"


def test_odd_tolerances_and_weights():
    refused("S09", ml.simulate, four_bar(), start={"A": 0.0}, until=1.0, rtol=0.0)
    driven = four_bar(drives=[ml.Motion("A", ml.motion_laws.constant_speed(1.0))])
    refused("S08", ml.inverse, driven, t=[0.0], weights={"Z": 2.0})


def test_a_start_that_contradicts_a_drive_is_reported_with_both_values(texts):
    with pytest.raises(ml.AssemblyError) as caught:
        ml.inverse(built("four-bar"), t=[0.0], start={"A": 0.5})
    texts.fault(caught.value, "K04", "'A'", "0", "0.5")


def test_drives_that_diverge_after_the_start_are_reported_as_contradictory(texts):
    four_bar = built("four-bar")
    angle = ml.assemble(four_bar)["D"].position
    driven = four_bar.replace(drives=[*four_bar.drives, ml.Motion("D", angle + 3.0 * ml.time)])
    with pytest.raises(ml.AssemblyError) as caught:
        ml.simulate(driven, until=0.1)
    texts.fault(caught.value, "K09")


def test_stop_none_means_no_stop():
    assert ml.simulate(built("four-bar"), until=0.01, samples=2, stop=None).status == "ok"


@pytest.mark.parametrize(
    ("verb", "given", "words"),
    [
        ("inverse", {"parameters": 3}, ("[S09]", "3", "parameters=")),
        ("simulate", {"until": 1.0, "events": [1.0]}, ("[S09]", "[1.0]")),
        ("simulate", {"until": 1.0, "efforts": [1.0]}, ("[S09]",)),
        ("simulate", {"until": 1.0, "start": 1.0}, ("[S09]", "1.0")),
        ("simulate", {"until": 1.0, "stop": 3}, ("[S09]", "3")),
        ("simulate", {"until": 1.0, "stop": "top"}, ("[S09]", "'top'")),
        ("simulate", {"until": 1.0, "control": 3}, ("[S09]", "3")),
        ("simulate", {"until": 1.0, "control": lambda: 0}, ("[S09]",)),
        (
            "simulate",
            {"until": 1.0, "control": lambda t, q, v: {}, "sample": 1e-15},
            ("[S09]", "1e-15 s", "1e+15"),
        ),
        ("batch", {"parameters": {"L": [1.0, 2.0]}, "threads": 0, "t": 0.0}, ("[S10]", "'L'")),
        ("forward", {"state": 3}, ("[S09]", "3")),
        ("analyse", {"guess": "A"}, ("[S09]", "'A'")),
    ],
)
def test_arguments_of_the_wrong_kind_are_named(verb, given, words, texts):
    with pytest.raises(ml.SolveError) as caught:
        getattr(ml, verb)(ZOO["four-bar"].build(), **given)
    texts(caught.value, *words)


@pytest.mark.parametrize("verb", ["analyse", "assemble", "branches", "compile", "forward", "inverse"])
def test_an_argument_that_is_no_mechanism_is_named(verb, texts):
    with pytest.raises(ml.SolveError) as caught:
        getattr(ml, verb)("four-bar")
    texts.fault(caught.value, "M12", f"`{verb}`")


@pytest.mark.parametrize("size", [1.0, 1e-6, 1e-9])
def test_a_start_that_contradicts_the_loops_or_a_drive_in_any_size(size):
    """A slider-crank, whose slider is held a tenth of the mechanism's size away from its position."""
    small = ml.Mechanism(
        "slider-crank",
        planar=True,
        bodies=[
            ml.ground(A=(0, 0), G=(0, 0)),
            ml.rod("crank", length=0.3 * size, mass=1.0),
            ml.rod("rod", length=0.9 * size, mass=1.0),
            ml.Body("slider", mass=1.0, inertia=0.01 * size**2),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "rod.a"),
            ml.Revolute("C", "rod.b", "slider.origin"),
            ml.Prismatic("S", "ground.G", "slider.origin"),
        ],
    )
    at = ml.assemble(small, {"A": 1.0}, guess={"B": -1.3})
    aside = at["S"].position + 0.1 * size
    refused("K04", ml.assemble, small, dict(at.positions) | {"S": aside})
    driven = small.replace(drives=[ml.Motion("S", at["S"].position)])
    refused("K04", ml.assemble, driven, {"S": aside}, guess={"A": 1.0, "B": -1.3})


@pytest.mark.parametrize("short", [1e-7, 1e-10, 1e-13])
def test_two_assembly_modes_near_a_change_point(short):
    """The base is slightly too short for all links to be collinear: the loop has a gap in between."""
    near = four_bar((0.3, 0.9, 0.5, 1.1 - short), drives=[ml.Motion("A", np.pi)], guess={})
    error = refused("K02", ml.assemble, near)
    assert len(ml.branches(near)) == len(error.choices) == 2
    for choice in error.choices:
        assert ml.assemble(near, guess=choice)["D"].position == pytest.approx(choice["D"][0], abs=1e-12)


def test_one_assembly_mode_at_a_change_point():
    """Newton's method converges to within the root of round-off there."""
    flat = four_bar((0.3, 0.9, 0.5, 1.1), drives=[ml.Motion("A", np.pi)], guess={})
    assert len(ml.branches(flat)) == 1
