"""Hostile files: every one is accepted, or refused with a message, within seconds and bounded memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from attack.hostile_files import HUGE, QUICK
from attack.verdicts import LONGEST, MOST_MEMORY, judge_many, judge_new, judged

import multiloop as ml
from multiloop.model.serialise.kinds import PARTS

PART = 5_000
"""Files for one process; twenty processes test a hundred thousand files."""

NEW_PART, NEW_PARTS = 2_000, 25
"""New files for one process, and the number of processes: fifty thousand files in all."""


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_file_is_refused_with_the_reason(tmp_path, name, texts):
    ending, content, expected = QUICK[name]
    assert judged(tmp_path, content.encode(), ending)[0] == "refused"
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / f"m{ending}")
    texts(caught.value, *expected)


def test_some_damaged_files_are_accepted_or_refused(tmp_path):
    found = judge_many(tmp_path, range(300))
    assert found["broken"] == {}
    assert found["slowest"] < LONGEST
    assert found["accepted"] > 10
    assert found["refused"] > 100


@pytest.mark.slow
@pytest.mark.parametrize("part", range(20))
def test_all_damaged_files_are_accepted_or_refused(tmp_path, part):
    found = judged_apart(tmp_path, str(part * PART), str((part + 1) * PART))
    assert found["broken"] == {}
    assert found["accepted"] + found["refused"] == PART
    assert found["slowest"] < LONGEST
    assert found["memory"] < MOST_MEMORY


def test_some_new_files_are_accepted_or_refused(tmp_path):
    """Parts of all types in mechanisms to which they do not belong, invalid packed meshes and mesh files."""
    pytest.importorskip("skfem")
    found = judge_new(tmp_path, range(60_000, 60_040))
    assert found["broken"] == {}
    assert found["slowest"] < LONGEST
    assert found["accepted"] > 1
    assert found["refused"] > 20


@pytest.mark.slow
@pytest.mark.parametrize("part", range(NEW_PARTS))
def test_all_new_files_are_accepted_or_refused(tmp_path, part):
    pytest.importorskip("skfem")
    found = judged_apart(tmp_path, str(part * NEW_PART), str((part + 1) * NEW_PART), "new")
    assert found["broken"] == {}
    assert found["accepted"] + found["refused"] == NEW_PART
    assert found["slowest"] < LONGEST
    assert found["memory"] < MOST_MEMORY


def test_new_files_hold_every_kind_of_part():
    """The transplanted parts include pairs, loads, joints and links of all types."""
    pytest.importorskip("skfem")
    from attack.transplanted_parts import SHORT, pool

    known = {part["kind"] for parts in pool().values() for part in parts}
    known |= {name for name in PARTS if f"kind: {name}," in SHORT}
    ours = {
        name for name, kind in PARTS.items() if kind.__module__.startswith("multiloop.")
    }  # tests register others
    assert ours - known <= {"Marker"}


def test_new_files_are_sound_before_they_are_damaged(tmp_path):
    """The undamaged files are accepted: the handwritten mechanism, and a mesh of every format."""
    pytest.importorskip("skfem")
    from attack.transplanted_parts import FORMATS, SHORT, mesh_content, solid

    assert judged(tmp_path, SHORT.encode(), ".yaml")[0] == "accepted"
    for ending in FORMATS:
        (tmp_path / f"mesh{ending}").write_bytes(mesh_content(ending, 0))
        assert judged(tmp_path, json.dumps(solid(f"mesh{ending}")).encode(), ".json")[0] == "accepted"


@pytest.mark.slow
@pytest.mark.parametrize("name", HUGE)
def test_a_huge_file_is_accepted_or_refused_within_bounds(tmp_path, name):
    ending, content = HUGE[name]
    path = tmp_path / f"huge{ending}"
    path.write_text(content(), encoding="utf-8")
    found = judged_apart(tmp_path, path.name)
    assert found["broken"] == {}
    assert found["slowest"] < LONGEST
    assert found["memory"] < MOST_MEMORY


def judged_apart(folder, *asked):
    """The verdict of a separate process with its own memory limit."""
    program = Path(__file__).with_name("verdicts.py")
    run = subprocess.run(
        [sys.executable, str(program), str(folder), *asked],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": ""},
    )
    return json.loads(run.stdout)
