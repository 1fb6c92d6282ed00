"""start="relaxed": links begin with the deformation by the forces of that instant."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts

import multiloop as ml

E, DENSITY, SECTION = 70e9, 2700.0, ml.rectangle(0.02, 0.01)
EI, WEIGHT = E * SECTION.Iz, DENSITY * SECTION.A * 9.81


def arm(joint: ml.Joint, **more: object) -> ml.Mechanism:
    made = {"E": E, "density": DENSITY, "section": SECTION, "modes": 3, "frame": "a"}
    return ml.Mechanism(
        "arm", planar=True, bodies=[ml.ground(), ml.beam("arm", length=1.0, **made)], joints=[joint], **more
    )


CLAMP, PIN = (kind("A", "ground.origin", "arm.a") for kind in (ml.Fixed, ml.Revolute))


def test_a_relaxed_cantilever_stays_at_its_static_deflection() -> None:
    run = ml.simulate(arm(CLAMP), until=0.5, start="relaxed", samples=21, rtol=1e-12)
    tip = run.marker("arm.b")[:, 1]
    assert tip[0] == pytest.approx(
        -WEIGHT / (8 * EI), rel=1e-3
    )  # three modes, compared with the deflection by theory
    assert np.ptp(tip) < 1e-9 * abs(tip[0])
    swings = ml.simulate(arm(CLAMP), until=0.5, samples=201).marker("arm.b")[:, 1]
    assert swings.min() == pytest.approx(2 * tip[0], rel=0.02)  # higher modes have other phases


def test_a_released_relaxed_arm_falls_without_vibration() -> None:
    """Its root accelerates freely; relative to it the arm is at rest."""
    start = {"A": 0.3, "arm.eta": "relaxed"}
    run = ml.simulate(arm(PIN), until=0.05, start=start, samples=11)
    link = run.link("arm")
    assert run["A"].position[0] == 0.3
    assert np.abs(link.eta_acceleration[0]).max() < 1e-9
    # the angle of gravity to the arm changes as it falls
    assert np.abs(link.eta - link.eta[0]).max() < 0.01 * np.abs(link.eta[0]).max()
    again = ml.simulate(arm(PIN), until=0.05, start={"A": 0.3, "eta": "relaxed"}, samples=11)
    assert again.link("arm").eta.tolist() == link.eta.tolist()


def test_turning_steadily_it_hangs_where_its_speed_holds_it() -> None:
    """A rotating arm with a transverse force at its tip: constant deflection, smaller at higher speed."""
    turning = arm(PIN, drives=[ml.Motion("A", ml.motion_laws.constant_speed(20.0))], gravity=(0, 0))
    pulled = turning.replace(loads=[ml.Force("side", "arm.b", (0.0, 2.0), frame="body")])
    run = ml.simulate(pulled, until=0.2, start="relaxed", samples=21)
    eta = run.link("arm").eta
    assert abs(eta[0, 0]) > 1e-3
    assert np.abs(eta - eta[0]).max() < 1e-7 * np.abs(eta[0]).max()
    still = ml.simulate(pulled.replace(drives=[ml.Motion("A", 0.0)]), until=1e-3, start="relaxed", samples=2)
    # Southwell: first frequency in the plane of rotation, ω² = ω₀² + 0.193 Ω²
    stiffer = 1 + 0.193 * 20.0**2 * DENSITY * SECTION.A / (1.8751**4 * EI)
    assert still.link("arm").eta[0, 0] / eta[0, 0] == pytest.approx(stiffer, abs=2e-3)


def four_bar(profile: object) -> ml.Mechanism:
    strip = ml.beam("coupler", length=0.9, E=E, density=DENSITY, section=ml.rectangle(0.02, 0.004), modes=3)
    return ml.examples.four_bar().with_body(strip).replace(drives=[ml.Motion("A", profile)])


def test_a_four_bar_holds_its_torque() -> None:
    """From the undeformed state its coupler vibrates, and with it the torque that holds the crank."""
    held, swinging = (
        ml.simulate(four_bar(1.0), until=0.2, samples=41, rtol=1e-12, **more)["A"].effort
        for more in ({"start": "relaxed"}, {})
    )
    assert np.ptp(held) < 1e-7 * abs(held[0])
    assert np.ptp(swinging) > 0.2 * abs(held[0])


def test_it_is_the_equilibrium() -> None:
    standing = ml.equilibrium(four_bar(1.0))
    run = ml.simulate(four_bar(1.0), until=1e-3, start="relaxed", samples=2)
    assert run.link("coupler").eta[0] == pytest.approx(standing.state.eta["coupler"], abs=1e-12)


def test_efforts_determine_the_relaxed_deformation_too() -> None:
    """A pendulum pushed at its root: bent by the inertia that the push calls up."""
    start = {"A": 0.0, "arm.eta": "relaxed"}
    run = ml.simulate(arm(PIN, gravity=(0, 0)), until=0.01, start=start, efforts={"A": 0.5}, samples=3)
    assert np.abs(run.link("arm").eta_acceleration[0]).max() < 1e-9
    # the tip lags: inertia of a rod that accelerates by 3 τ/(m L²), w(L) = −11/40 τ L²/(E I) from its clamped root
    assert run.link("arm").deflection(1.0)[0, 1] == pytest.approx(-11 / 40 * 0.5 / EI, rel=2e-3)


def test_rigid_links_are_not_relaxed() -> None:
    plain, relaxed = (
        ml.simulate(ml.examples.four_bar(), until=0.1, samples=3, **more)["A"].effort
        for more in ({}, {"start": "relaxed"})
    )
    assert relaxed.tolist() == plain.tolist()


def swept() -> ml.Mechanism:
    """A four-bar whose coupler height, rocker length and gravity are parameters."""
    made = {"E": E, "density": DENSITY, "modes": 2}
    strip = ml.beam("coupler", length=0.9, section=ml.rectangle(0.02, ml.Parameter("h", 0.006)), **made)
    rocker = ml.rod("rocker", length=ml.Parameter("r", 0.8), mass=1.0)
    return ml.examples.four_bar().with_body(strip).with_body(rocker)


@pytest.mark.parametrize(
    ("machine", "asked"),
    [
        (swept(), {"start": "relaxed"}),
        pytest.param(
            swept().without_drives(),
            {"start": {"A": 1.0, "eta": "relaxed"}, "rates": {"A": 2.0}},
            marks=pytest.mark.slow,
        ),
        pytest.param(
            swept(), {"start": "relaxed", "cuts": ["B"], "efforts": {"D": 0.3}}, marks=pytest.mark.slow
        ),
    ],
)
def test_every_design_relaxes_by_itself(machine: ml.Mechanism, asked: dict[str, object]) -> None:
    designs = {"h": np.array([0.004, 0.006, 0.012]), "r": np.array([0.8, 0.78, 0.85])}
    runs = ml.simulate(machine, until=0.02, samples=5, parameters=designs, **asked)
    assert list(runs.status) == ["ok"] * 3
    for k, run in enumerate(runs):
        own = {name: float(values[k]) for name, values in designs.items()}
        alone = ml.simulate(machine, until=0.02, samples=5, parameters=own, **asked)
        assert run.link("coupler").eta == pytest.approx(alone.link("coupler").eta, rel=1e-9, abs=1e-13)
        assert run["C"].rate == pytest.approx(alone["C"].rate, rel=1e-9, abs=1e-11)
        assert np.abs(run.link("coupler").eta_acceleration[0]).max() < 1e-8  # it does not begin to vibrate


def test_a_design_without_an_equilibrium_has_a_status(texts: Texts) -> None:
    """Under a transverse force of a hundred kilonewtons the ends of its coupler approach each other more than the loop
    allows."""
    made = {"E": E, "density": DENSITY, "section": SECTION, "modes": 2, "markers": {"m": 0.45}}
    push = ml.Force("push", "coupler.m", (0.0, ml.Parameter("f", 1.0)))
    pushed = ml.examples.four_bar().with_body(ml.beam("coupler", length=0.9, **made)).replace(loads=[push])
    runs = ml.simulate(pushed, until=1e-4, samples=2, start="relaxed", parameters={"f": np.array([1.0, 1e5])})
    assert (runs.status == "ok").tolist() == [True, False]
    texts(runs.status[1])
    texts(runs.reason(1), "[E01]")


def test_designs_whose_links_alone_move() -> None:
    """A clamped arm without moving joints: its tip deflection is proportional to 1/h², w = ρ A g L⁴/8EI."""
    heights = np.array([0.01, 0.02])
    section = ml.rectangle(0.02, ml.Parameter("h", 0.01))
    plate = ml.beam("arm", length=1.0, E=E, density=DENSITY, section=section, modes=3, frame="a")
    clamped = arm(CLAMP).with_body(plate)
    runs = ml.simulate(clamped, until=1e-3, samples=2, start="relaxed", parameters={"h": heights})
    tips = np.array([run.marker("arm.b")[0, 1] for run in runs])
    assert tips == pytest.approx(-WEIGHT / (8 * EI) * (0.01 / heights) ** 2, rel=1e-3)  # three modes
