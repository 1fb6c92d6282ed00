"""Curves below the picture of a film: by default the efforts of the drives, or those requested by name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.model import UnknownNameError, suggestion
from multiloop.questions import Result
from multiloop.questions.answers.quantities import UNITS
from multiloop.view.colours import BODIES, LOAD, UNNAMED, shaded
from multiloop.view.curves import PARTS
from multiloop.view.film.timing import instants_of
from multiloop.view.histories import efforts_of, joint_colours, loads_of, named, positions_of
from multiloop.view.refusals import refused
from multiloop.view.units import Units

KINDS = ("efforts", "positions", "loads")
"""Groups of curves that can be requested by one name."""

CARRIED = {"load": "N", "moment_size": "N m"}
"""Reactions of a joint, with their units."""

QUANTITIES = {"N": "force", "N m": "moment", "rad": "angle"}
"""Units whose values are converted: angles to degrees, large forces and moments to thousands."""

Dashes = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Curve:
    """Values at the instants of a result, with a name; `what` is their quantity, such as "effort"."""

    name: str
    what: str
    unit: str
    values: np.ndarray
    colour: str
    dashes: Dashes = ()


@dataclass(frozen=True, eq=False)
class Panel:
    """Curves of one unit over one axis of time."""

    label: str
    unit: str
    times: np.ndarray
    curves: Sequence[Curve]


def panels_of(result: Result, show: str | Sequence[str] | None) -> list[Panel]:
    """Panels of the requested curves, those of one quantity and unit in one panel; none for an empty list.

    `show` holds "efforts", "positions" or "loads", and names such as "C.load", "A.position" or "gas.force". By default
    the efforts are shown, or the free positions where nothing is driven, or otherwise the loads.
    """
    if show is None:
        found = next((curves for kind in KINDS if (curves := _of_kind(result, kind))), [])
    else:
        asked = [show] if isinstance(show, str) else show
        found = [curve for name in asked for curve in _asked(result, name)]
    times, order = instants_of(result)
    panels: dict[tuple[str, str], list[Curve]] = {}
    for curve in found:
        panels.setdefault((curve.what, curve.unit), []).append(curve)
    return [_panel(times, order, curves) for curves in panels.values()]


def _panel(times: np.ndarray, order: np.ndarray, curves: Sequence[Curve]) -> Panel:
    """A panel of curves, with angles in degrees and large forces in thousands."""
    what, unit = curves[0].what, curves[0].unit
    largest = max(float(np.abs(curve.values).max(initial=0.0)) for curve in curves)
    factor, told = Units().scale(QUANTITIES[unit], largest) if unit in QUANTITIES else (1.0, unit)
    ready = [Curve(c.name, c.what, told, factor * c.values[order], c.colour, c.dashes) for c in curves]
    return Panel(f"{what} ({told})" if told else what, told, times, ready)


def _asked(result: Result, name: str) -> list[Curve]:
    """The curves of a name; a name without curves is refused."""
    found = _of_kind(result, name) if name in KINDS else _of_name(result, name)
    if found:
        return found
    of, _, what = name.partition(".")
    if name in KINDS:
        where, missing = f"show '{name}'", f"there are no {name} to show."
        others = [kind for kind in KINDS if _of_kind(result, kind)]
    else:
        where, missing = f"show '{name}'", f"'{of}' has no coordinate, and so no {what}."
        others = [f"{of}.{one}" for one in CARRIED]
    remedy = f"Choose among: {', '.join(others)}." if others else 'Name curves, e.g. show="A.position".'
    raise refused(result.mechanism, "V01", where, missing, remedy)


def _of_kind(result: Result, kind: str) -> list[Curve]:
    colours = joint_colours(result)
    if kind == "efforts":
        return [
            Curve(h.label, "effort", h.effort_unit, h.values, colours[h.joint], _dashes(h.part))
            for h in efforts_of(result)
        ]
    if kind == "positions":
        return [
            Curve(
                h.label, "position", "m" if h.length else "rad", h.values, colours[h.joint], _dashes(h.part)
            )
            for h in positions_of(result)
        ]
    if kind == "loads":
        carried = loads_of(result)
        return [Curve(name, "load", "N", carried[name], colours[name]) for name in named(carried)]
    return []


def _of_name(result: Result, asked: str) -> list[Curve]:
    """One quantity of a joint or load: "C.load", "A.rate", "gas.force"."""
    name, _, what = asked.partition(".") if isinstance(asked, str) else ("", "", "")
    if name in result.joints and what in (*UNITS, *CARRIED):
        return _of_joint(result, name, what)
    if name in result.loads and what in result.loads[name].values:
        load = result.loads[name]
        columns = np.atleast_2d(load.values[what].T)
        labels = [name] if len(columns) == 1 else [f"{name} ({axis})" for axis in "xyz"[: len(columns)]]
        told, colour = load.units.get(what, ""), LOAD
        return [
            Curve(label, what, told, column, colour, _dashes(k))
            for k, (label, column) in enumerate(zip(labels, columns, strict=True))
        ]
    known = [*KINDS, *(f"{joint}.{one}" for joint in result.joints for one in _quantities(result, joint))]
    known += [f"{load}.{one}" for load, history in result.loads.items() for one in history.values]
    raise UnknownNameError(result.mechanism.name, "curve", str(asked), suggestion(asked, known))


def _quantities(result: Result, name: str) -> tuple[str, ...]:
    """Quantities of a joint or pair; without coordinates only its reactions."""
    moves = result.mechanism.connection(name).components(result.mechanism.planar)
    return (*UNITS, *CARRIED) if moves else tuple(CARRIED)


def _of_joint(result: Result, name: str, what: str) -> list[Curve]:
    colour = joint_colours(result)[name]
    if colour == UNNAMED:  # a curve requested by name gets a colour
        colour = shaded(BODIES[list(result.joints).index(name) % len(BODIES)], 0.85)
    values = getattr(result[name], what)
    if what in CARRIED:
        return [Curve(name, what.removesuffix("_size"), CARRIED[what], values, colour)]
    joint, planar = result.mechanism.connection(name), result.mechanism.planar
    parts, columns = joint.components(planar), np.atleast_2d(values.T)
    if len(columns) != len(parts):  # four numbers of an orientation
        return [
            Curve(f"{name}[{k}]", what, "", column, colour, _dashes(k)) for k, column in enumerate(columns)
        ]
    return [
        Curve(
            name if len(parts) == 1 else f"{name} ({part})",
            what,
            UNITS[what][part in LENGTHS],
            column,
            colour,
            _dashes(k),
        )
        for k, (part, column) in enumerate(zip(parts, columns, strict=True))
    ]


def _dashes(part: int) -> Dashes:
    style = PARTS[part % len(PARTS)]
    return () if isinstance(style, str) else tuple(style[1])
