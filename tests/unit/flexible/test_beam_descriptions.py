"""Descriptions of beams and what follows from them: frames by joints, tables of modes, files, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import pinned_body

import multiloop as ml

STEEL = {"E": 2.1e11, "density": 7850.0}
L_LINE = [(0, 0), (0.3, 0), (0.3, 0.2)]


def link(**more: object) -> ml.Beam:
    """A strip of steel."""
    line = {} if "through" in more else {"length": 0.5}
    return ml.beam("link", **(line | {"section": ml.rectangle(0.02, 0.01)} | STEEL | more))


def joined(beam: ml.Beam, *joints: ml.Joint, more: tuple[ml.Body, ...] = (), **parts: object) -> ml.Beam:
    """The beam as a part of a mechanism, with frame and modes by its joints."""
    bodies = [ml.ground(A=(0, 0), B=(0.5, 0)), *more, beam]
    machine = ml.Mechanism("machine", planar=True, bodies=bodies, joints=joints, **parts)
    found = machine.body("link")
    assert isinstance(found, ml.Beam)
    return found


PIN_A, PIN_B = ml.Revolute("A", "ground.A", "link.a"), ml.Revolute("B", "shoe.origin", "link.b")
WALL_A, WALL_B = ml.Fixed("A", "ground.A", "link.a"), ml.Fixed("B", "shoe.origin", "link.b")
SHOE = (ml.Body("shoe", mass=1.0, inertia=1.0),)
GUIDE = ml.Prismatic("guide", "ground.B", "shoe.origin")

CHOICES = {
    "a rod between pins": ((PIN_A, PIN_B, GUIDE), "chord", "natural"),
    "an arm": ((PIN_A,), "a", "natural"),
    "clamped at a": ((WALL_A, PIN_B, GUIDE), "a", "interface"),
    "clamped at b": ((PIN_A, WALL_B, GUIDE), "chord", "interface"),
    "clamped at both": ((WALL_A, WALL_B, GUIDE), "chord", "interface"),
    "thrown": ((ml.Free("away", "ground.A", "link.a"),), "chord", "natural"),
}


@pytest.mark.parametrize("name", CHOICES)
def test_default_frame_and_modes_follow_from_the_joints(name: str) -> None:
    """Frame and basis; given values are kept."""
    joints, frame, basis = CHOICES[name]
    more = SHOE if GUIDE in joints else ()
    found = joined(link(), *joints, more=more)
    assert (found.frame, found.basis) == (frame, basis)
    said = joined(link(frame="free", basis="natural"), *joints, more=more)
    assert (said.frame, said.basis) == ("free", "natural")


@pytest.mark.parametrize(
    "driven",
    [{"drives": [ml.Motion("A", ml.time)]}, {"actuators": [ml.Actuator("A")]}],
    ids=["led", "driven"],
)
def test_a_motor_holds_as_a_clamp_does(driven: dict[str, object]) -> None:
    """An arm on its motor is a cantilever, whatever its load; without the drive, it keeps its modes."""
    machine = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(A=(0, 0), B=(0.5, 0)), link(), *SHOE],
        joints=[PIN_A, PIN_B, GUIDE],
        **driven,
    )
    assert machine.body("link").frame == machine.without_drives().body("link").frame == "a"
    assert machine.replace(drives=[], actuators=[]).body("link").frame == "chord"


def test_the_place_of_a_joint_decides_not_its_name() -> None:
    """A marker in the place of b is that end."""
    pin = ml.Revolute("B", "shoe.origin", "link.tip")
    found = joined(link(markers={"tip": 0.5}), PIN_A, pin, GUIDE, more=SHOE)
    assert (found.frame, found.basis) == ("chord", "natural")


def test_constraint_modes_represent_a_link_clamped_at_both_ends() -> None:
    """A strip between two walls, one of which is displaced by d: 12 E I d/L³; two bending modes and an axial one.

    Without the latter it could not move: it would keep its length, and so do the walls their distance.
    """
    d, stiff = 1e-6, 2.1e11 * 0.02 * 0.01**3 / 12
    seat = {"seat": ml.marker((0, 0), angle=-np.pi / 2)}
    machine = ml.Mechanism(
        "strip",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), B=ml.marker((0.5, 0), angle=np.pi / 2)),
            ml.Body("shoe", mass=1.0, inertia=1.0, markers=seat),
            link(modes={"y": 2, "x": 1}),
        ],
        joints=[WALL_A, ml.Fixed("B", "shoe.seat", "link.b"), GUIDE],
        loads=[ml.Force("pull", "shoe.origin", (0, 12 * stiff * d / 0.5**3))],
    )
    found = ml.equilibrium(machine, guess={"guide": 0.0})
    assert found.state["guide"].position == pytest.approx(d, rel=1e-6)


def test_a_table_of_its_modes(texts: Texts) -> None:
    """Frequencies by direction, and the part of the deformation by inertia that the modes represent."""
    table = link(modes={"y": 3, "x": 1}, frame="a").shapes()
    assert table.ways == (("y", 0), ("y", 1), ("y", 2), ("x", 0))
    beta, mean = 1.8751040687, 0.7829917  # of the first shape of a cantilever, ∫ φ² dξ = 1
    first = (mean**2 + (2 / beta**2) ** 2) / beta**4 / (1 / 20 + 11 / 420)  # loads 1 and ξ
    assert table.held[0] == pytest.approx(first, rel=1e-6)
    assert 1 > table.held[2] > table.held[1] > 0.999
    assert table.held[3] == pytest.approx(96 / np.pi**4, rel=1e-6)  # of a bar stretched by its weight
    texts("\n".join(repr(table).splitlines()[:3]), "'link'", "'a'", "209.99 rad/s", "33.421 Hz", "99.442 %")


@pytest.mark.parametrize("modes", [{"y": 2, "x": 1}, {"y": 2, "x": 1, "twist": 1}, {"y": 2, "z": 2}])
@pytest.mark.parametrize("basis", ["auto", "interface"])
def test_by_itself_it_is_on_its_chord(modes: dict[str, int], basis: str) -> None:
    """Without a given frame the chord is used, in the table, in frequencies and in the centreline alike."""
    unsaid, said = link(modes=modes, basis=basis), link(modes=modes, basis=basis, frame="chord")
    assert repr(unsaid.shapes()) == repr(said.shapes())
    assert unsaid.frequencies().tolist() == said.frequencies().tolist()
    eta, xi = 1e-3 * np.eye(unsaid.elastic), np.linspace(0.0, 1.0, 9)
    one, other = (beam.centreline() for beam in (unsaid, said))
    assert np.array_equal(one.deflection(eta, xi), other.deflection(eta, xi))
    assert np.array_equal(one.rotation(eta, xi), other.rotation(eta, xi))


def test_the_plan_explains_its_modes(texts: Texts) -> None:
    """Modes, frame, frequencies and their completeness."""
    bodies, joints = [ml.ground(A=(0, 0)), link(modes=3)], [PIN_A]
    said = ml.analyse(ml.Mechanism("arm", planar=True, bodies=bodies, joints=joints)).explain()
    texts(said, "'a'", "210", "3685 rad/s", "0.004 %")


@pytest.mark.parametrize(
    ("changes", "values"),
    [
        ({"E": 70.0}, ["0.011 rad/s"]),
        ({"section": ml.rectangle(20, 6)}, ["6 m high", "0.5 m long", "shear=True"]),
        ({"damping": 1}, ["damping ratio of 1 "]),
        ({}, ["geometric stiffness"]),
    ],
    ids=["soft", "thick", "damped", "sound"],
)
def test_the_plan_warns_of_implausible_units(
    changes: dict[str, object], values: list[str], texts: Texts
) -> None:
    texts(link(**changes).describe_modes(), *values)


def test_frequencies_in_the_plane_are_those_of_its_ways_there() -> None:
    both = link(modes={"y": 2, "z": 2}, frame="a")
    assert both.frequencies(planar=True) == pytest.approx(link(modes=2, frame="a").frequencies())
    assert len(both.frequencies()) == 4


def test_pictures_of_its_modes() -> None:
    """One for each mode, with its frequency; the centreline has its corner."""
    figure = link(through=L_LINE, modes=3, masses={"b": 0.1}).draw_shapes()
    assert [axes.get_title(loc="left").split(":")[0] for axes in figure.axes] == ["y 1", "y 2", "y 3"]
    rest = figure.axes[0].lines[0].get_xydata()
    assert any(np.allclose(point, (0.3, 0.0)) for point in rest)


def test_stretching_is_drawn_across_the_line(texts: Texts) -> None:
    """Along it the displacement would be invisible."""
    axes = link(modes={"x": 1}, frame="a").draw_shapes().axes[0]
    texts(axes.get_title(loc="left"))
    assert np.ptp(axes.lines[1].get_ydata()) == pytest.approx(0.15 * 0.5)


def test_files_have_all_of_it() -> None:
    """Written and read back unchanged, parameters included."""
    h = ml.Parameter("h", 0.02)
    beam = link(
        through=L_LINE,
        section=(ml.rectangle(0.02, h), ml.tube(0.02, 0.01)),
        masses={"b": ml.Parameter("m", 0.3)},
        shear=True,
        modes=3,
        basis="interface",
        frame="a",
        damping=ml.Rayleigh(0.1, ml.Parameter("beta", 1e-5)),
        markers={"p": 0.4},
    )
    bodies = [ml.ground(), beam]
    machine = ml.Mechanism(
        "arm", planar=True, bodies=bodies, joints=[ml.Revolute("A", "ground.origin", "link.a")]
    )
    assert ml.from_text(ml.to_text(machine)) == machine
    assert dict(beam.markers)["p"].point == pytest.approx((0.3, 0.1))
    changed = machine.with_parameters(m=0.5).body("link")
    assert ml.model.marker_poses.nominal_value(changed.mass) == pytest.approx(
        ml.model.marker_poses.nominal_value(machine.body("link").mass) + 0.2
    )


MISTAKES = {
    "no line": ({"length": None}, ("[M15]",)),
    "two lines": ({"through": L_LINE, "length": 0.5}, ("[M15]", "`length`", "`through`")),
    "one point": ({"through": [(0, 0)]}, ("[M15]", "(0, 0)")),
    "no numbers": ({"through": [(0, 0), (ml.Parameter("x", 1.0), 0)]}, ("[M15]",)),
    "a ring": ({"through": [(0, 0), (1, 0), (1, 1), (0, 0)]}, ("[M15]",)),
    "three sections": ({"section": (ml.tube(0.1),) * 3}, ("[M15]",)),
    "an invalid section at b": ({"section": (ml.tube(0.1), ml.Section(0.0, 1e-8))}, ("[M15]", "0")),
    "a mass nowhere": ({"masses": {"tip": 0.1}}, ("[T03]", "'tip'")),
    "masses": ({"masses": 0.2}, ("[M15]", "0.2")),
    "a tube that is all hole": ({"section": (ml.tube(0.1, 0.1), ml.tube(0.1, 0.1))}, ("[M15]", "0")),
    "a negative mass": ({"masses": {"b": -0.1}}, ("[M15]", "'b'", "-0.1")),
    "an interface nowhere": ({"interfaces": ("a", "tip")}, ("[T03]", "'tip'")),
    "too few for the ends": ({"through": L_LINE, "modes": 2, "basis": "interface"}, ("[M15]", "2", "3")),
    "ways of straight beams": (
        {"through": L_LINE, "modes": {"y": 2, "x": 1}},
        ("[M15]", "'y'", "2", "'x'", "1"),
    ),
    "basis": ({"basis": "modal"}, ("[M15]", "'modal'")),
    "shear without a factor": (
        {"shear": True, "section": ml.Section(1e-4, 1e-8, shear_factor=0.0)},
        ("[M15]", "0"),
    ),
    "damping": ({"damping": ml.Rayleigh(-1.0, 0.0)}, ("[M15]", "-1.0")),
    "shapes in space": ({"through": L_LINE, "modes": {"space": 3}}, ("[M15]",)),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_reported(name: str, texts: Texts) -> None:
    """Each with the given value."""
    changes, expected = MISTAKES[name]
    with pytest.raises(ml.ModelError) as caught:
        joined(link(**changes), PIN_A)
    texts(caught.value, *expected)


def test_a_line_that_leaves_the_plane(texts: Texts) -> None:
    """All its modes have components in all directions."""
    line = [(0, 0, 0), (0.3, 0, 0), (0.3, 0.2, 0.1)]
    assert link(through=line, modes=4).modes == (("space", 4),)
    with pytest.raises(ml.ModelError) as caught:
        pinned_body(link(through=line, modes={"y": 2}), planar=False)
    texts.fault(caught.value, "M15")
