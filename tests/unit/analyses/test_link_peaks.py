"""Largest values along flexible links: at markers, at jumps of the moments, and in the summaries of results."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import clamped_body, pinned_body

import multiloop as ml
from multiloop.flexible.beams.centreline import JUMP_OFFSET, sampled_places

LENGTH, FORCE, SMALL, AT, LEVER = 1.0, 10.0, 1.0, 0.337, -0.05
STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)}


def supported(force, lever=0.0):
    """A massless beam on a pin and on a vertical rod, with a force at a marker between them."""
    beam = ml.beam("beam", length=LENGTH, markers={"m": (AT, lever)}, modes=4, **STRIP)
    return ml.Mechanism(
        "supported beam",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(A=(0, 0), K=(LENGTH, -1000.0)), beam],
        joints=[ml.Revolute("A", "ground.A", "beam.a")],
        pairs=[ml.Distance("rod", "ground.K", "beam.b", length=1000.0)],
        loads=[ml.Force("push", "beam.m", force)],
        guess={"beam.b": (LENGTH, 0.0)},
    )


def test_a_moment_that_peaks_at_a_marker_is_found_there() -> None:
    """M = F a b/L below a force at a, which is at no equally spaced point; effects of deflections are of second
    order."""
    link = ml.equilibrium(supported((0.0, -FORCE))).result.link("beam")
    known = FORCE * AT * (LENGTH - AT) / LENGTH
    assert link.truncation is not None
    assert link.truncation.moment == pytest.approx(known, rel=1e-5)
    assert link.truncation.place == pytest.approx(AT, abs=1e-8)
    peak = {one.what: one for one in link.peaks}["moment"]
    assert (peak.value, peak.place) == (pytest.approx(known, rel=1e-5), pytest.approx(AT, abs=1e-8))


def test_a_diagram_has_both_sides_of_a_jump() -> None:
    """A force along the beam on a bracket: M jumps by F h, from F h b/L behind it to −F h a/L before it."""
    result = ml.equilibrium(supported((SMALL, 0.0), LEVER)).result
    place, value = result.plot(show="moment", of="beam").axes[0].lines[1].get_data()
    near = np.flatnonzero(np.abs(place - AT) < 1e-6)
    before, behind = value[near[0]], value[near[-1]]
    jump = (
        SMALL * LEVER
    )  # the effect of the force on the deformed beam is smaller by its deflection over the lever
    # the deflection over the lever
    assert abs(before) == pytest.approx(abs(jump) * AT / LENGTH, rel=1e-3)
    assert abs(behind) == pytest.approx(abs(jump) * (LENGTH - AT) / LENGTH, rel=1e-3)
    assert before * behind < 0


def test_places_are_in_order_and_hold_nodes_corners_and_markers() -> None:
    bent = ml.beam("bent", through=[(0, 0), (0.4, 0), (0.4, 0.3)], markers={"m": (0.13, 0.1)}, **STRIP)
    line = bent.centreline()
    xi = sampled_places(line, 11)
    assert (np.diff(xi) > 0).all()
    assert (xi[0], xi[-1]) == (0.0, 1.0)
    for place in [*line.nodes, *line.corners, line.places["m"]]:
        assert np.abs(xi - place).min() == 0.0
    for place in [*line.corners, line.places["m"]]:
        assert ((xi < place) & (xi > place - 2 * JUMP_OFFSET)).any()


@pytest.fixture(scope="module")
def run():
    strip = ml.beam("coupler", length=0.9, **STRIP)
    return ml.simulate(ml.examples.four_bar().with_body(strip), until=0.2, samples=301)


def test_peaks_are_those_of_all_instants_and_places(run) -> None:
    link, s = run.link("coupler"), np.linspace(0.0, 0.9, 41)
    known = {
        "deflection": np.abs(link.deflection(s)[..., 1]),
        "moment": np.abs(link.moment(s)),
        "stress": link.stress(s),
    }
    for peak in link.peaks:
        assert peak.value >= (1 - 1e-12) * known[peak.what].max()
        assert peak.value == pytest.approx(link.largest(peak.what).max(), rel=1e-12)
        assert peak.value == pytest.approx(link.largest(peak.what)[peak.instant], rel=1e-12)
    assert [peak.what for peak in link.peaks] == ["deflection", "moment", "stress"]


def test_a_short_tug_is_among_the_peaks() -> None:
    """A force of 0.2 ms along a bar that hardly deflects in that time: its axial force is a peak."""
    bar = ml.beam(
        "bar", length=1.0, modes={"y": 2, "x": 2}, frame="a", damping=0.05, markers={"m": 0.3}, **STRIP
    )
    tug = ml.table([0, 0.05, 0.0501, 0.0502, 1], [0, 0, 1e5, 0, 0], kind="linear")
    machine = clamped_body(bar, name="bar", loads=[ml.Force("tug", "bar.m", (tug, 0.0))])
    run = ml.simulate(machine, until=0.2, samples=2001, start="relaxed")
    link = run.link("bar")
    assert [peak.what for peak in link.peaks] == ["deflection", "stretch", "moment", "stress"]
    for peak in link.peaks:
        assert peak.value == pytest.approx(link.largest(peak.what).max(), rel=1e-12), peak.what


def test_a_rod_that_is_pressed_is_shortened_and_does_not_deflect(texts: Texts) -> None:
    """Δ = F L/(E A) along its line; summary, peaks and both plots agree on the transverse deflection."""
    rod = ml.beam("rod", length=LENGTH, modes={"y": 2, "x": 1}, frame="a", **STRIP)
    machine = clamped_body(rod, name="press", loads=[ml.Force("press", "rod.b", (-1e4, 0.0))])
    run = ml.simulate(machine, until=1e-3, samples=5, start="relaxed")
    link = run.link("rod")
    peaks = {peak.what: peak for peak in link.peaks}
    shortened = 1e4 * LENGTH / (70e9 * 2e-4)
    assert peaks["stretch"].value == pytest.approx(shortened, rel=0.2)  # one sine mode represents 81 % of it
    across = peaks["deflection"].value
    assert across == np.abs(link.deflection(peaks["deflection"].place)[:, 1]).max()
    texts(repr(link), f"{1000.0 * across:.3g} mm")
    for over in (None, "time"):
        lines = run.plot(show="deflection", of="rod", over=over, units="m").axes[0].lines
        most = max(np.abs(np.asarray(line.get_ydata(), float)).max() for line in lines)
        assert most == pytest.approx(across, rel=1e-3)  # the diagram has more places than 41


def test_a_section_without_fibres_has_no_stress() -> None:
    plain = ml.beam("coupler", length=0.9, E=70e9, density=2700.0, section=ml.Section(8e-5, 1e-10))
    run = ml.simulate(ml.examples.four_bar().with_body(plain), until=0.01, samples=3)
    assert [peak.what for peak in run.link("coupler").peaks] == ["deflection", "moment"]


def test_extremes_and_summaries_contain_the_deflection_of_links(run) -> None:
    rows = {row.what: row for row in run.extremes() if row.joint == "coupler"}
    for peak in run.link("coupler").peaks:
        row = rows[peak.what]
        assert (row.value, row.unit, row.place) == (peak.value, peak.unit, peak.place)
        assert row.time == peak.time == run.time[peak.instant]
    assert [row.place for row in run.extremes() if row.joint != "coupler"] == [None] * (
        len(run.extremes()) - 3
    )
    line = next(line for line in str(run.extremes()).splitlines() if line.startswith("coupler  stress"))
    assert line.endswith(f"at {rows['stress'].place:.3g} m")
    assert line in run.summary()


def test_a_table_contains_the_peaks_along_links_on_request(run) -> None:
    table = run.to_table(links="coupler")
    for what, unit in (("deflection", "m"), ("moment", "N m"), ("stress", "Pa")):
        assert table[f"coupler.largest_{what} [{unit}]"].to_numpy() == pytest.approx(
            run.link("coupler").largest(what), rel=1e-12
        )
    assert not [name for name in run.to_table().columns if "largest" in name]
    with pytest.raises(ml.MultiloopError, match="'crank'"):
        run.to_table(links=["crank"])


@pytest.mark.parametrize("over", ["time", "A"])
def test_stress_over_the_motion_is_the_largest_along_the_link(run, over, texts: Texts) -> None:
    axes = run.plot(show="stress", of="coupler", over=over, units="Pa").axes[0]
    x, y = axes.lines[0].get_data()
    assert len(x) == len(run.time)
    assert y == pytest.approx(run.link("coupler").largest("stress"), rel=1e-12)
    texts(axes.get_ylabel(), "(Pa)")


def test_a_deviation_states_the_time_and_unit_of_its_largest_value(run, texts: Texts) -> None:
    rigid = ml.simulate(ml.examples.four_bar(), until=0.2, samples=301)
    said = run.deviation_from(rigid)
    most = max(said.joints, key=lambda name: np.abs(said.joints[name]).max())
    texts(repr(said), "0.2 s", f"{said.largest.max():.2e} rad", f"'{most}'")
    assert repr(said).count("'") == 2  # of one joint


@pytest.mark.parametrize("frame", ["a", "chord", "free"])
def test_a_link_states_the_reference_of_its_deflection(frame, texts: Texts) -> None:
    beam = ml.beam("beam", length=1.0, frame=frame, modes=2, **STRIP)
    machine = pinned_body(beam, name="pendulum")
    how = {"start": {"A": 0.0}, "samples": [0.01], "target": "interpreter", "rtol": 1e-6}
    found = ml.simulate(machine, until=0.01, **how)
    texts(repr(found.link("beam")), "'beam'", "1")
