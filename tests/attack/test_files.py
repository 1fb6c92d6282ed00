"""Hostile files: every one is accepted or refused in words, within seconds and a bounded memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from attack.hostile import HUGE, QUICK
from attack.judging import LONGEST, MOST_MEMORY, judge_many, judged

import multiloop as ml

PART = 5_000
"""Files that one process judges; twenty of them make a hundred thousand."""


@pytest.mark.parametrize("name", QUICK)
def test_a_hostile_file_is_refused_with_the_reason(tmp_path, name):
    ending, content, said = QUICK[name]
    assert judged(tmp_path, content.encode(), ending)[0] == "refused"
    with pytest.raises(ml.ModelError) as caught:
        ml.load(tmp_path / f"m{ending}")
    assert said in str(caught.value)


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
    """The judgement of a process of its own, whose memory is its own too."""
    program = Path(__file__).with_name("judging.py")
    run = subprocess.run(
        [sys.executable, str(program), str(folder), *asked],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path), "PATH": ""},
    )
    return json.loads(run.stdout)
