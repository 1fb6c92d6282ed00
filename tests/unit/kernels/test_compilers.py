"""For any $CC and any behaviour of the compiler there is machine code, or the interpreter with a reason."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
from texts import Texts

from multiloop.kernels import UnbuiltError
from multiloop.kernels.codegen import build as compiler_search, compiler as commands
from multiloop.kernels.codegen.compiler import Compiler


def forget_compilers() -> None:
    """The compiler is searched anew, and warnings are issued again."""
    for each in ("_search", "_warn_no_compiler", "_warn_other_compiler", "vector_width"):
        getattr(compiler_search, each).cache_clear()


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No compiler is cached, and the wheel of zig is not installed."""
    monkeypatch.setattr(compiler_search, "find_spec", lambda name: None)
    forget_compilers()
    yield
    forget_compilers()


def script(path: Path, text: str) -> Path:
    path.write_bytes(b"#!/bin/sh\n" + text.encode("latin-1"))
    path.chmod(0o755)
    return path


def warning_about(monkeypatch: pytest.MonkeyPatch, named: str) -> str:
    """The warning about a compiler with which nothing can be built."""
    monkeypatch.setenv("CC", named)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        assert not compiler_search.compiler_available()
    (warning,) = said
    return str(warning.message)


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("/no/such/compiler -O1", "(No such file or directory)"),
        ("/usr", "(Permission denied)"),
        ('"', "(No such file or directory)"),
        ("false", "false"),
        ("-O2", "(No such file or directory)"),
    ],
)
def test_an_invalid_compiler_is_reported(
    here: Path, monkeypatch: pytest.MonkeyPatch, named: str, why: str, texts: Texts
) -> None:
    texts(warning_about(monkeypatch, named), named, why)


def test_a_compiler_that_answers_without_output(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    path = script(tmp_path / "idle", 'case "$*" in *-E*) exec cc "$@";; *) echo idle 1.0;; esac\n')
    texts(warning_about(monkeypatch, f"{path}"), path, "trial0.o")


def test_undecodable_output_is_shown_as_far_as_possible(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    path = script(
        tmp_path / "foreign",
        'case "$*" in *--version*) echo "v\xe9\x1b[31m";; *) echo "\xff\xfe no" >&2; exit 1;; esac\n',
    )
    texts(warning_about(monkeypatch, f"{path}"), path, "�� no")


def test_another_compiler_than_that_of_cc_is_used_with_a_warning(
    here: Path, monkeypatch: pytest.MonkeyPatch, texts: Texts
) -> None:
    monkeypatch.setattr(compiler_search, "_candidates", lambda: [("/no/such/compiler",), ("cc",)])
    monkeypatch.setenv("CC", "/no/such/compiler")
    with pytest.warns(UserWarning, match=r"\$CC") as said:
        assert compiler_search.compiler_available()
    (warning,) = said
    texts(warning.message, "cc", "/no/such/compiler")


@pytest.mark.parametrize("named", ["{}", "{} -g0", "'{}'"])
def test_names_with_spaces_and_options(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, named: str
) -> None:
    (tmp_path / "a folder").mkdir()
    plain = " -g0" in named
    path = script(tmp_path / ("compiler" if plain else "a folder/my compiler"), 'exec cc "$@"\n')
    monkeypatch.setenv("CC", named.format(path))
    found = compiler_search.compiler()
    assert found is not None
    assert found.command == ((f"{path}", "-g0") if plain else (f"{path}",))


@pytest.mark.parametrize("named", ["", "   "])
def test_a_blank_name_is_no_compiler(here: Path, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("CC", named)
    found = compiler_search.compiler()
    assert found is not None
    assert found.command[0] in ("cc", "gcc", "clang", sys.executable)


def test_options_of_the_linker_are_left_out_where_it_does_not_know_them(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = script(
        tmp_path / "old", 'case "$*" in *noseparate*) echo unknown >&2; exit 1;; esac; exec cc "$@"\n'
    )
    monkeypatch.setenv("CC", f"{path}")
    found = compiler_search.compiler()
    assert found is not None
    assert found.linking == ()


# time -----------------------------------------------------------------------------------------------------

SLEEPING = 'case "$*" in *--version*) echo sleeping 1.0;; *) sleep 60 & echo $! >> "$PIDS"; wait;; esac\n'


def all_end(pids: Path) -> bool:
    """Whether all processes that have written their number into a file end within seconds, not after a minute."""
    until = time.monotonic() + 10.0
    while time.monotonic() < until:
        if not any(_alive(pid) for pid in pids.read_text().split()):
            return True
        time.sleep(0.02)
    return False


def _alive(pid: str) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


def test_a_compiler_that_does_not_end_is_ended_with_all_it_started(
    here: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    path = script(tmp_path / "sleeping", SLEEPING)
    monkeypatch.setenv("PIDS", f"{tmp_path / 'pids'}")
    source = tmp_path / "piece.c"
    source.write_text("int x;")
    began = time.monotonic()
    with pytest.raises(UnbuiltError) as caught:
        Compiler((f"{path}",), "1").build([source], tmp_path / "x.so", seconds=0.3)
    texts(caught.value, path, "0.3 s")
    assert time.monotonic() - began < 10.0
    assert all_end(tmp_path / "pids")


def test_a_compiler_query_that_times_out(here: Path, texts: Texts) -> None:
    answer = commands.run_command(["sleep", "60"], seconds=0.2)
    assert answer.timed_out
    texts(answer.error_output, "0.2 s")


INTERRUPTED = """
import sys
from pathlib import Path
from multiloop.kernels.codegen.compiler import Compiler
folder = Path(sys.argv[1])
sources = [folder / f"{k}.c" for k in range(3)]
for source in sources:
    source.write_text("int x;")
Compiler((sys.argv[2],), "1").build(sources, folder / "x.so")
"""


def test_ctrl_c_ends_the_compilers_too(tmp_path: Path) -> None:
    path = script(tmp_path / "sleeping", SLEEPING)
    command = [sys.executable, "-c", INTERRUPTED, f"{tmp_path}", f"{path}"]
    paths = os.pathsep.join(path for path in sys.path if path)
    environment = os.environ | {"PIDS": f"{tmp_path / 'pids'}", "PYTHONPATH": paths}
    process = subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while not (tmp_path / "pids").exists() and time.monotonic() < until:
        time.sleep(0.02)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in said
    assert all_end(tmp_path / "pids")
