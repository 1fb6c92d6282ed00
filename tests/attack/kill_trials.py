"""Kill every writer at random instants: afterwards the file is the earlier one or the new one, never an incomplete one.

    python kill_trials.py FOLDER WRITER COUNT SEED

prints as JSON how many processes were killed before they had ended, and which files were incomplete.
"""

import contextlib
import json
import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from attack.writers import WRITERS, files_of

from multiloop.io.atomic_file import PREFIX


def kill_often(folder, name, count, seed):
    """Write a file, then write it again in processes that are killed at random instants, until `count` of them were
    killed while they wrote, or three times as many have been started.

    On a busy machine the measured duration is often longer than that of a process, which then ends before it is killed.
    """
    writer, draw = WRITERS[name], Random(seed)
    path = Path(folder) / f"file{writer.ending}"
    writer.write(path)  # this also imports and compiles everything for the processes
    duration = min(_duration(writer, path) for _ in range(3))
    killed, torn = 0, []
    for attempt in range(3 * count):
        if killed == count:
            break
        killed += _killed_writing(writer, path, draw.uniform(0.0, duration))
        try:
            whole = writer.complete(path)
        except Exception as error:
            whole = False
            torn.append(f"{attempt}: {type(error).__name__}: {error}"[:200])
        if not whole and not torn:
            torn.append(f"{attempt}: incomplete")
    strange = [
        one.name
        for one in path.parent.iterdir()
        if one not in files_of(writer, path) and not one.name.startswith(PREFIX)
    ]
    return {"killed": killed, "torn": torn, "strange": strange}


def _duration(writer, path):
    """Seconds that a writer takes."""
    begin = time.monotonic()
    writer.write(path)
    return time.monotonic() - begin


def _killed_writing(writer, path, delay):
    """Whether a process was killed while it wrote."""
    child = os.fork()
    if child == 0:
        try:
            writer.write(path)
        finally:
            os._exit(0)
    time.sleep(delay)
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


if __name__ == "__main__":
    folder, name, count, seed = sys.argv[1:]
    print(json.dumps(kill_often(folder, name, int(count), int(seed))))
