"""Section forces along a link: equilibrium from either end, formulas of beam theory, and the moments of joints."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest
from flexible_mechanisms import from_both_ends, thrown_bar
from texts import Texts
from zoo.plain import clamped_body, pinned_body

import multiloop as ml
from multiloop.analyses.results.histories.link_history import LinkHistory
from multiloop.flexible.beams.centreline import gauss_points
from multiloop.flexible.beams.section_forces import section_wrenches
from multiloop.model.marker_poses import nominal_value

G, L = 9.81, 0.5
FLAT = ml.rectangle(0.02, 0.01)
STEEL = {"length": L, "E": 210e9, "density": 7850.0, "section": FLAT}
EI, LINE = 210e9 * 0.02 * 0.01**3 / 12, 7850.0 * 0.02 * 0.01
S = np.linspace(0.0, L, 11)


def resting(machine: ml.Mechanism, **how: object) -> ml.Result:
    """The mechanism at its equilibrium."""
    return ml.simulate(machine, start=ml.equilibrium(machine, **how).state, until=1e-6, samples=2)


def with_damping(machine: ml.Mechanism, link: LinkHistory) -> np.ndarray:
    """η + K⁻¹ D η̇, instants × e: elastic and damping forces of the material, as moments of `bending`."""
    modes = machine.body(link.name).reduced("origin", nominal_value, False).modes
    K, D = (np.array(ca.DM(part).full()) for part in (modes.stiffness, modes.damping))
    found: np.ndarray = link.motion.eta + link.motion.rate @ np.linalg.solve(K, D).T
    return found


def cantilever(tip: float, modes: int = 8) -> ml.Mechanism:
    """A clamped bar under its weight and a weight at its tip."""
    return clamped_body(
        ml.beam("bar", modes=modes, frame="a", **STEEL), loads=[ml.Force("tip", "bar.b", (0, -tip))]
    )


def test_a_cantilever_under_its_weight_and_a_tip_load() -> None:
    """M = −q (L − s)²/2 − F (L − s), V = −q (L − s) − F, tip −q L⁴/8EI − F L³/3EI.

    These moments are those of the straight bar: the arms of the deformed one are shorter by (w/L)², here 4e-6.
    """
    link, q, F = resting(cantilever(5.0)).link("bar"), LINE * G, 5.0
    moment, shear = -q * (L - S) ** 2 / 2 - F * (L - S), -q * (L - S) - F
    assert link.moment(S)[0] == pytest.approx(moment, abs=5e-6 * 4.4)  # (w/L)²
    assert link.shear(S)[0] == pytest.approx(shear, rel=1e-5)  # (w/L)²
    assert link.moment(L)[0] == pytest.approx(0.0, abs=1e-13)
    tip = -q * L**4 / (8 * EI) - F * L**3 / (3 * EI)
    assert link.deflection(L)[0, 1] == pytest.approx(tip, rel=5e-5)  # eight modes
    turned = -q * L**3 / (6 * EI) - F * L**2 / (2 * EI)
    assert link.rotation(L)[0] == pytest.approx(turned, rel=2e-3)  # eight shapes
    assert link.slope(L)[0, 1] == pytest.approx(link.rotation(L)[0], rel=1e-12)
    outer = abs(moment) * 0.005 / (0.02 * 0.01**3 / 12)
    assert link.stress(S)[0] == pytest.approx(
        outer, abs=1e-4 * outer.max()
    )  # a small tension because of the slope


def test_the_truncation_error_falls_with_the_number_of_modes(texts: Texts) -> None:
    """By residual flexibility, against the closed form of a cantilever under its weight and a force at its tip."""
    found = [resting(cantilever(5.0, n)).link("bar") for n in (1, 2, 4, 8)]
    estimates = [link.truncation for link in found if link.truncation]
    q, F = LINE * G, 5.0
    tip, turned = -q * L**4 / (8 * EI) - F * L**3 / (3 * EI), -q * L**3 / (6 * EI) - F * L**2 / (2 * EI)
    for link, estimate in zip(found, estimates, strict=True):
        assert estimate.displacement == pytest.approx(abs(link.deflection(L)[0, 1] - tip), rel=1e-6)
        assert estimate.rotation == pytest.approx(abs(link.rotation(L)[0] - turned), rel=1e-6)
        assert estimate.relative == pytest.approx(estimate.rotation / abs(turned), rel=1e-9)
    assert [one.relative for one in estimates] == sorted([one.relative for one in estimates], reverse=True)
    texts(repr(found[0]))


def test_a_bar_on_two_supports() -> None:
    """M = q s (L − s)/2 by equilibrium, whatever the modes; zero at the pins."""
    machine = ml.Mechanism(
        "bridge",
        planar=True,
        bodies=[
            ml.ground(C=(L, 0)),
            ml.beam("bar", modes=1, **STEEL),
            ml.Body("shoe", mass=1e-3, inertia=1e-6),
        ],
        joints=[
            ml.Revolute("A", "ground.origin", "bar.a"),
            ml.Revolute("B", "bar.b", "shoe.origin"),
            ml.Prismatic("guide", "ground.C", "shoe.origin"),
        ],
    )
    link, q = resting(machine, guess={"A": 0.0}).link("bar"), LINE * G
    assert link.moment(S)[0] == pytest.approx(q * S * (L - S) / 2, abs=1e-6)
    assert link.shear(S)[0] == pytest.approx(-q * (L / 2 - S), abs=1e-6)
    assert link.moment([0.0, L])[0] == pytest.approx(0.0, abs=1e-12)
    assert link.bending(L / 2)[0] == pytest.approx(4 / np.pi**3 * q * L**2, rel=1e-4)  # the first sine of it


def blade(*loads: ml.Load, drive: bool = True, **more: object) -> ml.Mechanism:
    """A bar on a shaft."""
    return pinned_body(
        ml.beam("bar", frame="a", markers={"m": 0.3}, **STEEL, **more),
        "blade",
        joint="shaft",
        drives=[ml.Motion("shaft", 30.0 * ml.time + 40.0 * ml.time**2)] if drive else [],
        loads=loads,
    )


def test_a_bar_that_spins_pulls() -> None:
    """N = ρ A Ω² (L² − s²)/2, and no other section force."""
    machine = pinned_body(
        ml.beam("bar", frame="a", **STEEL),
        "spinning",
        joint="shaft",
        gravity=(0, 0),
        drives=[ml.Motion("shaft", 30.0 * ml.time)],
    )
    link = ml.simulate(machine, until=0.01, samples=3).link("bar")
    pull = LINE * 900.0 * (L**2 - S**2) / 2
    assert link.axial(S)[-1] == pytest.approx(pull, rel=1e-10, abs=1e-9)  # as the run is integrated
    assert np.abs(link.moment(S)).max() < 1e-9 * np.abs(link.axial(0.0)).max() * L


def test_the_moment_at_a_joint_is_the_joints_moment() -> None:
    """With the effort of the drive, a spring and friction there, and a torque on the bar, which acts at its origin."""
    loads = (
        ml.JointSpring("return", "shaft", stiffness=3.0, damping=0.1),
        ml.Friction("rubbing", "shaft", effort=0.4),
        ml.Torque("screw", "bar", 0.7),
    )
    run = ml.simulate(blade(*loads), until=0.02, samples=9)
    link, shaft = run.link("bar"), run["shaft"]
    given = shaft.moment + shaft.effort + run["return"].effort + run["rubbing"].effort + 0.7
    assert link.moment(0.0) == pytest.approx(-given, abs=1e-10 * np.abs(given).max())
    assert link.moment(L) == pytest.approx(0.0, abs=1e-11)
    force = np.einsum("tij,ti->tj", run.body("bar")[:, :2, :2], shaft.force + shaft.effort_force)
    assert link.axial(0.0) == pytest.approx(-force[:, 0], rel=1e-9)
    assert link.shear(0.0) == pytest.approx(-force[:, 1], abs=1e-9 * np.abs(force).max())


def test_a_load_along_the_bar_is_a_step_of_the_shear() -> None:
    """At a marker the value is that just behind it."""
    run = ml.simulate(blade(ml.Force("push", "bar.m", (3.0, 20.0))), until=0.01, samples=3)
    link = run.link("bar")
    before, behind = link.shear(0.3 - 1e-9), link.shear(0.3)
    turned = run.body("bar")[:, 0, 0] * 20.0 - run.body("bar")[:, 1, 0] * 3.0
    assert before - behind == pytest.approx(
        turned, rel=1e-2
    )  # perpendicular to the deformed line, not to its chord


def loaded_in_space(stiffening: bool, frame: str, twisted: float = 1.0) -> ml.Result:
    """A bar in free flight with modes in all directions and loads all over it."""
    modes = {"y": 2, "z": 2, "x": 1, "twist": 2}
    bar = ml.beam(
        "bar", modes=modes, frame=frame, stiffening=stiffening, damping=0.02, markers={"m": 0.3}, **STEEL
    )
    eta = (0.004, -0.001, 0.003, 0.0005, 1e-5 * twisted, 0.02 * twisted, -0.01 * twisted)
    return thrown_bar(bar, eta, (0.1, 0.2, -0.3, 0.1, 1e-3 * twisted, twisted, -2.0 * twisted))


@pytest.mark.parametrize(
    ("stiffening", "frame"),
    [
        (True, "a"),
        (False, "chord"),
        pytest.param(True, "chord", marks=pytest.mark.slow),
        pytest.param(False, "a", marks=pytest.mark.slow),
    ],
)
def test_both_parts_of_a_cut_agree(stiffening: bool, frame: str) -> None:
    """To round-off: accelerations, loads and reactions all contribute."""
    one, other = from_both_ends(loaded_in_space(stiffening, frame).link("bar"))
    assert np.abs(one - other).max() < 1e-11 * np.abs(one).max()


@pytest.mark.parametrize("frame", ["a", "chord"])
def test_the_truncation_error_is_orthogonal_to_the_modes(frame: str) -> None:
    """∫ (M − E I w'' − damping) φ'' ds = 0 for every mode: Galerkin's equations, from section forces.

    The section is so small that its rotary inertia is negligible, which rotates with the frame and not with the line.
    """
    thin = ml.Section(A=2e-4, Iz=1e-16, Iy=1e-16, J=1e-16)
    more = {"E": 350.0 / 1e-16, "G": 100.0 / 1e-16, "density": 7850.0, "section": thin, "damping": 0.02}
    machine = ml.Mechanism(
        "thrown wire",
        bodies=[ml.ground(), ml.beam("wire", length=L, modes={"y": 3, "z": 2}, frame=frame, **more)],
        joints=[ml.Free("away", "ground.origin", "wire.b")],
        loads=[
            ml.Force("push", "wire.a", (0.05, -0.03, 0.04)),
            ml.Force("pull", "wire.b", (0.01, 0.02, 0.03)),
        ],
    )
    start = {"away": (0.1, 0.2, 0.3, 0.5, 0.5, 0.5, 0.5), "wire.eta": (4e-5, -1e-5, 2e-6, 3e-5, 5e-6)}
    rates = {"away": (0.02, -0.03, 0.04, 0.5, -0.2, 0.1), "wire.eta": (1e-3, 2e-3, 0.0, -3e-3, 1e-3)}
    link = ml.simulate(machine, start=start, rates=rates, until=1e-3, samples=4).link("wire")
    assert link.line is not None
    assert link.loading is not None
    xi, weight = (x.ravel() for x in gauss_points(link.line.nodes))
    found = section_wrenches(link.line, link.loading, link.motion, xi)[..., 1:3]
    had, bent = link.line.bending_moments(with_damping(machine, link), xi), link.line.curvatures(xi)
    missed = np.einsum("tnk,enk,n->te", found - had, bent, weight)
    size = np.einsum("tnk,enk,n->te", np.abs(found), np.abs(bent), weight)
    assert (
        np.abs(missed).max() < 1e-3 * size.max()
    )  # sixteen elements: moments of their cubics are good to 1e-4
    assert np.abs(missed[:, [0, 3]] / size[:, [0, 3]]).max() < 1e-3


def test_lengths_and_sections_that_are_parameters() -> None:
    """In a run with other values, sections are evaluated for the link of that run."""
    h, length = ml.Parameter("h", 0.01), ml.Parameter("length", 0.4)
    bar = ml.beam(
        "bar", length=length, E=210e9, density=7850.0, section=ml.rectangle(0.02, h), frame="a", modes=6
    )
    machine = clamped_body(bar)
    changed = machine.with_parameters(h=0.02, length=L)
    link = ml.simulate(changed, until=1e-5, samples=2).link("bar")
    assert link.line is not None
    assert link.line.length == L
    assert link.line.bending_stiffness[1] == pytest.approx(8 * EI)
    wall = ml.simulate(changed, until=1e-5, samples=2)["wall"]
    assert link.moment(0.0) == pytest.approx(-wall.moment, rel=1e-9)
    assert link.moment(L) == pytest.approx(0.0, abs=1e-9)
