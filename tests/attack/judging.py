"""What becomes of a hostile file: it is accepted, or refused in words; it costs seconds and memory.

    python judging.py FOLDER BEGIN END

judges the files of these numbers in a process of its own and prints what it found as JSON.
"""

import json
import pickle
import resource
import sys
import time
from pathlib import Path

import multiloop as ml

LONGEST = 5.0
"""Seconds of CPU for one file."""

MOST_MEMORY = 500
"""MB of the whole process, the library itself among them."""

LONGEST_TEXT = 300_000
"""Letters of an error, which someone has to read."""


def verdict(path):
    """ "accepted" or "refused"; what is neither is an error of the test."""
    try:
        mechanism = ml.load(path)
    except ml.MultiloopError as error:
        assert_readable(error)
        return "refused"
    again = ml.from_text(ml.to_text(mechanism))
    assert again == mechanism
    assert repr(again).isprintable()
    return "accepted"


def assert_readable(error):
    """Every fault says where, what and what to do, in words that a terminal shows and none that it obeys."""
    text = str(error)
    assert len(text) < LONGEST_TEXT
    assert text.replace("\n", " ").isprintable()
    assert error.faults
    assert all(fault.code and fault.where and fault.what and fault.remedy for fault in error.faults)
    assert str(pickle.loads(pickle.dumps(error))) == text


def judged(folder, content, ending):
    """The verdict on some content, and the seconds that it took."""
    path = Path(folder) / f"m{ending}"
    path.write_bytes(content)
    begin = time.process_time()
    found = verdict(path)
    return found, time.process_time() - begin


def peak_memory():
    """MB that this process has taken at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def judge_many(folder, numbers):
    """Counts of the verdicts, the numbers of files that gave way and how, and what was spent."""
    from attack.mutating import damaged_file

    counts, broken, slowest = {"accepted": 0, "refused": 0}, {}, 0.0
    for number in numbers:
        ending, content = damaged_file(number)
        try:
            found, seconds = judged(folder, content, ending)
        except Exception as error:
            broken[number] = f"{type(error).__name__}: {str(error)[:200]}"
            continue
        counts[found] += 1
        slowest = max(slowest, seconds)
    return counts | {"broken": broken, "slowest": slowest, "memory": peak_memory()}


if __name__ == "__main__":
    print(json.dumps(judge_many(sys.argv[1], range(*map(int, sys.argv[2:4])))))
