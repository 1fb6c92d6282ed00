"""All functions that write files: how to call them, and whether a file that they have written is complete."""

import json
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import pytest
import xarray as xr
from PIL import Image
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.cli.reporting import write_outputs
from multiloop.cli.schema import schema


@dataclass(frozen=True)
class Writer:
    """`write` takes the path; `complete` raises an error, or is false, for an incomplete file."""

    ending: str
    write: object
    complete: object


@cache
def pendulum():
    links = [ml.rod(f"r{k}", length=1.0, mass=1.0) for k in range(40)]
    joints = [ml.Revolute("j0", "ground.A", "r0.a")]
    joints += [ml.Revolute(f"j{k}", f"r{k - 1}.b", f"r{k}.a") for k in range(1, 40)]
    return ml.Mechanism("chain", planar=True, bodies=[ml.ground(A=(0, 0)), *links], joints=joints)


@cache
def turning():
    rod = ml.rod("rod", length=1.0, mass=1.0)
    mechanism = pinned_body(rod, name="turning", drives=[ml.Motion("A", ml.motion_laws.constant_speed(3.0))])
    return ml.inverse(mechanism, cycle=2001)


@cache
def bending():
    pytest.importorskip("skfem")
    bar = ml.solid(
        "bar",
        mesh=ml.box_mesh(0.3, 0.02, 0.01, elements=(6, 1, 1)),
        E=2e8,
        density=1000.0,
        interfaces={"a": "x0"},
        modes=2,
        basis="natural",
    )
    mechanism = pinned_body(bar, name="bending")
    return ml.simulate(mechanism, until=0.01, samples=3, start={"A": 0.1}).link("bar")


def _film(path):
    turning().film(path, width=200, rate=10.0)


def _whole_page(path):
    text = path.read_text(encoding="utf-8")
    return text.rstrip().endswith("</html>") and text.count("</script>") == 2


def _whole_gif(path):
    with Image.open(path) as film:
        frames = film.n_frames
        film.seek(frames - 1)
        film.load()
    return path.read_bytes().endswith(b";") and frames > 5


def _whole_mp4(path):
    import imageio_ffmpeg

    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-v", "error", "-i", str(path), "-f", "null", "-"]
    done = subprocess.run(command, capture_output=True, check=False)
    return done.returncode == 0 and not done.stderr


def _whole_picture(path):
    with Image.open(path) as picture:
        picture.load()
    return path.read_bytes().endswith(b"IEND\xaeB`\x82")


def _whole_dataset(path):
    with xr.open_dataset(path) as found:
        return found.load().sizes["time"] == 2001 and path.stat().st_size > 1000


def _whole_meshes(path):
    import meshio

    listed = ElementTree.parse(path.with_suffix(".pvd")).findall(".//DataSet")
    return all(len(meshio.read(path.parent / one.get("file")).points) for one in listed) and len(listed) == 3


def _whole_json(path):
    return bool(json.loads(path.read_text(encoding="utf-8"))["joints"])


WRITERS = {
    "YAML": Writer(".yaml", lambda p: ml.save(pendulum(), p), lambda p: len(ml.load(p).joints) == 40),
    "JSON": Writer(".json", lambda p: ml.save(pendulum(), p), _whole_json),
    "JSON Schema": Writer(".json", schema, lambda p: "$defs" in json.loads(p.read_text(encoding="utf-8"))),
    "CSV": Writer(".csv", lambda p: turning().write(p), lambda p: len(pd.read_csv(p)) == 2001),
    "netCDF": Writer(".nc", lambda p: turning().write(p), _whole_dataset),
    "CSV of a command": Writer(
        ".csv", lambda p: write_outputs(turning(), None, p, None), lambda p: len(pd.read_csv(p)) == 2001
    ),
    "plot": Writer(".png", lambda p: turning().plot(path=p), _whole_picture),
    "drawing": Writer(".png", lambda p: turning().mechanism.draw(path=p), _whole_picture),
    "page": Writer(".html", _film, _whole_page),
    "GIF": Writer(".gif", _film, _whole_gif),
    "MP4": Writer(".mp4", _film, _whole_mp4),
    "VTK": Writer(".vtu", lambda p: bending().write(p), _whole_meshes),
}
"""By format. A function that writes several files writes the file that lists them last."""


def files_of(writer, path):
    """The files that a writer leaves when it is given a path."""
    if writer.ending == ".vtu":
        return [*(path.with_name(f"{path.stem}_{k:04d}.vtu") for k in range(3)), path.with_suffix(".pvd")]
    return [Path(path)]
