"""Quantities of flexible links are computed no more often than needed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import multiloop as ml
from multiloop.analyses.results.histories import beam_history as line_links, link_history as link_truncation
from multiloop.flexible.beams import beam_reduction as kinds_of_beams

STRIP = {"E": 70e9, "density": 2700.0, "section": ml.rectangle(0.02, 0.006), "modes": 2}
MACHINE = ml.examples.four_bar().with_body(ml.beam("coupler", length=0.9, **STRIP))


def counted(monkeypatch: pytest.MonkeyPatch, room: Any, name: str) -> list[int]:
    """A list that grows with every call of a function."""
    calls: list[int] = []
    asked: Callable[..., Any] = getattr(room, name)

    def counting(*given: Any, **named: Any) -> Any:
        calls.append(1)
        return asked(*given, **named)

    monkeypatch.setattr(room, name, counting)
    return calls


def test_stress_and_summary_compute_section_forces_once(monkeypatch: pytest.MonkeyPatch) -> None:
    link = ml.simulate(MACHINE, until=0.05, samples=5).link("coupler")
    carried = counted(monkeypatch, line_links, "section_wrenches")
    s = np.array([0.2, 0.45])
    stress = link.stress(s)
    assert len(carried) == 1
    by_hand = np.abs(link.axial(s)) / (0.02 * 0.006) + np.abs(link.moment(s)) * 6 / (0.02 * 0.006**2)
    assert stress == pytest.approx(by_hand, rel=1e-12)
    missed = counted(monkeypatch, link_truncation, "section_wrenches")
    assert repr(link) == repr(link)
    assert len(missed) == 1


def test_links_that_are_not_bent_are_put_together_as_rigid_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduced once for the equations, and not again for every marker."""
    reduced = counted(monkeypatch, kinds_of_beams, "reduce_beam")
    ml.assemble(MACHINE.replace(name="another"))
    assert len(reduced) <= 2
    bent = ml.assemble(MACHINE.without_drives(), start={"A": 1.0, "coupler.eta": (0.02, 0.0)})
    assert bent.eta["coupler"][0] == 0.02
