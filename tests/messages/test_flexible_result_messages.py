"""Messages for invalid names and unsupported requests for results of flexible links."""

from __future__ import annotations

from math import cos, pi

import numpy as np
import pytest
from texts import Texts

import multiloop as ml

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.006), "modes": 2}
FOUR_BAR = ml.examples.four_bar().with_body(ml.beam("coupler", length=0.9, **STRIP))


@pytest.fixture(scope="module")
def run() -> ml.Result:
    return ml.simulate(FOUR_BAR.replace(drives=[ml.Motion("A", 1.0)]), until=0.01, samples=3)


def test_efforts_required_by_a_flexible_mechanism(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        ml.RequiredEfforts(FOUR_BAR)
    texts.fault(refused.value, "S14", "'coupler'")


def test_the_unbalanced_load_of_a_link_is_a_force(run: ml.Result, texts: Texts) -> None:
    """The weight perpendicular to the coupler does work along its first mode, sin πx/L: 2/π m g cos φ per metre."""
    state = run.initial
    with pytest.raises(ml.SolveError) as refused:
        ml.eigenmodes(run.mechanism, state)
    across = state.body("coupler")[0, 0]
    lacks = 2 / pi * 2700 * 0.02 * 0.006 * 0.9 * 9.81 * across
    assert across == pytest.approx(cos(0.6), abs=0.1)  # the coupler is about 0.6 rad from the horizontal
    texts.fault(refused.value, "E02", "'coupler.eta.eta1'", f"{lacks:.3g} N")


def test_elastic_coordinates_have_units(run: ml.Result) -> None:
    """Metres for a beam; the unit of modal data is unknown."""
    table = run.to_table()
    assert {"coupler.eta1.position [m]", "coupler.eta2.acceleration [m/s2]"} < set(table.columns)
    wide = ml.beam("b", length=1.0, **STRIP | {"modes": {"y": 1, "z": 1, "twist": 1}})
    assert wide.elastic_units == ("m", "m", "rad")
    assert ml.uniform_beam("b", length=1.0, mass=1.0, EI=20.0, modes=2).elastic_units == ("1", "1")


@pytest.mark.parametrize(
    ("start", "expected"),
    [
        ("relax", ("S09", "start", "'relax'")),
        ({"eta": "relax"}, ("S09", "start 'eta'", "'relax'")),
        ({"coupler.eta": "Relaxed"}, ("S09", "start 'coupler.eta'", "'Relaxed'")),
    ],
)
def test_other_forms_of_the_relaxed_start_are_refused(
    start: object, expected: tuple[str, ...], texts: Texts
) -> None:
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(FOUR_BAR, until=0.1, start=start)  # type: ignore[arg-type]
    texts.fault(refused.value, *expected)


def test_a_body_is_no_joint(run: ml.Result, texts: Texts) -> None:
    for name, said in (
        ("coupler", ("R01", "joint 'coupler'")),
        ("crank", ("R01", "joint 'crank'")),
    ):
        with pytest.raises(ml.MultiloopError) as refused:
            run[name]
        texts.fault(refused.value, *said)


def test_an_invalid_query_is_not_attributed_to_the_mechanism(run: ml.Result, texts: Texts) -> None:
    for question in (
        lambda: run.link("couplr"),
        lambda: run.link("coupler").moment(1.5),
        lambda: run.plot(show="strss"),
    ):
        with pytest.raises(ml.MultiloopError) as refused:
            question()
        assert refused.value.subject == "mechanism 'four-bar'"
        texts(refused.value)


def test_the_stress_of_a_rigid_link(run: ml.Result, texts: Texts) -> None:
    with pytest.raises(ml.MultiloopError) as refused:
        run.plot(show="stress", of="rocker")
    texts.fault(refused.value, "R01", "'rocker'")
    assert np.isfinite(run.link("coupler").stress(0.45)).all()
