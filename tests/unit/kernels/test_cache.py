"""Compiled kernels are kept under all conditions: the next run works and is correct."""

from __future__ import annotations

import fcntl
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from texts import Texts
from unit.kernels.cache_entries import Filling, answer, works

from multiloop.kernels import cache_folder as cache_size, library_cache as cache
from multiloop.kernels.runtime import runtime_library

ANSWER = 0.9588510772084060  # 2 sin ½

BUILD = """
import casadi as ca
from multiloop.kernels import Recipe, build_kernel
from multiloop.symbols import Traced

x = ca.SX.sym("x", 2)
kernel = build_kernel(Recipe(lambda: Traced("f", {"x": x}, {"y": ca.sin(x[0]) * x[1] * NUMBER})))
print(type(kernel).__name__, float(kernel([0.5, 2.0])[0]) / NUMBER, getattr(kernel, "library", ""))
"""

WRAPPED = """#!/bin/sh
# the real compiler; slow, refusing or full as the environment says
case "$*" in
    *piece0.c*) echo $$ >> "$LOG"; sleep ${SLOW:-0}; [ -z "$REFUSE" ] || { echo refused >&2; exit 1; } ;;
    *trial0.c*) [ -z "$NO_HEADERS" ] || { echo 'math.h: No such file' >&2; exit 1; } ;;
esac
case "$*" in *"${FULL:-nowhere}"*) echo 'No space left on device' >&2; exit 1 ;; esac
exec cc "$@"
"""


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


class Place:
    """A separate cache folder, a compiler that can be made to fail, and processes that use both."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder / "cache", folder / "log"
        wrapper = folder / "compiler"
        wrapper.write_text(WRAPPED)
        wrapper.chmod(0o755)
        self.log.touch()
        self.environment = os.environ | {
            "MULTILOOP_CACHE": str(self.folder),
            "CC": str(wrapper),
            "LOG": str(self.log),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def start(self, text: str = BUILD, number: float = 1.0, prefix: tuple[str, ...] = (), **options: str):
        command = [*prefix, sys.executable, "-c", text.replace("NUMBER", repr(number))]
        return subprocess.Popen(
            command,
            env=self.environment | options,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def run(self, *arguments, **options) -> tuple[str, str, str]:
        """The type of kernel that was found, the path of its library, and the messages; the result must be correct."""
        return self.ended(self.start(*arguments, **options))

    @staticmethod
    def ended(process: subprocess.Popen) -> tuple[str, str, str]:
        out, said = process.communicate(timeout=120)
        assert process.returncode == 0, said
        kind, answer, *library = out.split()
        assert float(answer) == pytest.approx(ANSWER, rel=1e-14)
        return kind, "".join(library), said

    @property
    def builds(self) -> int:
        return len(self.log.read_text().splitlines())

    @property
    def leftovers(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if path.name.startswith(".")]


def warning_of(said: str) -> str:
    """The text of the only warning of a process."""
    (line,) = [line for line in said.splitlines() if "Warning: " in line]
    return line.partition("Warning: ")[2]


def until(true, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


# processes ----------------------------------------------------------------------------------------------


def test_a_killed_build_leaves_no_damaged_entry(place: Place) -> None:
    process = place.start(SLOW="1")
    until(lambda: place.builds)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert place.leftovers  # the incomplete folder
    kind, library, said = place.run()
    assert (kind, said) == ("Kernel", "")
    assert Path(library).is_relative_to(place.folder)
    with suppress(ProcessLookupError):  # its compiler, which may still be writing
        os.killpg(int(place.log.read_text().split()[0]), signal.SIGKILL)
    for path in place.leftovers:  # an hour later they are removed
        os.utime(path, (0, 0))
    (place.folder / "not ours").touch()
    os.utime(place.folder / "not ours", (0, 0))
    place.run(number=2.0)
    assert not place.leftovers
    assert (place.folder / "not ours").exists()


def test_two_processes_build_the_same_kernel_once(place: Place) -> None:
    pair = [place.start(SLOW="1") for _ in range(2)]
    libraries = {Place.ended(process)[1] for process in pair}
    assert len(libraries) == 1
    assert place.builds == 1
    assert not place.leftovers


def test_a_folder_that_cannot_be_written(place: Place, tmp_path: Path, texts: Texts) -> None:
    place.run()
    place.folder.chmod(0o500)
    limited = _as_anybody(place.folder)
    try:
        kind, library, said = place.run(prefix=limited)  # existing entries are used
        assert (kind, said) == ("Kernel", "")
        assert Path(library).is_relative_to(place.folder)
        kind, library, said = place.run(number=2.0, prefix=limited)  # missing entries are built elsewhere
        assert kind == "Kernel"
        assert not Path(library).is_relative_to(place.folder)
        assert not Path(library).exists()  # removed with its process
        assert said.count("[Errno 13]") == 1
        texts(warning_of(said), hide=[r"'.*?'"])
    finally:
        place.folder.chmod(0o700)


def _as_anybody(folder: Path) -> tuple[str, ...]:
    """The command that removes the right to write everywhere from the user root."""
    if os.geteuid() != 0:
        return ()
    limited = ("setpriv", "--bounding-set", "-dac_override,-dac_read_search")
    touch = [*limited, "touch", str(folder / "x")]
    if not shutil.which("setpriv") or not subprocess.run(touch, capture_output=True, check=False).returncode:
        pytest.skip("root writes into read-only folders, and there is no setpriv to take that right away")
    return limited


def test_a_folder_that_cannot_be_made(place: Place, texts: Texts) -> None:
    kind, _, said = place.run(MULTILOOP_CACHE="/proc/no/such/folder")
    assert kind == "Kernel"
    assert said.count("UserWarning") == 1
    texts(warning_of(said), "[Errno 2]", "'/proc/no")


def test_a_full_cache_folder(place: Place, texts: Texts) -> None:
    kind, library, said = place.run(FULL=str(place.folder))
    assert kind == "Kernel"
    assert not Path(library).is_relative_to(place.folder)
    assert said.count("No space left on device") == 1
    texts(warning_of(said), hide=[r"(?<=compiler ).*"])
    assert not place.leftovers
    kind, library, said = place.run()
    assert (kind, said) == ("Kernel", "")
    assert Path(library).is_relative_to(place.folder)


def test_no_room_anywhere_is_interpreted(place: Place, texts: Texts) -> None:
    place.run()
    limit = (sys.executable, "-c", "import os, sys, resource as r\n" + _LIMITED)
    kind, _, said = place.run(number=2.0, prefix=limit)
    assert kind == "InterpretedKernel"
    assert said.count("UserWarning") == 1
    texts(warning_of(said), hide=[r"(?<=: ).*"])
    assert not place.leftovers
    kind, _, said = place.run(number=2.0)
    assert (kind, said) == ("Kernel", "")


_LIMITED = """
r.setrlimit(r.RLIMIT_FSIZE, (1000, r.getrlimit(r.RLIMIT_FSIZE)[1]))
os.execv(sys.argv[1], sys.argv[1:])
"""


# compilers ----------------------------------------------------------------------------------------------

SIMULATE = """
import sys
import warnings
sys.modules["ziglang"] = None  # the wheel is not installed
import numpy as np
import multiloop as ml
from zoo import ZOO

mechanism = ZOO["four-bar"].build().without_drives()
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    kernels = ml.compile(mechanism)
    kinds = {type(kernel).__name__ for kernel in (kernels.forward, kernels.jacobian)}
    start = {joint: tuple(q) for joint, q in kernels.plan.assembly.coordinates().items()}
    run = ml.simulate(mechanism, until=0.2, samples=3, start=start)
assert kinds == {"InterpretedKernel"}, kinds
other = ml.simulate(mechanism, until=0.2, samples=3, start=start, target="interpreter")
for joint in kernels.joints:
    np.testing.assert_array_equal(run[joint].position, other[joint].position)
try:
    ml.simulate(mechanism, until=0.2, start=start, integrator="rk4", step=1e-3)
except ml.SolveError as error:
    assert "integrator rk4 needs machine code" in str(error), error
else:
    raise AssertionError("there is machine code")
plain = ml.compile(mechanism, target="interpreter")
np.testing.assert_array_equal(kernels.forward(kernels.q, 0.1, 0.0), plain.forward(kernels.q, 0.1, 0.0))
print("|".join(str(one.message) for one in said))
"""


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"CC": "none"}, "no usable C compiler was found. "),
        (
            {"CC": "/no/such/compiler"},
            "(/no/such/compiler does not report its version (No such file or directory)). ",
        ),
        ({"NO_HEADERS": "1"}, "math.h: No such file). "),
        ({"REFUSE": "1"}, "failed: refused"),
    ],
    ids=["none", "not there", "without headers", "failing"],
)
def test_without_a_working_compiler_all_is_interpreted_with_a_warning(
    place: Place, options: dict[str, str], why: str
) -> None:
    paths = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    out, said = place.start(SIMULATE, **options, **paths).communicate(timeout=120)
    assert why in out, said
    assert len(set(out.split("|"))) == 1


# in this process ----------------------------------------------------------------------------------------


def _truncated(entry: Path) -> None:
    library = entry / cache.LIBRARY
    library.write_bytes(library.read_bytes()[:1000])


def _replaced_by_a_file(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.write_text("in the way")


def _fifo(path: Path) -> None:
    """A process that opens it waits indefinitely."""
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    os.mkfifo(path)


def _endless(path: Path) -> None:
    """A process that reads it never reaches an end."""
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    path.symlink_to("/dev/zero")


def _sparse(path: Path) -> None:
    """A process that reads it runs out of memory."""
    with open(path, "wb") as file:
        file.truncate(200_000_000_000)


def _dangling(entry: Path) -> None:
    shutil.rmtree(entry)
    entry.symlink_to("/no/such/folder")


PLACES = {"seal": cache.SEAL, "library": cache.LIBRARY, "manifest": cache.MANIFEST}
HOSTILE = {
    f"{place}: {damage.__name__[1:]}": lambda entry, file=file, damage=damage: damage(entry / file)
    for place, file in PLACES.items()
    for damage in (_fifo, _endless, _sparse)
} | {"entry: fifo": _fifo, "entry: endless": _endless, "entry: dangling": _dangling}

DAMAGES = HOSTILE | {
    "nested seal": lambda entry: (entry / cache.SEAL).write_text("[" * 90_000),
    "nested manifest": lambda entry: (entry / cache.MANIFEST).write_text('{"a":' * 90_000),
    "truncated library": _truncated,
    "empty library": lambda entry: (entry / cache.LIBRARY).write_bytes(b""),
    "no library": lambda entry: (entry / cache.LIBRARY).unlink(),
    "garbage manifest": lambda entry: (entry / cache.MANIFEST).write_bytes(b"\xff\x00{"),
    "garbage seal": lambda entry: (entry / cache.SEAL).write_text("[1, 2]"),
    "empty folder": lambda entry: [path.unlink() for path in entry.iterdir()],
    "a file": _replaced_by_a_file,
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with one entry, never loaded from the folder that the tests damage."""
    folder = tmp_path_factory.mktemp("sound") / "cache"
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MULTILOOP_CACHE", str(folder))
        cache.find_or_build_entry("seven", Filling())
    return folder


@pytest.fixture
def _in_time() -> Iterator[None]:
    """A test that waits indefinitely, or reads without an end, fails before it uses all memory."""
    room = resource.getrlimit(resource.RLIMIT_AS)
    pages = int(Path("/proc/self/statm").read_text().split()[0]) if Path("/proc/self/statm").exists() else 0
    taken = pages * resource.getpagesize()  # by the tests that ran before in this process
    resource.setrlimit(resource.RLIMIT_AS, (taken + 2_000_000_000, room[1]))
    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it takes more than 20 s"))
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    resource.setrlimit(resource.RLIMIT_AS, room)


@pytest.mark.usefixtures("_in_time")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_entry_is_built_again(here: Path, sound: Path, damage: str) -> None:
    shutil.copytree(sound, here)
    DAMAGES[damage](here / cache.digest(b"seven"))
    filling = Filling()
    assert works(cache.find_or_build_entry("seven", filling))
    assert works(cache.find_or_build_entry("seven", filling))
    assert filling.count == 1
    assert not list(here.glob(".*"))
    entry = here / cache.digest(b"seven")
    assert {path.name for path in entry.iterdir()} == {cache.LIBRARY, cache.MANIFEST, cache.SEAL}


@pytest.mark.usefixtures("_in_time")
@pytest.mark.parametrize("damage", [_fifo, _endless, _sparse])
def test_hostile_notes_and_limits_are_ignored(here: Path, damage: Callable[[Path], None]) -> None:
    cache.store_note("key", "word")
    cache_size.set_limit(here, 77)
    (file,) = here.glob("*.note")
    damage(file)
    damage(here / cache_size.LIMIT_FILE)
    assert cache.load_note("key") is None
    assert cache_size.cache_limit(here) == cache_size.DEFAULT_LIMIT
    cache.store_note("key", "word")
    assert cache.load_note("key") == "word"
    cache_size.set_limit(here, 77)
    assert cache_size.cache_limit(here) == 77


@pytest.mark.usefixtures("_in_time")
def test_links_in_a_cache_folder_are_removed_and_not_followed(
    here: Path, sound: Path, tmp_path: Path
) -> None:
    shutil.copytree(sound, here)
    shutil.move(here / cache.digest(b"seven"), tmp_path / "elsewhere")
    (here / cache.digest(b"seven")).symlink_to(tmp_path / "elsewhere")
    cache_size.shrink_to(here, 0)
    assert not list(here.iterdir())
    assert (tmp_path / "elsewhere" / cache.LIBRARY).exists()


def test_a_whole_library_that_cannot_be_loaded_is_built_again(here: Path, sound: Path) -> None:
    shutil.copytree(sound, here)
    entry = here / cache.digest(b"seven")
    (entry / cache.LIBRARY).write_bytes(b"for another machine")
    seal = (entry / cache.SEAL).read_text()
    good, bad = (
        cache.digest((sound / entry.name / cache.LIBRARY).read_bytes()),
        cache.digest(b"for another machine"),
    )
    (entry / cache.SEAL).write_text(seal.replace(good, bad))
    assert works(cache.find_or_build_entry("seven", Filling()))


def test_an_entry_under_the_name_of_another_is_built_again(here: Path) -> None:
    cache.find_or_build_entry("eight", Filling(8))
    shutil.copytree(here / cache.digest(b"eight"), here / cache.digest(b"seven"))
    filling = Filling()
    assert works(cache.find_or_build_entry("seven", filling))
    assert filling.count == 1
    assert answer(cache.find_or_build_entry("eight", filling)) == 8


def test_a_note_under_the_key_of_another_is_ignored(here: Path) -> None:
    cache.store_note("one", "word")
    shutil.copy(here / f"{cache.digest(b'one')}.note", here / f"{cache.digest(b'two')}.note")
    assert cache.load_note("one") == "word"
    assert cache.load_note("two") is None


def test_locks_time_out(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LOCK_TIMEOUT", 0.1)
    here.mkdir(mode=0o700)
    with open(here / f".lock-{cache.digest(b'seven')}", "w") as stuck:
        fcntl.flock(stuck, fcntl.LOCK_EX)
        assert works(cache.find_or_build_entry("seven", Filling()))


def test_unused_entries_are_removed_eventually(here: Path) -> None:
    for key in ("old", "used"):
        cache.find_or_build_entry(key, Filling())
        cache.store_note(key, "word")
    for path in here.iterdir():
        os.utime(path, (0, 0))
    cache.find_or_build_entry("used", Filling())
    assert cache.load_note("used") == "word"
    cache._bytes_built.clear()  # as in a new process
    cache.find_or_build_entry("new", Filling())
    assert {path.name for path in here.iterdir()} == {
        cache.digest(b"used"),
        cache.digest(b"new"),
        f"{cache.digest(b'used')}.note",
    }


def test_a_garbled_note_is_ignored(here: Path) -> None:
    cache.store_note("key", "word")
    assert cache.load_note("key") == "word"
    assert cache.load_note("another") is None
    (file,) = here.iterdir()
    for text in ("", "other " + file.read_text().split()[1], "a b c"):
        file.write_text(text)
        assert cache.load_note("key") is None


def test_the_time_loop_is_kept_in_the_same_way(here: Path, tmp_path: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("MULTILOOP_CACHE", str(tmp_path / "first"))
        runtime_library.load_runtime()
    shutil.copytree(tmp_path / "first", here)
    (entry,) = (path for path in here.iterdir() if path.is_dir())
    whole = (entry / cache.LIBRARY).read_bytes()
    _truncated(entry)
    runtime_library.load_runtime.cache_clear()
    assert runtime_library.load_runtime().room_needed is not None
    assert (entry / cache.LIBRARY).read_bytes() == whole
    assert {path.name for path in entry.iterdir()} == {cache.LIBRARY, cache.MANIFEST, cache.SEAL}
