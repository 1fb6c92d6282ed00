"""Flexible mechanisms of tenths of millimetres, metres and kilometres have the same relative results and accuracy."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts
from zoo.plain import four_bar_pins

import multiloop as ml


def four_bar(size: float, **how: object) -> ml.Mechanism:
    """A four-bar of a given size and the same materials: times grow with the size, forces with its square, stresses are
    equal."""
    section = ml.rectangle(0.02 * size, 0.006 * size)
    coupler = ml.beam("coupler", length=0.9 * size, E=70e9, density=2700.0, section=section, **how)
    return ml.Mechanism(
        "four-bar",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), D=(size, 0)),
            ml.rod("crank", length=0.3 * size, mass=size**3),
            coupler,
            ml.rod("rocker", length=0.8 * size, mass=1.5 * size**3),
        ],
        joints=four_bar_pins(),
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(6.0 / size))],
        guess={"coupler.b": (0.8 * size, 0.7 * size)},
    )


HOW = {"chord": {"modes": 3, "frame": "chord"}, "a": {"modes": {"y": 2, "x": 1}, "frame": "a"}}


@pytest.mark.parametrize("frame", HOW)
@pytest.mark.parametrize("size", [1e-3, pytest.param(1e3, marks=pytest.mark.slow)])
def test_flexible_mechanisms_of_all_sizes_deform_alike(size: float, frame: str, texts: Texts) -> None:
    """Efforts, loads and deflections against those of the mechanism of metres; no position is reported as singular."""

    def run(size: float) -> ml.Result:
        return ml.simulate(four_bar(size, **HOW[frame]), until=0.05 * size, samples=5, rtol=1e-12)

    found, known = run(size), run(1.0)
    assert found.status == known.status
    turning = ("W31", "coupler", 'start="relaxed"')  # from t = 0 on
    # modes of a cantilever do not follow the reaction at its far end, by about 1 %
    texts.warnings(known, *([turning, ("W83", "coupler")] if frame == "a" else [turning]))
    sags = [one.link("coupler").deflection(0.45 * l) for one, l in ((found, size), (known, 1.0))]
    for value, expected in (
        (found["A"].effort / size**3, known["A"].effort),
        (found["C"].load / size**2, known["C"].load),
        (sags[0] / size, sags[1]),
    ):
        assert (
            np.abs(value - expected).max() < 1e-5 * np.abs(expected).max()
        )  # drives are evaluated 4e-15 s off


@pytest.mark.parametrize("size", [1e-4, 1e3])
def test_natural_frequencies_fall_with_the_size(size: float) -> None:
    """ω ~ 1/size."""
    found, known = (ml.eigenmodes(four_bar(l, modes=3), held=True).frequencies for l in (size, 1.0))
    assert found * size == pytest.approx(known, rel=1e-9)
