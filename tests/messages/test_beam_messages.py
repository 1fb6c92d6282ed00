"""Messages for invalid descriptions of beams: one test for each."""

from __future__ import annotations

import pytest
from texts import Texts
from zoo.plain import clamped_body

import multiloop as ml

CRANKED = {"through": [(0, 0), (0.3, 0), (0.3, 0.2)], "length": None}

MESSAGES = {
    "no line": ({"length": None}, ("M15",)),
    "two lines": (CRANKED | {"length": 0.5}, ("M15", "`length`", "`through`")),
    "an invalid line": ({"length": None, "through": [(0, 0), "b"]}, ("M15", "(0, 0)", "'b'")),
    "a ring": ({"length": None, "through": [(0, 0), (1, 0), (1, 1), (0, 0)]}, ("M15",)),
    "frame": ({"frame": "b"}, ("M15", "body 'link'", "'b'")),
    "basis": ({"basis": "modal"}, ("M15", "body 'link'", "'modal'")),
    "a mass nowhere": ({"masses": {"bb": 0.1}}, ("T03", "body 'link'", "'bb'")),
    "a negative mass": ({"masses": {"b": -0.1}}, ("M15", "'b'", "-0.1")),
    "too few shapes for the ends": (
        CRANKED | {"modes": 2, "basis": "interface"},
        ("M15", "body 'link'", "2", "3"),
    ),
    "ways of straight beams": (CRANKED | {"modes": {"x": 1}}, ("M15", "body 'link'", "'x'", "1")),
    "Rayleigh's damping": ({"damping": ml.Rayleigh(beta=-1e-5)}, ("M15", "body 'link'", "-1e-05")),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_beams_described_wrongly(name: str, texts: Texts) -> None:
    changes, expected = MESSAGES[name]
    given = {"length": 0.5, "E": 7e10, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)} | changes

    def machine() -> ml.Mechanism:
        bodies = [ml.ground(), ml.beam("link", **given)]
        joints = [ml.Revolute("A", "ground.origin", "link.a")]
        return ml.Mechanism("arm", planar=True, bodies=bodies, joints=joints)

    with pytest.raises(ml.ModelError) as refused:
        machine()
    texts.fault(refused.value, *expected)


def test_a_large_deflection_of_a_cranked_link_is_reported_with_its_ratio(texts: Texts) -> None:
    section = ml.rectangle(0.02, 0.01)
    link = ml.beam("link", through=CRANKED["through"], E=7e10, density=2700.0, section=section, frame="a")
    machine = clamped_body(link, name="arm")
    run = ml.simulate(machine, start={"link.eta": (0.1, 0.0)}, until=1e-5, samples=2)
    texts.warnings(run, ("W80", "link", "0.21"))
