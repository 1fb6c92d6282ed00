"""The time until a kernel can be called, in processor time of fresh processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ASKED = """
import resource, sys
import multiloop as ml
from zoo import ZOO
from zoo.chains import ladder

def spent():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)

kernels = ml.compile(ZOO[sys.argv[1]].build() if sys.argv[1] in ZOO else ladder(int(sys.argv[1])))
before = spent()
kernels.forward
print(spent() - before)
"""


def _spent(cache: Path, mechanism: str) -> float:
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {"MULTILOOP_CACHE": str(cache), "PYTHONPATH": paths}
    command = [sys.executable, "-c", ASKED, mechanism]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return float(done.stdout)


def test_importing_costs_next_to_nothing() -> None:
    text = "import resource; before = resource.getrusage(resource.RUSAGE_SELF).ru_utime; import multiloop; "
    text += "print(resource.getrusage(resource.RUSAGE_SELF).ru_utime - before)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert float(done.stdout) < 0.3


def test_a_first_question_waits_for_no_part_of_scipy() -> None:
    """Each takes a tenth to a third of a second to import, and rigid links in a regular position need none."""
    text = "import sys, multiloop as ml; ml.inverse(ml.examples.four_bar(), t=[0.0, 0.1]); "
    text += (
        "print(*sorted(name for name in sys.modules if name.startswith('scipy.') and name.count('.') == 1))"
    )
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, check=True)
    assert not done.stdout.split()


def test_a_kernel_is_there_within_two_seconds_and_at_once_when_known(tmp_path: Path) -> None:
    assert _spent(tmp_path / "cache", "3-RRR") < 2.0
    assert _spent(tmp_path / "cache", "3-RRR") < 0.2


@pytest.mark.slow
def test_a_kernel_of_640_bodies_is_there_within_half_a_minute(tmp_path: Path) -> None:
    assert _spent(tmp_path / "cache", "320") < 30.0
    assert _spent(tmp_path / "cache", "320") < 0.2
