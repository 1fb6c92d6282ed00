"""Solid couplers against beams in the same linkages, plates against tables, and a ball against theory.

Plates: ω a² √(ρh/D) of square plates, ν = 0.3, free and clamped along one edge; [leissa].
"""

from __future__ import annotations

import numpy as np
import pytest
from published.elastic.linkages import STEEL, STRIP, four_bar, sag_of, slider_crank
from published.elastic.test_linkages import PEAKS, peak

import multiloop as ml

ENDS = {"a": "x0", "b": "x1"}
THICK = np.sqrt(12 * STRIP["section"].Iz / STRIP["section"].A)
WIDE = STRIP["section"].A / THICK
"""Of the strips of the four-bar, by their A and I."""


def pinned(name: str, length: float, mesh: ml.model.mesh.BoxMesh, material: dict[str, object]) -> ml.Solid:
    """A solid between pins, with two modes."""
    given = {key: material[key] for key in ("E", "density")} | {
        "basis": "natural",
        "frame": "chord",
        "modes": 2,
    }
    return ml.solid(name, mesh=mesh, nu=0.3, interfaces=ENDS, markers={"middle": length / 2}, **given)


def test_a_solid_rod_in_a_slider_crank_deflects_as_a_beam() -> None:
    """Its peak at mid-link within 0.5 % of the beam's, and of that of the other program."""
    rod = pinned("rod", 0.3, ml.box_mesh(0.3, 0.008, 0.008, elements=(12, 1, 1)), STEEL)
    run, beam = (
        ml.simulate(machine, until=0.1, samples=2001, rtol=1e-8)
        for machine in (slider_crank().with_body(rod), slider_crank())
    )
    assert peak(sag_of(run, "rod")) == pytest.approx(peak(sag_of(beam, "rod")), rel=5e-3)
    assert peak(sag_of(run, "rod")) == pytest.approx(PEAKS["rod"], rel=5e-3)
    assert run.energy_drift < 1e-9


@pytest.mark.slow
def test_a_solid_coupler_in_a_four_bar_deflects_as_a_beam() -> None:
    """A strip 16 times as wide as thick; pins keep the width of its ends straight, and stiffen it slightly."""
    coupler = pinned("coupler", 0.2794, ml.box_mesh(0.2794, THICK, WIDE, elements=(24, 1, 4)), STRIP)
    run = ml.simulate(four_bar().with_body(coupler), until=0.6, samples=2001, rtol=1e-8)
    # the pins, as above
    assert peak(sag_of(run, "coupler")) == pytest.approx(PEAKS["coupler"], rel=2e-2)
    assert peak(sag_of(run, "follower")) == pytest.approx(PEAKS["follower"], rel=2e-2)


# plates -----------------------------------------------------------------------------------------------------------

SIDE, THIN, E, DENSITY = 1.0, 0.01, 1e9, 1000.0
SCALE = SIDE**2 * np.sqrt(DENSITY * THIN * 12 * (1 - 0.3**2) / (E * THIN**3))


def plate_frequencies(elements: tuple[int, int, int], free: bool) -> np.ndarray:
    """ω a² √(ρh/D) of a plate, as the only body of a mechanism."""
    plate = ml.solid(
        "plate",
        mesh=ml.box_mesh(SIDE, SIDE, THIN, elements=elements),
        E=E,
        nu=0.3,
        density=DENSITY,
        interfaces={"a": "x0"},
        basis="free" if free else "natural",
        tie="average" if free else "rigid",
        modes=4,
        stiffening=False,
    )
    joint = ml.Free("J", "ground.origin", "plate.a") if free else ml.Fixed("J", "ground.origin", "plate.a")
    machine = ml.Mechanism("plate", gravity=(0, 0, 0), bodies=[ml.ground(), plate], joints=[joint])
    found = ml.eigenmodes(machine).frequencies * SCALE
    return found[found > 1.0][:3]


@pytest.mark.slow
def test_a_free_square_plate() -> None:
    """Within 0.5 %, sixteen elements per side and one through the thickness."""
    assert plate_frequencies((16, 16, 1), free=True) == pytest.approx([13.468, 19.596, 24.270], rel=5e-3)


@pytest.mark.slow
def test_a_plate_that_is_clamped_along_one_edge() -> None:
    """Within 0.5 %."""
    assert plate_frequencies((22, 16, 1), free=False) == pytest.approx([3.4711, 8.5067, 21.285], rel=5e-3)


# a ball -----------------------------------------------------------------------------------------------------------


def test_a_free_ball() -> None:
    """ω a/√(G/ρ), ν = 1/4: five torsional modes at 2.5011, five spheroidal ones at 2.6398 [lamb_sphere].

    Tetrahedra with curved edges: 512 of them come within 0.3 %, and 4096 within 0.03 %.
    """
    from skfem import MeshTet2

    ball = ml.solid(
        "ball",
        mesh=MeshTet2.init_ball(nrefs=2),
        E=2.5,
        nu=0.25,
        density=1.0,
        interfaces={"a": lambda r: r[:, 2] > 0.6},
        basis="free",
        modes=10,
        tie="average",
        stiffening=False,
    )
    joint = ml.Free("J", "ground.origin", "ball.origin")
    machine = ml.Mechanism("ball", gravity=(0, 0, 0), bodies=[ml.ground(), ball], joints=[joint])
    found = ml.eigenmodes(machine).frequencies
    assert found[found > 1e-3] == pytest.approx([2.5011] * 5 + [2.6398] * 5, rel=3e-3)
    assert ball.mass == pytest.approx(4 / 3 * np.pi, rel=2e-3)
