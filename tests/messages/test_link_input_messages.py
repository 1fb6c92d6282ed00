"""Messages if fields of a flexible link have values of wrong types: one test for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from texts import Texts

import multiloop as ml

GIVEN = {"length": 0.5, "E": 7e10, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)}
SOLID = {
    "mesh": ml.box_mesh(0.3, 0.02, 0.01, elements=(2, 1, 1)),
    "E": 2e11,
    "density": 7850.0,
    "interfaces": {"a": "x0", "b": "x1"},
}


def with_link(link: ml.Body) -> ml.Mechanism:
    """An arm on a pin."""
    bodies = [ml.ground(), link]
    return ml.Mechanism(
        "arm", planar=True, bodies=bodies, joints=[ml.Revolute("A", "ground.origin", "link.a")]
    )


def error_of(make: Callable[[], Any]) -> ml.ModelError:
    """The error."""
    with pytest.raises(ml.ModelError) as error:
        make()
    return error.value


BEAMS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "half a mode": ({"modes": 2.5}, ("M15", "body 'link'", "2.5")),
    "a truth": ({"modes": True}, ("M15", "body 'link'", "True")),
    "no modes": ({"modes": None}, ("M15", "body 'link'", "None")),
    "a text": ({"modes": "2"}, ("M15", "body 'link'", "'2'")),
    "a list": ({"modes": [2]}, ("M15", "body 'link'", "[2]")),
    "a text by way": ({"modes": {"y": "2"}}, ("M15", "body 'link'", "'2'", "16")),
    "a fraction by way": ({"modes": {"y": 1.0}}, ("M15", "body 'link'", "1.0", "16")),
    "too many elements": ({"elements": 100000}, ("M15", "body 'link'", "100000")),
    "a frame that is no text": ({"frame": 1}, ("M15", "body 'link'", "1")),
    "a misspelt frame": ({"frame": "chrod"}, ("M15", "body 'link'", "'chrod'")),
    "its beginning moved": (
        {"markers": {"a": 0.2}},
        ("M15", "body 'link'", "'a'", "(0.2, 0, 0)", "(0, 0, 0)"),
    ),
    "its end moved": ({"markers": {"b": 0.2}}, ("M15", "body 'link'", "'b'", "(0.2, 0, 0)", "(0.5, 0, 0)")),
    "a negative width": (
        {"section": ml.rectangle(-0.02, 0.006)},
        ("M15", "body 'link'", "-0.00012"),
    ),
    "two negative sides": (
        {"section": ml.rectangle(-0.02, -0.006)},
        ("M15", "body 'link'", "-0.003"),
    ),
    "a bore wider than its tube": (
        {"section": ml.tube(0.02, 0.04)},
        ("M15", "body 'link'", "-0.00094248"),
    ),
}


@pytest.mark.parametrize("name", BEAMS)
def test_beams(name: str, texts: Texts) -> None:
    changes, expected = BEAMS[name]
    texts.fault(error_of(lambda: with_link(ml.beam("link", **GIVEN | changes))), *expected)


@pytest.mark.parametrize("name", BEAMS)
@pytest.mark.parametrize("question", ["shapes", "frequencies", "draw_shapes"])
def test_a_beam_alone_reports_the_same_errors(name: str, question: str) -> None:
    link = ml.beam("link", **GIVEN | BEAMS[name][0])
    (alone,) = error_of(getattr(link, question)).faults
    (joined,) = error_of(lambda: with_link(link)).faults
    assert alone == joined


def test_an_unknown_marker_is_reported_by_a_beam_alone(texts: Texts) -> None:
    link = ml.beam("link", **GIVEN | {"markers": {"m": float("nan")}})
    texts.fault(error_of(link.shapes), "M05", "'m'")


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    plain = ml.beam("link", **GIVEN, modes=3, elements=8)
    assert ml.beam("link", **GIVEN, modes=np.int64(3), elements=np.int32(8)) == plain
    assert ml.beam("link", **GIVEN, modes={"y": np.int64(3)}, elements=8) == plain
    assert ml.solid("link", **SOLID, modes=np.int64(6)) == ml.solid("link", **SOLID, modes=6)
    counts = np.array([2, 1, 1])
    assert ml.box_mesh(0.3, 0.02, 0.01, elements=counts) == SOLID["mesh"]


SOLIDS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "an invalid face": ({"interfaces": {"a": "x0", "b": 3}}, ("M16", "'b'", "3")),
    "a test that holds nowhere": (
        {"interfaces": {"a": lambda r: r[:, 0] < -1, "b": "x1"}},
        ("M16", "'a'", "0", "45"),
    ),
    "an invalid mesh": ({"mesh": 3.5}, ("M16", "3.5")),
    "a stiffening that is no truth": ({"stiffening": "no"}, ("M16", "'no'")),
    "a frame that is no text": ({"frame": 1}, ("M16", "1")),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids(name: str, texts: Texts) -> None:
    changes, expected = SOLIDS[name]
    texts.fault(error_of(lambda: ml.solid("link", **SOLID | changes)), *expected)


@pytest.mark.parametrize("question", ["shapes", "frequencies", "draw_shapes"])
def test_a_solid_alone_reports_the_errors_of_a_mechanism(question: str, texts: Texts) -> None:
    few = ml.solid("link", **SOLID, modes=4)
    texts.fault(error_of(getattr(few, question)), "M16", "4", "6")


BOXES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "one number of elements": ({"elements": 4}, ("M16", "4")),
    "half an element": ({"elements": (1.5, 1, 1)}, ("M16", "(1.5, 1, 1)")),
    "two numbers": ({"elements": (2, 1)}, ("M16", "(2, 1)")),
    "far too many": ({"elements": (1000, 1000, 1000)}, ("M16", "(1000, 1000, 1000)", "8,012,006,001")),
    "a length in letters": ({"length": "1"}, ("M16", "'1'")),
    "half a corner": ({"corner": (0, 0)}, ("M16", "(0, 0)")),
}


@pytest.mark.parametrize("name", BOXES)
def test_boxes(name: str, texts: Texts) -> None:
    changes, expected = BOXES[name]
    given = {"length": 0.3, "width": 0.02, "height": 0.01}
    texts.fault(error_of(lambda: ml.box_mesh(**given | changes)), *expected)


UNIFORM: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "damping in letters": ({"damping": "x"}, ("M14", "'x'")),
    "negative damping": ({"damping": -0.1}, ("M14", "-0.1")),
    "a marker in letters": ({"markers": {"m": "x"}}, ("M14", "'m'", "'x'")),
    "a marker beside it": ({"markers": {"m": (0.1, 0.1)}}, ("M14", "'m'", "(0.1, 0.1)")),
    "one way twice": ({"across": ("y", "y")}, ("M14", "`across`", "'y'")),
    "a truth for modes": ({"modes": True}, ("M14",)),
}


@pytest.mark.parametrize("name", UNIFORM)
def test_uniform_beams(name: str, texts: Texts) -> None:
    changes, expected = UNIFORM[name]
    given = {"length": 0.3, "mass": 1.0, "EI": 20.0}
    texts.fault(error_of(lambda: ml.uniform_beam("link", **given | changes)), *expected)


MODAL: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "a number for a matrix": ({"stiffness": 250.0}, ("M14", "body 'link'", "`stiffness`", "250.0")),
    "a stiffness below zero": ({"stiffness": [[-1.0]]}, ("M14", "body 'link'", "`stiffness`", "-1")),
    "a damping below zero": ({"damping": [[-1.0]]}, ("M14", "body 'link'", "`damping`", "-1")),
}


@pytest.mark.parametrize("name", MODAL)
def test_bodies_by_their_modes(name: str, texts: Texts) -> None:
    changes, expected = MODAL[name]
    tip = np.array([[0], [0], [0], [0], [1], [0]])
    given: dict[str, Any] = {
        "mass": 1.7,
        "com": (0.474, 0),
        "inertia": 0.109,
        "markers": {"a": (0, 0), "b": (0.7, 0)},
        "shapes": {"a": 0 * tip, "b": tip},
        "momentum": 0.6 * tip[3:],
        "moments": [0.6 * 0.7 * np.outer([1, 0, 0], [0, 1, 0])],
        "products": [[0.6 * np.outer([0, 1, 0], [0, 1, 0])]],
        "stiffness": [[250.0]],
    }
    with_link(ml.ModalBody("link", **given))
    texts.fault(error_of(lambda: with_link(ml.ModalBody("link", **given | changes))), *expected)


def test_a_rigid_run_has_no_stress_to_show(texts: Texts) -> None:
    run = ml.simulate(ml.examples.four_bar(), until=0.01)
    with pytest.raises(ml.DrawingError) as caught:
        run.plot(show="stress")
    texts.fault(caught.value, "V01", "stress", "`with_body`", "positions")


def test_a_planar_solid_outside_its_plane_is_reported_with_the_remedy(texts: Texts) -> None:
    beside = ml.solid("link", **SOLID | {"mesh": ml.box_mesh(0.3, 0.02, 0.01, corner=(0.0, -0.01, 0.05))})
    texts(error_of(lambda: with_link(beside)), "z = 0")


@pytest.mark.parametrize(
    ("modes", "expected"),
    [
        (2.5, ("2.5",)),
        (("y",), ("0", "16")),
    ],
)
def test_an_invalid_count_is_one_fault(modes: object, expected: tuple[str, ...], texts: Texts) -> None:
    texts.fault(
        error_of(lambda: with_link(ml.beam("link", **GIVEN | {"modes": modes}))),
        "M15",
        "body 'link'",
        *expected,
    )
