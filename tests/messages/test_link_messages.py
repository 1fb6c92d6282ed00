"""What is said of links that bend: places off them, links without a line, sections without fibres, far deflections."""

from __future__ import annotations

from typing import Any

import pytest

import multiloop as ml


def arm(body: ml.Body) -> ml.Result:
    machine = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), body],
        joints=[ml.Revolute("shaft", "ground.origin", "bar.a")],
    )
    return ml.simulate(machine, start={"shaft": 0.0}, until=1e-3, outputs=2)


def bar(**more: object) -> ml.Body:
    section = ml.rectangle(0.02, 0.01)
    return ml.beam("bar", **{"length": 0.5, "E": 70e9, "density": 2700.0, "section": section} | more)


@pytest.mark.parametrize(
    ("s", "said"),
    [
        (
            0.6,
            "[R08] link 'bar': it has no place at s = 0.6 m.\n       Ask within its length, 0 to 0.5 m.",
        ),
        (
            "end",
            "[R08] link 'bar': a place on it is 'end'.\n"
            "       Give metres from its marker 'a', one number or a list of them.",
        ),
        (
            [0.1, float("nan")],
            "[R08] link 'bar': a place on it is [0.1, nan].\n"
            "       Give metres from its marker 'a', one number or a list of them.",
        ),
    ],
)
def test_a_place_off_the_link(s: object, said: str) -> None:
    with pytest.raises(ml.SolveError) as refused:
        arm(bar()).link("bar").moment(s)
    assert said in str(refused.value)


def test_a_link_that_knows_its_markers_only() -> None:
    run = arm(ml.uniform_beam("bar", length=0.5, mass=0.3, EI=20.0))
    link = run.link("bar")
    for ask in (lambda: link.deflection(0.1), lambda: link.moment(0.1), lambda: link.largest("stress")):
        with pytest.raises(ml.SolveError) as refused:
            ask()
        assert str(refused.value).endswith(
            "[R08] link 'bar': it is described by modal integrals, and knows its shapes at its markers only.\n"
            "       Describe it as a `beam`, or ask `result.marker` where it has markers."
        )
    assert link.peaks == ()
    assert not hasattr(link, "momentum")


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("strss", "it has no largest 'strss'.\n       Did you mean 'stress'?"),
        ("strain", "it has no largest 'strain'.\n       Known are: deflection, moment, stress, stretch."),
        (
            "stretch",
            'it has no shapes along its line, and keeps its length.\n       Give it one, modes={…, "x": 1}.',
        ),
    ],
)
def test_a_largest_that_there_is_not(what: str, said: str) -> None:
    with pytest.raises(ml.SolveError) as refused:
        arm(bar()).link("bar").largest(what)
    assert str(refused.value).endswith(f"[R08] link 'bar': {said}")


def test_a_section_without_outer_fibres() -> None:
    link = arm(bar(section=ml.Section(2e-4, 1e-9))).link("bar")
    with pytest.raises(ml.SolveError) as refused:
        link.stress(0.1)
    assert str(refused.value).endswith(
        "[R08] link 'bar': its section does not say how far its outer fibres lie along y, or what its Iz is.\n"
        "       Give Section(…, Iz=…, y=…), or a rectangle or tube."
    )


def test_a_deflection_beyond_small_ones_is_told_with_its_ratio() -> None:
    machine = ml.Mechanism(
        "whip",
        planar=True,
        bodies=[ml.ground(), bar(frame="a")],
        joints=[ml.Fixed("wall", "ground.origin", "bar.a")],
    )
    run = ml.simulate(machine, start={"bar.eta": (0.1, 0.0)}, until=1e-4, outputs=2)
    assert run.status == "'bar' deflects 0.2 of its length, beyond 0.1 its shapes are doubtful"
    assert ml.simulate(machine, start={"bar.eta": (0.04, 0.0)}, until=1e-4, outputs=2).status == "ok"


def test_a_scale_that_is_none() -> None:
    with pytest.raises(ml.DrawingError) as refused:
        arm(bar()).final.draw(scale="much")
    assert str(refused.value).endswith(
        "[V01] scale: is 'much'.\n       Give a number: 1 shows how links bend, 20 shows it twenty times."
    )


def test_what_a_link_says_of_itself() -> None:
    said = repr(arm(bar()).link("bar"))
    assert said.startswith("Link 'bar' over 2 instants: deflects up to ")
    assert " N m at " in said
    assert "; truncation error of its modes " in said
    assert said.endswith(" of the first omitted one.")


def test_more_shapes_than_can_be_compiled_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTILOOP_BUDGET", "1000")
    with pytest.raises(ml.SolveError) as refused:
        arm(bar(modes=6))
    assert str(refused.value).endswith(
        "[S19] links that bend: they have 6 elastic coordinates: about 4,431 operations an evaluation, some 4 s and "
        "150 MB to compile.\n"
        "       Give fewer modes, 'bar' has 6: high ones hardly move. "
        "MULTILOOP_BUDGET=4431 in the environment allows for it."
    )


def swept_arm(**more: object) -> ml.Mechanism:
    """Its length is a parameter, and a marker stands at a quarter of a metre."""
    return ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), bar(length=ml.Parameter("length", 0.5), markers={"middle": 0.25}, **more)],
        joints=[ml.Revolute("shaft", "ground.origin", "bar.a")],
    )


def swept(machine: ml.Mechanism, shortest: float) -> ml.Runs:
    designs = {"length": [0.5, shortest]}
    return ml.simulate(machine, start={"shaft": 0.0}, until=1e-3, outputs=2, parameters=designs)


TAPERED = {"section": (ml.rectangle(0.02, 0.01), ml.rectangle(0.02, 0.006))}


def test_a_marker_that_would_leave_its_place_on_the_shapes() -> None:
    with pytest.raises(ml.SolveError) as refused:
        swept(swept_arm(**TAPERED), 0.8)
    assert str(refused.value).endswith(
        "[S10] body 'bar': marker 'middle' stands at 0.5 of its length as described, and at 0.3125 in another design.\n"
        "       Give its place as a part of the length, 0.5 * length, or ask design by design."
    )


def test_a_marker_that_would_leave_the_beam() -> None:
    with pytest.raises(ml.SolveError) as refused:
        swept(swept_arm(), 0.2)
    assert str(refused.value).endswith(
        "[S10] body 'bar': marker 'middle' stands at 1.25 of its length in one design, beyond its end.\n"
        "       Keep it on the link, or ask design by design."
    )


@pytest.mark.parametrize(
    "ask",
    [
        ml.compile,
        lambda machine: ml.equilibrium(machine, along={"length": (0.5, 0.6)}),
        lambda machine: ml.linearise(machine, inputs=["length"]),
    ],
)
def test_a_parameter_that_moves_a_marker_of_a_tapered_beam_is_no_input(ask: Any) -> None:
    with pytest.raises(ml.SolveError) as refused:
        ask(swept_arm(**TAPERED))
    assert str(refused.value).endswith(
        "[S10] parameter 'length': marker 'middle' is moved by it along 'bar', whose shapes are taken where it is.\n"
        "       Give its place as a part of the length, 0.5 * length, or as a number, design by design."
    )


def test_explain_says_what_links_that_bend_cost() -> None:
    machine = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), bar(modes=2)],
        joints=[ml.Revolute("shaft", "ground.origin", "bar.a")],
    )
    assert "1 link that bends, 2 elastic coordinates: about 623 operations an evaluation, some 1 s" in (
        ml.analyse(machine, start={"shaft": 0.0}).explain()
    )
