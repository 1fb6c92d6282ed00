"""Errors of assembly: why a mechanism cannot be closed as requested, with the gap, the best attempt and a remedy."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.newton import Closing, close
from multiloop.kinematics.rates import placing_freedoms
from multiloop.kinematics.readings import joint_coordinates
from multiloop.kinematics.requests import Request, values_of
from multiloop.kinematics.search import Search
from multiloop.kinematics.targets import Target
from multiloop.model import AssemblyError, Fault
from multiloop.model.names import is_elastic_name, shown


def cannot_close(search: Search, best: Closing) -> AssemblyError:
    """The error of a mechanism that cannot be assembled as requested, with the gap in metres and the reason."""
    mechanism, equations = search.mechanism, search.equations
    rows = np.abs(equations.row_scale * equations.closure(best.q, search.s, search.p))
    length = equations.skeleton.length
    wide = [
        (one, float(rows[place].max(initial=0.0)))
        for one, place in zip(equations.own.constraints, equations.own.held_slices, strict=True)
    ]
    at_cuts = len(equations.own.held)
    widest, open_by = max(wide, key=lambda item: item[1], default=(None, 0.0))
    led = [f"'{r.target.of}'" for r in search.held if r.target.on_marker]
    hint = "Check the lengths and the held values"
    hint, advice = f"Check the lengths, and whether {led[0]} can get there" if led else hint, ""
    if widest is None or (open_by <= best.allowed and rows.size):
        missed = search.held[int(np.argmax(_per_request(search, rows)))]
        where, what = f"'{missed.target.of}'", f"cannot reach {labelled(missed.target, missed.values)}"
    else:
        where, what = f"{widest.called} '{widest.name}'", "cannot be closed"
        hint = widest.hint.rstrip(".") or hint
        advice = widest.advice({r.target.of: r.values for r in search.held if not r.target.on_marker})
    said = [f"{r.target.of} = {labelled(r.target, r.values)}" for r in search.held if _is_said(r)]
    held = ", ".join(dict.fromkeys(said))
    with_held = f" with {held}" if held else ""
    conflict = _in_conflict(search, best)
    worst = int(
        np.argmax(np.where(np.arange(len(rows)) < at_cuts, rows, 0.0) if open_by > best.allowed else rows)
    )
    metres = _metres(search, best, worst)
    in_metres = f"{metres:.3g} m stay open, {metres / length:.2g} of the mechanism's size"
    opening = in_metres if _lengths(search)[worst] else f"{rows[worst]:.3g} rad stay open"
    fault = Fault(
        "K04" if conflict else "K01",
        where,
        f"{what}{with_held}: {opening}.",
        " ".join(
            filter(None, [conflict or f"{hint}; the error's `.best` holds the nearest position.", advice])
        ),
    )
    coordinates = joint_coordinates(equations, best.q, search.p, None)
    return AssemblyError(
        f"mechanism '{mechanism.name}'",
        [fault],
        gap=best.gap,
        best={joint: tuple(map(float, q)) for joint, q in coordinates.items()},
    )


def labelled(target: Target, values: Sequence[float]) -> str:
    """Text of the values of a target: a single number, or several in brackets with their component names."""
    names = [name for name in target.components for _ in range(4 if name == "turn" else 1)]
    if len(values) == 1 or len(values) != len(names):
        return shown(values)
    parts = [f"{name} {shown([value])}" for name, value in zip(names, values, strict=True) if name != "turn"]
    if "turn" in target.components:
        parts.append(f"quaternion {shown(values[-4:])}")
    return f"({', '.join(parts)})"


def _is_said(request: Request) -> bool:
    """Whether a held value is reported in messages; zero elastic coordinates are not."""
    return not is_elastic_name(request.target.components[0]) or any(request.values)


def _metres(search: Search, best: Closing, worst: int) -> float:
    """The gap of the joint or pair of a row, or the deviation from a held value."""
    equations = search.equations
    row = float(equations.closure(best.q, search.s, search.p)[worst])
    for one, place in zip(equations.own.constraints, equations.own.held_slices, strict=True):
        if place.start <= worst < place.stop:
            return one.opening(equations, search.p, row)
    return abs(row)


def _lengths(search: Search) -> list[bool]:
    """Whether each position row is a length."""
    rows = search.equations.rows
    return [rows.rows[k].length for k in rows.held]


def overheld(search: Search, request: Request, found: np.ndarray) -> AssemblyError:
    """The error of a held joint value that contradicts the position determined by the other held values."""
    name = request.target.of
    fault = Fault(
        "K04",
        f"'{name}'",
        f"is asked to be {labelled(request.target, request.values)}, but what else is held puts it at "
        f"{labelled(request.target, found.tolist())}.",
        f"Too much is held: leave out '{name}' or another of the held values.",
    )
    return AssemblyError(f"mechanism '{search.mechanism.name}'", [fault], gap=0.0)


def _per_request(search: Search, rows: np.ndarray) -> list[float]:
    at, found = len(search.equations.own.held), []
    for request in search.held:
        found.append(float(rows[at : at + request.target.rows()].max(initial=0.0)))
        at += request.target.rows()
    return found


def _in_conflict(search: Search, best: Closing) -> str:
    """A remedy if the mechanism closes without one of several held values."""
    if len(search.held) < 2:
        return ""
    for left_out in reversed([r for r in search.held if not is_elastic_name(r.target.components[0])]):
        rest = tuple(request for request in search.held if request is not left_out)
        tree = search.equations.skeleton.tree
        trial = equations_of(search.mechanism, tree, tuple(request.target for request in rest))
        s = np.concatenate([trial.own_values(search.t), values_of(rest)])
        closing = close(trial, best.q, s, search.p)
        if closing.closed:
            found = joint_coordinates(trial, closing.q, search.p, None).get(left_out.target.of)
            would = (
                f"; it would be {labelled(left_out.target, found.tolist())} then" if found is not None else ""
            )
            rows, left = _held_and_free(search, closing.q)
            why = "Too much is held" if rows > left else "These values cannot be reached together"
            return f"{why}: without '{left_out.target.of}' the mechanism closes{would}."
    rows, left = _held_and_free(search, best.q)
    return f"Too much is held: {rows} values for {left} freedom{'s'[: left != 1]}." if rows > left else ""


def _held_and_free(search: Search, q: np.ndarray) -> tuple[int, int]:
    """Number of held values, and number of degrees of freedom without them."""
    alone = equations_of(search.mechanism, search.equations.skeleton.tree)
    left = placing_freedoms(alone, q, alone.own_values(search.t), search.p)
    return sum(request.target.rows() for request in search.held), left
