"""`status` of an Equilibrium: undetermined forces, directions without resistance, and exceeded limits at the position
found."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import pytest
from zoo.plain import free_body, pinned_body, sliding_body

import multiloop as ml

G = 9.81
CORNERS = {0: (-0.5, -0.4), 1: (0.5, -0.4), 2: (0.5, 0.4), 3: (-0.5, 0.4)}


def hung_plate(bars: int) -> ml.Mechanism:
    """A plate of 10 kg on three or four bars of 1 m; three determine their forces."""
    used = {k: CORNERS[k] for k in range(bars)}
    return free_body(
        ml.Body(
            "plate",
            mass=10.0,
            inertia=(1.0, 1.0, 2.0),
            markers={f"c{k}": (x, y, 0.0) for k, (x, y) in used.items()},
        ),
        "plate",
        joint="free",
        ground=ml.ground({f"g{k}": (x, y, 1.0) for k, (x, y) in used.items()}),
        pairs=[ml.Distance(f"bar {k}", f"ground.g{k}", f"plate.c{k}", length=1.0) for k in used],
        gravity=(0, 0, -G),
    )


def slider(*loads: ml.Load) -> ml.Mechanism:
    return sliding_body(
        ml.Body("block", mass=2.0),
        "slider",
        joint="track",
        ground=ml.ground(wall=(1.0, 0.0)),
        loads=list(loads),
    )


def pendulum(limit: float) -> ml.Mechanism:
    """Held horizontally by a motor, which needs m g l / 2 = 9.81 N m."""
    return pinned_body(
        ml.rod("bar", length=1.0, mass=2.0),
        name="pendulum",
        drives=[ml.Motion("A", 0.0 * ml.time)],
        actuators=[ml.Actuator("A", limit=limit)],
    )


def test_a_determined_equilibrium_is_ok(texts):
    hung = replace(pendulum(20.0), drives=(), actuators=())
    found = ml.equilibrium(hung, start={"A": -1.0})
    assert found["A"].position == pytest.approx(-pi / 2)
    assert found.status == found.result.status == "ok"
    texts(repr(found))
    assert ml.equilibrium(pendulum(20.0)).status == "ok"


@pytest.mark.parametrize("bars", [3, 4])
def test_forces_that_equilibrium_does_not_determine_are_named(bars, texts):
    found = ml.equilibrium(hung_plate(bars), guess={"free": (0.01, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)})
    assert [(one.code, one.place) for one in found.warnings] == [("W91", found.result.mechanism.name)] * (
        bars == 4
    )
    assert [f"bar {k}" in found.status for k in range(4)] == [bars == 4] * 4
    texts(found.status)
    assert [found.result[f"bar {k}"].determined for k in range(bars)] == [bars == 3] * bars
    assert (found.status in repr(found)) == (bars == 4)


def test_a_position_that_nothing_holds_is_one_of_many(texts):
    found = ml.equilibrium(slider(), start={"track": 0.2})
    assert found.neutral == ("track",)
    assert found.smallest == 0.0
    texts.warnings(found, ("W90", "track"))
    other = ml.equilibrium(slider(), start={"track": 0.4})
    assert other["track"].position == 0.4  # it is indeed in equilibrium there too
    held = ml.Spring("spring", "ground.wall", "block.origin", stiffness=1e-6, length=0.5)
    sprung = ml.equilibrium(slider(held), start={"track": 0.2})
    assert sprung.neutral == ()
    assert sprung["track"].position == pytest.approx(0.5)


def test_idle_spins_are_not_reported():
    """The coupler of an RSSR may rotate about its own line without any other change."""
    rssr = ml.examples.rssr()
    found = ml.equilibrium(rssr.replace(drives=[]), start={rssr.drives[0].of: 0.3})
    assert ml.analyse(rssr).idle
    assert found.neutral == ()
    assert found.status == "ok"


def test_friction_at_rest_allows_a_range(texts):
    spring = ml.Spring("spring", "ground.wall", "block.origin", stiffness=100.0, length=0.5)
    worn = slider(spring, ml.Friction("wear", "track", coefficient=0.3))
    found = ml.equilibrium(worn, start={"track": 0.2})
    assert found["track"].position == pytest.approx(0.5)
    texts.warnings(found, ("W71", "wear"))
    beside = 0.9 * 0.3 * 2.0 * G / 100.0  # m: the spring pushes with 0.9 of the largest friction
    held = slider(spring, ml.Friction("wear", "track", coefficient=0.3, stiction="exact"))
    there = ml.forward(held, {"track": 0.5 + beside})
    assert there["track"].acceleration[0] == pytest.approx(0.0, abs=1e-12)  # stiction holds it there too


def test_a_motor_that_cannot_hold_is_named(texts):
    found = ml.equilibrium(pendulum(5.0))
    texts.warnings(found, ("W50", "A", "9.81 N m", "5 N m"))
