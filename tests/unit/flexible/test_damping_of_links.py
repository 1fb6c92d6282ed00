"""Damping of a link: one ratio, one for each mode, or Rayleigh damping; `modes` reports the same ratios."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from texts import Texts

import multiloop as ml

RATIOS = (0.02, 0.1, 0.3)
WALL = [ml.Fixed("wall", "ground.origin", "arm.a")]


def beam(**more: Any) -> ml.Mechanism:
    """A cantilever; with a further argument, a beam of elements."""
    given = {"length": 0.9, "E": 70e9, "density": 2700, "section": ml.rectangle(0.02, 0.006), "frame": "a"}
    return _held(ml.beam("arm", **given | {"modes": 3} | more))


def solid(**more: Any) -> ml.Mechanism:
    """The same as a solid."""
    mesh = ml.box_mesh(0.9, 0.006, 0.02, elements=(4, 1, 1))
    given = {"mesh": mesh, "E": 70e9, "density": 2700, "interfaces": {"a": "x0"}, "basis": "natural"}
    return _held(ml.solid("arm", **given | {"modes": 3} | more))


def _held(link: Any) -> ml.Mechanism:
    bodies = [ml.ground(), link]
    return ml.Mechanism("arm", planar=True, gravity=(0, 0), bodies=bodies, joints=WALL)


MACHINES = {
    "uniform": beam,
    "tapered": lambda **more: beam(section=(ml.rectangle(0.02, 0.006), ml.rectangle(0.02, 0.004)), **more),
    "at its interfaces": lambda **more: beam(basis="interface", **more),
    "solid": solid,
}


@pytest.mark.parametrize("kind", MACHINES)
@pytest.mark.parametrize("given", [RATIOS, list(RATIOS), np.array(RATIOS)], ids=["tuple", "list", "array"])
def test_every_mode_has_the_requested_damping_ratio(kind: str, given: Any) -> None:
    found = ml.eigenmodes(MACHINES[kind](damping=given)).damping
    assert found == pytest.approx(RATIOS, rel=1e-6)


@pytest.mark.parametrize("kind", MACHINES)
def test_one_damping_ratio_applies_to_all_modes(kind: str) -> None:
    assert ml.eigenmodes(MACHINES[kind](damping=0.05)).damping == pytest.approx([0.05] * 3, rel=1e-6)


@pytest.mark.parametrize("kind", MACHINES)
def test_rayleigh_s_damping_by_frequency(kind: str) -> None:
    """ζ = α / 2ω + β ω / 2."""
    alpha, beta = 2.0, 1e-5
    modes = ml.eigenmodes(MACHINES[kind](damping=ml.Rayleigh(alpha, beta)))
    omega = modes.frequencies
    assert modes.damping == pytest.approx(alpha / (2 * omega) + beta * omega / 2, rel=1e-6)


@pytest.mark.parametrize("machine", [beam, solid])
@pytest.mark.parametrize(
    "given", [[0.1], (0.1, 0.1), [0.1, -0.1, 0.1], [0.1, "x", 0.1], "x", np.ones((3, 3)), -0.1]
)
def test_lists_of_another_length_and_what_is_no_ratio(machine: Any, given: Any, texts: Texts) -> None:
    with pytest.raises(ml.ModelError) as error:
        machine(damping=given)
    texts(error.value, "0.01", "3")


@pytest.mark.parametrize("machine", [beam, solid])
def test_a_ratio_in_percent(machine: Any, texts: Texts) -> None:
    with pytest.raises(ml.ModelError) as error:
        machine(damping=5)
    texts(error.value, "5.0", "1", "0.05", "5 %", "`Rayleigh(alpha, beta)`")


def test_overdamped_systems_have_no_modes(texts: Texts) -> None:
    texts(repr(ml.eigenmodes(beam(damping=ml.Rayleigh(beta=1.0)))), "0", "'arm'")
