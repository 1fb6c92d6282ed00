"""Curves of a result: their abscissa, their units, and their names."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from unit.view.overlaps import overlaps
from zoo import ZOO

import multiloop as ml
from multiloop.view.figure import UNNAMED, blank_figure
from multiloop.view.plots.panel_curves import add_legend, format_number, panel_note
from multiloop.view.plots.plot_data import Line, Panel


@pytest.fixture(scope="module")
def turning():
    return ml.inverse(ZOO["four-bar"].build(), cycle=25)


@pytest.fixture(scope="module")
def lifting():
    return ml.inverse(ZOO["excavator"].build(), t=np.linspace(0.0, 2.0, 9))


def test_turning_drive_gives_an_axis_of_degrees(turning, texts):
    efforts, loads = turning.plot().axes
    texts(loads.get_xlabel(), "'A'", "(°)")
    assert loads.get_xlim() == pytest.approx((0.0, 360.0))
    assert np.allclose(efforts.lines[0].get_ydata(), turning["A"].effort)


def test_other_drives_give_an_axis_of_time(lifting, texts):
    efforts, _, moments = lifting.plot().axes
    texts(moments.get_xlabel(), "(s)")
    texts(efforts.get_ylabel(), "(kN)")
    assert {text.get_text() for text in efforts.get_legend().get_texts()} == {"4", "10", "13"}


def test_all_loads_are_drawn_and_the_largest_named(turning):
    loads = turning.plot().axes[1]
    drawn = [line for line in loads.lines if len(line.get_xdata()) == 25]
    assert len(drawn) == len(turning.joints)
    largest = max(turning.joints.values(), key=lambda joint: joint.load.max())
    words = [text.get_text() for text in loads.texts]
    assert f"{largest.name} {format_number(float(largest.load.max()))} N" in words


@pytest.mark.parametrize("name", ["scraper-C", "6-UPS"])
def test_names_at_the_peaks_do_not_overlap(name):
    result = ml.inverse(ZOO[name].build(), t=np.linspace(0.0, 1.0, 41))
    figure = result.plot()
    assert overlaps(figure) == ([], [])


def test_moments_have_a_panel_where_joints_hold_any(turning, texts):
    result = ml.inverse(ZOO["RSSR"].build(), cycle=25)
    moments = result.plot().axes[-1]
    texts(moments.get_ylabel(), "(N·m)")
    drawn = {line.get_label(): line for line in moments.lines if len(line.get_xdata()) == 25}
    assert set(drawn) == {"A", "D"}  # ball joints transmit none
    for name, line in drawn.items():
        assert line.get_ydata() == pytest.approx(np.linalg.norm(result[name].moment, axis=1))
    assert f"A {format_number(float(result['A'].moment_size.max()))} N·m" in [
        text.get_text() for text in moments.texts
    ]
    assert [axes.get_label() for axes in turning.plot().axes] == ["efforts", "loads"]


def test_moments_of_a_single_instant_are_bars():
    result = ml.inverse(ZOO["RSSR"].build(), t=0.1)
    moments = result.plot().axes[-1]
    sizes = sorted((result[name].moment_size[0] for name in "AD"), reverse=True)
    assert [bar.get_width() for bar in moments.patches] == pytest.approx(sizes)


def test_undetermined_loads_are_dashed():
    result = ml.inverse(ZOO["bennett"].build(), cycle=5)
    curves = [line for line in result.plot().axes[1].lines if len(line.get_xdata()) == 5]
    assert not any(joint.determined for joint in result.joints.values())
    assert all(line.get_linestyle() == "--" for line in curves)


@pytest.mark.parametrize("name", ["four-bar", "RSSR"])
def test_drawing_stands_beside_the_curves(name):
    result = ml.inverse(ZOO[name].build(), cycle=9)
    reference = f"{result.mechanism.moving[-1].name}.b"
    figure = result.plot(drawing=True, traces=[reference])
    assert isinstance(figure, Figure)
    assert figure.axes[0].name == ("rectilinear" if result.mechanism.planar else "3d")
    panels = ["efforts", "loads"] if result.mechanism.planar else ["efforts", "loads", "moments"]
    assert [axes.get_label() for axes in figure.axes[1:]] == panels


def test_picture_is_saved(tmp_path, turning):
    turning.plot(path=tmp_path / "loads.png")
    assert (tmp_path / "loads.png").stat().st_size > 5_000


def test_single_instant_is_drawn_as_bars(texts):
    result = ml.inverse(ZOO["four-bar"].build(), t=0.0)
    efforts, loads = result.plot().axes
    assert [bar.get_width() for bar in efforts.patches] == pytest.approx([result["A"].effort[0]])
    largest = sorted((joint.load[0] for joint in result.joints.values()), reverse=True)
    assert [bar.get_width() for bar in loads.patches] == pytest.approx(largest)
    texts(loads.get_xlabel(), "(N)", "0 s")


@pytest.fixture(scope="module")
def pushed():
    """A screw in its nut, with a given torque."""
    mechanism = ZOO["screw-jack"].build().without_drives()
    start, efforts = {"thread": 0.0}, {"thread": 0.3}
    return ml.simulate(mechanism, until=0.1, start=start, efforts=efforts, samples=5, rtol=1e-7)


def test_given_effort_is_drawn_with_its_unit(pushed, texts):
    _, efforts, *_ = pushed.plot().axes
    curve = next(line for line in efforts.lines if len(line.get_xdata()) == 5)
    assert np.allclose(curve.get_ydata(), 0.3)
    texts(efforts.get_ylabel(), "(N·m)")  # a screw's coordinate is an angle


def test_free_coordinate_of_a_simulation_stands_on_top(pushed, texts):
    positions = pushed.plot().axes[0]
    texts(positions.get_ylabel(), "(°)")
    assert np.allclose(positions.lines[0].get_ydata(), np.degrees(pushed["thread"].position))


@pytest.mark.parametrize("names", [["a"], ["left elbow"] * 6, ["a long name of a coordinate (turn)"] * 3])
def test_legend_stays_within_its_axes(names):
    axes = blank_figure(np.array([540.0, 300.0])).add_axes((0.12, 0.1, 0.85, 0.8))
    for name in names:
        axes.plot([0, 1], [0, 1], label=name)
    add_legend(axes, names)
    box = axes.get_legend().get_window_extent(FigureCanvasAgg(axes.figure).get_renderer())
    assert axes.bbox.x0 < box.x0
    assert axes.get_legend()._ncols == {1: 1, 6: 5, 3: 2}[len(names)]


def test_joint_has_one_colour_in_all_panels(pushed):
    drawn = [line for axes in pushed.plot().axes for line in axes.lines if line.get_label() == "thread"]
    assert len(drawn) == len(pushed.plot().axes) == 4
    assert len({line.get_color() for line in drawn}) == 1


def test_without_effort_there_is_no_panel_for_it():
    mechanism = ZOO["four-bar"].build().without_drives()
    result = ml.simulate(mechanism, until=0.05, start={"A": 0.7}, samples=3, rtol=1e-6)
    assert [axes.get_label() for axes in result.plot().axes] == ["positions", "loads"]


def test_dashes_and_grey_are_explained_where_they_occur(pushed, lifting, turning, texts):
    def words(result):
        loads = next(axes for axes in result.plot().axes if axes.get_label() == "loads")
        return loads.get_title(loc="right")

    texts(words(pushed))
    texts(words(lifting))
    assert words(turning) == ""


def test_a_few_grey_curves_are_named_together(texts):
    lines = [Line(name, name, np.ones(3)) for name in ("A", "way", "C")]
    panel = Panel("loads", "bearing load", "force", lines)
    colours = dict.fromkeys(("way", "C"), UNNAMED) | {"A": "#000000"}
    texts(panel_note(panel, colours, "dashed"))


def test_orientation_is_drawn_as_the_angle_turned():
    bob = ml.Body("bob", mass=1.0, com=(0.0, 0.0, -0.5), inertia=(0.1, 0.1, 0.1))
    mechanism = ml.Mechanism(
        "bob", bodies=[ml.ground(), bob], joints=[ml.Spherical("S", "ground.origin", "bob.origin")]
    )
    start = {"S": (np.cos(0.2), np.sin(0.2), 0.0, 0.0)}
    result = ml.simulate(mechanism, until=0.1, start=start, samples=3, rtol=1e-6)
    positions = result.plot().axes[0]
    assert positions.lines[0].get_ydata()[0] == pytest.approx(np.degrees(0.4))
    assert [text.get_text() for text in positions.get_legend().get_texts()] == ["S (turn)"]


def test_traces_bring_the_drawing_with_them(turning):
    assert len(turning.plot(traces="coupler.b").axes) == 3


def test_misspelt_trace_is_refused_with_a_suggestion(turning, texts):
    with pytest.raises(KeyError) as caught:
        turning.plot(traces=["couplr.b"])
    texts.fault(caught.value, "R01", "'coupler'")


def test_axes_must_be_as_many_as_panels(turning, texts):
    axes = Figure().subplots(3)
    with pytest.raises(ValueError) as caught:
        turning.plot(axes=axes)
    texts.fault(caught.value, "V02", "3", "2")
    assert turning.plot(axes=axes[:2]) is axes[0].figure
    with pytest.raises(ValueError) as caught:
        turning.plot(axes=axes[:2], drawing=True)
    texts.fault(caught.value, "V02", "`drawing`", "`traces`")


@pytest.mark.parametrize(
    ("value", "words"),
    [(100.327, "100.3"), (-6.5996, "−6.600"), (78412.0, "78412"), (0.0, "0"), (0.0123456, "0.01235")],
)
def test_numbers_have_four_digits_and_no_exponent(value, words):
    assert format_number(value) == words
