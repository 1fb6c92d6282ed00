"""Every test model can be drawn, with all its names readable, and without side effects on pyplot."""

import subprocess
import sys

import numpy as np
import pytest
from laws.random_loads import random_loads
from matplotlib.figure import Figure
from unit.view.engine import engine
from unit.view.overlaps import overlaps
from zoo import ZOO

import multiloop as ml
from multiloop.model import JOINTS
from multiloop.view import draw_state
from multiloop.view.figure import LOAD, colours_of, shaded
from multiloop.view.symbols.planar_joints import PLANAR_SYMBOLS
from multiloop.view.symbols.spatial_joints import SPATIAL_SYMBOLS


def _words(figure):
    return {text.get_text() for axes in figure.axes for text in axes.texts}


@pytest.fixture(scope="module", params=ZOO)
def drawn(request):
    """A mechanism of the zoo with its picture."""
    mechanism = ZOO[request.param].build()
    return mechanism, mechanism.draw()


def test_every_name_is_written(drawn):
    mechanism, figure = drawn
    assert isinstance(figure, Figure)
    words = _words(figure)
    assert {body.name for body in mechanism.moving if "/" not in body.name} <= words
    single = {part for word in words for part in word.split(", ")}
    named = {j.name.split("/")[0] for j in mechanism.connections if type(j).__name__ != "Free"}
    assert named <= single


def test_no_two_names_overlap_and_none_leaves_the_page(drawn):
    _, figure = drawn
    assert overlaps(figure) == ([], [])


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_picture_is_saved(tmp_path, ending):
    path = tmp_path / f"four_bar.{ending}"
    ZOO["four-bar"].build().draw(path=path)
    assert path.stat().st_size > 5_000


def test_drawing_goes_into_axes_that_are_given():
    figure = Figure()
    axes = figure.add_subplot(1, 2, 1)
    assert ZOO["four-bar"].build().draw(axes=axes) is figure
    assert len(axes.lines) > 10


def test_trace_is_within_the_picture():
    far = np.array([[5.0, 5.0], [5.0, 6.0]])
    axes = ZOO["four-bar"].build().draw(traces=[far]).axes[0]
    assert axes.get_xlim()[1] > 5.0
    assert axes.get_ylim()[1] > 6.0


def test_an_undetermined_assembly_mode_is_reported():
    mechanism = ZOO["four-bar"].build()
    note = "1 of 2 assembly modes; choose with a guess"
    assert note in _words(mechanism.replace(guess={}).draw())
    assert note not in _words(mechanism.draw())
    guessed = mechanism.without_drives().replace(guess={"A": 0.7})  # at the position of the drive
    assert note in _words(guessed.draw())
    assert note not in _words(guessed.draw(guess={"A": 0.7, "coupler.b": (0.8, 0.7)}))


def yoke(arm):
    """A block on a crank slides along a yoke: an arm along x, or a single point with a slot."""
    markers = {"slot": ml.marker((0, 0), angle=np.pi / 2), **arm}
    return ml.Mechanism(
        "yoke",
        planar=True,
        bodies=[
            ml.ground(O=(0, 0)),
            ml.rod("crank", length=0.1, mass=0.8),
            ml.Body("block", mass=0.2, inertia=5e-5, markers={"guide": ml.marker((0, 0), angle=np.pi / 2)}),
            ml.Body("yoke", mass=1.6, com=(0.15, 0), inertia=0.02, markers=markers, outline=tuple(markers)),
        ],
        joints=[
            ml.Revolute("O", "ground.O", "crank.a"),
            ml.Revolute("pin", "crank.b", "block.origin"),
            ml.Prismatic("slot", "yoke.slot", "block.guide"),
            ml.Prismatic("guide", "ground.O", "yoke.origin"),
        ],
        drives=[ml.Motion("O", ml.motion_laws.constant_speed(12.0, start=0.6))],
        guess={"pin": -0.6},
    )


def test_a_block_between_moving_bodies_has_a_slot_unless_it_slides_along_a_bar():
    with_arm, along = (yoke(arm).draw().axes[0] for arm in ({"end": (0.25, 0)}, {"end": (0, 0.1)}))
    colour = shaded(colours_of(["ground", "crank", "block", "yoke"])["yoke"], 0.85)
    edges = [
        line.get_xydata() for line in with_arm.lines if (line.get_color(), line.get_lw()) == (colour, 1.4)
    ]
    assert len(edges) == 2
    for ends in edges:
        assert np.ptp(ends[:, 0]) < 1e-9  # along the slide
        assert (
            ends[:, 1].min() < 0.0 < 0.1 * np.sin(0.6) < ends[:, 1].max()
        )  # from the arm to beyond the block
    assert not [line for line in along.lines if (line.get_color(), line.get_lw()) == (colour, 1.4)]


def test_state_is_drawn_as_it_stands():
    mechanism = ZOO["four-bar"].build().replace(guess={})
    one, other = (draw_state(state) for state in ml.branches(mechanism))
    assert "t = 0 s" in _words(one)
    heights = [sorted(y for line in f.axes[0].lines for y in line.get_ydata()) for f in (one, other)]
    assert heights[0] != pytest.approx(heights[1])


def test_moved_marker_is_ringed():
    mechanism = ZOO["five-bar"].build()
    plain = mechanism.without_drives()
    moved = plain.replace(
        drives=[ml.Motion("left rod.b", x=0.15, y=0.5)],
        actuators=[ml.Actuator("A"), ml.Actuator("E")],
    )
    assert len(moved.draw().axes[0].lines) > len(plain.draw().axes[0].lines)


def test_every_joint_has_a_symbol():
    assert {kind.__name__ for kind in JOINTS} == set(SPATIAL_SYMBOLS)
    assert {kind.__name__ for kind in JOINTS if kind.planar_too} | {"Free", "Fixed"} == set(PLANAR_SYMBOLS)


def test_drawing_neither_needs_nor_starts_pyplot():
    code = (
        "import sys; import multiloop.view; assert 'matplotlib' not in sys.modules\n"
        "import multiloop as ml\n"
        "m = ml.Mechanism('m', planar=True, bodies=[ml.ground(), ml.rod('r', length=1.0, mass=1.0)],\n"
        "                 joints=[ml.Revolute('A', 'ground.origin', 'r.a')])\n"
        "m.draw(); assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("name", ["four-bar-offsets", "slider-crank", "RSUR", "screw-jack"])
def test_loads_are_drawn_with_their_names(name):
    bare = ZOO[name].build()
    mechanism = bare.replace(loads=random_loads(bare))
    names = {load.name for load in mechanism.loads}
    figure = mechanism.draw()
    assert names <= _words(figure)
    assert overlaps(figure) == ([], [])
    colours = {line.get_color() for axes in figure.axes for line in axes.lines}
    assert LOAD in colours
    assert LOAD not in {line.get_color() for axes in bare.draw().axes for line in axes.lines}


@pytest.mark.parametrize("turn", [0.0, 0.6, 1.2, 1.571, 2.2, 3.142, 4.0, 5.2])
def test_names_at_the_piston_of_an_engine_do_not_overlap(turn):
    state = ml.assemble(engine().without_drives(), start={"main bearing": turn})
    figure = state.draw()
    assert {"wrist pin", "cylinder", "piston", "gas"} <= _words(figure)
    assert overlaps(figure) == ([], [])


def test_state_is_drawn_into_axes_that_are_given(texts):
    figure = Figure()
    axes = figure.add_subplot(1, 2, 2)
    state = ml.assemble(ZOO["four-bar"].build())
    assert state.draw(axes=axes) is figure
    assert "t = 0 s" in _words(figure)
    with pytest.raises(ml.DrawingError) as caught:
        state.draw(axes=figure.add_subplot(1, 2, 1, projection="3d"))
    texts.fault(caught.value, "V02")
