"""Files that are being written when the process ends: by an error, a full disk, Ctrl-C or a kill."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from attack.writers import WRITERS, files_of

import multiloop as ml

QUICK = ("YAML", "CSV", "netCDF", "page")
"""Writers all of whose cases are slow."""

ALONE = [pytest.param(name, marks=() if name == "YAML" else pytest.mark.slow) for name in WRITERS]
"""Cases that run in a separate process."""

EVERY = [pytest.param(name, marks=() if name in QUICK else pytest.mark.slow) for name in WRITERS]
KILLS = 50


def written(name, folder):
    """A writer, and the files that it has written to a separate folder."""
    if name == "MP4":
        pytest.importorskip("imageio_ffmpeg", reason="MP4s are written by imageio-ffmpeg")
    writer, path = WRITERS[name], folder / f"file{WRITERS[name].ending}"
    writer.write(path)
    return writer, path, {one: one.read_bytes() for one in files_of(writer, path)}


@pytest.mark.parametrize("name", EVERY)
def test_an_interruption_leaves_the_earlier_file(tmp_path, name, monkeypatch):
    """Ctrl-C at the last moment, when the content has been written and nothing has been renamed."""
    writer, path, before = written(name, tmp_path)

    def interrupted(handle):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        writer.write(path)
    assert {one: one.read_bytes() for one in tmp_path.iterdir()} == before


@pytest.mark.parametrize("name", ALONE)
def test_a_full_disk_leaves_the_earlier_file(tmp_path, name, texts):
    """A limit on the file size takes the place of a full disk: the operating system refuses to write more."""
    _, path, before = written(name, tmp_path)
    program = (
        "import resource, sys\nfrom pathlib import Path\nimport multiloop as ml\nfrom attack.writers import WRITERS\n"
        "writer, path, spare = WRITERS[sys.argv[1]], Path(sys.argv[2]), Path(sys.argv[3])\n"
        "writer.write(spare)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]),) * 2)\n"
        "try:\n    writer.write(path)\nexcept ml.ModelError as error:\n    print(error)\n"
    )
    size = max(map(len, before.values())) // 2
    (tmp_path / "spare").mkdir()
    spare = tmp_path / "spare" / path.name
    run = subprocess.run(
        [sys.executable, "-c", program, name, str(path), str(spare), str(size)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": ":".join(sys.path)},
    )
    assert "[F01]" in run.stdout, run.stderr
    texts(run.stdout, path.stem, hide=[r"(?<=ffmpeg ).*"])
    assert {one: one.read_bytes() for one in tmp_path.iterdir() if one.is_file()} == before


@pytest.mark.parametrize(
    ("name", "count"),
    [("YAML", 3), *(pytest.param(name, KILLS, marks=pytest.mark.slow) for name in WRITERS)],
)
def test_a_kill_leaves_a_whole_file(tmp_path, name, count):
    program = Path(__file__).with_name("kill_trials.py")
    run = subprocess.run(
        [sys.executable, str(program), str(tmp_path), name, str(count), "9"],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": ":".join(sys.path)},
    )
    found = json.loads(run.stdout.splitlines()[-1])
    assert found["torn"] == []
    assert found["strange"] == []
    assert found["killed"] >= count // 2


@pytest.mark.parametrize("name", EVERY)
def test_permissions_are_kept_and_links_followed(tmp_path, name):
    store, seen = tmp_path / "store", tmp_path / "seen"
    store.mkdir(), seen.mkdir()
    writer, path, before = written(name, store)
    for file in before:
        file.chmod(0o640)
        (seen / file.name).symlink_to(file)
        file.write_bytes(b"")
    writer.write(seen / path.name)
    assert all((seen / file.name).is_symlink() for file in before)
    assert {file.stat().st_mode & 0o777 for file in before} == {0o640}
    assert writer.complete(path)
    assert sorted(store.iterdir()) == sorted(before)


def test_new_files_have_the_permissions_of_new_files(tmp_path):
    WRITERS["YAML"].write(tmp_path / "m.yaml")
    (tmp_path / "other").touch()
    assert (tmp_path / "m.yaml").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_files_that_must_not_be_replaced_are_refused(tmp_path, monkeypatch, texts):
    """A rename would replace a pipe, and a read-only file, without an error."""
    pipe, kept = tmp_path / "pipe.yaml", tmp_path / "kept.yaml"
    os.mkfifo(pipe)
    with pytest.raises(ml.ModelError) as caught:
        WRITERS["YAML"].write(pipe)
    texts.fault(caught.value, "F01")
    assert pipe.is_fifo()
    kept.write_text("kept", encoding="utf-8")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(ml.ModelError) as caught:
        WRITERS["YAML"].write(kept)
    texts.fault(caught.value, "F01")
    assert kept.read_text(encoding="utf-8") == "kept"
