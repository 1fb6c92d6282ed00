"""The effect of a hostile file: it is accepted, or refused with a message; seconds and memory are measured.

    python verdicts.py FOLDER BEGIN END
    python verdicts.py FOLDER BEGIN END new
    python verdicts.py FOLDER NAME

tests the damaged files of these numbers, or the new ones of these numbers, or one file of the folder, and prints the
results as JSON.
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
"""MB of the whole process, including the library itself."""

LONGEST_TEXT = 300_000
"""Maximum length of an error message in characters."""


def assert_readable(error, text):
    """Every fault has a place, a description and a remedy, in printable text without control sequences of terminals."""
    assert len(text) < LONGEST_TEXT
    assert text.replace("\n", " ").isprintable()
    assert error.faults
    assert all(fault.code and fault.where and fault.what and fault.remedy for fault in error.faults)
    assert str(pickle.loads(pickle.dumps(error))) == text


def judged(folder, content, ending):
    """The verdict on some content, and the seconds that it took."""
    path = Path(folder) / f"m{ending}"
    path.write_bytes(content)
    return judged_file(path)


def judged_file(path):
    """The verdict on a file, and the seconds of CPU that reading it took."""
    begin = time.process_time()
    try:
        mechanism = ml.load(path)
    except ml.MultiloopError as error:
        said = str(error)
        seconds = time.process_time() - begin
        assert_readable(error, said)
        return "refused", seconds
    seconds = time.process_time() - begin
    again = ml.from_text(ml.to_text(mechanism))
    assert again == mechanism
    assert repr(again).isprintable()
    return "accepted", seconds


def judge_many(folder, numbers):
    """The verdicts on the damaged files of these numbers."""
    from attack.damaged_files import damaged_file

    return summary((n, lambda n=n: judged(folder, *reversed(damaged_file(n)))) for n in numbers)


def judge_new(folder, numbers):
    """The verdicts on the new files of these numbers, and on the mesh files beside them."""
    from attack.transplanted_parts import new_file

    def judgement(number):
        ending, content, beside = new_file(number)
        for name, held in beside.items():
            (Path(folder) / name).write_bytes(held)
        return judged(folder, content, ending)

    return summary((n, lambda n=n: judgement(n)) for n in numbers)


def summary(judgements):
    """Counts of the verdicts, the files that caused other exceptions, and the seconds and MB that were used in all."""
    counts, broken, slowest = {"accepted": 0, "refused": 0}, {}, 0.0
    for name, judgement in judgements:
        try:
            found, seconds = judgement()
        except Exception as error:
            broken[name] = f"{type(error).__name__}: {str(error)[:200]}"
            continue
        counts[found] += 1
        slowest = max(slowest, seconds)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return counts | {"broken": broken, "slowest": slowest, "memory": memory}


if __name__ == "__main__":
    folder, *asked = sys.argv[1:]
    if len(asked) >= 2:
        judge = judge_many if len(asked) == 2 else judge_new
        found = judge(folder, range(*map(int, asked[:2])))
    else:
        found = summary([(asked[0], lambda: judged_file(Path(folder) / asked[0]))])
    print(json.dumps(found))
