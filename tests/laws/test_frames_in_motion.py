"""Tapered and cranked links in motion: spinning wedges, columns, lateral buckling of slabs, cuts, sections."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from flexible_mechanisms import from_both_ends, thrown_bar
from scipy.linalg import eigh
from zoo.flexible import BENDING
from zoo.plain import clamped_body, pinned_body

import multiloop as ml
from multiloop.flexible.beams.centreline import JUMP_OFFSET

THIN = 1e-8
"""Second moments for which rotary inertia is negligible; E = 1/THIN, and so E I = ρ A = L = 1."""

ROUND_OFF = 1e-9
"""Of accelerations and forces, relative to the largest: a stiff link amplifies it some 10⁶ times."""


def wedge(speed: float, way: str, end: float = 0.5) -> ml.Mechanism:
    """A blade whose depth falls from 1 to `end`, on a shaft that turns about z: A falls with it, I with its cube."""

    def section(depth: float) -> ml.Section:
        half = {"y": depth, "z": 1.0} if way == "y" else {"y": 1.0, "z": depth}
        return ml.Section(A=depth, Iz=THIN * depth**3, Iy=THIN * depth**3, J=THIN, **half)

    planar = way == "y"
    blade = {"length": 1.0, "E": 1 / THIN, "density": 1.0, "section": (section(1.0), section(end))}
    return ml.Mechanism(
        "wedge",
        planar=planar,
        gravity=(0, 0) if planar else (0, 0, 0),
        bodies=[ml.ground(), ml.beam("blade", modes={way: 5}, frame="a", **blade)],
        joints=[ml.Revolute("shaft", "ground.origin", "blade.a")],
        drives=[ml.Motion("shaft", speed * ml.time)],
    )


def by_ritz(speed: float, way: str, end: float = 0.5, powers: int = 10) -> np.ndarray:
    """ω² of w = Σ c_k x^(k+2): ∫ I w''² + T w'² dx over ∫ A w² dx, T = Ω² ∫ₓ A x dx; within the plane less Ω²."""
    x, weight = np.polynomial.legendre.leggauss(40)
    x, weight = (x + 1) / 2, weight / 2
    depth = 1 - (1 - end) * x
    k = np.arange(2, 2 + powers)[:, None]
    w, slope, bent = x**k, k * x ** (k - 1), k * (k - 1) * x ** (k - 2)
    pull = speed**2 * ((1 - x**2) / 2 - (1 - end) * (1 - x**3) / 3)
    M = (w * depth * weight) @ w.T
    K = (bent * depth**3 * weight) @ bent.T + (slope * pull * weight) @ slope.T
    return np.asarray(eigh(K - (speed**2 * M if way == "y" else 0.0), M, eigvals_only=True))


@pytest.mark.parametrize(("way", "speed"), [("y", 6.0), ("z", 0.0), ("z", 6.0)])
def test_a_wedge_that_spins(way: str, speed: float) -> None:
    """Three frequencies against Ritz's method with polynomials, which uses neither elements nor foreshortening
    modes."""
    swings = np.abs(ml.linearise(wedge(speed, way)).eigenvalues.imag)
    found = np.sort(swings[swings > 1e-6])[::2][:3]
    known = np.sqrt(by_ritz(speed, way)[:3])
    assert found == pytest.approx(known, rel=3e-4)


def test_ritz_knows_the_wedge_at_rest() -> None:
    """3.8238, 18.317, 47.265: the printed values of the wedge of half the depth."""
    # printed digits
    assert np.sqrt(by_ritz(0.0, "z")[:3]) == pytest.approx([3.8238, 18.3173, 47.2648], rel=1e-5)


@pytest.mark.parametrize("part", [pytest.param(-1.0, marks=pytest.mark.slow), 0.9])
def test_a_column_of_elements_under_its_load(part: float) -> None:
    """ω² = ω₀² (1 − P/P_E), the force comes through the joints; here with constraint modes of its ends."""
    section = ml.Section(A=1.0, Iz=THIN, Iy=THIN, J=THIN)
    column = {"length": 1.0, "E": 1 / THIN, "density": 1.0, "section": section, "basis": "interface"}
    machine = ml.Mechanism(
        "column",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(),
            ml.beam("column", modes=4, frame="chord", **column),
            ml.Body("head", mass=1e-3, inertia=1e-3),
        ],
        joints=[
            ml.Revolute("foot", "ground.origin", "column.a"),
            ml.Revolute("top", "column.b", "head.origin"),
            ml.Prismatic("guide", "ground.origin", "head.origin"),
        ],
        loads=[ml.Force("press", "head.origin", (-part * np.pi**2, 0))],
        guess={"guide": 1.0},
    )
    found = ml.eigenmodes(machine, ml.equilibrium(machine, guess={"foot": 0.0})).frequencies
    assert found[0] == pytest.approx(np.pi**2 * np.sqrt(1 - part), rel=1e-3)  # truncation of the static modes


@pytest.mark.slow
@pytest.mark.parametrize("more", [{}, {"masses": {"b": 0.0}}], ids=["plain", "with a mass"])
def test_a_slab_buckles_sideways(more: dict[str, object]) -> None:
    """A deep cantilever under a load at its tip buckles laterally at 4.0126 √(E Iy G J)/L²: bending in both directions
    causes twist.

    Source: [timoshenko_gere].
    """

    def least(load: float) -> float:
        section = ml.Section(A=1.0, Iz=1e4 * THIN, Iy=THIN, J=THIN)
        slab = ml.beam(
            "slab",
            length=1.0,
            E=1 / THIN,
            G=1 / THIN,
            density=1.0,
            section=section,
            modes={"y": 1, "z": 4, "twist": 3},
            frame="a",
            **more,
        )
        machine = clamped_body(
            slab, "slab", planar=False, gravity=(0, 0, 0), loads=[ml.Force("tip", "slab.b", (0, load, 0))]
        )
        eigenvalues = ml.linearise(machine, ml.equilibrium(machine)).eigenvalues
        return float((eigenvalues**2).real.max())

    below, above = 0.99 * 4.0126, 1.01 * 4.0126
    assert least(below) < 0 < least(above)


# in loops ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", ["P", "Q", pytest.param("C", marks=pytest.mark.slow)])
def test_cuts_do_not_matter(cut: str) -> None:
    """Accelerations and reactions of the bell crank, wherever its loop is opened; to round-off of the largest."""
    machine = BENDING["bending bell crank"].build().without_drives()
    start = {"A": 1.0, "bell.eta": (0.01, -0.005, 0.002)}
    rates = {"A": 20.0, "bell.eta": (0.3, 0.2, -0.5)}
    found, known = (ml.forward(machine, start, rates=rates, cuts=[where]) for where in (cut, "A"))
    bent = known.link("bell").eta_acceleration
    assert found.link("bell").eta_acceleration == pytest.approx(bent, abs=ROUND_OFF * np.abs(bent).max())
    largest = max(np.abs(known[joint].force).max() for joint in "APQC")
    for joint in "APQC":
        assert found[joint].force == pytest.approx(known[joint].force, abs=ROUND_OFF * largest)


@pytest.mark.slow
def test_the_interpreter_has_the_same_motion() -> None:
    """Up to the error of the step."""
    machine = BENDING["bending bell crank"].build()
    one, other = (ml.simulate(machine, until=0.01, samples=3, target=t) for t in ("c", "interpreter"))
    assert one.link("bell").eta == pytest.approx(other.link("bell").eta, abs=1e-9)


def test_a_corner_carries_the_moment_round() -> None:
    """Moments before and behind a corner are equal, forces differ by that of the pin; at the ends they vanish."""
    run = ml.simulate(BENDING["bending bell crank"].build(), until=0.02, samples=5)
    bell, corner, total = run.link("bell"), 0.25, 0.55
    size = np.abs(bell.moment(corner)).max()
    before = corner - 2 * JUMP_OFFSET * total
    assert bell.moment(before) == pytest.approx(bell.moment(corner), abs=1e-6 * size)
    assert bell.moment([0.0, total]) == pytest.approx(0.0, abs=1e-10 * size)
    x = np.arctan2(run.body("bell")[:, 1, 0], run.body("bell")[:, 0, 0]) + bell.rotation(corner)
    on_that_side, behind = (
        np.stack([bell.axial(s), bell.shear(s)], axis=1) for s in (before, corner)
    )  # along (down, right) and (right, up) of the link
    down, right = np.stack([np.sin(x), -np.cos(x)], axis=1), np.stack([np.cos(x), np.sin(x)], axis=1)
    across = np.stack([-np.sin(x), np.cos(x)], axis=1)
    on_before = on_that_side[:, :1] * down + on_that_side[:, 1:] * right
    on_behind = behind[:, :1] * right + behind[:, 1:] * across
    # the distributed inertia forces over the distance between both places
    assert on_before - on_behind == pytest.approx(run["C"].force, abs=1e-5 * np.abs(run["C"].force).max())


@pytest.mark.slow
def test_the_stiffer_the_nearer_to_the_rigid_one() -> None:
    """At rest, the difference falls as 1/E: slope −1 over two decades, to 0.01."""
    machine = BENDING["bending bell crank"].build().without_drives()
    spring = ml.JointSpring("hand", "A", stiffness=40.0, rest=1.0)
    machine = machine.replace(loads=(*machine.loads, spring))
    bell = machine.body("bell")
    assert isinstance(bell, ml.Beam)

    def at_rest(link: ml.Body) -> np.ndarray:
        made = machine.with_body(link)
        guess = {"A": 1.0, "pusher.b": (0.0, 0.25), "bell.b": (0.3, 0.0)}
        return np.array(ml.equilibrium(made, guess=guess).state.marker("bell.b"))

    rigid = at_rest(bell.rigid())
    left = [
        np.linalg.norm(at_rest(replace(bell, E=bell.E * times)) - rigid) for times in (10.0, 100.0, 1000.0)
    ]
    assert np.diff(np.log10(left)) == pytest.approx(-1.0, abs=0.01)


LINKS = {
    "tapered": {
        "length": 0.5,
        "section": (ml.tube(0.03, 0.02), ml.rectangle(0.01, 0.02)),
        "shear": True,
        "masses": {"m": 0.3, "b": 0.2},
        "markers": {"m": (0.3, 0.05, 0.02)},
        "modes": {"y": 2, "z": 1, "x": 1, "twist": 1},
    },
    "cranked": {
        "through": [(0, 0, 0), (0.3, 0, 0), (0.3, 0.2, 0)],
        "section": ml.rectangle(0.02, 0.01),
        "masses": {"c1": 0.3},
        "markers": {"m": 0.2},
        "modes": {"y": 2, "z": 2},
    },
    "in space": {
        "through": [(0, 0, 0), (0.3, 0, 0), (0.3, 0.2, 0.1), (0.3, 0.2, 0.3)],
        "section": (ml.rectangle(0.02, 0.01), ml.rectangle(0.01, 0.01)),
        "shear": True,
        "markers": {"m": (0.3, 0.1, 0.2)},
        "modes": 4,
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("frame", ["a", "chord", "free"])
@pytest.mark.parametrize("name", LINKS)
def test_both_parts_of_a_cut_agree(name: str, frame: str) -> None:
    """To round-off: accelerations, loads, masses, rotary inertia and second-order modes all contribute."""
    link = LINKS[name]
    bar = ml.beam("bar", E=2.1e11, density=7850.0, frame=frame, basis="natural", damping=0.02, **link)
    e = bar.elastic
    run = thrown_bar(bar, (4e-3, -1e-3, 2e-3, 1e-3, 1e-3)[:e], (0.1, 0.2, -0.3, 0.1, 0.1)[:e])
    assert run.energy_drift < 1e-8
    one, other = from_both_ends(run.link("bar"))
    assert np.abs(one - other).max() < 1e-11 * np.abs(one).max()


@pytest.mark.parametrize("chord", ["in the plane", "along the axis"])
def test_a_blade_that_spins_twists_stiffer(chord: str) -> None:
    """ω² − ω₀² = Ω² ((Iz − Iy)/(Iy + Iz) + c): the propeller moment, and tension in inclined fibres.

    c = ∫ (1 − ξ²)/2 φ'² dξ / ∫ φ² dξ, φ = sin(½ π ξ).
    """
    width, thin, speed = 0.06, 0.006, 300.0
    section = ml.rectangle(thin, width) if chord == "in the plane" else ml.rectangle(width, thin)
    steel = {"E": 2e11, "density": 7800.0, "section": section}

    def squared(speed: float) -> float:
        blade = ml.beam("blade", length=1.0, modes={"twist": 1}, frame="a", **steel)
        machine = pinned_body(
            blade,
            "rotor",
            joint="hub",
            planar=False,
            gravity=(0, 0, 0),
            drives=[ml.Motion("hub", ml.motion_laws.constant_speed(speed))],
        )
        return float(ml.eigenmodes(machine, {"hub": 0.0}).frequencies[0] ** 2)

    xi = np.linspace(0.0, 1.0, 2001)
    pulled = (1 - xi**2) / 2 * (np.pi / 2 * np.cos(np.pi / 2 * xi)) ** 2
    c = np.trapezoid(pulled, xi) / 0.5
    Iz, Iy = float(section.Iz), float(section.Iy)
    found = (squared(speed) - squared(0.0)) / speed**2
    assert found == pytest.approx((Iz - Iy) / (Iy + Iz) + c, rel=1e-5)  # the polynomial mode is no exact sine
