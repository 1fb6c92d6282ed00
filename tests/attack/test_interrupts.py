"""Ctrl-C at random instants of every function that computes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attack.interrupt_trials import FUNCTIONS

PRESSES, FEW = 100, ("inverse at many instants",)
"""The number of interrupts for each function, and the slow functions with twelve only."""


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("modes", 4),
        *(pytest.param(name, 12 if name in FEW else PRESSES, marks=pytest.mark.slow) for name in FUNCTIONS),
    ],
)
def test_every_press_is_obeyed_within_a_second(name, count):
    program = Path(__file__).with_name("interrupt_trials.py")
    run = subprocess.run(
        [sys.executable, str(program), name, str(count), "9"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": ":".join(sys.path)},
    )
    found = json.loads(run.stdout.splitlines()[-1])
    print(name, found)
    assert found["wrong"] == []
    assert found["obeyed"] + found["kept"] == count
