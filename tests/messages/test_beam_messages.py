"""What a user reads when a beam is described wrongly: new ways to be wrong, each once, word for word."""

from __future__ import annotations

import pytest

import multiloop as ml

CRANKED = {"through": [(0, 0), (0.3, 0), (0.3, 0.2)], "length": None}

MESSAGES = {
    "no line": (
        {"length": None},
        "[M15] its line is not said.\n"
        "       Give length=0.9 for a straight beam, or through=[(0, 0), (0.3, 0), (0.3, 0.2)].",
    ),
    "two lines": (
        CRANKED | {"length": 0.5},
        "[M15] its line is given twice, by `length` and by `through`.\n"
        "       Give length=0.9 for a straight beam, or through=[(0, 0), (0.3, 0), (0.3, 0.2)].",
    ),
    "a line that is none": (
        {"length": None, "through": [(0, 0), "b"]},
        "[M15] its line goes through [(0, 0), 'b'].\n"
        "       Give at least two points of plain numbers, [(0, 0), (0.3, 0), (0.3, 0.2)].",
    ),
    "a ring": (
        {"length": None, "through": [(0, 0), (1, 0), (1, 1), (0, 0)]},
        "[M15] its line has two neighbouring points, or its two ends, at the same place.\n"
        "       Give points that are apart; a ring cannot be one beam.",
    ),
    "frame": (
        {"frame": "b"},
        '[M15] body \'link\': its frame is \'b\'.\n       Give "a", "chord" or "free".',
    ),
    "basis": (
        {"basis": "modal"},
        '[M15] body \'link\': its basis is \'modal\'.\n       Give "natural", "interface" or "nodal".',
    ),
    "a mass nowhere": (
        {"masses": {"bb": 0.1}},
        "[T03] body 'link': a mass sits at its marker 'bb', which does not exist.\n       Did you mean 'b'?",
    ),
    "a negative mass": (
        {"masses": {"b": -0.1}},
        "[M15] its mass at 'b' is -0.1.\n       Give kilograms, 0 or more.",
    ),
    "too few shapes for the ends": (
        CRANKED | {"modes": 2, "basis": "interface"},
        "[M15] body 'link': it has 2 modes along y; its interfaces alone have 3 static shapes.\n"
        '       Give at least 3, or basis="natural".',
    ),
    "ways of straight beams": (
        CRANKED | {"modes": {"x": 1}},
        "[M15] body 'link': its modes are {'x': 1}.\n"
        '       Give a number, or counts by way, in its plane and out of it: {"y": 3, "z": 2}.',
    ),
    "Rayleigh's damping": (
        {"damping": ml.Rayleigh(beta=-1e-5)},
        "[M15] body 'link': beta of its Rayleigh damping is -1e-05.\n"
        "       Give a number, 0 or more: alpha in 1/s, beta in s.",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_beams_described_wrongly(name: str) -> None:
    changes, said = MESSAGES[name]
    given = {"length": 0.5, "E": 7e10, "density": 2700.0, "section": ml.rectangle(0.02, 0.01)} | changes

    def machine() -> ml.Mechanism:
        bodies = [ml.ground(), ml.beam("link", **given)]
        joints = [ml.Revolute("A", "ground.origin", "link.a")]
        return ml.Mechanism("arm", planar=True, bodies=bodies, joints=joints)

    with pytest.raises(ml.ModelError) as refused:
        machine()
    assert str(refused.value).endswith(said)


def test_a_cranked_link_that_deflects_far_is_told_with_its_ratio() -> None:
    section = ml.rectangle(0.02, 0.01)
    link = ml.beam("link", through=CRANKED["through"], E=7e10, density=2700.0, section=section, frame="a")
    machine = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), link],
        joints=[ml.Fixed("wall", "ground.origin", "link.a")],
    )
    run = ml.simulate(machine, start={"link.eta": (0.1, 0.0)}, until=1e-5, outputs=2)
    assert run.status == "'link' deflects 0.21 of its length, beyond 0.1 its shapes are doubtful"
