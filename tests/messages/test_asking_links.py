"""What is said where links that bend are asked for by the wrong name, or by a question that is none of theirs."""

from __future__ import annotations

from math import cos, pi

import numpy as np
import pytest

import multiloop as ml

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.006), "modes": 2}
FOUR_BAR = ml.examples.four_bar().with_body(ml.beam("coupler", length=0.9, **STRIP))


@pytest.fixture(scope="module")
def run() -> ml.Result:
    return ml.simulate(FOUR_BAR.replace(drives=[ml.Motion("A", 1.0)]), until=0.01, outputs=3)


def test_efforts_that_a_bending_machine_needs() -> None:
    with pytest.raises(ml.SolveError) as refused:
        ml.RequiredEfforts(FOUR_BAR)
    assert str(refused.value).partition("\n")[2] == (
        "[S14] RequiredEfforts: 'coupler' bends, and drives do not tell how.\n"
        '       Give the Result of ml.inverse(…, elastic="stable") to `efforts`, or RequiredEfforts of the '
        "mechanism with rigid links, body.rigid()."
    )


def test_what_a_link_lacks_is_a_force(run: ml.Result) -> None:
    """The weight across the coupler does work along its first shape, sin πx/L: 2/π m g cos φ per metre."""
    state = run.initial
    with pytest.raises(ml.SolveError) as refused:
        ml.modes(run.mechanism, state)
    across = state.body("coupler")[0, 0]
    lacks = 2 / pi * 2700 * 0.02 * 0.006 * 0.9 * 9.81 * across
    assert across == pytest.approx(cos(0.6), abs=0.1)
    assert f"[E02] the State: 'coupler.eta.eta1' is out of balance by {lacks:.3g} N:" in str(refused.value)


def test_elastic_coordinates_have_units(run: ml.Result) -> None:
    """Metres of a beam; of modal data nobody knows."""
    table = run.to_table()
    assert {"coupler.eta1.position [m]", "coupler.eta2.acceleration [m/s2]"} < set(table.columns)
    wide = ml.beam("b", length=1.0, **STRIP | {"modes": {"y": 1, "z": 1, "twist": 1}})
    assert wide.elastic_units == ("m", "m", "rad")
    assert ml.uniform_beam("b", length=1.0, mass=1.0, EI=20.0, modes=2).elastic_units == ("1", "1")


@pytest.mark.parametrize(
    ("start", "said"),
    [
        (
            "relax",
            '[S09] start: is \'relax\', without names.\n       Write start="relaxed", or start={"A": 0.3}.',
        ),
        (
            {"eta": "relax"},
            "[S09] start 'eta': is 'relax'.\n"
            '       Write "relaxed", or give numbers by link: {"coupler.eta": (0.01, 0.0)}.',
        ),
        (
            {"coupler.eta": "Relaxed"},
            "[S09] start 'coupler.eta': is 'Relaxed'.\n"
            '       Write "relaxed", or give numbers by link: {"coupler.eta": (0.01, 0.0)}.',
        ),
    ],
)
def test_a_start_in_other_words(start: object, said: str) -> None:
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(FOUR_BAR, until=0.1, start=start)  # type: ignore[arg-type]
    assert str(refused.value).partition("\n")[2] == said


def test_a_body_is_no_joint(run: ml.Result) -> None:
    for name, said in (
        (
            "coupler",
            "[R01] joint 'coupler': is not there.\n       It is a link that bends: ask `link(\"coupler\")`.",
        ),
        (
            "crank",
            "[R01] joint 'crank': is not there.\n       It is a body: its poses are `body(\"crank\")`.",
        ),
    ):
        with pytest.raises(ml.MultiloopError) as refused:
            run[name]
        assert str(refused.value).partition("\n")[2] == said


def test_a_question_that_is_wrong_is_no_fault_of_the_mechanism(run: ml.Result) -> None:
    for question in (
        lambda: run.link("couplr"),
        lambda: run.link("coupler").moment(1.5),
        lambda: run.plot(show="strss"),
    ):
        with pytest.raises(ml.MultiloopError) as refused:
            question()
        head = str(refused.value).partition("\n")[0]
        assert head == "what is asked of mechanism 'four-bar' cannot be answered:"


def test_the_stress_of_a_rigid_link(run: ml.Result) -> None:
    with pytest.raises(ml.MultiloopError) as refused:
        run.plot(show="stress", of="rocker")
    assert str(refused.value).partition("\n")[2] == (
        "[R01] joint, marker or link that bends 'rocker': is not there.\n"
        "       It is a rigid body: name its markers, 'rocker.origin' or its like. Those that bend: coupler."
    )
    assert np.isfinite(run.link("coupler").stress(0.45)).all()
