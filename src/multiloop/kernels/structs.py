"""The structs of `runtime/loop.h`, field by field."""

from __future__ import annotations

import ctypes

Control = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 3
)  # (t, q, v) → u

_D, _L, _P = ctypes.c_double, ctypes.c_long, ctypes.c_void_p


class TableStruct(ctypes.Structure):
    _fields_ = (("pieces", _L), ("degree", _L), ("periodic", _L), ("breaks", _P), ("coefficients", _P))


class TableauStruct(ctypes.Structure):
    _fields_ = (
        *((name, _L) for name in ("stages", "extra", "powers", "uses_last")),
        ("exponent", _D),
        *((name, _P) for name in ("A", "B", "C", "error3", "error5", "A_extra", "C_extra", "D")),
    )


class LoopStruct(ctypes.Structure):
    _fields_ = (
        *((name, _L) for name in ("nq", "nv", "nu", "rows", "rank", "rechoose", "choices")),
        *((name, _P) for name in ("rate", "close", "straighten", "matrix", "slope", "watch")),
        *((name, _P) for name in ("inputs", "row_scale", "tables")),
        ("table_count", _L),
        ("control", _P),
        ("sample", _D),
        ("method", _L),
        ("tableau", _P),
        *((name, _D) for name in ("rtol", "fixed_step", "longest", "singular", "open")),
        *((name, _P) for name in ("atol", "ends", "times")),
        *((name, _L) for name in ("end_count", "output_count", "event_count", "event_room")),
        *((name, _P) for name in ("event_direction", "event_stops")),
        *((name, _D) for name in ("t", "begun", "h", "closeness", "gap", "least", "least_at", "size")),
        *((name, _D) for name in ("h_before", "shrink_before")),
        *((name, _P) for name in ("y", "f", "least_y")),
        *(
            (name, _L)
            for name in ("next_end", "next_output", "next_sample", "steps", "rejected", "evaluations", "tiny")
        ),
        *((name, _P) for name in ("outputs", "controls", "event_log")),
        ("events_found", _L),
        *((name, _P) for name in ("watched", "room")),
    )
