"""Hostile meshes: every one is refused with the reason, within seconds and bounded memory."""

import os
import pickle
import subprocess
import sys

import pytest

pytest.importorskip("skfem")

from attack.hostile_meshes import CASES, machine, packed_mesh, write_case
from attack.test_files import judged_apart
from attack.verdicts import LONGEST, MOST_MEMORY, judged_file

import multiloop as ml

QUICK = ("an include", "a structured grid", "empty files of TetGen", "another format")
"""Files whose refusal takes some seconds."""

EVERY = [
    pytest.param(kind, name, marks=pytest.mark.slow if kind == "file" and name not in QUICK else ())
    for kind, name in CASES
]


@pytest.mark.parametrize(("kind", "name"), EVERY)
def test_a_hostile_mesh_is_refused_with_the_reason(tmp_path, kind, name, texts):
    path, expected = write_case(tmp_path, kind, name)
    verdict, seconds = judged_file(path)
    assert verdict == "refused"
    assert seconds < LONGEST
    with pytest.raises(ml.ModelError) as caught:
        ml.load(path)
    texts(caught.value, "'bar'", *expected)
    assert pickle.loads(pickle.dumps(caught.value)).faults == caught.value.faults


def test_a_sound_packed_mesh_is_accepted(tmp_path):
    (tmp_path / "m.yaml").write_text(machine(packed_mesh()), encoding="utf-8")
    assert judged_file(tmp_path / "m.yaml")[0] == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), CASES)
def test_a_hostile_mesh_takes_little_memory(tmp_path, kind, name):
    path, _ = write_case(tmp_path, kind, name)
    found = judged_apart(tmp_path, path.name)
    assert found["broken"] == {}
    assert found["refused"] == 1
    assert found["slowest"] < LONGEST
    assert found["memory"] < MOST_MEMORY


@pytest.mark.parametrize("elements", [(31, 19, 19), (24, 1, 1)])
@pytest.mark.slow
def test_the_largest_meshes_take_less_than_a_gigabyte(tmp_path, elements):
    mesh = {"size": [1.0, 0.1, 0.1], "elements": list(elements), "corner": [0.0, -0.05, -0.05]}
    (tmp_path / "m.yaml").write_text(machine(mesh), encoding="utf-8")
    found = judged_apart(tmp_path, "m.yaml")
    assert found["accepted"] == 1
    assert found["memory"] < 2 * MOST_MEMORY


@pytest.mark.slow
def test_many_large_meshes_one_after_another_take_less_than_a_gigabyte(tmp_path):
    """Meshes are cached, large ones only for a limited time."""
    program = (
        "import resource, sys\nimport multiloop as ml\nfrom attack.hostile_meshes import machine\n"
        "for k in range(8):\n"
        "    mesh = {'size': [1.0, 0.1, 0.1], 'elements': [31, 19, 10 + k], 'corner': [0.0, -0.05, -0.05]}\n"
        "    open('m.yaml', 'w').write(machine(mesh))\n    ml.load('m.yaml')\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)\n"
    )
    env = os.environ | {"PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=env, capture_output=True, text=True, check=True
    )
    assert float(run.stdout) < 2 * MOST_MEMORY
