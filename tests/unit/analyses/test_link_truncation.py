"""Statements on a link hold at all instants, also at those that are not evaluated one by one."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from texts import Texts
from zoo.plain import clamped_body, pinned_body

import multiloop as ml
from multiloop.analyses.results.histories.link_history import SAMPLED_PLACES, Truncation
from multiloop.analyses.results.histories.link_readings import SAMPLED_INSTANTS
from multiloop.analyses.results.history_warnings import truncation_warnings


def test_the_largest_moment_is_that_of_all_instants() -> None:
    """A strip on a shaft with a sudden acceleration: the peak is short compared with the run."""
    bar = ml.beam(
        "bar", length=0.5, E=70e9, density=2700, section=ml.rectangle(0.02, 0.01), frame="a", damping=0.05
    )
    machine = pinned_body(
        bar,
        "jerked bar",
        joint="shaft",
        gravity=(0, 0),
        drives=[ml.Motion("shaft", ml.motion_laws.cycloidal(0.0, 0.2, duration=0.02))],
    )
    run = ml.simulate(machine, until=0.5, samples=5 * SAMPLED_INSTANTS, target="interpreter", rtol=1e-6)
    link = run.link("bar")
    found = np.abs(link.moment(np.linspace(0.0, 0.5, SAMPLED_PLACES))).max()
    assert link.truncation is not None
    assert link.truncation.moment == pytest.approx(
        found, rel=1e-13
    )  # sums over other pieces, in another order


def test_a_rod_in_tension_has_no_truncation_warning(texts: Texts) -> None:
    """Its moments are round-off, which is not reported."""
    tie = ml.beam(
        "tie", length=1.0, E=70e9, density=2700, section=ml.rectangle(0.02, 0.01), modes={"y": 2, "x": 1}
    )
    machine = ml.Mechanism(
        "tie",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), tie, ml.Body("shoe", mass=1.0, inertia=1.0)],
        joints=[
            ml.Revolute("A", "ground.origin", "tie.a"),
            ml.Revolute("B", "tie.b", "shoe.origin"),
            ml.Prismatic("guide", "ground.origin", "shoe.origin"),
        ],
        loads=[ml.Force("pull", "shoe.origin", (1000.0, 0))],
        guess={"guide": 1.0},
    )
    link = ml.equilibrium(machine).result.link("tie")
    assert link.truncation is None
    texts(repr(link), "'tie'", hide=[r"(?<= to )\S+(?= mm)", r"\S+(?= of its)"])


def shaken(part: float) -> ml.Result:
    """An arm with one mode, whose hub is shaken at a fraction of the frequency of the second, omitted mode."""
    strip = {"length": 0.5, "E": 70e9, "density": 2700, "section": ml.rectangle(0.02, 0.004), "frame": "a"}
    fast = part * ml.beam("arm", modes=2, **strip).frequencies()[1]
    machine = pinned_body(
        ml.beam("arm", modes=1, damping=0.02, **strip),
        "shaken arm",
        joint="hub",
        gravity=(0, 0),
        drives=[ml.Motion("hub", 0.01 * ml.expr.sin(fast * ml.time))],
    )
    start = ml.inverse(
        machine, elastic="stable", cycle=41
    ).initial  # of the periodic solution, without a transient
    asked = {"until": 20 * np.pi / fast, "samples": 201, "target": "interpreter", "rtol": 1e-6}
    return ml.simulate(machine, start=start, **asked)


@pytest.mark.parametrize(
    ("choices", "remedy"),
    [
        ({}, ()),
        ({"basis": "natural", "modes": 3}, ("`interfaces`",)),
        ({"modes": 1}, ("`interfaces`",)),
    ],
)
def test_remedies_differ_from_what_the_beam_has(
    choices: dict[str, object], remedy: tuple[str, ...], texts: Texts
) -> None:
    """Fixed at both ends: by default all components of both ends have constraint modes."""
    beam = ml.beam("arm", length=1.0, E=70e9, density=2700, section=ml.rectangle(0.02, 0.006), **choices)
    machine = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(), beam, ml.Body("box", mass=0.5, inertia=1e-3)],
        joints=[ml.Revolute("O", "ground.origin", "arm.a"), ml.Fixed("w", "arm.b", "box.origin")],
        drives=[ml.Motion("O", ml.motion_laws.cycloidal(0.0, 1.0, duration=0.02))],
    )
    omitted = Truncation(1.0, 0.5, 0.1, 0.1, relative=0.2, speed=1.0)
    links: Any = {"arm": SimpleNamespace(truncation=omitted)}
    left_out, fast = truncation_warnings(links, machine)
    assert [(one.code, one.place) for one in (left_out, fast)] == [("W82", "arm"), ("W83", "arm")]
    assert (left_out.value, fast.value) == (0.2, 1.0)
    texts(left_out, "'arm'", "20 %", *remedy)
    texts(fast, "'arm'", "1", *remedy)


@pytest.mark.parametrize("part", [0.1, 0.8])
def test_loads_are_compared_with_the_first_omitted_mode(part: float, texts: Texts) -> None:
    """(Ω/ω)² is that of the shaking; differences over a twentieth of a period have an error of 2 %."""
    run = shaken(part)
    assert run.link("arm").truncation.speed == pytest.approx(part**2, rel=0.05)
    assert (run.status == "ok") == (part < 0.5)
    texts(run.status, *(("'arm'", "0.65") if part > 0.5 else ()))


def test_a_truncation_estimate_is_computed_when_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """The estimate takes ten times as long as the run itself: it is computed when the status is first read, and
    once."""
    counted: list[object] = []

    def count(links: object, mechanism: ml.Mechanism) -> Iterator[ml.ResultWarning]:
        counted.append(links)
        return iter(())

    monkeypatch.setattr("multiloop.analyses.results.history_warnings.truncation_warnings", count)
    run = ml.simulate(ml.examples.coupling_rod(), until=0.01, target="interpreter")
    assert not counted
    assert run.status == run.status
    assert len(counted) == 1


def test_an_undeformed_link_has_no_deformation_to_leave_out() -> None:
    """A cantilever released under gravity: its modes are sufficient, as its equilibrium shows."""
    bar = ml.beam("bar", length=1.0, E=70e9, density=2700, section=ml.rectangle(0.02, 0.01))
    machine = clamped_body(bar)
    released = ml.forward(machine)
    assert np.abs(released.link("bar").eta_acceleration).max() > 1.0
    assert released.status == "ok"
    rest = ml.equilibrium(machine).result
    assert rest.status == "ok"
    assert rest.marker("bar.b")[0, 1] == pytest.approx(
        -2700 * 9.81 * 0.02 * 0.01 * 12 / (8 * 70e9 * 0.02 * 0.01**3),
        rel=1e-3,  # truncation of the default modes
    )
