"""Results written to netCDF and read in another process, and files that are refused."""

import os
import pickle
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import casadi as ca
import h5py
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from unit.io.result_files import FILMED, RESULTS, shown_of
from zoo.plain import pinned_body

import multiloop as ml
from multiloop.dynamics.actions import ACTIONS
from multiloop.extension import MarkerWrench, marker_motion
from multiloop.io import packed_values, result_archive
from multiloop.model import LOADS

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
ROUND_OFF = 1e-12


def in_another_process(*arguments):
    """Run the script of `result_files` with the paths of the tests; the process must succeed."""
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT / "tests")])
    run = subprocess.run(
        [sys.executable, str(HERE / "result_files.py"), *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def assert_same(found, expected, place=""):
    """Everything is equal, numbers up to round-off."""
    if isinstance(expected, dict):
        assert list(found) == list(expected), place
        for name in expected:
            assert_same(found[name], expected[name], f"{place} {name}")
    elif isinstance(expected, list | tuple):
        assert len(found) == len(expected), place
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same(one, other, f"{place}[{k}]")
    elif isinstance(expected, pd.DataFrame):
        pd.testing.assert_frame_equal(found, expected, rtol=ROUND_OFF, atol=ROUND_OFF)
    elif isinstance(expected, xr.Dataset):
        assert found.attrs == expected.attrs
        xr.testing.assert_allclose(found, expected, rtol=ROUND_OFF, atol=ROUND_OFF)
    elif isinstance(expected, np.ndarray):
        np.testing.assert_allclose(found, expected, rtol=ROUND_OFF, atol=ROUND_OFF, err_msg=place)
    else:
        assert found == expected, place


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("results")


@pytest.fixture(scope="module")
def written(folder):
    """Results of all kinds, by name, each of which is also written to a file."""
    found = {name: compute() for name, compute in RESULTS.items()}
    for name, result in found.items():
        assert result.to_netcdf(folder / f"{name}.nc") == folder / f"{name}.nc"
    return found


@pytest.fixture(scope="module")
def shown_there(written, folder):
    """What another process, in which all solvers are disabled, shows of the files."""
    out = folder / "shown.pickle"
    in_another_process(*[folder / f"{name}.nc" for name in written], out)
    return pickle.loads(out.read_bytes())


@pytest.mark.parametrize("name", RESULTS)
def test_another_process_shows_the_same_without_solving(name, written, shown_there):
    assert_same(shown_there[name], shown_of(written[name], filmed=name in FILMED))


@pytest.mark.parametrize("name", RESULTS)
def test_other_programs_read_the_dataset(name, written, folder):
    with xr.open_dataset(folder / f"{name}.nc") as data:
        assert data.identical(written[name].dataset)


def test_the_cases_contain_what_is_stored(written):
    """Every attribute that is stored beside the trajectory occurs in some result."""
    assert any(result.followed for result in written.values())
    assert any(result.startup for result in written.values())
    assert any(result.singularities for result in written.values())
    for name in ("events", "impacts", "counts", "integrals", "desired", "item_work"):
        assert any(getattr(result, name) for result in written.values()), name
    assert any(result.whole_drift is not None for result in written.values())
    assert any(joint.holding is not None for result in written.values() for joint in result.joints.values())
    assert not written["shared ropes"]["rope 1"].determined
    assert not written["shared impulses"].impacts[0].determined
    assert written["redundant"].plan.redundant
    assert written["split body"].plan.tree.splits
    assert written["controlled"].plan.mechanism != written["controlled"].mechanism
    assert written["design"].mechanism.parameters != written["design"].plan.mechanism.parameters


def test_a_result_that_was_read_starts_further_analyses(written, folder):
    result, read = written["four-bar"], ml.Result.from_netcdf(folder / "four-bar.nc")
    assert read.mechanism == result.mechanism
    onward = ml.simulate(read.mechanism, until=1.4, start=read.final, samples=2)
    expected = ml.simulate(result.mechanism, until=1.4, start=result.final, samples=2)
    np.testing.assert_allclose(onward["C"].force, expected["C"].force, rtol=1e-9)


def test_write_and_to_netcdf_write_the_same_file(written, tmp_path):
    written["forward"].write(tmp_path / "result.nc")
    assert repr(ml.Result.from_netcdf(tmp_path / "result.nc")) == repr(written["forward"])


def test_a_result_that_was_read_is_written_again(folder, tmp_path):
    for name in ("shared impulses", "flexible", "pump"):
        read = ml.Result.from_netcdf(folder / f"{name}.nc")
        read.to_netcdf(tmp_path / "again.nc")
        again = ml.Result.from_netcdf(tmp_path / "again.nc")
        assert again.summary() == read.summary()
        assert again.dataset.identical(read.dataset)


# refused files --------------------------------------------------------------------------------------------------------


def refused(path):
    with pytest.raises(ml.ModelError) as caught:
        ml.Result.from_netcdf(path)
    return caught.value


@pytest.fixture
def file(written, folder, tmp_path):
    path = tmp_path / "four-bar.nc"
    path.write_bytes((folder / "four-bar.nc").read_bytes())
    return path


def test_files_of_other_kinds_are_refused(written, tmp_path, texts):
    texts.fault(refused(tmp_path / "missing.nc"), "F01", "missing.nc")
    text, plain, old, folder = (tmp_path / name for name in ("text.nc", "plain.nc", "old.nc", "folder.nc"))
    text.write_text("time,A\n0,1\n", encoding="utf-8")
    texts.fault(refused(text), "F01", "text.nc", "netCDF-4")
    written["four-bar"].dataset.to_netcdf(plain, engine="h5netcdf")
    texts.fault(refused(plain), "F01", "plain.nc", "xarray")
    written["four-bar"].dataset.to_netcdf(old, engine="scipy")
    texts.fault(refused(old), "F01", "old.nc", "netCDF-3")
    folder.mkdir()
    assert "cannot be read" in str(refused(folder))


def test_another_version_of_the_format_is_refused(file, texts):
    with h5py.File(file, "a") as content:
        content["multiloop"].attrs["format_version"] = 2
        content["multiloop"].attrs["multiloop_version"] = "9.0.0"
    texts.fault(refused(file), "F01", "format version 2", "multiloop 9.0.0")


@pytest.mark.parametrize("name", ["q", "lam", "numbers"])
def test_a_changed_number_is_refused(file, name, texts):
    with h5py.File(file, "a") as content:
        content["multiloop"][name][-1] += 1e-9
    texts.fault(refused(file), "F01", "digest")


def test_a_changed_mechanism_is_refused(file):
    with h5py.File(file, "a") as content:
        text = content["multiloop/mechanism"][()].decode()
        content["multiloop/mechanism"][()] = text.replace('"mass":1.0', '"mass":1.5', 1)
        assert content["multiloop/mechanism"][()].decode() != text
    assert "digest" in str(refused(file))


def test_data_of_another_shape_are_refused(file, monkeypatch, texts):
    """A file whose digest is right, as one of a later version might be, with data that this version does not know."""
    with h5py.File(file, "a") as content:
        group = content["multiloop"]
        text = group["facts"][()].decode()
        for changed in (
            text.replace('"layout"', '"plan"', 1),
            text.replace('"lam",2', '"lam",3', 1),
            text.replace('"kind":"array"', '"kind":"matrix"', 1),
        ):
            assert changed != text
            group["facts"][()] = changed
            content.flush()
            digest = group.attrs["sha256"]
            with monkeypatch.context() as patch:
                patch.setattr(result_archive, "_digest", lambda *_, found=digest: found)
                texts.fault(refused(file), "F01", "four-bar.nc")


def test_outputs_that_this_installation_evaluates_differently_are_refused(file, texts):
    """As if the definition of a force had changed: the recorded motion is intact, the dataset is not what it gives."""
    with h5py.File(file, "a") as content:
        content["force"][5] *= 1.001
    texts.fault(refused(file), "F01", "'force'")


def test_truncated_and_damaged_files_are_refused_or_give_the_same_result(file, written):
    """Damage to the dataset that is not compared leaves the result as it was; nothing else is ever returned."""
    content, draw = file.read_bytes(), random.Random(7)
    expected, codes, unchanged = written["four-bar"], [], 0
    for k in range(160):
        damaged = bytearray(content)
        if k % 4 == 0:
            del damaged[draw.randrange(len(damaged)) :]
        else:
            for _ in range(draw.choice((1, 8, 64))):
                damaged[draw.randrange(len(damaged))] ^= 1 << draw.randrange(8)
        file.write_bytes(damaged)
        try:
            read = ml.Result.from_netcdf(file)
        except ml.ModelError as error:
            codes.append(error.faults[0].code)
        else:
            assert read.dataset.identical(expected.dataset)
            assert repr(read) == repr(expected)
            unchanged += 1
    assert set(codes) == {"F01"}
    assert len(codes) > 60
    assert unchanged > 10


@dataclass(frozen=True)
class Wind(ml.Load):
    """A constant force along x at a marker."""

    at: str
    force: float = 1.0

    @property
    def markers(self):
        return (self.at,)


class WindAction(ml.Action):
    def wrenches(self, at):
        return (MarkerWrench(self.load.at, ca.vertcat(ca.DM(3, 1), self.load.force, 0, 0)),)

    def power(self, at):
        return self.load.force * marker_motion(at, self.load.at)[1].v[0]


def test_a_user_defined_class_is_needed_where_a_file_is_written_and_read(tmp_path, texts):
    loads, actions = dict(LOADS), dict(ACTIONS)
    path = tmp_path / "wind.nc"
    try:
        ml.register(Wind, action=WindAction)
        blown = ml.examples.four_bar().replace(loads=[Wind("wind", "coupler.b", 6.0)])
        result = ml.inverse(blown, t=[0.0, 0.1])
        result.to_netcdf(path)
        assert ml.Result.from_netcdf(path).mechanism == blown
    finally:
        for registry, known in ((LOADS, loads), (ACTIONS, actions)):
            registry.clear()
            registry.update(known)
    texts.fault(refused(path), "M90", "Wind")
    content = path.read_bytes()
    with pytest.raises(ml.ModelError) as caught:
        result.to_netcdf(path)
    texts.fault(caught.value, "M90", "Wind")
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_values_of_other_classes_are_not_packed():
    for value in (object(), lambda: 0, np.array([None]), {"a": {1, 2}}):
        with pytest.raises(TypeError):
            packed_values.pack(value)


def test_packed_values_come_back_with_their_types():
    value = {
        ("a", 1): [1, 2.5, True, None, "x"],
        "b": (np.arange(6.0).reshape(2, 3), np.array([True, False]), np.arange(3), np.zeros((0, 2))),
        "c": np.float64(0.1),
        "d": float("inf"),
        "e": {},
    }
    found = packed_values.unpack(*packed_values.pack(value))
    assert found[("a", 1)] == value[("a", 1)]
    for one, other in zip(found["b"], value["b"], strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)
    assert (found["c"], found["d"], found["e"]) == (0.1, float("inf"), {})


def test_a_text_creates_no_other_class():
    with pytest.raises(KeyError):
        packed_values.unpack('{"kind":"Popen","fields":{"args":"ls"}}', np.zeros(0))


# meshes ---------------------------------------------------------------------------------------------------------------


def bar_on_a_pin(mesh):
    bar = ml.solid(
        "bar", mesh=mesh, E=7e10, density=2700, interfaces={"a": {"x": 0.0}}, modes=1, basis="natural"
    )
    return ml.simulate(pinned_body(bar), start={"A": 0.3}, until=0.01, samples=2)


def write_mesh(file, width):
    bar = ml.solid(
        "bar",
        mesh=ml.box_mesh(0.3, 0.02, width, elements=(2, 1, 1)),
        E=1.0,
        density=1.0,
        interfaces={"a": "x0"},
    )
    mesh = bar.deformed_mesh()
    mesh.as_meshio(mesh.points).write(file)


def test_a_mesh_is_found_beside_a_moved_file_and_a_changed_one_is_refused(tmp_path, monkeypatch, texts):
    pytest.importorskip("skfem")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path)
    write_mesh(Path("here/bar.vtu"), 0.01)
    result = bar_on_a_pin("here/bar.vtu")
    result.to_netcdf("here/result.nc")
    (tmp_path / "here").rename(tmp_path / "there")
    read = ml.Result.from_netcdf("there/result.nc")
    np.testing.assert_allclose(read["A"].force, result["A"].force, rtol=1e-9)  # its modes are computed again
    assert read.status == result.status
    write_mesh(Path("there/bar.vtu"), 0.011)
    texts(refused("there/result.nc"), "mesh")
    Path("there/bar.vtu").unlink()
    texts(refused("there/result.nc"), "bar.vtu")
