"""Any value for a field of a flexible link is accepted or refused with a message, never by another exception."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import multiloop as ml

JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    0.5,
    1e300,
    10**400,
    float("nan"),
    float("inf"),
    "x",
    "",
    (),
    [],
    [1],
    (1, "x"),
    [[1, 2], [3, 4]],
    {},
    {"a": 1},
    {"b": "x"},
    {1: 2},
    {"y": None},
    np.array([1.0, 2.0]),
    np.array([[1.0]]),
    np.int64(2),
    object(),
    ml.time,
    ml.Parameter("p", 0.5),
    ml.Parameter("p", -1.0),
    ml.rectangle(0.02, 0.01),
    ml.Rayleigh("x", None),  # type: ignore[arg-type]
    len,
]

BOX = ml.box_mesh(0.3, 0.02, 0.01, elements=(1, 1, 1))
LINE = {"E": 7e10, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)}
KINDS: dict[str, tuple[Callable[..., Any], dict[str, Any], str]] = {
    "beam": (
        ml.beam,
        LINE | {"length": 0.5},
        "length E G density section shear masses modes frame basis interfaces stiffening damping elements markers",
    ),
    "cranked beam": (ml.beam, LINE | {"through": [(0, 0), (0.3, 0), (0.3, 0.2)]}, "through markers masses"),
    "Beam": (
        ml.Beam,
        LINE | {"length": 0.5},
        "length E density section section_at_b through masses modes damping markers",
    ),
    "solid": (
        ml.solid,
        {
            "mesh": BOX,
            "E": 2e11,
            "density": 7850.0,
            "interfaces": {"a": "x0"},
            "modes": 1,
            "markers": {"a": 0.0},
        },
        "mesh E nu density interfaces modes basis frame tie stiffening damping markers",
    ),
    "uniform beam": (
        ml.uniform_beam,
        {"length": 0.5, "mass": 1.0, "EI": 20.0},
        "length mass EI modes frame across damping inertia markers",
    ),
}
FIELDS = [(kind, field) for kind, (_, _, fields) in KINDS.items() for field in fields.split()]


@pytest.mark.parametrize(("kind", "field"), FIELDS)
def test_invalid_fields_are_refused_with_a_message(kind: str, field: str) -> None:
    make, given, _ = KINDS[kind]

    def machine(**more: Any) -> ml.Mechanism:
        link = make("link", **given | more)
        assert repr(link)
        joints = [ml.Revolute("A", "ground.origin", "link.a")]
        return ml.Mechanism("arm", planar=True, bodies=[ml.ground(), link], joints=joints)

    assert machine()
    refused = 0
    for junk in JUNK:
        try:
            found = machine(**{field: junk})
        except ml.ModelError:
            refused += 1
        else:
            assert ml.from_text(ml.to_text(found)) == found
    assert refused > len(JUNK) // 3


@pytest.mark.parametrize("field", ["length", "width", "height", "elements", "corner", "cell"])
def test_junk_for_a_box(field: str) -> None:
    given = {"length": 0.3, "width": 0.02, "height": 0.01, "elements": (2, 1, 1)}
    refused = 0
    for junk in JUNK:
        try:
            mesh = ml.box_mesh(**given | {field: junk})
            ml.solid("link", mesh=mesh, E=2e11, density=7850.0, interfaces={"a": "x0"})
        except ml.ModelError:
            refused += 1
    assert refused > len(JUNK) // 2
