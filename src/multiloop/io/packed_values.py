"""Nested values as JSON text and one array of numbers: mappings, sequences, arrays and objects of listed classes.

Numbers, strings, True, False, None and lists are written as they are. Every other value becomes a JSON object whose key
"kind" is "tuple", "mapping", "array" or the name of a class in `CLASSES`; no other class is ever created when a text is
read. The entries of all arrays are concatenated, and an array is written as the place where its entries begin.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from math import prod
from typing import Any

import numpy as np

from multiloop.analyses.results.histories import (
    Impact,
    JointImpulse,
    KnownTruncation,
    SharedForces,
    SharedParts,
    Truncation,
)
from multiloop.dynamics import AdmissibleForces, FrictionCone, ReactionLimit, StictionForces
from multiloop.kinematics.continuation import Singularity
from multiloop.model import ResultWarning

CLASSES: dict[str, type[Any]] = {
    one.__name__: one
    for one in (
        AdmissibleForces,
        FrictionCone,
        Impact,
        JointImpulse,
        KnownTruncation,
        ReactionLimit,
        ResultWarning,
        SharedForces,
        SharedParts,
        Singularity,
        StictionForces,
        Truncation,
    )
}
"""The dataclasses whose objects can be written; fields that begin with an underscore are omitted."""

DTYPES: dict[str, type[Any]] = {"f": float, "i": int, "u": int, "b": bool}
"""Types of arrays by the kind of their dtype; all are stored as floats, which represent integers up to 2⁵³ exactly."""


@dataclass
class PackedNumbers:
    """The concatenated entries of all arrays of a text: `parts` in order, `count` entries so far."""

    parts: list[np.ndarray] = field(default_factory=list)
    count: int = 0

    def add(self, array: np.ndarray) -> int:
        """Append the entries of an array, and return the place at which they begin."""
        begin = self.count
        self.parts.append(np.asarray(array, float).ravel())
        self.count += array.size
        return begin

    @property
    def array(self) -> np.ndarray:
        """All entries as one array."""
        return np.concatenate([np.zeros(0), *self.parts])


def pack(value: Any) -> tuple[str, np.ndarray]:
    """A value as JSON text and an array of numbers; a TypeError names a value of another class."""
    numbers = PackedNumbers()
    text = json.dumps(_plain(value, numbers), ensure_ascii=False, separators=(",", ":"))
    return text, numbers.array


def unpack(text: str, numbers: np.ndarray) -> Any:
    """The value that `pack` wrote; a damaged text raises a ValueError, KeyError or TypeError."""
    return _restored(json.loads(text), numbers)


def _plain(value: Any, numbers: PackedNumbers) -> Any:
    if value is None or isinstance(value, bool | int | str) or type(value) is float:
        return value
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, list):
        return [_plain(one, numbers) for one in value]
    if isinstance(value, tuple):
        return {"kind": "tuple", "entries": [_plain(one, numbers) for one in value]}
    if isinstance(value, Mapping):
        pairs = [[_plain(key, numbers), _plain(one, numbers)] for key, one in value.items()]
        return {"kind": "mapping", "entries": pairs}
    if isinstance(value, np.ndarray) and value.dtype.kind in DTYPES:
        return {
            "kind": "array",
            "type": value.dtype.kind,
            "shape": value.shape,
            "begin": numbers.add(value),
        }
    name = type(value).__name__
    if CLASSES.get(name) is not type(value):
        raise TypeError(f"objects of the class {name} cannot be written to a file")
    own = [one.name for one in fields(value) if not one.name.startswith("_")]
    return {"kind": name, "fields": {one: _plain(getattr(value, one), numbers) for one in own}}


def _restored(value: Any, numbers: np.ndarray) -> Any:
    if isinstance(value, list):
        return [_restored(one, numbers) for one in value]
    if not isinstance(value, dict):
        return value
    if value["kind"] in CLASSES:
        own = {name: _restored(one, numbers) for name, one in value["fields"].items()}
        return CLASSES[value["kind"]](**own)
    return READERS[value["kind"]](value, numbers)


def _tuple(value: Mapping[str, Any], numbers: np.ndarray) -> tuple[Any, ...]:
    return tuple(_restored(one, numbers) for one in value["entries"])


def _mapping(value: Mapping[str, Any], numbers: np.ndarray) -> dict[Any, Any]:
    return {_restored(key, numbers): _restored(one, numbers) for key, one in value["entries"]}


def _array(value: Mapping[str, Any], numbers: np.ndarray) -> np.ndarray:
    shape, begin = tuple(value["shape"]), value["begin"]
    return numbers[begin : begin + prod(shape)].reshape(shape).astype(DTYPES[value["type"]])


READERS: dict[str, Callable[[Mapping[str, Any], np.ndarray], Any]] = {
    "tuple": _tuple,
    "mapping": _mapping,
    "array": _array,
}
"""Functions that restore the values of all kinds that are not classes."""
