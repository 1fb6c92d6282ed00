"""What a link says of itself holds at all instants, also of those that are not looked at one by one."""

from __future__ import annotations

import numpy as np
import pytest

import multiloop as ml
from multiloop.questions.answers.link_peaks import LOOKS
from multiloop.questions.answers.link_truncation import PLACES


def test_the_largest_moment_is_that_of_all_instants() -> None:
    """A strip on a shaft that is jerked: the peak is short beside the run."""
    bar = ml.beam(
        "bar", length=0.5, E=70e9, density=2700, section=ml.rectangle(0.02, 0.01), frame="a", damping=0.05
    )
    machine = ml.Mechanism(
        "jerked bar",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(), bar],
        joints=[ml.Revolute("shaft", "ground.origin", "bar.a")],
        drives=[ml.Motion("shaft", ml.cycloidal(0.0, 0.2, duration=0.02))],
    )
    run = ml.simulate(machine, until=0.5, outputs=5 * LOOKS, target="interpreter", rtol=1e-6)
    link = run.link("bar")
    found = np.abs(link.moment(np.linspace(0.0, 0.5, PLACES))).max()
    assert link.truncation is not None
    assert link.truncation.moment == pytest.approx(
        found, rel=1e-13
    )  # sums over other pieces, in another order


def test_a_tie_that_is_pulled_misses_nothing() -> None:
    """Its moments are round-off, and are not told."""
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
    assert "miss" not in repr(link)
