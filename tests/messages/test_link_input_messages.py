"""What is said where a link that bends is described with the wrong kind of thing: each once, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import multiloop as ml

GIVEN = {"length": 0.5, "E": 7e10, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)}
SOLID = {
    "mesh": ml.box_mesh(0.3, 0.02, 0.01, elements=(2, 1, 1)),
    "E": 2e11,
    "density": 7850.0,
    "interfaces": {"a": "x0", "b": "x1"},
}
BY_WAY = '       Give a number, or counts by way: {"y": 2, "z": 2, "x": 1, "twist": 1}.'
DIMENSIONS = "       Give dimensions above zero, in metres; a hole is smaller than what is around it."


def with_link(link: ml.Body) -> ml.Mechanism:
    """An arm on a pin."""
    bodies = [ml.ground(), link]
    return ml.Mechanism(
        "arm", planar=True, bodies=bodies, joints=[ml.Revolute("A", "ground.origin", "link.a")]
    )


def said_of(make: Callable[[], Any]) -> str:
    """The faults, without the head."""
    with pytest.raises(ml.ModelError) as error:
        make()
    return str(error.value).partition("\n")[2]


BEAMS: dict[str, tuple[dict[str, Any], str]] = {
    "half a mode": ({"modes": 2.5}, f"[M15] body 'link': its modes are 2.5.\n{BY_WAY}"),
    "a truth": ({"modes": True}, f"[M15] body 'link': its modes are True.\n{BY_WAY}"),
    "no modes": ({"modes": None}, f"[M15] body 'link': its modes are None.\n{BY_WAY}"),
    "a text": ({"modes": "2"}, f"[M15] body 'link': its modes are '2'.\n{BY_WAY}"),
    "a list": ({"modes": [2]}, f"[M15] body 'link': its modes are [2].\n{BY_WAY}"),
    "a text by way": (
        {"modes": {"y": "2"}},
        "[M15] body 'link': it has '2' modes along y on 16 elements.\n       Give 1 to 32, or more elements.",
    ),
    "a fraction by way": (
        {"modes": {"y": 1.0}},
        "[M15] body 'link': it has 1.0 modes along y on 16 elements.\n       Give 1 to 32, or more elements.",
    ),
    "too many elements": (
        {"elements": 100000},
        "[M15] body 'link': its elements are 100000.\n"
        "       Give a whole number from 1 to 200; 16 are enough for a few shapes.",
    ),
    "a frame that is no text": (
        {"frame": 1},
        '[M15] body \'link\': its frame is 1.\n       Give "a", "chord" or "free".',
    ),
    "a misspelt frame": (
        {"frame": "chrod"},
        '[M15] body \'link\': its frame is \'chrod\'.\n       Give "a", "chord" or "free".',
    ),
    "its beginning moved": (
        {"markers": {"a": 0.2}},
        "[M15] body 'link': its marker 'a' stands at (0.2, 0, 0) m, and its line begins at (0, 0, 0) m.\n"
        "       Leave 'a' there, where places along it count from, and give yours another name.",
    ),
    "its end moved": (
        {"markers": {"b": 0.2}},
        "[M15] body 'link': its marker 'b' stands at (0.2, 0, 0) m, and its line ends at (0.5, 0, 0) m.\n"
        "       Leave 'b' there, where places along it count from, and give yours another name.",
    ),
    "a negative width": (
        {"section": ml.rectangle(-0.02, 0.006)},
        f"[M15] body 'link': its section's A is -0.00012.\n{DIMENSIONS}",
    ),
    "two negative sides": (
        {"section": ml.rectangle(-0.02, -0.006)},
        f"[M15] body 'link': its section's y is -0.003.\n{DIMENSIONS}",
    ),
    "a bore wider than its tube": (
        {"section": ml.tube(0.02, 0.04)},
        f"[M15] body 'link': its section's A is -0.00094248.\n{DIMENSIONS}",
    ),
}


@pytest.mark.parametrize("name", BEAMS)
def test_beams(name: str) -> None:
    changes, said = BEAMS[name]
    assert said_of(lambda: with_link(ml.beam("link", **GIVEN | changes))) == said


@pytest.mark.parametrize("name", BEAMS)
@pytest.mark.parametrize("question", ["shapes", "frequencies", "draw_shapes"])
def test_a_beam_by_itself_says_the_same(name: str, question: str) -> None:
    changes, said = BEAMS[name]
    assert said_of(getattr(ml.beam("link", **GIVEN | changes), question)) == said.replace("body 'link': ", "")


def test_a_marker_that_is_nowhere_is_told_by_a_beam_alone() -> None:
    link = ml.beam("link", **GIVEN | {"markers": {"m": float("nan")}})
    assert said_of(link.shapes) == (
        "[M05] its marker 'm' stands at (nan,).\n"
        "       Give finite numbers of metres, or expressions of parameters."
    )


def test_whole_numbers_of_numpy_are_whole_numbers() -> None:
    plain = ml.beam("link", **GIVEN, modes=3, elements=8)
    assert ml.beam("link", **GIVEN, modes=np.int64(3), elements=np.int32(8)) == plain
    assert ml.beam("link", **GIVEN, modes={"y": np.int64(3)}, elements=8) == plain
    assert ml.solid("link", **SOLID, modes=np.int64(6)) == ml.solid("link", **SOLID, modes=6)
    counts = np.array([2, 1, 1])
    assert ml.box_mesh(0.3, 0.02, 0.01, elements=counts) == SOLID["mesh"]


SOLIDS: dict[str, tuple[dict[str, Any], str]] = {
    "a face that is none": (
        {"interfaces": {"a": "x0", "b": 3}},
        "[M16] the face for marker 'b' is 3.\n       Give a plane, {\"x\": 0.3}, or name a face in the mesh.",
    ),
    "a test that holds nowhere": (
        {"interfaces": {"a": lambda r: r[:, 0] < -1, "b": "x1"}},
        "[M16] the test for marker 'a' holds at 0 of its 45 nodes, and on no face of an element.\n"
        "       Give one that holds on a whole face; the mesh reaches over "
        "x from 0 to 0.3, y from -0.01 to 0.01, z from -0.005 to 0.005 m.",
    ),
    "a mesh that is none": (
        {"mesh": 3.5},
        "[M16] its mesh is 3.5.\n       Give a path, `box_mesh(…)`, or a mesh of meshio or scikit-fem.",
    ),
    "a stiffening that is no truth": (
        {"stiffening": "no"},
        "[M16] its stiffening is 'no'.\n       Give True or False.",
    ),
    "a frame that is no text": (
        {"frame": 1},
        '[M16] its frame is 1.\n       Give one of its interfaces (a, b), or "chord" if there are two.',
    ),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids(name: str) -> None:
    changes, said = SOLIDS[name]
    assert said_of(lambda: ml.solid("link", **SOLID | changes)) == said


@pytest.mark.parametrize("question", ["shapes", "frequencies", "draw_shapes"])
def test_a_solid_by_itself_says_what_a_mechanism_would(question: str) -> None:
    few = ml.solid("link", **SOLID, modes=4)
    assert said_of(getattr(few, question)) == (
        '[M16] it has 4 modes, and its interfaces alone need 6.\n       Give 6 or more, or basis="natural".'
    )


THREE = "       Give three whole numbers above zero, along x, y and z: (8, 1, 1)."
BOXES: dict[str, tuple[dict[str, Any], str]] = {
    "one number of elements": ({"elements": 4}, f"[M16] its elements are 4.\n{THREE}"),
    "half an element": ({"elements": (1.5, 1, 1)}, f"[M16] its elements are (1.5, 1, 1).\n{THREE}"),
    "two numbers": ({"elements": (2, 1)}, f"[M16] its elements are (2, 1).\n{THREE}"),
    "far too many": (
        {"elements": (1000, 1000, 1000)},
        "[M16] its elements are (1000, 1000, 1000), with 8,012,006,001 nodes in all.\n"
        "       Give fewer, for up to 100,000 nodes.",
    ),
    "a length in letters": (
        {"length": "1"},
        "[M16] its length is '1'.\n       Give a number of metres above zero.",
    ),
    "half a corner": (
        {"corner": (0, 0)},
        "[M16] its corner is (0, 0).\n       Give three numbers of metres.",
    ),
}


@pytest.mark.parametrize("name", BOXES)
def test_boxes(name: str) -> None:
    changes, said = BOXES[name]
    given = {"length": 0.3, "width": 0.02, "height": 0.01}
    assert said_of(lambda: ml.box_mesh(**given | changes)) == said


UNIFORM: dict[str, tuple[dict[str, Any], str]] = {
    "damping in letters": (
        {"damping": "x"},
        "[M14] its damping is 'x'.\n       Give a part of critical, 0 or more: 0.01.",
    ),
    "negative damping": (
        {"damping": -0.1},
        "[M14] its damping is -0.1.\n       Give a part of critical, 0 or more: 0.01.",
    ),
    "a marker in letters": (
        {"markers": {"m": "x"}},
        "[M14] its marker 'm' is 'x'.\n       Give its distance from `a` in metres; it stands on the line.",
    ),
    "a marker beside it": (
        {"markers": {"m": (0.1, 0.1)}},
        "[M14] its marker 'm' is (0.1, 0.1).\n       Give its distance from `a` in metres; it stands on the line.",
    ),
    "one way twice": (
        {"across": ("y", "y")},
        '[M14] its `across` is (\'y\', \'y\').\n       Give ("y",), ("z",) or ("y", "z").',
    ),
    "a truth for modes": (
        {"modes": True},
        "[M14] its modes are True.\n       Give a whole number from 1 to 100.",
    ),
}


@pytest.mark.parametrize("name", UNIFORM)
def test_uniform_beams(name: str) -> None:
    changes, said = UNIFORM[name]
    given = {"length": 0.3, "mass": 1.0, "EI": 20.0}
    assert said_of(lambda: ml.uniform_beam("link", **given | changes)) == said


MODAL: dict[str, tuple[dict[str, Any], str]] = {
    "a number for a matrix": (
        {"stiffness": 250.0},
        "[M14] body 'link': its `stiffness` is 250.0.\n       Give e×e numbers, row by row: [[250.0]].",
    ),
    "a stiffness below zero": (
        {"stiffness": [[-1.0]]},
        "[M14] body 'link': its `stiffness` has an eigenvalue of -1: bending would set energy free.\n"
        "       Give a matrix without negative eigenvalues.",
    ),
    "a damping below zero": (
        {"damping": [[-1.0]]},
        "[M14] body 'link': its `damping` has an eigenvalue of -1: it would feed motion.\n"
        "       Give a matrix without negative eigenvalues.",
    ),
}


@pytest.mark.parametrize("name", MODAL)
def test_bodies_by_their_modes(name: str) -> None:
    changes, said = MODAL[name]
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
    assert said_of(lambda: with_link(ml.ModalBody("link", **given | changes))) == said


def test_a_rigid_run_has_no_stress_to_show() -> None:
    run = ml.simulate(ml.examples.four_bar(), until=0.01)
    with pytest.raises(ml.DrawingError) as caught:
        run.plot(show="stress")
    assert "No link of it bends: swap one for `ml.beam(…)` by `with_body`. Or choose among: positions" in str(
        caught.value
    )


def test_a_planar_solid_beside_its_plane_is_told_to_be_laid_there() -> None:
    beside = ml.solid("link", **SOLID | {"mesh": ml.box_mesh(0.3, 0.02, 0.01, corner=(0.0, -0.01, 0.05))})
    assert "Give 2, or lay its mesh about the plane z = 0, where its faces put markers." in said_of(
        lambda: with_link(beside)
    )


@pytest.mark.parametrize(
    ("modes", "said"),
    [
        (
            2.5,
            'its modes are 2.5.\n       Give a number, or counts by way: {"y": 2, "z": 2, "x": 1, "twist": 1}.',
        ),
        (
            ("y",),
            'it has 0 modes along y on 16 elements.\n       Give 1 to 32, {"y": 2}; ways alone are for basis="nodal".',
        ),
    ],
)
def test_counts_that_are_none_are_one_fault(modes: object, said: str) -> None:
    assert (
        said_of(lambda: with_link(ml.beam("link", **GIVEN | {"modes": modes})))
        == f"[M15] body 'link': {said}"
    )
