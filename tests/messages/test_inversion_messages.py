"""Messages if flexible links cannot follow a prescribed motion, or cannot be relaxed."""

from __future__ import annotations

import numpy as np
import pytest
from texts import Texts

import multiloop as ml

TIMES = np.linspace(0.0, 0.4, 11)


def arm(links: int = 1, actuators: object = None, drives: object = None, **more: object) -> ml.Mechanism:
    """A chain of flexible bars, with a prescribed transverse motion of its tip."""
    section = ml.rectangle(0.02, 0.01)
    made = {"length": 0.5, "E": 70e9, "density": 2700.0, "section": section, "modes": 1}
    names = [f"bar {k}" for k in range(links)]
    ends = ["ground.origin", *(f"{name}.b" for name in names)]
    tip = ml.Motion(f"{names[-1]}.b", y=ml.motion_laws.cycloidal(0.0, 0.1, duration=0.4))
    return ml.Mechanism(
        "arm",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), *(ml.beam(name, **made) for name in names)],
        joints=[ml.Revolute(f"A{k}", ends[k], f"{name}.a") for k, name in enumerate(names)],
        drives=[tip] if drives is None else drives,
        actuators=[ml.Actuator("A0")] if actuators is None else actuators,
        guess={f"A{k}": 0.0 for k in range(links)},
        **more,
    )


def error_of(machine: ml.Mechanism, **asked: object) -> ml.MultiloopError:
    with pytest.raises(ml.MultiloopError) as refused:
        ml.inverse(machine, **{"t": TIMES, "elastic": "stable"} | asked)
    return refused.value


def test_flexible_links_require_an_argument(texts: Texts) -> None:
    texts.fault(error_of(arm(), elastic=None), "S14", "'bar 0'")
    texts.fault(error_of(arm(), elastic="static"), "S02", "elastic", "'static'")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"settling": -1.0}, ("S02", "settling", "-1.0")),
        ({"settling": 0.1, "elastic": None}, ("S02", "settling")),
        ({"weights": {"A0": 2.0}}, ("S02", "`weights`")),
        ({"method": "system"}, ("S02", "`method`")),
        ({"t": 0.2}, ("S02", "t")),
        ({"t": TIMES[:6]}, ("S18", "'bar 0.b'", "0.2 s", "0.5 m/s")),
    ],
)
def test_invalid_requests_are_refused(
    asked: dict[str, object], expected: tuple[str, ...], texts: Texts
) -> None:
    texts.fault(error_of(arm(), **asked), *expected)


def test_efforts_that_do_not_fit(texts: Texts) -> None:
    both = [ml.Actuator("A0"), ml.Actuator("A1")]
    texts.fault(error_of(arm(2, both)), "S18", "1", "2")
    texts.fault(error_of(arm(2)), "S01", "2", "1", "A0, A1")


def test_a_motion_without_an_end(texts: Texts) -> None:
    """The beam is too soft for the motion; the residual, 1.6e-2, is far above round-off."""
    soft = arm(drives=[ml.Motion("bar 0.b", y=ml.motion_laws.cycloidal(0.0, 0.3, duration=0.004))])
    found = error_of(soft, t=np.linspace(0.0, 0.004, 11))
    texts.fault(found, "S18", hide=[r"\d[\d.e+-]*"])


def test_a_start_that_cannot_relax(texts: Texts) -> None:
    with pytest.raises(ml.SolveError) as refused:
        ml.simulate(arm(drives=[]), until=0.1, start="relaxed", control=lambda t, q, v: {"A0": 0.0})
    texts.fault(refused.value, "S09", "start")
    with pytest.raises(ml.SolveError) as refused:
        ml.forward(arm(drives=[]), "relaxed")  # type: ignore[arg-type]
    texts.fault(refused.value, "S09", "state", "'relaxed'")


def test_links_that_are_damped_too_little_to_be_waited_for(texts: Texts) -> None:
    strip = ml.beam(
        "coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.006), damping=0.01
    )
    machine = ml.examples.four_bar().with_body(strip)
    machine = machine.replace(drives=[ml.Motion("A", ml.motion_laws.cycloidal(0, 1.0, duration=0.5))])
    inverted = ml.inverse(machine, t=np.linspace(0, 0.5, 21), elastic="stable")
    assert inverted.time[-1] == 0.5
    texts.warnings(inverted, ("W85", "four-bar", "1 %", "21 s"))


def test_modes_that_become_coupled_by_loops_are_reported(texts: Texts) -> None:
    """The tip of a bar in a slot that rotates from along the bar to across it."""
    made = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.01), "modes": {"y": 1, "x": 1}}
    slotted = ml.Mechanism(
        "slotted",
        planar=True,
        gravity=(0, 0),
        bodies=[
            ml.ground(A=(0, 0), B=(0.5, 0)),
            ml.beam("bar", length=0.5, **made),
            ml.Body("disc", mass=0.2, inertia=1e-4),
            ml.Body("block", mass=0.01, inertia=1e-6),
        ],
        joints=[
            ml.Fixed("A", "ground.A", "bar.a"),
            ml.Revolute("D", "ground.B", "disc.origin"),
            ml.Prismatic("S", "disc.origin", "block.origin"),
            ml.Revolute("R", "bar.b", "block.origin"),
        ],
        loads=[ml.Force("F", "bar.b", (5.0, 5.0))],
        drives=[ml.Motion("D", ml.motion_laws.cycloidal(0.0, np.pi / 2, duration=0.4))],
        actuators=[ml.Actuator("D")],
    )
    texts.fault(error_of(slotted), "S18", "0.4 s", "'bar'")
