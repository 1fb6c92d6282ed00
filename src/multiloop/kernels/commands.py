"""Commands run in parallel, each with a time limit, and ended together with all processes that they have started."""

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
    """Result of a command: exit code, standard output, standard error, and whether it exceeded its time limit."""

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
    """Run a command and return its result; one that cannot be run or exceeds its time limit has failed.

    `environment` changes variables of the environment of this process; the value None removes a variable.
    """
    variables = os.environ | (environment or {})
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            env={name: value for name, value in variables.items() if value is not None},
            start_new_session=True,  # so that it can be ended with all its child processes
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
    """Run several commands, `at_once` in parallel; after an interrupt all of them are ended."""
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
    """End a command and all its child processes."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _plain(said: bytes) -> str:
    """Output as printable text."""
    text = said.decode("utf-8", errors="replace")
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "�" for letter in text)
