"""Every kind of panel shows the numbers of the result, and what cannot be shown is refused by name."""

import numpy as np
import pytest
from unit.view.engine import engine
from unit.view.overlapping import overlaps
from zoo import ZOO

import multiloop as ml
from multiloop.questions.answers.extremes import joints_with_moments
from multiloop.view.kinds import KINDS


@pytest.fixture(scope="module")
def turning():
    return ml.inverse(ZOO["four-bar"].build(), cycle=37)


@pytest.fixture(scope="module")
def running():
    return ml.inverse(engine(), cycle=73)


@pytest.fixture(scope="module")
def falling():
    mechanism = ZOO["four-bar"].build().without_drives()
    return ml.simulate(mechanism, until=0.2, start={"A": 0.7}, outputs=21, rtol=1e-8)


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


def test_slides_and_angles_have_panels_of_their_own(running):
    figure = running.plot(show=["speeds"], units=["rpm", "mm/s"])
    angles, slides = heights(figure, "speeds: angles"), heights(figure, "speeds: slides")
    assert set(slides) == {"cylinder"}
    assert slides["cylinder"] == pytest.approx(1000 * running["cylinder"].rate)
    assert angles["main bearing"] == pytest.approx(np.full(73, 300 * 30 / np.pi))
    assert [axes.get_ylabel() for axes in figure.axes] == ["speed (rpm)", "speed (mm/s)"]


def test_accelerations_leave_out_what_does_not_accelerate(turning):
    found = heights(turning.plot(show="accelerations"), "accelerations")
    assert set(found) == {"B", "C", "D"}  # A turns at constant speed
    assert found["C"] == pytest.approx(turning["C"].acceleration)
    chosen = heights(turning.plot(show="accelerations", of="A"), "accelerations")
    assert np.abs(chosen["A"]).max() < 1e-9


@pytest.mark.parametrize(("show", "what"), [("positions", "position"), ("accelerations", "acceleration")])
def test_of_many_joints_those_are_shown_that_vary_most(show, what):
    result = ml.inverse(ZOO["scraper-C"].build(), cycle=25)
    figure = result.plot(show=show)
    found = heights(figure, show)
    ranges = {name: np.ptp(getattr(joint, what)) for name, joint in result.joints.items()}
    (driven,) = (motion.of for motion in result.mechanism.drives)
    del ranges[driven]  # turns steadily: a straight line
    assert set(found) == set(sorted(ranges, key=ranges.get)[-6:])
    note = figure.axes[0].get_title(loc="right")
    assert note == f"6 of {len(result.joints)} joints that move, those that vary most"


def test_forces_have_components_in_inertial_axes_or_in_those_of_a_body(turning):
    found = heights(turning.plot(show="forces", of="C"), "forces C")
    assert np.column_stack([found["C, x"], found["C, y"]]) == pytest.approx(turning["C"].force)
    found = heights(turning.plot(show="forces", of="C", frame="coupler"), "forces C")
    expected = turning["C"].force_in("coupler")
    assert np.column_stack([found["C, x"], found["C, y"]]) == pytest.approx(expected)


def test_polar_diagram_is_the_force_on_the_body_in_whose_axes_it_is_drawn(turning):
    figure = turning.plot(show="polar", of="C")
    assert figure.axes[0].get_title(loc="left") == "C: force on 'rocker', its axes"
    assert curves(figure, "polar C")["C"].get_xydata() == pytest.approx(turning["C"].force_in("rocker"))
    figure = turning.plot(show="polar", of="C", frame="coupler")
    assert figure.axes[0].get_title(loc="left") == "C: force on 'coupler', its axes"
    assert curves(figure, "polar C")["C"].get_xydata() == pytest.approx(-turning["C"].force_in("coupler"))
    figure = turning.plot(show="polar", of="C", frame="ground")
    assert figure.axes[0].get_title(loc="left") == "C: force on 'rocker', axes of 'ground'"


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
        drives=[ml.Motion("A", ml.constant_speed(1.0)), ml.Motion("B", ml.constant_speed(-3.0))],
    )
    result = ml.inverse(arm, cycle=37)
    for show in ("paths", "hodograph"):
        assert set(curves(result.plot(show=show), show)) == {"fore.a", "fore.b"}


def test_a_unit_that_fits_no_axis_is_refused(turning):
    with pytest.raises(ml.DrawingError) as caught:
        turning.plot(show="speeds", units=["rpm", "kN"])
    (fault,) = caught.value.faults
    assert str(fault) == (
        "[V01] unit 'kN': it is a unit of force, and no axis counts that.\n"
        "       The axes are of: angular speed (rad/s, °/s, rpm, rev/s), angle (°, rad, rev)."
    )
    turning.plot(units=["kN", "rad"])  # efforts, loads, over the angle of the crank
    turning.plot(show=["loads", "moments"], units="N·mm")  # pins in the plane hold no moments: left out


def test_path_in_space_is_seen_along_the_axis_over_which_it_runs_least():
    result = ml.inverse(ZOO["RSSR"].build(), cycle=25)
    path = result.marker("coupler.a")
    figure = result.plot(show="paths", of="coupler.a")
    hidden = int(np.ptp(path, axis=0).argmin())
    kept = [k for k in range(3) if k != hidden]
    assert curves(figure, "paths")["coupler.a"].get_xydata() == pytest.approx(path[:, kept])
    assert figure.axes[0].get_xlabel() == f"{'xyz'[kept[0]]} (m)"


def test_hodograph_is_the_velocity_from_one_point(turning):
    figure = turning.plot(show="hodograph", of="coupler.b")
    found = curves(figure, "hodograph")["coupler.b"].get_xydata()
    assert found == pytest.approx(turning.velocity("coupler.b"))
    low, high = figure.axes[0].get_xlim()
    assert low < 0 < high
    assert figure.axes[0].get_title(loc="left") == "velocity of coupler.b"


def test_energies_add_up(falling):
    found = heights(falling.plot(show="energy"), "energy")
    potential = falling.potential_energy - falling.potential_energy[0]
    assert found["potential energy, 0 at the start"] == pytest.approx(potential)
    assert found["sum"] == pytest.approx(falling.kinetic_energy + potential)
    assert found["kinetic energy"] == pytest.approx(falling.kinetic_energy)


def test_the_sum_of_energies_of_what_falls_from_rest_is_a_line_at_zero():
    mechanism = ZOO["four-bar"].build().without_drives()
    result = ml.simulate(mechanism, until=0.2, start={"A": 0.7}, outputs=21)
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


def test_loads_in_the_unit_that_is_asked_for(turning):
    figure = turning.plot(show="loads", of=["B", "C"], units={"force": "kN"})
    found = heights(figure, "loads")
    assert set(found) == {"B", "C"}
    assert found["B"] == pytest.approx(turning["B"].load / 1000)
    assert figure.axes[0].get_ylabel() == "load of the joints (kN)"


def test_a_pin_stands_for_its_joints():
    result = ml.inverse(ZOO["scraper-C"].build(), cycle=9)
    names = {name for name in result.joints if name.startswith("Q/")}
    assert len(names) == 2
    assert set(curves(result.plot(show="loads", of="Q"), "loads")) == names


def test_a_joint_stands_for_itself_beside_those_that_it_brings_along():
    """A driven arm has the bearing of its rotor, "A/motor", which turns 50 times as far."""
    bar = ZOO["four-bar"].build()
    bought = bar.replace(actuators=[ml.Actuator("A", rotor_inertia=1e-4, ratio=50)])
    result = ml.inverse(bought, cycle=13)
    assert set(heights(result.plot(show="positions", of="A"), "positions")) == {"A"}
    assert set(heights(result.plot(show="positions"), "positions")) == {"A", "B", "C", "D"}
    assert set(heights(result.plot(show="positions", of="A/motor"), "positions")) == {"A/motor"}


@pytest.mark.parametrize(
    ("over", "words", "values"),
    [
        ("time", "time (s)", lambda result: result.time),
        ("D", "angle of 'D' (°)", lambda result: np.degrees(result["D"].position)),
    ],
)
def test_curves_run_over_what_is_asked(turning, over, words, values):
    figure = turning.plot(show="loads", over=over)
    assert figure.axes[0].get_xlabel() == words
    assert curves(figure, "loads")["C"].get_xdata() == pytest.approx(values(turning))


def test_panels_of_round_off_are_left_out_and_that_is_said(turning):
    weightless = (
        ZOO["four-bar"].build().replace(gravity=(0, 0), drives=[ml.Motion("A", ml.constant_speed(0.0))])
    )
    result = ml.inverse(weightless, t=np.linspace(0, 1, 5))
    figure = result.plot(show=["positions", "energy", "loads"])
    assert [axes.get_label() for axes in figure.axes] == ["positions"]
    assert "left out, zero to round-off: energy, loads" in [text.get_text() for text in figure.texts]
    alone = result.plot(show="loads")  # nothing else to show: zero is the answer
    assert all(not values.any() for values in heights(alone, "loads").values())


def test_what_is_asked_for_is_refused_by_name_where_it_cannot_be(turning, falling):
    with pytest.raises(ml.UnknownNameError, match=r"panel 'load'.*\n.*Did you mean 'loads'"):
        turning.plot(show="load")
    with pytest.raises(
        ml.UnknownNameError, match=r"joint or marker 'couplr.b'.*\n.*Did you mean 'coupler.b'"
    ):
        turning.plot(show="paths", of="couplr.b")
    with pytest.raises(ml.UnknownNameError, match=r"marker 'coupler.x'"):
        turning.plot(show="paths", of="coupler.x")
    with pytest.raises(ml.UnknownNameError, match=r"joint 'tme'.*\n.*Did you mean 'time'"):
        turning.plot(over="tme")
    with pytest.raises(ml.UnknownNameError, match=r"body 'copler'.*\n.*Did you mean 'coupler'"):
        turning.plot(show="forces", frame="copler")
    with pytest.raises(ml.DrawingError, match=r"of 'C': names joints, of which paths shows none"):
        turning.plot(show="paths", of="C")
    with pytest.raises(
        ml.DrawingError, match=r"of 'coupler.b': names markers, of which .*loads, moments show none"
    ):
        turning.plot(of="coupler.b")
    with pytest.raises(ml.DrawingError, match=r"there is nothing to show of efforts"):
        falling.plot(show="efforts")
    with pytest.raises(ml.DrawingError, match=r"names no panel"):
        turning.plot(show=[])
    with pytest.raises(ml.DrawingError, match=r"show: holds 3"):
        turning.plot(show=[3])


def test_diagram_of_a_single_instant_is_refused():
    result = ml.inverse(ZOO["four-bar"].build(), t=0.1)
    with pytest.raises(ml.DrawingError, match="show 'paths': wants several instants, and the result has one"):
        result.plot(show="paths")
    assert len(result.plot(show=["speeds", "energy", "power"]).axes[0].patches) > 0  # bars


def test_joint_with_several_coordinates_is_no_axis():
    result = ml.inverse(ZOO["RSUR"].build(), cycle=5)
    cross = next(j.name for j in result.mechanism.joints if type(j).__name__ == "Universal")
    with pytest.raises(ml.DrawingError, match=f"over '{cross}': has 2 coordinates"):
        result.plot(over=cross)


@pytest.fixture(scope="module", params=["four-bar", "scraper-C", "RSSR", "6-UPS", "swash-pump", "excavator"])
def member(request):
    return ml.inverse(ZOO[request.param].build(), t=np.linspace(0.0, 1.0, 61))


@pytest.mark.parametrize("kind", KINDS)
def test_no_words_overlap_in_any_panel(member, kind):
    if kind == "moments" and not joints_with_moments(member):
        with pytest.raises(ml.DrawingError, match="nothing to show of moments"):
            member.plot(show=kind)
        return
    if KINDS[kind].of == "links":
        with pytest.raises(ml.DrawingError, match=f"nothing to show of {kind}"):
            member.plot(show=kind)
        return
    figure = member.plot(show=kind)
    assert overlaps(figure) == ([], [])


def test_no_words_overlap_where_all_is_shown_beside_a_drawing(running):
    figure = running.plot(show=list(KINDS), drawing=True, traces=["piston.crown", "connecting rod.com"])
    assert overlaps(figure) == ([], [])
