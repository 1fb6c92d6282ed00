"""Links whose joints fix the slopes or the distance of their ends: the remaining modes, and errors if there are
none."""

import numpy as np
import pytest
from zoo.plain import four_bar_pins

import multiloop as ml

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.01, 0.01)}
EI, WEIGHT = 70e9 * 0.01**4 / 12, 2700.0 * 1e-4 * 9.81


def bar(joint, **more):
    """A beam of 0.8 m with the same joint to the ground at both ends."""
    link = ml.beam("bar", length=0.8, **STRIP | more)
    ends = [joint("A", "ground.A", "bar.a"), joint("B", "ground.B", "bar.b")]
    bodies = [ml.ground(A=(0, 0), B=(0.8, 0)), link]
    return ml.Mechanism("bar", planar=True, bodies=bodies, joints=ends)


@pytest.mark.parametrize("modes", [1, 2, 4])
@pytest.mark.parametrize(
    "ask",
    [
        ml.equilibrium,
        ml.eigenmodes,
        lambda m: ml.simulate(m, until=0.01),
        lambda m: ml.simulate(m, until=0.01, start="relaxed"),
    ],
)
def test_an_inextensible_beam_between_two_pins_is_refused(modes, ask, texts):
    with pytest.raises(ml.SolveError) as refused:
        ask(bar(ml.Revolute, modes=modes))
    texts.fault(refused.value, "S21", "'bar'", "modes=", '"y"', "2", '"x"', "1", '"twist"')


def test_one_that_stretches_too_carries_its_weight():
    """5 q L⁴/384 EI and q L²/8, less 0.2 %, because the deflection causes tension."""
    rest = ml.equilibrium(bar(ml.Revolute, modes={"y": 3, "x": 1})).result.link("bar")
    assert -rest.deflection(0.4)[0, 1] == pytest.approx(5 * WEIGHT * 0.8**4 / (384 * EI), rel=4e-3)
    assert abs(rest.moment(0.4)[0]) == pytest.approx(WEIGHT * 0.64 / 8, rel=3e-3)


def test_modes_fixed_by_welds_are_reported(texts):
    """No free mode is left: the status names the link and states that all of its deformation is left out."""
    welded = bar(ml.Fixed, modes=2)
    for run in (ml.equilibrium(welded).result, ml.simulate(welded, until=0.01)):
        held, truncated = run.warnings
        assert [(one.code, one.place) for one in run.warnings] == [("W18", "bar"), ("W82", "bar")]
        texts(held, "'bar'")
        texts(truncated, "'bar'", "100 %")
        assert np.abs(run.link("bar").deflection(0.4)).max() < 1e-12
    plan = ml.analyse(welded)
    assert [(one.code, one.place) for one in plan.warnings] == [("W18", "bar")]
    texts(plan.explain(), "'bar'")


@pytest.mark.parametrize(("joint", "end", "middle"), [(ml.Fixed, 12, 384), (ml.Revolute, np.inf, 384 / 5)])
def test_default_modes_between_two_joints_to_one_body(joint, end, middle):
    """The default modes include axial ones, without which it could not deflect: q L²/12 at welds, q L⁴/384 EI in its
    middle.

    One fixed-interface mode of a beam welded at both ends leaves 1.2 % of the latter.
    """
    rest = ml.equilibrium(bar(joint)).result
    link = rest.link("bar")
    assert rest.status == "ok"
    assert abs(link.moment(0.0)[0]) == pytest.approx(WEIGHT * 0.64 / end, rel=1e-2, abs=1e-9)
    assert -link.deflection(0.4)[0, 1] == pytest.approx(WEIGHT * 0.8**4 / (middle * EI), rel=1.3e-2)


def test_a_link_with_free_modes_has_no_warning():
    assert (
        ml.analyse(bar(ml.Fixed, modes={"y": 4, "x": 1})).bending
        == ml.analyse(ml.examples.four_bar()).bending
    )


def four_bar_in_space(**modes):
    """Revolutes about z, gravity perpendicular to their plane, the crank held."""

    def rod(name, length):
        return ml.rod(name, length=length, mass=1.0, inertia=(1e-3, 0.02, 0.02))

    coupler = ml.beam("coupler", length=0.9, modes=modes, **STRIP)
    return ml.Mechanism(
        "four-bar in space",
        gravity=(0, 0, -9.81),
        bodies=[ml.ground(A=(0, 0, 0), D=(1.0, 0, 0)), rod("crank", 0.3), coupler, rod("rocker", 0.8)],
        joints=four_bar_pins(),
        drives=[ml.Motion("A", 1.0)],
        guess={"coupler.b": (0.8, 0.7, 0)},
    )


def test_revolutes_in_space_are_pins_one_way_and_clamps_the_other():
    """q L²/12 at the ends; 22.3733 √(EI/ρA)/L² across the plane and π² √(EI/ρA)/L² within it."""
    machine = four_bar_in_space(y=2, z=4, twist=1)
    link = machine.body("coupler")
    assert link.frame == "chord"
    assert dict(link.basis) == {"y": "natural", "z": "interface", "twist": "interface"}
    rest = ml.equilibrium(machine).result
    assert rest.status == "ok"
    assert rest.link("coupler").moment(0.0)[0, 0] == pytest.approx(WEIGHT * 0.81 / 12, rel=1e-9)
    speed = np.sqrt(EI / (2700 * 1e-4)) / 0.81
    swings = ml.eigenmodes(machine, held=True).frequencies
    assert swings[:2] == pytest.approx([np.pi**2 * speed, 22.3733 * speed], rel=1e-3)


def test_a_revolute_and_a_ball_prop_it():
    """Clamped along z by a Revolute about z, on a ball at b: q L²/8, less the effect of tension, and q L⁴/192EI."""
    link = ml.beam("bar", length=0.8, modes={"y": 2, "z": 3, "x": 1}, **STRIP)
    machine = ml.Mechanism(
        "propped",
        gravity=(0, 0, -9.81),
        bodies=[ml.ground(A=(0, 0, 0), B=(0.8, 0, 0)), link],
        joints=[ml.Revolute("A", "ground.A", "bar.a"), ml.Spherical("B", "ground.B", "bar.b")],
    )
    rest = ml.equilibrium(machine).result.link("bar")
    # the tension, and truncation of the modes
    assert abs(rest.moment(0.0)[0, 0]) == pytest.approx(WEIGHT * 0.64 / 8, rel=1e-3)
    assert -rest.deflection(0.4)[0, 2] == pytest.approx(WEIGHT * 0.8**4 / (192 * EI), rel=1e-2)


def test_modes_by_direction_go_through_files(texts):
    machine = four_bar_in_space(y=2, z=3).without_drives()
    assert dict(machine.body("coupler").basis) == {"y": "natural", "z": "interface"}
    assert ml.from_text(ml.to_text(machine)) == machine
    with pytest.raises(ml.ModelError) as caught:
        machine.with_body(ml.beam("coupler", length=0.9, basis={"x": "natural", "y": "interface"}, **STRIP))
    texts.fault(caught.value, "M15")


def test_messages_for_modes_by_direction(texts):
    machine = four_bar_in_space(y=2, z=3)
    said = ml.analyse(machine).explain()
    texts(said)
    link = machine.body("coupler")
    texts(repr(link.shapes()))
    assert len(link.frequencies(planar=True)) == 2


def test_a_given_frame_fixes_the_slope_at_a():
    """Constraint modes then belong to the constraints at b: forces, and a moment perpendicular to the axis of the
    joint."""
    link = ml.beam("coupler", length=0.9, modes={"y": 2, "z": 2}, frame="a", **STRIP)
    machine = four_bar_in_space(y=1).with_body(link)
    assert machine.body("coupler").basis == "interface"
    assert machine.body("coupler").interfaces == ("b.x", "b.y", "b.z", "b.rx", "b.ry")
    on_ball = machine.replace(
        joints=[
            one if one.name != "C" else ml.Spherical("C", one.first, one.second) for one in machine.joints
        ]
    )
    assert on_ball.body("coupler").interfaces == ("b.x", "b.y", "b.z")
