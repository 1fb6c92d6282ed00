"""Every kind of panel shows the numbers of the result, and unsuitable requests are refused by name."""

import numpy as np
import pytest
from unit.view.engine import engine
from unit.view.overlaps import overlaps
from zoo import ZOO

import multiloop as ml
from multiloop.analyses.results.extremes import joints_with_moments
from multiloop.view.plots.result_plot import PLOT_KINDS


@pytest.fixture(scope="module")
def turning():
    return ml.inverse(ZOO["four-bar"].build(), cycle=37)


@pytest.fixture(scope="module")
def running():
    return ml.inverse(engine(), cycle=73)


@pytest.fixture(scope="module")
def falling():
    mechanism = ZOO["four-bar"].build().without_drives()
    return ml.simulate(mechanism, until=0.2, start={"A": 0.7}, samples=21, rtol=1e-8)


def curves(figure, label):
    """The curves of a panel by their names, without the dots at peaks."""
    (axes,) = (axes for axes in figure.axes if axes.get_label() == label)
    return {line.get_label(): line for line in axes.lines if not line.get_label().startswith("_")}


def heights(figure, label):
    return {name: line.get_ydata() for name, line in curves(figure, label).items()}


def test_positions_of_all_joints_are_angles_in_degrees(turning):
    found = heights(turning.plot(show="positions"), "positions")
    assert set(found) == set(turning.joints)
    for name, values in found.items():
        assert values == pytest.approx(np.degrees(turning[name].position))


def test_free_coordinates_of_a_simulation_are_shown_unless_others_are_chosen(falling):
    assert set(curves(falling.plot(show="positions"), "positions")) == {"A"}
    assert set(curves(falling.plot(show="positions", of=["B", "D"]), "positions")) == {"B", "D"}


def test_slides_and_angles_have_panels_of_their_own(running, texts):
    figure = running.plot(show=["speeds"], units=["rpm", "mm/s"])
    angles, slides = heights(figure, "speeds: angles"), heights(figure, "speeds: slides")
    assert set(slides) == {"cylinder"}
    assert slides["cylinder"] == pytest.approx(1000 * running["cylinder"].rate)
    assert angles["main bearing"] == pytest.approx(np.full(73, 300 * 30 / np.pi))
    texts("\n".join(axes.get_ylabel() for axes in figure.axes), "(rpm)", "(mm/s)")


def test_accelerations_leave_out_what_does_not_accelerate(turning):
    found = heights(turning.plot(show="accelerations"), "accelerations")
    assert set(found) == {"B", "C", "D"}  # A turns at constant speed
    assert found["C"] == pytest.approx(turning["C"].acceleration)
    chosen = heights(turning.plot(show="accelerations", of="A"), "accelerations")
    assert np.abs(chosen["A"]).max() < 1e-9


@pytest.mark.parametrize(("show", "what"), [("positions", "position"), ("accelerations", "acceleration")])
def test_of_many_joints_those_are_shown_that_vary_most(show, what, texts):
    result = ml.inverse(ZOO["scraper-C"].build(), cycle=25)
    figure = result.plot(show=show)
    found = heights(figure, show)
    ranges = {name: np.ptp(getattr(joint, what)) for name, joint in result.joints.items()}
    (driven,) = (motion.of for motion in result.mechanism.drives)
    del ranges[driven]  # constant rate: a straight line
    assert set(found) == set(sorted(ranges, key=ranges.get)[-6:])
    note = figure.axes[0].get_title(loc="right")
    texts(note, "6", f"{len(result.joints)}")


def test_forces_have_components_in_inertial_axes_or_in_those_of_a_body(turning):
    found = heights(turning.plot(show="forces", of="C"), "forces C")
    assert np.column_stack([found["C, x"], found["C, y"]]) == pytest.approx(turning["C"].force)
    found = heights(turning.plot(show="forces", of="C", frame="coupler"), "forces C")
    expected = turning["C"].force_in("coupler")
    assert np.column_stack([found["C, x"], found["C, y"]]) == pytest.approx(expected)


def test_polar_diagram_is_the_force_on_the_body_in_whose_axes_it_is_drawn(turning, texts):
    figure = turning.plot(show="polar", of="C")
    texts(figure.axes[0].get_title(loc="left"), "'rocker'")
    assert curves(figure, "polar C")["C"].get_xydata() == pytest.approx(turning["C"].force_in("rocker"))
    figure = turning.plot(show="polar", of="C", frame="coupler")
    texts(figure.axes[0].get_title(loc="left"), "'coupler'")
    assert curves(figure, "polar C")["C"].get_xydata() == pytest.approx(-turning["C"].force_in("coupler"))
    figure = turning.plot(show="polar", of="C", frame="ground")
    texts(figure.axes[0].get_title(loc="left"), "'rocker'", "'ground'")


def test_diagrams_have_one_scale_both_ways(turning):
    figure = turning.plot(show=["polar", "paths"], of=["B", "C", "coupler.b"])
    for axes in figure.axes:
        (x0, x1), (y0, y1) = axes.get_xlim(), axes.get_ylim()
        box = axes.get_window_extent()
        assert box.width / (x1 - x0) == pytest.approx(box.height / (y1 - y0))


def test_paths_are_those_of_the_markers(turning):
    found = curves(turning.plot(show="paths", of=["coupler.b", "coupler.com"], units="mm"), "paths")
    assert set(found) == {"coupler.b", "coupler.com"}
    assert found["coupler.com"].get_xydata() == pytest.approx(1000 * turning.marker("coupler.com"))
    assert set(curves(turning.plot(show="paths"), "paths")) == {
        "coupler.a",
        "rocker.b",
    }  # where joints travel


def test_free_ends_have_paths_too():
    arm = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), ml.rod("upper", length=0.4, mass=1.0), ml.rod("fore", length=0.3, mass=0.5)],
        joints=[ml.Revolute("A", "ground.origin", "upper.a"), ml.Revolute("B", "upper.b", "fore.a")],
        drives=[
            ml.Motion("A", ml.motion_laws.constant_speed(1.0)),
            ml.Motion("B", ml.motion_laws.constant_speed(-3.0)),
        ],
    )
    result = ml.inverse(arm, cycle=37)
    for show in ("paths", "hodograph"):
        assert set(curves(result.plot(show=show), show)) == {"fore.a", "fore.b"}


def test_a_unit_that_fits_no_axis_is_refused(turning, texts):
    with pytest.raises(ml.DrawingError) as caught:
        turning.plot(show="speeds", units=["rpm", "kN"])
    (fault,) = caught.value.faults
    texts(fault, "[V01]", "'kN'")
    turning.plot(units=["kN", "rad"])  # efforts, loads, over the angle of the crank
    turning.plot(show=["loads", "moments"], units="N·mm")  # pins in the plane transmit no moments: omitted


def test_path_in_space_is_seen_along_the_axis_over_which_it_runs_least():
    result = ml.inverse(ZOO["RSSR"].build(), cycle=25)
    path = result.marker("coupler.a")
    figure = result.plot(show="paths", of="coupler.a")
    hidden = int(np.ptp(path, axis=0).argmin())
    kept = [k for k in range(3) if k != hidden]
    assert curves(figure, "paths")["coupler.a"].get_xydata() == pytest.approx(path[:, kept])
    assert figure.axes[0].get_xlabel() == f"{'xyz'[kept[0]]} (m)"


def test_hodograph_is_the_velocity_from_one_point(turning, texts):
    figure = turning.plot(show="hodograph", of="coupler.b")
    found = curves(figure, "hodograph")["coupler.b"].get_xydata()
    assert found == pytest.approx(turning.velocity("coupler.b"))
    low, high = figure.axes[0].get_xlim()
    assert low < 0 < high
    texts(figure.axes[0].get_title(loc="left"))


def test_energies_add_up(falling):
    found = heights(falling.plot(show="energy"), "energy")
    potential = falling.potential_energy - falling.potential_energy[0]
    assert found["potential energy, 0 at the start"] == pytest.approx(potential)
    assert found["sum"] == pytest.approx(falling.kinetic_energy + potential)
    assert found["kinetic energy"] == pytest.approx(falling.kinetic_energy)


def test_the_sum_of_energies_of_what_falls_from_rest_is_a_line_at_zero():
    mechanism = ZOO["four-bar"].build().without_drives()
    result = ml.simulate(mechanism, until=0.2, start={"A": 0.7}, samples=21)
    found = heights(result.plot(show="energy"), "energy")
    assert set(found) == {"kinetic energy", "potential energy, 0 at the start", "sum"}
    assert np.abs(found["sum"]).max() < 1e-8 * found["kinetic energy"].max()


def test_power_of_each_supplier_and_their_sum(running, turning):
    found = heights(running.plot(show="power", units="kW"), "power")
    assert set(found) == {"main bearing", "gas", "sum"}
    assert 1000 * found["sum"] == pytest.approx(running.power)
    assert 1000 * (found["main bearing"] + found["gas"]) == pytest.approx(running.power)
    (alone,) = heights(turning.plot(show="power"), "power").values()
    assert alone == pytest.approx(turning.power)


def test_loads_in_the_unit_that_is_asked_for(turning, texts):
    figure = turning.plot(show="loads", of=["B", "C"], units={"force": "kN"})
    found = heights(figure, "loads")
    assert set(found) == {"B", "C"}
    assert found["B"] == pytest.approx(turning["B"].load / 1000)
    texts(figure.axes[0].get_ylabel(), "(kN)")


def test_a_pin_stands_for_its_joints():
    result = ml.inverse(ZOO["scraper-C"].build(), cycle=9)
    names = {name for name in result.joints if name.startswith("Q/")}
    assert len(names) == 2
    assert set(curves(result.plot(show="loads", of="Q"), "loads")) == names


def test_a_joint_name_selects_the_joint_without_its_implied_joints():
    """A driven arm has the implied bearing of its rotor, "A/motor", which rotates 50 times as far."""
    bar = ZOO["four-bar"].build()
    bought = bar.replace(actuators=[ml.Actuator("A", rotor_inertia=1e-4, ratio=50)])
    result = ml.inverse(bought, cycle=13)
    assert set(heights(result.plot(show="positions", of="A"), "positions")) == {"A"}
    assert set(heights(result.plot(show="positions"), "positions")) == {"A", "B", "C", "D"}
    assert set(heights(result.plot(show="positions", of="A/motor"), "positions")) == {"A/motor"}


@pytest.mark.parametrize(
    ("over", "words", "values"),
    [
        ("time", ("(s)",), lambda result: result.time),
        ("D", ("'D'", "(°)"), lambda result: np.degrees(result["D"].position)),
    ],
)
def test_curves_run_over_what_is_asked(turning, over, words, values, texts):
    figure = turning.plot(show="loads", over=over)
    texts(figure.axes[0].get_xlabel(), *words)
    assert curves(figure, "loads")["C"].get_xdata() == pytest.approx(values(turning))


def test_panels_of_round_off_are_omitted_with_a_note(turning, texts):
    weightless = (
        ZOO["four-bar"]
        .build()
        .replace(gravity=(0, 0), drives=[ml.Motion("A", ml.motion_laws.constant_speed(0.0))])
    )
    result = ml.inverse(weightless, t=np.linspace(0, 1, 5))
    figure = result.plot(show=["positions", "energy", "loads"])
    assert [axes.get_label() for axes in figure.axes] == ["positions"]
    texts("\n".join(text.get_text() for text in figure.texts), "energy, loads")
    alone = result.plot(show="loads")  # no other curve: zero is shown
    assert all(not values.any() for values in heights(alone, "loads").values())


def test_what_is_asked_for_is_refused_by_name_where_it_cannot_be(turning, falling, texts):
    with pytest.raises(ml.UnknownNameError) as caught:
        turning.plot(show="load")
    texts.fault(caught.value, "R01", "'load'", "'loads'")
    with pytest.raises(ml.UnknownNameError) as caught:
        turning.plot(show="paths", of="couplr.b")
    texts.fault(caught.value, "R01", "'couplr.b'", "'coupler.b'")
    with pytest.raises(ml.UnknownNameError) as caught:
        turning.plot(show="paths", of="coupler.x")
    texts.fault(caught.value, "R01", "'coupler.x'")
    with pytest.raises(ml.UnknownNameError) as caught:
        turning.plot(over="tme")
    texts.fault(caught.value, "R01", "'tme'", "'time'")
    with pytest.raises(ml.UnknownNameError) as caught:
        turning.plot(show="forces", frame="copler")
    texts.fault(caught.value, "R01", "'copler'", "'coupler'")
    with pytest.raises(ml.DrawingError) as caught:
        turning.plot(show="paths", of="C")
    texts.fault(caught.value, "V01", "'C'")
    with pytest.raises(ml.DrawingError) as caught:
        turning.plot(of="coupler.b")
    texts.fault(caught.value, "V01", "'coupler.b'")
    with pytest.raises(ml.DrawingError) as caught:
        falling.plot(show="efforts")
    texts.fault(caught.value, "V01")
    with pytest.raises(ml.DrawingError) as caught:
        turning.plot(show=[])
    texts.fault(caught.value, "V01")
    with pytest.raises(ml.DrawingError) as caught:
        turning.plot(show=[3])
    texts.fault(caught.value, "V01", "3")


def test_diagram_of_a_single_instant_is_refused(texts):
    result = ml.inverse(ZOO["four-bar"].build(), t=0.1)
    with pytest.raises(ml.DrawingError) as caught:
        result.plot(show="paths")
    texts.fault(caught.value, "V01", "'paths'")
    assert len(result.plot(show=["speeds", "energy", "power"]).axes[0].patches) > 0  # bars


def test_joint_with_several_coordinates_is_no_axis(texts):
    result = ml.inverse(ZOO["RSUR"].build(), cycle=5)
    cross = next(j.name for j in result.mechanism.joints if type(j).__name__ == "Universal")
    with pytest.raises(ml.DrawingError) as caught:
        result.plot(over=cross)
    texts.fault(caught.value, "V01", f"'{cross}'", "2")


@pytest.fixture(scope="module", params=["four-bar", "scraper-C", "RSSR", "6-UPS", "swash-pump", "excavator"])
def member(request):
    return ml.inverse(ZOO[request.param].build(), t=np.linspace(0.0, 1.0, 61))


@pytest.mark.parametrize("kind", PLOT_KINDS)
def test_no_words_overlap_in_any_panel(member, kind):
    if (kind == "moments" and not joints_with_moments(member)) or PLOT_KINDS[kind].of == "links":
        with pytest.raises(ml.DrawingError, match=r"\[V01\]"):
            member.plot(show=kind)
        return
    figure = member.plot(show=kind)
    assert overlaps(figure) == ([], [])


def test_no_words_overlap_where_all_is_shown_beside_a_drawing(running):
    figure = running.plot(show=list(PLOT_KINDS), drawing=True, traces=["piston.crown", "connecting rod.com"])
    assert overlaps(figure) == ([], [])
