"""Kernels of earlier runs are found by keys, without tracing; every change of a function changes its key."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from zoo import ZOO

import multiloop as ml
from multiloop.analyses.run_models.forward_model import ForwardModel, motion_keys
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.analyses.signals.signals import Signals
from multiloop.kernels.codegen.build import build_single
from multiloop.plan import plan_at

ASKED = """
import sys
import multiloop as ml
from multiloop.kernels import Recipe
from zoo import ZOO

if sys.argv[1] == "known":
    def traced(recipe):
        raise AssertionError(f"{recipe.words[0]} is traced again")
    Recipe.traced = property(traced)
mechanism = ZOO["3-RRR"].build()
kernels = ml.compile(mechanism)
for kernel in (kernels.forward, kernels.inverse, kernels.positions, kernels.derivative("forward", "a", "q")):
    kernel(kernels.q)
kernels.forward.batch(kernels.q[:, None])
run = ml.simulate(mechanism, until=0.1, samples=2, integrator="implicit", events={"e": ml.time - 0.05})
print(repr(run[kernels.joints[0]].acceleration.tolist()))
design, lengths = ZOO["four-bar-parameters"].build(), {"coupler mass": [1.9, 2.0, 2.1]}
print(repr(ml.batch(design, lengths, cycle=13).status.tolist()))
print(repr(ml.inverse(design, parameters=lengths, cycle=13).status.tolist()))
print(repr(list(ml.simulate(design, parameters=lengths, until=0.1, samples=2).status)))
"""


@pytest.mark.slow
def test_a_second_process_reuses_the_kernels_of_the_first(tmp_path: Path) -> None:
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {"MULTILOOP_CACHE": str(tmp_path / "cache"), "PYTHONPATH": paths}
    answers = []
    for state in ("new", "known"):
        done = subprocess.run(
            [sys.executable, "-c", ASKED, state], env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        answers.append(done.stdout)
    assert answers[0] == answers[1]


# kernels by name ----------------------------------------------------------------------------------------


def _made(mechanism: ml.Mechanism, kernel: str = "forward", method: str = "sslm", **changes: Any):
    plan = ml.analyse(mechanism)
    kernels = ml.Kernels(replace(plan, **changes), method, "interpreter")
    return getattr(kernels, kernel).recipe


def _heavier(mechanism: ml.Mechanism) -> ml.Mechanism:
    first, *others = mechanism.moving
    ground = mechanism.body("ground")
    return mechanism.replace(bodies=[ground, replace(first, mass=1.5 * first.mass), *others])


def test_equal_kernels_have_equal_keys() -> None:
    build = ZOO["3-RRR"].build
    assert _made(build()).key == _made(build()).key


def test_every_change_of_a_kernel_changes_its_key() -> None:
    mechanism = ZOO["3-RRR"].build()
    plan = ml.analyse(mechanism)
    other_tree = ml.analyse(mechanism, cuts=["B1", "B3"])
    assert plan.cuts != ("B1", "B3")
    found = {
        "forward": _made(mechanism),
        "multipliers": _made(mechanism, "multipliers"),
        "inverse": _made(mechanism, "inverse"),
        "closure": _made(mechanism, "closure"),
        "jacobian": _made(mechanism, "jacobian"),
        "positions": _made(mechanism, "positions"),
        "energy": _made(mechanism, "energy"),
        "method": _made(mechanism, method="slm"),
        "mass": _made(_heavier(mechanism)),
        "gravity": _made(mechanism.replace(gravity=(0.0, -1.62))),
        "tree": ml.Kernels(other_tree, "sslm", "interpreter").forward.recipe,
        "order": _made(mechanism, order=tuple(reversed(plan.order))),
    }
    kernels = ml.Kernels(plan, "sslm", "interpreter")
    found |= {f"by {by}": kernels.derivative("forward", "a", by).recipe for by in ("q", "v", "tau")}
    found["lam by q"] = kernels.derivative("multipliers", "lam", "q").recipe
    assert len({recipe.key for recipe in found.values()}) == len(found)


def test_unknown_efforts_and_independent_rows_change_the_key() -> None:
    plain = ZOO["four-bar"].build().without_drives()
    acted = [plain.replace(actuators=[ml.Actuator(joint.name)]) for joint in plain.connections[:2]]
    first, second = (_made(one, "inverse").key for one in acted)
    assert first[-1] != second[-1]
    model = ForwardModel(plan := ml.analyse(ZOO["bennett"].build()), plan.assembly, "slm", free=True)
    chosen = model.functions
    found = [motion_keys(model)]
    for change in (
        {"independent_count": chosen.independent_count - 1},
        {"stiff": True},
        {"order": (1, 0)},
    ):
        vars(model)["functions"] = replace(chosen, **change)
        found.append(motion_keys(model))
    found.append(motion_keys(ForwardModel(plan, plan.assembly, "slm")))
    assert len(set(found)) == 5


def test_a_name_costs_a_trace_and_no_build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MULTILOOP_CACHE", str(tmp_path))
    mechanism = ZOO["four-bar"].build()
    first, second = (_made(one) for one in (mechanism, mechanism.replace(name="the same")))
    assert first.key != second.key
    assert build_single(first).library.path == build_single(second).library.path


# the loop's kernels ---------------------------------------------------------------------------------------


def _loop(mechanism: ml.Mechanism, efforts=None, control=None, events=None, *, method="sslm"):
    assembly = ml.analyse(mechanism).assembly
    plan = plan_at(assembly, prefer=[joint.name for joint in mechanism.connections[:1]])
    model = ForwardModel(plan, assembly, method)
    signals = Signals(model.equations, efforts, control, events or {})
    return RunModel(model, signals).cache_keys


def test_every_change_of_the_time_loop_changes_its_key() -> None:
    driven = ZOO["four-bar"].build()
    free, joint = driven.without_drives(), driven.connections[0].name
    assert _loop(free, {joint: 1.0}) == _loop(free, {joint: 1.0})
    curve = ml.table([0.0, 1.0, 2.0], [0.0, 1.0, 0.0])
    limited = [
        free.replace(actuators=[ml.Actuator(joint, effort=1.0, limit=limit)]) for limit in (1.0, 2.0, None)
    ]
    found = [
        _loop(driven),
        _loop(driven.replace(drives=[ml.Motion(joint, 2.0 * ml.time)])),
        _loop(free),
        _loop(free, method="embedding"),
        _loop(free, {joint: 1.0}),
        _loop(free, {joint: 2.0}),
        _loop(free, {joint: -ml.rate(joint)}),
        _loop(free, {joint: -ml.position(joint)}),
        _loop(free, {joint: curve}),
        _loop(free, {joint: ml.inverse(driven, t=[0.0, 0.1, 0.2])}),
        _loop(free, control=lambda t, q, v: {joint: 0.0}),
        _loop(free, events={"up": ml.position(joint)}),
        _loop(free, events={"up": ml.rate(joint)}),
        *(_loop(one) for one in limited),
    ]
    assert len(set(found)) == len(found)


def test_a_limit_that_is_a_parameter_holds_at_its_own_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MULTILOOP_CACHE", str(tmp_path))
    free = ZOO["four-bar"].build().without_drives()
    joint = free.connections[0].name
    q = ml.analyse(free).assembly.coordinates()
    weak = free.replace(actuators=[ml.Actuator(joint, effort=1e3, limit=ml.Parameter("limit", 0.1))])
    ends = []
    for mechanism in (weak, weak.with_parameters(limit=0.2)):
        run = ml.simulate(mechanism, until=0.01, samples=2, start={name: tuple(x) for name, x in q.items()})
        ends.append(run[joint].effort[-1])
    assert ends == pytest.approx([0.1, 0.2])
