"""Warnings of results are data: evaluated once, unique by code and place, and never read from their texts."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from zoo.four_bars import four_bar
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.analyses.results import history_warnings, with_warnings
from multiloop.model import status_text, unique_warnings
from multiloop.model.deprecation import MultiloopDeprecationWarning

SRC = Path(__file__).resolve().parents[3] / "src" / "multiloop"

LIMITED = pinned_body(
    ml.rod("arm", length=0.5, mass=2.0),
    drives=[ml.Motion("A", ml.motion_laws.constant_speed(2.0))],
    actuators=[ml.Actuator("A", limit=1.0)],
)


def test_a_warning_has_code_place_value_unit_and_time() -> None:
    """The largest torque is the weight times half the length, where the arm is horizontal: after half or no turn."""
    result = ml.inverse(LIMITED, t=np.linspace(0.0, 1.0, 11))
    (warning,) = result.warnings
    assert (warning.code, warning.place, warning.unit) == ("W50", "A", "N m")
    assert warning.value == pytest.approx(2.0 * 9.81 * 0.25, rel=1e-12)
    assert warning.time == 0.0
    assert str(warning) == warning.text == result.status
    assert ml.inverse(LIMITED.replace(actuators=[]), t=[0.0]).warnings == ()


def test_of_warnings_with_one_code_and_place_the_first_is_kept() -> None:
    first, again, other = (
        ml.ResultWarning("W50", "A", "ten", 10.0),
        ml.ResultWarning("W50", "A", "twelve", 12.0),
        ml.ResultWarning("W50", "B", "ten", 10.0),
    )
    assert unique_warnings([first, again, other, first]) == (first, other)
    assert status_text([first, other]) == "ten; ten"
    assert status_text([]) == "ok"
    result = ml.inverse(LIMITED, t=[0.0])
    assert with_warnings(result, [again]).warnings == result.warnings
    assert with_warnings(result, [other]).warnings == (*result.warnings, other)


@pytest.mark.parametrize("samples", [101, 2])
def test_histories_are_examined_once_and_when_the_warnings_are_read(
    samples: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run with fewer samples than recorded instants is examined at the recorded ones, before they are left out."""
    counted: list[int] = []
    examine = history_warnings.stroke_warnings

    def count(mechanism: ml.Mechanism, joints: Any) -> Iterator[ml.ResultWarning]:
        counted.append(len(joints["A"].position))
        return examine(mechanism, joints)

    monkeypatch.setattr(history_warnings, "stroke_warnings", count)
    free = LIMITED.replace(drives=[])
    run = ml.simulate(free, start={"A": 0.0}, until=0.1, samples=samples)
    assert counted == ([] if samples == 101 else [64])
    assert len(run.time) == samples
    assert (run.status, run.warnings, repr(run.extremes())) == (
        run.status,
        run.warnings,
        repr(run.extremes()),
    )
    assert counted == ([101] if samples == 101 else [64])


def test_a_stroke_that_few_samples_miss_is_reported_at_the_recorded_instants() -> None:
    """The strut is longest, 1.5 m, at the middle of the run, which is between its two samples."""
    strut = ml.Strut("leg", "ground.O", "slide.P", length=(0.5, 1.2))
    law = 1.0 + 0.5 * ml.expr.sin(np.pi * ml.time)
    machine = ml.Mechanism(
        "press",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(O=(0, 0)), ml.Body("slide", mass=1.0, inertia=0.1, markers={"P": (0, 0)})],
        joints=[ml.Prismatic("guide", "ground.O", "slide.P"), strut],
        drives=[ml.Motion("guide", law)],
    )
    for samples in (2, 201):
        run = ml.simulate(machine, until=1.0, samples=samples)
        (warning,) = run.warnings
        assert (warning.code, warning.place, warning.unit) == ("W64", "leg", "m")
        assert warning.value == pytest.approx(1.5, abs=1e-3)


def test_warnings_go_with_pickled_and_with_changed_results() -> None:
    result = ml.inverse(four_bar(size=1000), cycle=5)
    assert [one.code for one in result.warnings] == ["W02", "W02", "W02", "W07"]
    for copy in (pickle.loads(pickle.dumps(result)), replace(result, rule="")):
        assert copy.warnings == result.warnings
        assert copy.status == result.status


def test_tables_and_datasets_carry_codes_and_places() -> None:
    result = ml.inverse(LIMITED, t=[0.0, 0.1])
    assert result.dataset.attrs["warnings"] == result.to_table().attrs["warnings"] == "W50 A"
    assert ml.inverse(LIMITED.replace(actuators=[]), t=[0.0]).dataset.attrs["warnings"] == "none"


def test_designs_of_a_sweep_have_the_warnings_of_the_design_alone() -> None:
    varied = LIMITED.parametrise(["arm.mass"])
    name, times = next(iter(varied.parameters)), [0.0, 0.1]
    masses = np.array([0.1, 2.0])
    designs = ml.batch(varied, {name: masses}, t=times)
    assert designs.warnings_of(0) == ()
    (found,) = designs.warnings_of(1)
    (alone,) = ml.inverse(varied, t=times, parameters={name: 2.0}).warnings
    assert (found.code, found.place, found.unit, found.text) == ("W50", "A", "N m", alone.text)
    assert found.value == pytest.approx(alone.value, rel=1e-12)
    assert designs.status[1] == found.text


def test_notes_are_accepted_and_returned_with_a_warning() -> None:
    result = ml.inverse(LIMITED, t=[0.0])
    with pytest.warns(MultiloopDeprecationWarning, match="'notes' is called 'status' now"):
        assert result.notes == result.status
    given = {one.name: getattr(result, one.name) for one in fields(result) if one.name != "reported"}
    with pytest.warns(MultiloopDeprecationWarning, match="the argument 'notes' is called 'reported' now"):
        assert ml.Result(notes="ok", **given).reported == ()
    with pytest.warns(MultiloopDeprecationWarning):
        (warning,) = ml.Result(notes="too late", **given).reported
    assert (warning.code, warning.text) == ("W99", "too late")


TEXTS = ("status", "text", "notes")
"""Attributes with texts of warnings."""

READING = ("split", "partition", "rpartition", "startswith", "endswith", "count", "find", "removesuffix")
"""Methods by which code would read a text."""


def test_no_code_reads_the_text_of_a_warning() -> None:
    """No text is searched, divided or compared with words other than "ok"."""
    found = []
    for path in SRC.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            searched = isinstance(node, ast.Compare) and any(
                isinstance(operator, ast.In | ast.NotIn) and is_text(right)
                for operator, right in zip(node.ops, node.comparators, strict=True)
            )
            divided = isinstance(node, ast.Attribute) and node.attr in READING and is_text(node.value)
            if searched or divided:
                found.append(f"{path.relative_to(SRC)}:{node.lineno}")
    assert not found


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in TEXTS
