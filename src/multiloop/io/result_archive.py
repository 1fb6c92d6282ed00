"""Results in netCDF-4 files, from which they are read again without solving.

The root of the file contains the `dataset` of the result, for other programs. The group `GROUP` contains the data of
`StoredResult`: the recorded motion as variables with named columns, the mechanism as JSON text, and all other data as
`packed_values`. A digest of these data and the version of the format are attributes of the group.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from io import BytesIO
from math import prod
from pathlib import Path
from typing import Any

import h5netcdf
import h5py
import numpy as np

from multiloop.analyses import Result
from multiloop.analyses.results import noise_floor
from multiloop.analyses.results.exchange import (
    RECORDED,
    NotRestorableError,
    StoredResult,
    restored_result,
    stored_form,
)
from multiloop.io.atomic_file import as_path, atomic_file, file_error
from multiloop.io.files import mesh_paths_from_folder, mesh_paths_to_folder
from multiloop.io.packed_values import pack, unpack
from multiloop.model import Mechanism, ModelError, MultiloopError, from_data, to_data

GROUP = "multiloop"
"""Name of the group of the file that contains the data for reading the result again."""

FORMAT_VERSION = 1
"""Version of the content of the group; files of other versions are refused."""

TEXTS = ("mechanism", "planned", "facts")
"""Names of the texts in the group: the mechanism of the result, the mechanism of its plan, and all other data."""

MEANINGS = {
    "t": "time in s",
    "q": "coordinates of the spanning tree",
    "v": "rates of the spanning tree",
    "a": "accelerations of the spanning tree",
    "lam": "multipliers of the loop constraints",
    "tau": "efforts of drives and actuators along the rates",
    "x": "further state variables",
    "dependent_forces": "forces that depend on reactions",
    "numbers": "entries of the arrays in facts",
}
"""Meanings of the arrays in the group, for users of other programs."""

LARGEST_DIFFERENCE = 1e-6
"""Largest difference, relative to the largest magnitude, between an output in the file and the one evaluated again."""

ROUND_OFF = 1e-9
"""Difference of positions (rad, m), and of energies relative to the largest energy, that counts as round-off."""

COMPARED = ("position", "force", "kinetic_energy", "potential_energy")
"""Variables of the dataset that are compared with the outputs evaluated again."""

SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""First bytes of a netCDF-4 file, which is an HDF5 file."""

MAX_REASON = 100
"""Maximum number of characters of a reason that the HDF5 library gives."""

REWRITE = "Compute and write the result again."


def save_result(result: Result, path: str | Path) -> Path:
    """Write a result to a netCDF-4 file from which `load_result` reads it again; the file is replaced atomically.

    A mechanism that cannot be written as text raises a ModelError, and no file is written.
    """
    path = as_path(path)
    stored = stored_form(result)
    texts = {
        "mechanism": _text(stored.described, path),
        "planned": "" if stored.planned == stored.described else _text(stored.planned, path),
    }
    texts["facts"], numbers = pack(stored.facts)
    arrays = {name: np.asarray(stored.arrays[name], float) for name in RECORDED}
    values = {**arrays, "numbers": numbers}
    content = _file_content(result, texts, values)
    with atomic_file(path) as file:
        file.write_bytes(content)
    return path


def _file_content(result: Result, texts: Mapping[str, str], values: Mapping[str, np.ndarray]) -> bytes:
    """Content of the file, which is made in memory because HDF5 does not report all errors of a full disk."""
    from xarray.backends import H5NetCDFStore

    from multiloop import __version__

    buffer = BytesIO()
    with h5netcdf.File(buffer, "w") as file:
        result.dataset.dump_to_store(H5NetCDFStore(file))
        group = file.create_group(GROUP)
        for name, array in values.items():
            _write_array(group, name, array)
        for name, text in texts.items():
            group.create_variable(name, (), dtype=h5py.string_dtype())[...] = text
        group.attrs["format_version"] = FORMAT_VERSION
        group.attrs["multiloop_version"] = __version__
        group.attrs["sha256"] = _digest(texts, values)
    return buffer.getvalue()


def load_result(kind: type[Result], path: str | Path) -> Result:
    """Read a result that `save_result` wrote; `kind` is the class Result.

    A file that is missing, damaged, of another program or of another format version raises a ModelError.
    """
    path = as_path(path)
    texts, values, compared = _read(path)
    try:
        described = _mechanism(path, texts["mechanism"])
        planned = _mechanism(path, texts["planned"]) if texts["planned"] else described
        facts = unpack(texts["facts"], values["numbers"])
        result = restored_result(StoredResult(described, planned, values, facts))
    except NotRestorableError as error:
        raise file_error(path, f"it {error}.", REWRITE) from None
    except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
        if isinstance(error, MultiloopError):
            raise
        what = f"its data do not fit this version of multiloop ({type(error).__name__}: {error})."
        raise file_error(path, what, REWRITE) from None
    _require_same_outputs(path, result, compared)
    return result


# the mechanism --------------------------------------------------------------------------------------------------------


def _text(mechanism: Mechanism, path: Path) -> str:
    """The mechanism as JSON text, with paths of meshes relative to the folder of the file; raises an error if reading
    it would not give the same mechanism."""
    try:
        data = mesh_paths_to_folder(to_data(mechanism), path)
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        again = mesh_paths_to_folder(to_data(from_data(mesh_paths_from_folder(json.loads(text), path))), path)
    except ModelError as error:
        raise ModelError(f"the mechanism to be written to file '{path}'", error.faults) from None
    if again != data:
        what = "it was not written: reading its mechanism back would give a different mechanism."
        raise file_error(path, what, "Report this as a bug of multiloop, with the mechanism.")
    return text


def _mechanism(path: Path, text: str) -> Mechanism:
    """The mechanism that a text in the file describes."""
    try:
        found = from_data(mesh_paths_from_folder(json.loads(text), path))
    except ModelError as error:
        raise ModelError(f"the mechanism in file '{path}'", error.faults) from None
    if not isinstance(found, Mechanism):
        raise file_error(path, f"it describes a {type(found).__name__}, not a Mechanism.", REWRITE)
    return found


# the file -------------------------------------------------------------------------------------------------------------


def _write_array(group: Any, name: str, array: np.ndarray) -> None:
    """Write an array as a variable; the dimension along the instants has the name "instant".

    An array without entries has no variable, since a netCDF dimension of size zero is unlimited.
    """
    group.attrs[f"shape_{name}"] = np.array(array.shape, np.int64)
    if not array.size:
        return
    first = "number" if name == "numbers" else "instant"
    sizes = {first: array.shape[0], **{f"{name}_column": n for n in array.shape[1:]}}
    for dimension, size in sizes.items():
        if dimension not in group.dimensions:
            group.dimensions[dimension] = size
    group.create_variable(name, tuple(sizes), data=array).attrs["long_name"] = MEANINGS[name]


def _digest(texts: Mapping[str, str], values: Mapping[str, np.ndarray]) -> str:
    """SHA-256 digest of all texts and arrays in the group."""
    found = hashlib.sha256()
    for name, text in texts.items():
        found.update(f"{name}:{text}\n".encode("utf-8", "surrogatepass"))
    for name, array in values.items():
        found.update(f"{name}:{array.shape}\n".encode())
        found.update(np.ascontiguousarray(array, "<f8").tobytes())
    return found.hexdigest()


Content = tuple[dict[str, str], dict[str, np.ndarray], dict[str, np.ndarray]]
"""Content of a file: the texts and arrays of the group, and the compared variables of the dataset."""


def _read(path: Path) -> Content:
    """The content of a file, after its version and its digest have been checked."""
    _require_netcdf4(path)
    try:
        with h5py.File(path, "r") as file:
            return _content(path, file)
    except ModelError:
        raise
    except Exception as error:  # h5py raises errors of many types for damaged files
        reason = " ".join(str(one) for one in error.args[:1])[:MAX_REASON].split("\n")[0]
        what = f"it is damaged: its content cannot be read ({reason or type(error).__name__})."
        raise file_error(path, what, REWRITE) from None


def _require_netcdf4(path: Path) -> None:
    """Raise an error for a file that does not exist, or whose first bytes are not those of a netCDF-4 file."""
    try:
        with path.open("rb") as file:
            beginning = file.read(len(SIGNATURE))
    except OSError as error:
        what = (
            "it does not exist."
            if isinstance(error, FileNotFoundError)
            else f"it cannot be read: {error.strerror}."
        )
        raise file_error(path, what, "Give a file that `to_netcdf` wrote.") from None
    if beginning != SIGNATURE:
        what = "it is not a netCDF-4 file."
        if beginning.startswith(b"CDF"):
            what = (
                "it is a netCDF-3 file, as `write` of earlier versions wrote, and contains the dataset only."
            )
        raise file_error(path, what, "Give a file that `to_netcdf` wrote; xarray opens other netCDF files.")


def _content(path: Path, file: Any) -> Content:
    if GROUP not in file:
        what = "it contains no result of multiloop that can be read again."
        raise file_error(path, what, "Give a file that `to_netcdf` wrote; xarray opens other netCDF files.")
    group = file[GROUP]
    version = int(np.ravel(group.attrs["format_version"])[0])
    if version != FORMAT_VERSION:
        writer = group.attrs["multiloop_version"]
        what = (
            f"it has the format version {version} of multiloop {writer}; this version reads {FORMAT_VERSION}."
        )
        raise file_error(path, what, f"Read it with multiloop {writer}, or compute the result again.")
    most = path.stat().st_size
    texts = {name: _values(group, name, (), most).decode("utf-8") for name in TEXTS}
    values = {name: _read_array(group, name, most) for name in (*RECORDED, "numbers")}
    if group.attrs["sha256"] != _digest(texts, values):
        what = "it is damaged: its content does not have the digest that was stored with it."
        raise file_error(path, what, REWRITE)
    compared = {name: _values(file, name, file[name].shape, most) for name in COMPARED}
    return texts, values, {name: np.asarray(one, float) for name, one in compared.items()}


def _read_array(group: Any, name: str, most: int) -> np.ndarray:
    """An array of the group; arrays without entries have no variable."""
    shape = tuple(np.ravel(group.attrs[f"shape_{name}"]).tolist())
    return np.zeros(shape) if 0 in shape else np.asarray(_values(group, name, shape, most), float)


def _values(group: Any, name: str, shape: tuple[int, ...], most: int) -> Any:
    """Content of a variable; one of another shape, or with more bytes than the file (`most`), is not read."""
    variable = group[name]
    if variable.shape != shape or variable.dtype.itemsize * prod(shape) > most:
        raise ValueError(f"the variable '{name}' has a wrong size")
    return variable[()]


def _require_same_outputs(path: Path, result: Result, compared: Mapping[str, np.ndarray]) -> None:
    """Raise an error if outputs evaluated again differ from those in the file, as they do where a mesh, a registered
    class or the library has changed."""
    joints, count = result.joints.values(), len(result.time)
    again_of = {
        "position": np.concatenate([one.position.reshape(count, -1) for one in joints], axis=1),
        "force": np.stack([one.force for one in joints], axis=1),
        "kinetic_energy": result.kinetic_energy,
        "potential_energy": result.potential_energy,
    }
    energy = max(np.abs(again_of[name]).max() for name in ("kinetic_energy", "potential_energy"))
    floors = {"position": ROUND_OFF, "force": noise_floor(result)["N"]}
    for name, stored in compared.items():
        again = again_of[name]
        allowed = LARGEST_DIFFERENCE * np.abs(stored).max(initial=0.0) + floors.get(name, ROUND_OFF * energy)
        if again.shape != stored.shape or not np.abs(again - stored).max(initial=0.0) <= allowed:
            what = (
                f"its variable '{name}' differs from what this installation evaluates from the stored motion, because "
                "the file, a mesh, a registered class or multiloop has changed."
            )
            raise file_error(path, what, REWRITE)
