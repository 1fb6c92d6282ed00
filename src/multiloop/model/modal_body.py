"""Flexible bodies with given modes, `ModalBody`, and the damping and mode counts of all flexible bodies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, Any

import casadi as ca
import numpy as np
from pydantic import BeforeValidator, PlainSerializer

from multiloop.model.bodies import Body
from multiloop.model.expressions import Scalar
from multiloop.model.faults import Fault, count_text, short_repr, suggestion
from multiloop.model.floating_frame import Modes, ReducedBody
from multiloop.model.marker_poses import Resolve, marker_pose, rigid_body
from multiloop.model.markers import (
    ETA,
    StopAtFirstFault,
    Vector,
    are_pairs,
    as_pairs,
    scalar,
    value_of,
    vector,
)
from multiloop.model.synonyms import SuggestsArguments
from multiloop.spatial import matrix

Rows = Annotated[tuple[Vector, ...], StopAtFirstFault()]
"""A matrix as a tuple of rows."""

SYMMETRY_TOLERANCE = 1e-9
"""Tolerance for asymmetry and negative eigenvalues of a matrix, divided by its largest entry."""

OUT_OF_PLANE = (0, 1, 5)
"""Indices of the components of a mode shape (rx, ry, z) that must be zero in a planar mechanism."""


def _as_rows(value: Any) -> Any:
    """Convert nested lists or arrays to nested tuples of numbers; invalid values are unchanged, for the checks."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        nested = any(isinstance(entry, list | tuple | np.ndarray) for entry in value)
        return tuple(_as_rows(entry) for entry in value) if nested else vector(value)
    return value


def _as_named_rows(value: Any) -> Any:
    named = as_pairs(value)
    return tuple((name, _as_rows(rows)) for name, rows in named) if are_pairs(named) else value


def _serialise_shapes(items: tuple[tuple[str, Rows], ...]) -> dict[str, Any]:
    return {
        name: [[c if isinstance(c, float) else str(c) for c in row] for row in rows] for name, rows in items
    }


Shapes = Annotated[
    tuple[tuple[str, Rows], ...], BeforeValidator(_as_named_rows), PlainSerializer(_serialise_shapes)
]
"""The field `shapes`: pairs of marker name and 6×e mode shapes; written to files as a mapping."""


@dataclass(frozen=True, repr=False)
class ModalBody(Body):
    """A flexible body with e elastic coordinates η: a point r₀ moves to r₀ + Ψ(r₀) η in the body's frame.

    `mass`, `com`, `inertia` and markers are those of the undeformed body. `shapes` contains for each marker a 6×e
    matrix: rotation vector (rx, ry, rz) and displacement (x, y, z) per unit of every elastic coordinate. The mass
    integrals are `momentum` ∫ Ψ dm (3×e), `moments` ∫ r₀ Ψᵀ dm (3×3 for each coordinate) and `products` ∫ Ψ_i Ψ_jᵀ dm
    (3×3 for each pair). `stiffness` and `damping` are e×e; empty damping is zero. All matrices refer to the axes of
    the body's frame, and mode shapes are displacements relative to this frame: at a point where they vanish, the frame
    is fixed to the material. Numbers may be expressions of parameters.
    """

    shapes: Shapes = field(default=(), kw_only=True)
    momentum: Rows = field(default=(), kw_only=True)
    moments: tuple[Rows, ...] = field(default=(), kw_only=True)
    products: tuple[tuple[Rows, ...], ...] = field(default=(), kw_only=True)
    stiffness: Rows = field(default=(), kw_only=True)
    damping: Rows = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "shapes", _as_named_rows(self.shapes))
        for name in ("momentum", "moments", "products", "stiffness", "damping"):
            object.__setattr__(self, name, _as_rows(getattr(self, name)))

    @property
    def elastic(self) -> int:
        """The number of elastic coordinates of the body."""
        # 0 if the stiffness is not a matrix, which the checks report
        return len(self.stiffness) if isinstance(self.stiffness, tuple) else 0

    def reduced(self, handle: str, resolve: Resolve, planar: bool, share: float = 1.0) -> ReducedBody:
        """The `ReducedBody` in the frame of the marker `handle`, with mass integrals about the origin of this frame.

        `resolve` replaces parameters by symbols or numbers; `share` is the fraction of the mass that is included.
        """
        rigid = rigid_body(self, handle, resolve, planar, share)
        frame = marker_pose(self.marker(handle), resolve, planar)
        return ReducedBody(
            rigid.mass, rigid.com, rigid.inertia, rigid.markers, self._modes(resolve).seen_from(frame)
        )

    def _modes(self, resolve: Resolve) -> Modes:
        """The `Modes` of the body: mode shapes and mass integrals as matrices, in the body's frame."""

        def as_matrix(rows: Rows) -> Any:
            return matrix([[resolve(entry) for entry in row] for row in rows])

        still = ca.DM(6, self.elastic)
        given = {name: as_matrix(rows) for name, rows in self.shapes}
        return Modes(
            shapes={name: given.get(name, still) for name in self.marker_names},
            momentum=as_matrix(self.momentum),
            moments=tuple(as_matrix(rows) for rows in self.moments),
            products=tuple(tuple(as_matrix(rows) for rows in line) for line in self.products),
            stiffness=as_matrix(self.stiffness),
            damping=as_matrix(self.damping) if self.damping else ca.DM(self.elastic, self.elastic),
        )

    def further_faults(self, planar: bool) -> Iterator[Fault]:
        """Faults of the sizes of matrices; if there are none, faults of their symmetry and definiteness."""
        where, e = f"body '{self.name}'", self.elastic
        if not isinstance(self.stiffness, tuple):
            what = f"its `stiffness` is {short_repr(self.stiffness)}."
            yield Fault(
                "M14", where, what, "Give a matrix, e×e for e elastic coordinates, row by row: [[250.0]]."
            )
            return
        if not e:
            yield Fault(
                "M14",
                where,
                "has no modes: its `stiffness` is empty.",
                "Give a matrix, e×e for e elastic coordinates, or use a Body.",
            )
            return
        sizes = {
            "momentum": (3, e),
            "moments": (e, 3, 3),
            "products": (e, e, 3, 3),
            "stiffness": (e, e),
            "damping": (e, e) if self.damping else (0,),
        }
        faults = [
            fault
            for name, size in sizes.items()
            for fault in _size_faults(where, f"`{name}`", getattr(self, name), size)
        ]
        faults += list(self._shape_faults(where, planar))
        yield from faults or self._definiteness_faults(where)

    def _shape_faults(self, where: str, planar: bool) -> Iterator[Fault]:
        if not are_pairs(self.shapes):
            yield Fault(
                "M14",
                where,
                f"its `shapes` are {short_repr(self.shapes)}.",
                'Give {"b": six rows of numbers}.',
            )
            return
        if ETA in self.marker_names:
            what = f"a marker is named '{ETA}', which is reserved for the elastic coordinates."
            yield Fault("M14", where, what, "Give the marker another name.")
        given = dict(self.shapes)
        for name in given:
            if name not in self.marker_names:
                yield Fault(
                    "M14",
                    where,
                    f"has a mode shape for '{name}', which is not one of its markers.",
                    suggestion(name, self.marker_names),
                )
        for name, _ in self.markers:
            if name not in given:
                yield Fault(
                    "M14",
                    where,
                    f"its marker '{name}' has no mode shape.",
                    "Give a 6×e matrix; zeros if the marker does not move.",
                )
        for name, rows in self.shapes:
            wrong = list(_size_faults(where, f"the mode shape of '{name}'", rows, (6, self.elastic)))
            yield from wrong
            if planar and not wrong:
                loose = [entry for row in OUT_OF_PLANE for entry in rows[row] if value_of(entry) != 0.0]
                if loose:
                    yield Fault(
                        "M14",
                        where,
                        f"the mode shape of '{name}' leaves the plane.",
                        "Give zeros in rows rx, ry and z.",
                    )

    def _definiteness_faults(self, where: str) -> Iterator[Fault]:
        """Faults of stiffness, damping and mass matrices that are not symmetric or have negative eigenvalues."""
        for name in ("stiffness", "damping"):
            A = _numbers(getattr(self, name))
            if A.size and np.abs(A - A.T).max() > SYMMETRY_TOLERANCE * np.abs(A).max(initial=1e-300):
                yield Fault("M14", where, f"its `{name}` is not symmetric.", "Give a symmetric matrix.")
            elif (
                A.size
                and (least := float(np.linalg.eigvalsh(A).min())) < -SYMMETRY_TOLERANCE * np.abs(A).max()
            ):
                does = (
                    "strain energy would be negative" if name == "stiffness" else "damping would add energy"
                )
                what = f"its `{name}` has an eigenvalue of {least:.3g}, with which the {does}."
                yield Fault("M14", where, what, "Give a matrix without negative eigenvalues.")
        S = _numbers(self.products)
        if np.abs(S - S.transpose(1, 0, 3, 2)).max() > SYMMETRY_TOLERANCE * np.abs(S).max():
            yield Fault(
                "M14", where, "its `products` are not symmetric.", "Give S_ji as the transpose of S_ij."
            )
            return
        own = self.reduced("origin", value_of, True)
        M = np.array(ca.DM(own.inertia_at(ca.DM(self.elastic, 1)).matrix).full())
        size = np.sqrt(np.maximum(np.diag(M), 0.0))
        least = np.linalg.eigvalsh(
            M / np.outer(np.where(size > 0, size, 1.0), np.where(size > 0, size, 1.0))
        ).min()
        if (np.diag(M)[6:] <= 0).any() or least < -1e-6:
            what = (
                "its modal integrals are inconsistent: the kinetic energy of some motion would be negative."
            )
            yield Fault(
                "M14",
                where,
                what,
                "Check `momentum`, `moments` and `products` against `mass`, `com` and `inertia`.",
            )


def _size_faults(where: str, what: str, value: Any, size: tuple[int, ...]) -> Iterator[Fault]:
    found = _table_shape(value)
    shown = "×".join(map(str, size))
    if found != size:
        is_ = "is not an array of numbers" if found is None else f"has the size {'×'.join(map(str, found))}"
        yield Fault("M14", where, f"{what} {is_}.", f"Give the size {shown}.")
    elif any(value_of(entry) is None for entry in _entries(value)):
        wrong = next(entry for entry in _entries(value) if value_of(entry) is None)
        yield Fault(
            "M05",
            where,
            f"{what} contains {short_repr(wrong)}.",
            "Give finite numbers, or expressions of parameters.",
        )


def _table_shape(value: Any) -> tuple[int, ...] | None:
    """The shape of a regular nested tuple; None if it is irregular."""
    if not isinstance(value, tuple):
        return ()
    inner = {_table_shape(entry) for entry in value}
    if len(inner) > 1 or None in inner:
        return None
    return (len(value), *(next(iter(inner)) or ())) if inner else (0,)


def _entries(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for entry in value:
            yield from _entries(entry)
    else:
        yield value


def _numbers(value: Any) -> np.ndarray:
    """Convert a nested tuple of numbers and expressions to an array, with parameters at their described values."""
    return np.array([value_of(entry) for entry in _entries(value)], float).reshape(
        _table_shape(value) or (0,)
    )


CRITICAL_DAMPING = 1.0
"""Damping ratio of critical damping; a larger ratio is reported, since it was probably meant in percent."""


@dataclass(frozen=True)
class Rayleigh(SuggestsArguments):
    """Rayleigh damping D = α M + β K: a mode of frequency ω has the damping ratio α/(2 ω) + β ω/2.

    M is the mass matrix and K the stiffness matrix of the modes. `alpha` is in 1/s, `beta` in s; numbers may be
    expressions of parameters.
    """

    alpha: Scalar = 0.0
    beta: Scalar = 0.0

    def __post_init__(self) -> None:
        for name in ("alpha", "beta"):
            object.__setattr__(self, name, scalar(getattr(self, name)))


def as_damping(value: Any) -> Any:
    """Convert the field `damping`: a list or array of one ratio per mode to a tuple, a number to a float."""
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim == 1):
        return vector(value)
    return value if isinstance(value, Rayleigh) else scalar(value)


def damping_faults(code: str, where: str, damping: Any, modes: int) -> Iterator[Fault]:
    """Faults of damping ratios, which must be between 0 and 1 (one for all modes or one for each), or of `Rayleigh`.

    `code` is the code of the faults, and `modes` the number of modes.
    """
    if isinstance(damping, Rayleigh):
        for name in ("alpha", "beta"):
            value = getattr(damping, name)
            if not (value_of(value) or 0.0) >= 0 or value_of(value) is None:
                what = f"{name} of its Rayleigh damping is {short_repr(value)}."
                yield Fault(code, where, what, "Give a number ≥ 0: alpha in 1/s, beta in s.")
        return
    given = damping if isinstance(damping, tuple) else (damping,)
    parts = [value_of(part) for part in given]
    remedy = f"Give a damping ratio such as 0.01, or one for each of {modes} modes."
    count = len(damping) if isinstance(damping, tuple) else modes
    if count != modes or any(part is None or part < 0 for part in parts):
        rule = "a damping ratio must be a number ≥ 0."
        if count != modes:
            rule = f"{count_text(count, 'value')} for {count_text(modes, 'mode')}."
        yield Fault(code, where, f"its damping is {short_repr(damping)}: {rule}", remedy)
    elif any(part is not None and part > CRITICAL_DAMPING for part in parts):
        what = f"its damping is {short_repr(damping)}: above 1, critical damping, no mode oscillates."
        yield Fault(
            code, where, what, "Give a damping ratio such as 0.05 for 5 %, or `Rayleigh(alpha, beta)`."
        )


MAX_MODES = 10_000
"""Maximum number of modes of a body, far above practical numbers."""


def as_integer(value: Any) -> Any:
    """Convert a NumPy integer to a Python integer; other values are unchanged."""
    return int(value) if isinstance(value, np.integer) else value


def is_mode_count(value: Any) -> bool:
    """Whether a value is an integer from 1 to MAX_MODES, a valid number of modes."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 < value <= MAX_MODES
