"""Commands that are run for us: side by side, each within its time, and ended with all that they have started."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from typing import NamedTuple

Underway = set["subprocess.Popen[bytes]"]


class Answer(NamedTuple):
    """How a command ended (0: well), what it said, what it complained of, and whether its time had run out."""

    code: int
    said: str
    complaint: str
    late: bool = False


def answered(
    command: Sequence[str],
    *,
    seconds: float,
    environment: Mapping[str, str | None] | None = None,
    stdout: int = subprocess.PIPE,
    underway: Underway | None = None,
) -> Answer:
    """What a command says; one that cannot be run, or does not end within its time, has failed.

    `environment` changes variables of this process's own, and removes those that are None.
    """
    variables = os.environ | (environment or {})
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={name: value for name, value in variables.items() if value is not None},
            start_new_session=True,  # so that it can be ended with all that it has started
        )
    except (OSError, ValueError) as error:
        return Answer(127, "", getattr(error, "strerror", None) or str(error))
    underway = set() if underway is None else underway
    underway.add(process)
    try:
        said, complaint = process.communicate(timeout=seconds)
        return Answer(process.returncode, _plain(said or b""), _plain(complaint))
    except subprocess.TimeoutExpired:
        return Answer(124, "", f"it did not end within {seconds:g} s", late=True)
    finally:
        underway.discard(process)
        if process.returncode is None:
            _kill(process)
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


def answered_side_by_side(
    commands: Sequence[Sequence[str]], *, at_once: int, seconds: float, environment: Mapping[str, str | None]
) -> list[Answer]:
    """Complaints of several commands, so many at once; when we are interrupted, all of them end."""
    underway: Underway = set()

    def one(command: Sequence[str]) -> Answer:
        return answered(
            command, seconds=seconds, environment=environment, stdout=subprocess.DEVNULL, underway=underway
        )

    waiting: list[Future[Answer]] = []
    with ThreadPoolExecutor(at_once) as pool:
        try:
            waiting += [pool.submit(one, command) for command in commands]
            return [answer.result() for answer in waiting]
        except BaseException:
            for answer in waiting:
                answer.cancel()
            while wait(waiting, timeout=0.02).not_done:
                for process in tuple(underway):
                    _kill(process)
            raise


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a command and all that it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _plain(said: bytes) -> str:
    """Text that can be shown, whatever was said."""
    text = said.decode("utf-8", errors="replace")
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)
