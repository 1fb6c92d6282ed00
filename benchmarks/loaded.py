"""How much do loads cost? The 3-RRR with springs, dry friction at its joints and PD control, here and in MuJoCo.

One evaluation is that of a run: accelerations with all loads, at random closed states in motion. Friction is either a
constant effort, which MuJoCo has too (`frictionloss`, by its solver), or proportional to the joint reactions, which
only multiloop has.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import multiloop as ml
from benchmarks.peers import require_peers
from benchmarks.peers.cases import CASES
from benchmarks.peers.machine import described
from benchmarks.peers.text import as_text, grid
from multiloop.analyses.run_models.forward_model import ForwardModel
from multiloop.analyses.run_models.local_choice import make_local_choice
from multiloop.analyses.run_models.loop_kernels import loop_kernels
from multiloop.analyses.run_models.run_model import RunModel
from multiloop.analyses.signals.signals import Signals
from multiloop.kernels import Kernel

WANTED = 10.0
"""The required ratio of the times of MuJoCo and of multiloop with friction of a constant effort."""

JOINTS = ("A1", "A2", "A3", "B1", "B2", "B3", "C1")
"""The joints that the tree of the other program contains too."""

STIFFNESS, EFFORT, GAINS, ROUNDS = 20.0, 0.5, (60.0, 6.0), 21

SAME = 2e-3
"""Largest difference of an acceleration, relative to the largest: MuJoCo's constraints are soft, in friction too."""


def manipulator(friction: str) -> ml.Mechanism:
    """The 3-RRR with a spring and PD control at every motor, and friction of a kind at all joints of the tree."""
    plain = CASES["3-RRR"].build()
    rest = _rest(plain)
    loads: list[Any] = [ml.JointSpring(f"spring {j}", j, stiffness=STIFFNESS, rest=rest[j]) for j in rest]
    how: dict[str, Any] = {
        "": None,
        "constant": {"effort": EFFORT},
        "from reactions": {"coefficient": 0.1, "radius": 0.02},
    }
    if how[friction]:
        loads += [ml.Friction(f"friction {j}", j, **how[friction]) for j in JOINTS]
    gain, damping = GAINS
    control = [ml.Actuator(j, effort=gain * (rest[j] - ml.position(j)) - damping * ml.rate(j)) for j in rest]
    return plain.replace(loads=loads, actuators=control)


def _rest(mechanism: ml.Mechanism) -> dict[str, float]:
    guess = dict(mechanism.guess)
    return {joint: float(np.ravel(guess[joint])[0]) for joint in JOINTS[:3]}


def run_kernel(mechanism: ml.Mechanism) -> tuple[RunModel, Kernel]:
    """The state rates of a run with efforts and loads, as the compiled loop calls the kernel."""
    plan = ml.analyse(mechanism)
    model = ForwardModel(plan, plan.assembly, "sslm")
    run = RunModel(model, Signals(model.equations, None))
    kernel: Kernel = loop_kernels(
        run, make_local_choice(model, plan.assembly.coordinates_on(model.equations)), "dop853"
    ).rate
    return run, kernel


def measure() -> dict[str, Any]:
    """Microseconds per evaluation of every kind of load, and the difference between MuJoCo and multiloop."""
    require_peers()
    from benchmarks.peers.mujoco_loaded import Acting, LoadedMuJoCo
    from benchmarks.peers.mujoco_peer import Settings
    from benchmarks.peers.opened import Opened
    from benchmarks.peers.ours import compiled_loop
    from benchmarks.peers.rounds import Contestant, interleaved
    from benchmarks.peers.states import random_states

    case = CASES["3-RRR"]
    opened = Opened(case.for_peers(), case.openings[0])
    moments = random_states(case, opened, ())
    found: dict[str, Any] = {"machine": described(), "rows": []}
    contestants, accelerations = {}, {}
    for kind in ("", "constant", "from reactions"):
        run, kernel = run_kernel(manipulator(kind))
        skeleton = run.model.skeleton
        states = [
            (np.zeros(1), *(_packed(skeleton, part) for part in (m.positions, m.rates))) for m in moments
        ]
        contestants[f"multiloop {kind}".strip()] = Contestant(compiled_loop(kernel, states), len(states))
        accelerations[kind] = _accelerations(run, moments)
    rest = _rest(case.build())
    control, kept = {j: (*GAINS, rest[j]) for j in rest}, []  # loops hold addresses alone
    for kind in ("", "constant"):
        friction = dict.fromkeys(JOINTS, EFFORT) if kind else {}
        acting = Acting({j: (STIFFNESS, rest[j]) for j in rest}, friction, control)
        for settings in (Settings(sparse=False, iterations=50), Settings(sparse=True, iterations=50)):
            peer = LoadedMuJoCo(opened, settings, acting)
            peer.desire()
            apart = _apart(opened, peer, moments, accelerations[kind])
            if not apart < SAME:
                raise ValueError(f"MuJoCo's accelerations differ by {apart:.1e}")
            name = f"MuJoCo {kind}".strip() + (", sparse" if settings.sparse else "")
            states = peer.states(moments)
            contestants[name] = Contestant(peer.loop(states), len(states))
            kept.append((peer, states))
            found["rows"].append({"tool": name, "difference": apart})
    timings = interleaved(contestants, ROUNDS)
    differences = {row["tool"]: row.get("difference") for row in found["rows"]}
    found["rows"] = [
        {"tool": name, "median": t.median, "low": t.low, "high": t.high, "difference": differences.get(name)}
        for name, t in timings.items()
    ]
    peers = [timings[name].median for name in timings if name.startswith("MuJoCo constant")]
    found["ratio"], found["wanted"] = min(peers) / timings["multiloop constant"].median, WANTED
    return found


def _packed(skeleton: Any, values: Any) -> np.ndarray:
    return np.concatenate([np.ravel(values[link.joint.name]) for link in skeleton.links])


def _accelerations(run: RunModel, moments: Any) -> list[dict[str, float]]:
    """Accelerations of the joints of the tree, at every state."""
    skeleton, model, found = run.model.skeleton, run.model, []
    for moment in moments:
        q, v = _packed(skeleton, moment.positions), _packed(skeleton, moment.rates)
        y = run.layout.pack(q=q, v=v, x=0.0, work=0.0)
        a = run.solve_at(0.0, y, make_local_choice(model, q)).a
        found.append({link.joint.name: float(a[link.v][0]) for link in skeleton.links})
    return found


def _apart(opened: Any, peer: Any, moments: Any, ours: list[dict[str, float]]) -> float:
    """The largest difference, relative to the largest acceleration."""
    worst = 0.0
    for moment, here in zip(moments[:6], ours, strict=False):
        there = peer.accelerations(moment)
        joints = [link for link in opened.links if link.joint.name in here]
        a = np.array([opened.signs[link.joint.name] * here[link.joint.name] for link in joints])
        b = np.concatenate([there[link.v] for link in joints])
        worst = max(worst, float(np.abs(a - b).max() / np.abs(a).max()))
    return worst


def table(found: dict[str, Any]) -> str:
    """All timings, and the ratio."""
    rows = [
        (
            r["tool"],
            f"{r['median']:.3g}",
            f"{r['low']:.3g}–{r['high']:.3g}",
            "" if r["difference"] is None else f"{r['difference']:.0e}",
        )
        for r in found["rows"]
    ]
    text = grid(
        "3-RRR with springs and PD control, with friction where stated: µs per evaluation",
        ("tool and friction", "median", "quartiles", "difference"),
        rows,
    )
    reached = "yes" if found["ratio"] >= found["wanted"] else "NO"
    return as_text(
        text,
        f"with constant friction {found['ratio']:.1f} times faster than MuJoCo (wanted {found['wanted']:g}: {reached})",
    )
