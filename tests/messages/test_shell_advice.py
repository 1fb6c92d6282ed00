"""Advice on the command line refers to options, and to lines of the file."""

import re
import shlex

import pytest
import yaml
from texts import unframed
from typer.testing import CliRunner
from zoo import ZOO

import multiloop as ml
from multiloop.cli.advice import command_line_message
from multiloop.cli.application import application

TEXTS = "cli"

ADVICE = {
    ("K02", 'Choose one, e.g. guess={"B": -0.36, "coupler.b": (0.8, None)}.'): (
        "Choose one, e.g. --guess B=-0.36 --guess coupler.b=0.8,none."
    ),
    ("K02", 'Choose one, e.g. guess={"left bore": 0.2}.'): "Choose one, e.g. --guess 'left bore=0.2'.",
    ("K02", "Choose one with a guess for every body; the error's `.choices[0]` is a guess for (1)."): (
        "Choose one with a guess for every body."
    ),
    ("M12", 'Give a mapping of names to values, e.g. guess={"coupler.b": (0.8, 0.7)}.'): (
        "Give a mapping of names to values, e.g. guess: {coupler.b: [0.8, 0.7]}."
    ),
    ("M12", 'Give a mapping of names to points, e.g. markers={"c": (0.1, 0)}.'): (
        "Give a mapping of names to points, e.g. markers: {c: [0.1, 0]}."
    ),
    ("S02", "Give the times with t=, or the turns of 'O' to take with turns=."): (
        "Give the end of the motion with --until, or the turns of 'O' to take with --turns."
    ),
    ("S02", "Add a Motion, or give t=."): (
        "Add a Motion to the drives of the file, or let it move with `multiloop simulate`."
    ),
    ("S01", "Drive A, add actuators, or use `simulate` for a free motion."): (
        "Drive A, add actuators, or use `multiloop simulate` for a free motion."
    ),
    ("S01", "Drive A, add actuators, or give a `start` for a free motion."): (
        "Drive A, add actuators, or give a --start for a free motion."
    ),
    (
        "S14",
        'For a motion from rest to rest or over a cycle, give elastic="stable"; otherwise use '
        "`simulate` with the same Motions.",
    ): (
        "For a motion from rest to rest or over a cycle, give --elastic stable; otherwise use "
        "`multiloop simulate` with the same Motions."
    ),
    ("S07", 'Use method="augmented" and integrator="dop853", which pass it.'): (
        "Use --method augmented and --integrator dop853, which pass it."
    ),
    ("S09", 'Write start={"A": 0.3}.'): "Write --start A=0.3.",
    ("S09", 'Write rates={"A": 4.7}.'): "Write --rates A=4.7.",
    ("K01", "Check the lengths; the error's `.best` holds the nearest position."): "Check the lengths.",
    ("M91", "Write numbers in SI units; `ml.save` shows an example."): ("Write numbers in SI units."),
    (
        "T04",
        'Connect it, or add a Free joint: Free("floating", "ground.origin", "crank.origin").',
    ): (
        "Connect it, or add a Free joint: {kind: Free, name: floating, first: ground.origin, second: crank.origin}."
    ),
    ("M12", 'List motions, e.g. Motion("A", constant_speed(4.7)).'): (
        "List motions, e.g. {kind: Motion, of: A, profile: constant_speed(4.7)}."
    ),
    ("M12", 'List integrals, e.g. Integral("error", of=position("A") - 1.0).'): (
        "List integrals, e.g. {kind: Integral, name: error, of: 'position(\"A\") - 1.0'}."
    ),
    ("M12", 'List loads, e.g. Force("push", "coupler.c", (0, -50)).'): (
        "List loads, e.g. {kind: Force, name: push, at: coupler.c, force: [0, -50]}."
    ),
    ("M10", "Add `ground(A=(0, 0), …)` to its bodies."): (
        "Add `{kind: Body, name: ground, markers: {A: [0, 0]}}` to its bodies."
    ),
    ("M06", "Give 2, or make the mechanism planar with `planar=True`."): (
        "Give 2, or make the mechanism planar with `planar: true`."
    ),
    ("M06", "Give `z=` and, if needed, `x=`."): "Give `z` and, if needed, `x`.",
    ("L03", 'Write frame="inertial" or frame="body".'): "Write `frame: inertial` or `frame: body`.",
    ("L07", "Give stiffness=, damping= or preload=."): "Give `stiffness`, `damping` or `preload`.",
    ("S06", "Give it some inertia, inertia=(xx, yy, zz)."): "Give it some inertia, `inertia: [xx, yy, zz]`.",
    ("M11", "Angles are in radians: for 110° write `ml.deg(110)`."): (
        "Angles are in radians: for 110° write 1.91986."
    ),
    ("S09", "rk4 has a fixed step: give it in seconds, step=1e-3."): (
        "rk4 has a fixed step: give it in seconds, --step 1e-3."
    ),
    ("G04", "Give the pitch of the chain or toothed belt in metres, pitch=0.0127."): (
        "Give the pitch of the chain or toothed belt in metres, `pitch: 0.0127`."
    ),
    ("G02", "Write carrier='arm'."): "Write `carrier: arm`.",
    ("V01", 'Choose a joint with one, or over="time".'): "Choose a joint with one, or --over time.",
    ("K08", "Give x, y, angle; None for an unknown value."): "Give x, y, angle; none for an unknown value.",
    ("M11", "Give x, y, angle; None for an unknown value."): "Give x, y, angle; null for an unknown value.",
    ("M03", "Give a positive mass, or 0.0 to declare a massless link."): (
        "Give a positive mass, or 0.0 to declare a massless link."
    ),
}


@pytest.mark.parametrize(("given", "expected"), ADVICE.items(), ids=[remedy for _, remedy in ADVICE])
def test_advice(given, expected):
    code, remedy = given
    error = ml.ModelError("mechanism 'm'", [ml.Fault(code, "thing 'x'", "is wrong.", remedy)])
    _, *lines = command_line_message(error).splitlines()
    assert "\n".join(lines) == f"[{code}] thing 'x': is wrong.\n       {expected}"


def test_entries_that_are_advised_can_be_read():
    advised = [
        said[said.index("{kind") :].rstrip("`.").split("` to")[0]
        for said in ADVICE.values()
        if "{kind" in said
    ]
    assert len(advised) == 5
    for entry in advised:
        assert ml.from_data(yaml.safe_load(entry))


def ask(tmp_path, mechanism, *words):
    path = ml.save(mechanism, tmp_path / "mechanism.yaml")
    return CliRunner().invoke(application(), [words[0], str(path), *words[1:]])


def test_the_option_that_is_advised_chooses_a_closure(tmp_path):
    """The command with that option assembles the mechanism."""
    four_bar = ZOO["four-bar"].build().replace(guess={})
    refused = ask(tmp_path, four_bar, "inverse", "--cycle", "3")
    assert refused.exit_code == 1
    advised = re.search(r"(--guess .*?) for \(1\)", refused.stderr)[1]
    assert ask(tmp_path, four_bar, "inverse", "--cycle", "3", *shlex.split(advised)).exit_code == 0


def test_a_cycle_that_there_is_not(tmp_path, texts):
    moved = (
        ZOO["four-bar"]
        .build()
        .replace(drives=[ml.Motion("A", ml.motion_laws.cycloidal(0.0, 1.0, duration=1.0))])
    )
    refused = ask(tmp_path, moved, "inverse")
    texts(refused.stderr, "`inverse`", "'four-bar'", "[S02]", "'A'", "--until")
    assert ask(tmp_path, moved, "inverse", "--until", "1", "--cycle", "3").exit_code == 0


def test_turns_of_the_first_drive(tmp_path, texts):
    done = ask(tmp_path, ZOO["four-bar"].build(), "inverse", "--cycle", "5", "--turns", "2")
    texts(done.stdout, "5 instants", "2.66689 s")


def test_turns_go_with_a_cycle(tmp_path, texts):
    refused = ask(tmp_path, ZOO["four-bar"].build(), "inverse", "--until", "1", "--turns", "2")
    assert refused.exit_code == 2
    texts(unframed(refused.stderr), "--turns", "--until")
