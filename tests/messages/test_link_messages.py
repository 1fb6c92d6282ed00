"""Messages for results of flexible links: places off them, links without a centreline, sections without fibres, large
deflections."""

from __future__ import annotations

from typing import Any

import pytest
from texts import Texts
from zoo.plain import clamped_body, pinned_body

import multiloop as ml


def arm(body: ml.Body) -> ml.Result:
    machine = pinned_body(body, joint="shaft")
    return ml.simulate(machine, start={"shaft": 0.0}, until=1e-3, samples=2)


def bar(**more: object) -> ml.Body:
    section = ml.rectangle(0.02, 0.01)
    return ml.beam("bar", **{"length": 0.5, "E": 70e9, "density": 2700.0, "section": section} | more)


@pytest.mark.parametrize(
    ("s", "expected"),
    [
        (0.6, ("R08", "link 'bar'", "0.6 m")),
        ("end", ("R08", "link 'bar'", "'end'")),
        ([0.1, float("nan")], ("R08", "link 'bar'", "[0.1, nan]")),
    ],
)
def test_a_place_off_the_link(s: object, expected: tuple[str, ...], texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        arm(bar()).link("bar").moment(s)
    texts.fault(refused.value, *expected)


def test_a_link_that_knows_its_markers_only(texts: Texts) -> None:
    run = arm(ml.uniform_beam("bar", length=0.5, mass=0.3, EI=20.0))
    link = run.link("bar")
    for ask in (lambda: link.deflection(0.1), lambda: link.moment(0.1), lambda: link.largest("stress")):
        with pytest.raises(ml.SolveError) as refused:
            ask()
        texts.fault(refused.value, "R08", "link 'bar'")
    assert link.peaks == ()
    assert not hasattr(link, "momentum")


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        ("strss", ("'strss'", "'stress'")),
        ("strain", ("'strain'", "deflection, moment, stress, stretch")),
        ("stretch", ('modes={…, "x": 1}',)),
    ],
)
def test_a_largest_that_there_is_not(what: str, expected: tuple[str, ...], texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        arm(bar()).link("bar").largest(what)
    texts.fault(refused.value, "R08", "link 'bar'", *expected)


def test_a_section_without_outer_fibres(texts: Texts) -> None:
    link = arm(bar(section=ml.Section(2e-4, 1e-9))).link("bar")
    with pytest.raises(ml.SolveError) as refused:
        link.stress(0.1)
    texts.fault(refused.value, "R08", "link 'bar'")


def test_a_large_deflection_is_reported_with_its_ratio(texts: Texts) -> None:
    machine = clamped_body(bar(frame="a"), name="whip")
    run = ml.simulate(machine, start={"bar.eta": (0.1, 0.0)}, until=1e-4, samples=2)
    texts.warnings(run, ("W80", "bar", "0.2"))
    assert ml.simulate(machine, start={"bar.eta": (0.04, 0.0)}, until=1e-4, samples=2).status == "ok"


def test_an_invalid_scale_is_refused(texts: Texts) -> None:
    with pytest.raises(ml.DrawingError) as refused:
        arm(bar()).final.draw(scale="much")
    texts.fault(refused.value, "V01", "scale", "'much'")


def test_the_representation_of_a_link(texts: Texts) -> None:
    said = repr(arm(bar()).link("bar"))
    texts(said, "'bar'", "2 instants", " N m", hide=[r"(?<=[ (])[\d.]+(?:e[+-]\d+)?(?= (?!instants))"])


def test_more_modes_than_can_be_compiled_in_time(monkeypatch: pytest.MonkeyPatch, texts: Texts) -> None:
    monkeypatch.setenv("MULTILOOP_BUDGET", "1000")
    with pytest.raises(ml.SolveError) as refused:
        arm(bar(modes=6))
    texts.fault(refused.value, "S19", "6", "4,431", "4 s", "150")


def swept_arm(**more: object) -> ml.Mechanism:
    """Its length is a parameter, and a marker is at a quarter of a metre."""
    return pinned_body(
        bar(length=ml.Parameter("length", 0.5), markers={"middle": 0.25}, **more), joint="shaft"
    )


def swept(machine: ml.Mechanism, shortest: float) -> ml.Runs:
    designs = {"length": [0.5, shortest]}
    return ml.simulate(machine, start={"shaft": 0.0}, until=1e-3, samples=2, parameters=designs)


TAPERED = {"section": (ml.rectangle(0.02, 0.01), ml.rectangle(0.02, 0.006))}


def test_a_marker_that_would_move_relative_to_the_modes(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        swept(swept_arm(**TAPERED), 0.8)
    texts.fault(refused.value, "S10", "body 'bar'", "'middle'", "0.5", "0.3125")


def test_a_marker_that_would_leave_the_beam(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        swept(swept_arm(), 0.2)
    texts.fault(refused.value, "S10", "body 'bar'", "'middle'", "1.25")


@pytest.mark.parametrize(
    "ask",
    [
        ml.compile,
        lambda machine: ml.equilibrium(machine, along={"length": (0.5, 0.6)}),
        lambda machine: ml.linearise(machine, inputs=["length"]),
    ],
)
def test_a_parameter_that_moves_a_marker_of_a_tapered_beam_is_no_input(ask: Any, texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        ask(swept_arm(**TAPERED))
    texts.fault(refused.value, "S10", "parameter 'length'", "'middle'", "'bar'")


def test_explain_states_the_cost_of_flexible_links(texts: Texts) -> None:
    machine = pinned_body(bar(modes=2), joint="shaft")
    texts(ml.analyse(machine, start={"shaft": 0.0}).explain(), "2 elastic coordinates", "623")
