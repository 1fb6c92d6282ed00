"""Search for the assembly modes of a mechanism, which are its closed positions, and the error if none is found.

A guess that determines the poses of all bodies selects the assembly mode: the closed position to which Newton's method
converges from it is returned. If the guess leaves poses open, or there is no guess, the search starts from many
positions, so that the user learns of all assembly modes found.

Theory: docs/theory/02-kinematics.md, eq. (2.16).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from multiloop.kinematics.assembly.closed_position import Assembly
from multiloop.kinematics.assembly.newton import TIGHT_FRACTION, LoopClosure, close_loops
from multiloop.kinematics.assembly.requests import (
    Request,
    drive_values,
    elastic_requests,
    position_requests,
    requests_not_held,
    values_of,
)
from multiloop.kinematics.assembly.search import AssemblySearch, held_joints
from multiloop.kinematics.conditioning import position_degrees_of_freedom
from multiloop.kinematics.constraints import Constraint, CutJoint, Target
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.joint_coordinates import joint_coordinates
from multiloop.kinematics.tree import LENGTH_COMPONENTS, characteristic_length, coordinates_with_unit
from multiloop.model import (
    AssemblyError,
    Fault,
    Mechanism,
    TopologyError,
    coordinate_text,
    implausible_numbers,
    is_elastic_name,
    short_repr,
)
from multiloop.model.expressions.expression import finite_number

MAX_FAILED_STARTS = 24
"""Number of starts without any closed position after which the search fails."""

MAX_BARREN_STARTS = 8
"""Number N in the limit N (m + 1) of consecutive starts without a new assembly mode, after which the search ends; m is
the number of assembly modes found."""

CONTINUUM_COUNT = 8
"""Number of closed positions after which the search ends if closed positions form a continuum, as they do if there are
fewer constraint rows than joint rates."""

SAME_MODE_DISTANCE = 1e-4
"""Two closed positions may be the same assembly mode if all positions (in characteristic lengths) and axes of their
joint markers differ by less than this."""

MIDPOINT_GAP_RATIO = 10.0
"""Two closed positions are the same assembly mode only if the gap (largest constraint residual, lengths divided by the
characteristic length) at their midpoint is at most this many times the larger of the gaps of the two positions."""

SAME_COORDINATES = 1e-12
"""Two closed positions with equal joint markers are the same assembly mode if no coordinate differs from their midpoint
by more than this fraction of the largest coordinate. The gap at the midpoint is then round-off, multiplied by gear
ratios."""

SPIN_DIFFERENCE = 0.01
"""Two closed positions with equal positions and axes of all joint markers differ by rotations of bodies about lines
through all their joints (idle spins) if a coordinate differs by more than this from its mean of the two positions, in
radians or characteristic lengths."""


def _require_one_value(mechanism: Mechanism, driven: Sequence[Request], start: Sequence[Request]) -> None:
    """Raise AssemblyError if a start value contradicts the drive of the same coordinate."""
    places = {(r.target.of, c): x for r in driven for c, x in _components(r)}
    length = characteristic_length(mechanism) if places and start else 1.0
    for request in start:
        for component, value in _components(request):
            drive = places.get((request.target.of, component), value)
            if abs(value - drive) > 1e-9 * max(length if component in LENGTH_COMPONENTS else 1.0, abs(drive)):
                name = request.target.of
                fault = Fault(
                    "K04",
                    f"'{name}'",
                    f"its drive prescribes {coordinates_with_unit([component], [drive])}, but the start gives "
                    f"{coordinates_with_unit([component], [value])}.",
                    f"Leave '{name}' out of the start, or change its drive to begin at this value.",
                )
                raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])


def _components(request: Request) -> list[tuple[str, float]]:
    """The scalar components of a request, each with its value; orientations are left out."""
    return [(component, values[0]) for component, values in request.by_component() if component != "turn"]


def find_assembly_modes(
    mechanism: Mechanism,
    *,
    start: Mapping[str, Any] | None = None,
    guess: Mapping[str, Any] | None = None,
    t: float = 0.0,
    every: bool = False,
) -> list[Assembly]:
    """Closed positions with the values that the drives prescribe at time t and with the `start` values, nearest to the
    guess first.

    If the guess determines the poses of all bodies, only the closed position reached from it is returned. Otherwise the
    search ends when many consecutive start positions lead to no new assembly mode; with `every` all its start positions
    are tried. Raises AssemblyError with the smallest remaining gap and the position that has it, if no closed position
    is found.
    """
    if finite_number(t) is None:
        fault = Fault("K10", "t", f"is {short_repr(t)}.", "Give a finite time in seconds.")
        raise AssemblyError(f"mechanism '{mechanism.name}'", [fault])
    guessed = position_requests(mechanism, guess if guess is not None else dict(mechanism.guess), "guess")
    usual = requests_not_held(position_requests(mechanism, mechanism.default_guess, "guess"), guessed)
    asked = position_requests(mechanism, start or {}, "start")
    driven = drive_values(mechanism, t)
    _require_one_value(mechanism, driven, asked)
    held = (*driven, *asked, *elastic_requests(mechanism, asked, guessed))
    asked_for = (held, requests_not_held(guessed, held), requests_not_held(usual, held), float(t))
    # the guess in the mechanism applies only at t = 0 and without `start`, the argument `guess` always
    guess_is_valid = guess is not None or not (start or t)
    search = AssemblySearch(mechanism, *asked_for)
    found = _search_tree(search, every, guess_is_valid)
    for keeping in (held_joints(driven), held_joints(held)):
        if found is None:
            try:
                search = AssemblySearch(mechanism, *asked_for, keeping)
            except TopologyError:  # no tree: all joints of a loop are prescribed, and no body can be split
                break
            found = _search_tree(search, every, guess_is_valid)
    found = _search_tree(search, every, guess_is_valid, last=True) if found is None else found
    assert found is not None
    return sorted(found, key=lambda assembly: assembly.guess_norm)


def _search_tree(
    search: AssemblySearch, every: bool, guess_is_valid: bool, last: bool = False
) -> list[Assembly] | None:
    """The closed positions found along the tree of `search`; None if another tree must be tried.

    A held joint is a joint with a prescribed value. Another tree is needed if a held joint is cut in this tree and the
    other prescribed values leave a degree of freedom that its value would remove; with `last` the positions are
    returned nevertheless. `find_assembly_modes` tries three trees: the first is the tree of the dynamics; the second
    ignores loads and actuators, so that a held joint is cut only where held joints alone form a loop; in the third no
    held joint is cut, and a body is split instead.

    If the guess determines the poses of all bodies, the search ends at the closed position reached from it, unless this
    position deviates much from the guess. The deviation is computed only with `guess_is_valid`, which states whether
    the guess applies to the prescribed values. `every` is the argument of `find_assembly_modes`.
    """
    found: list[Assembly] = []
    best: LoopClosure | None = None
    contradicted: tuple[Request, np.ndarray] | None = None
    barren = 0
    for count, q in enumerate(_starts(search, found, every)):
        closing = search.close_from(q)
        if best is None or closing.gap < best.gap:
            best = closing
        if closing.closed and not (found or last) and search.needs_held_cut_joint(closing.q):
            return None
        if closing.closed and contradicted is None:
            contradicted = search.contradicted_request(closing.q)
        if _is_valid(search, closing):
            assembly = _assembly(search, closing, guess_is_valid)
            same = next((k for k, other in enumerate(found) if _is_same_mode(assembly, other)), None)
            if same is None:
                found.append(assembly)
                barren = 0
            elif (
                search.whole_turns(assembly.q) < search.whole_turns(found[same].q)
                and not assembly.degrees_of_freedom
            ):
                found[same] = assembly
            if count == 0 and search.guess.places_all_bodies and not assembly.guess_deviations:
                break
        barren += 1
        if _search_is_complete(search, found, barren, every):
            break
    if not found:
        assert best is not None
        if contradicted is not None:
            raise contradicted_value_error(search, *contradicted)
        raise closure_error(search, best)
    return found


def _starts(search: AssemblySearch, found: Sequence[Assembly], every: bool) -> Iterator[np.ndarray]:
    """Start coordinates of the search. After the first closed position of a large mechanism, only a few starts near
    this position are tried, unless `every` is True, so that the cost is linear in the number of bodies."""
    for q in search.starts():
        yield q
        if found and search.is_large and not every:
            yield from search.starts_near(found[0].q)
            return


def _search_is_complete(search: AssemblySearch, found: Sequence[Assembly], barren: int, every: bool) -> bool:
    """Whether the search ends, after `barren` consecutive starts without a new assembly mode.

    With `every` the search does not end because of `barren` after an assembly mode was found. An open chain has only
    one assembly mode, at which the search ends, unless positions of markers are prescribed: a robot arm can reach a
    point with its elbow on either side.
    """
    if not found:
        return barren > MAX_FAILED_STARTS
    loose = search.equations.skeleton.rates - len(search.equations.row_scale)
    on_markers = any(request.target.on_marker for request in search.held)
    if not (search.equations.loop_constraints.count or on_markers) or (
        len(found) >= CONTINUUM_COUNT and 0 < found[-1].degrees_of_freedom <= loose
    ):
        return True
    return not every and barren > MAX_BARREN_STARTS * (1 + len(found))


def _is_valid(search: AssemblySearch, closing: LoopClosure) -> bool:
    """Whether in the position `closing` the loops are closed, no cut joint has an inverted axis (rotated by half a
    turn), and all prescribed values are met."""
    return closing.closed and search.contradicted_request(closing.q) is None


def _assembly(search: AssemblySearch, closing: LoopClosure, guess_is_valid: bool) -> Assembly:
    distance = search.guess_distance(closing)
    return Assembly(
        mechanism=search.mechanism,
        equations=search.equations,
        q=closing.q,
        s=search.s,
        p=search.p,
        t=search.t,
        gap=closing.gap,
        distance=distance.farthest,
        held=search.held,
        guess_norm=distance.norm,
        farthest=distance.body,
        guess_deviations=distance.deviations if guess_is_valid else (),
        guess_places_all_bodies=search.guess.places_all_bodies,
        search_was_limited=search.is_large,
        guessed_coordinates=search.guess.coordinates,
    )


def _is_same_mode(one: Assembly, other: Assembly) -> bool:
    """Whether two closed positions are the same assembly mode: they are near each other, and the loops are closed at
    their midpoint too.

    Near a singular configuration the result of Newton's method is uncertain by the square root of its tolerance, and
    two assembly modes may be close together; the loops are then open at the midpoint. Positions with equal joint
    markers that differ only by rotations of bodies about lines through all their joints (idle spins), or by whole
    turns, are the same mode.
    """
    if np.abs(one.joint_points - other.joint_points).max(initial=0.0) >= SAME_MODE_DISTANCE:
        return False
    equations = one.equations
    middle = equations.chart.midpoint(one.q, other.q)
    apart = equations.chart.distance(one.q, middle)
    largest = max(np.abs(one.q).max(initial=1.0), np.abs(other.q).max(initial=1.0))
    if apart > SPIN_DIFFERENCE or apart <= SAME_COORDINATES * largest:
        return True
    gap = np.abs(equations.row_scale * equations.position_residual(middle, one.s, one.p)).max(initial=0.0)
    return bool(
        gap
        <= max(
            MIDPOINT_GAP_RATIO * max(one.gap, other.gap),
            TIGHT_FRACTION * equations.chart.closure_tolerance_at(middle),
            *(equations.chart.residual_round_off(q) for q in (one.q, other.q)),
        )
    )


def closure_error(search: AssemblySearch, best: LoopClosure) -> AssemblyError:
    """The error of a mechanism that cannot be assembled as requested. It states the reason and the remaining gap;
    `best` is the attempt to close the loops that had the smallest gap."""
    mechanism, equations = search.mechanism, search.equations
    rows = np.abs(equations.row_scale * equations.position_residual(best.q, search.s, search.p))
    length = equations.skeleton.characteristic_length
    wide = [
        (one, float(rows[place].max(initial=0.0)))
        for one, place in zip(
            equations.loop_constraints.constraints, equations.loop_constraints.position_slices, strict=True
        )
    ]
    at_cuts = len(equations.loop_constraints.position_rows)
    if best.inverted:
        wide = [(one, best.gap) for one, _ in wide if one.name == best.inverted]
    widest, open_by = max(wide, key=lambda item: item[1], default=(None, 0.0))
    led = [f"'{r.target.of}'" for r in search.held if r.target.on_marker]
    hint = "Check the lengths and the values of start and drives"
    hint, advice = f"Check the lengths, and whether {led[0]} can reach its position" if led else hint, ""
    missed_by = np.array(_residual_per_request(search, rows))
    by_marker = max(
        (by for by, r in zip(missed_by, search.held, strict=True) if r.target.on_marker), default=0.0
    )
    misses = bool(rows.size) and (open_by <= best.tolerance or (by_marker > open_by and not best.inverted))
    missed: Request | None = None
    if widest is None or misses:
        missed = search.held[int(np.argmax(missed_by))]
        where, what = f"'{missed.target.of}'", f"cannot reach {format_values(missed.target, missed.values)}"
    else:
        where = _constraint_text(search, widest)
        what = f"cannot be {'closed' if isinstance(widest, CutJoint) else 'satisfied'}"
        hint = widest.hint.rstrip(".") or hint
        advice = widest.remedy({r.target.of: r.values for r in search.held if not r.target.on_marker})
    said = [
        f"{r.target.of} = {format_values(r.target, r.values)}"
        for r in search.held
        if _is_reported(r) and r is not missed
    ]
    held = ", ".join(dict.fromkeys(said))
    with_held = f" with {held}" if held else ""
    conflict = _conflict_remedy(search, best)
    worst = int(np.argmax(rows if misses else np.where(np.arange(len(rows)) < at_cuts, rows, 0.0)))
    metres = _opening_of_row(search, best, worst)
    in_metres = f"a gap of {metres:.3g} m remains, {metres / length:.2g} times the mechanism's size"
    in_radians = f"a gap of {best.gap if best.inverted else rows[worst]:.3g} rad remains"
    opening = in_metres if _rows_are_lengths(search)[worst] and not best.inverted else in_radians
    fault = Fault(
        "K04" if conflict else "K01",
        where,
        f"{what}{with_held}: {opening}.",
        " ".join(
            filter(
                None,
                [
                    conflict or f"{hint}; the error's `.best` holds the nearest position.",
                    advice,
                    *(f"Warning: {warning}." for warning in implausible_numbers(mechanism)),
                ],
            )
        ),
    )
    coordinates = joint_coordinates(equations, best.q, search.p, None)
    return AssemblyError(
        f"mechanism '{mechanism.name}'",
        [fault],
        gap=best.gap,
        best={joint: tuple(map(float, q)) for joint, q in coordinates.items()},
    )


def _constraint_text(search: AssemblySearch, constraint: Constraint) -> str:
    """Name of a constraint for messages; for the internal joint that closes a split body, the names of this body and of
    the joint at which it is split."""
    for split in search.equations.skeleton.tree.splits:
        if split.closure == constraint.name:
            return f"the loop through body '{split.body}' and joint '{split.joint}'"
    return f"{constraint.called} '{constraint.name}'"


def format_values(target: Target, values: Sequence[float]) -> str:
    """The values prescribed for a target (a joint, flexible body or marker) as text: a single number, or several
    numbers in parentheses with the names of the components."""
    names = [name for name in target.components for _ in range(4 if name == "turn" else 1)]
    if len(values) == 1 or len(values) != len(names):
        return coordinates_with_unit(target.components, values)
    parts = [
        f"{name} {coordinates_with_unit([name], [value])}"
        for name, value in zip(names, values, strict=True)
        if name != "turn"
    ]
    if "turn" in target.components:
        parts.append(f"quaternion {coordinate_text(values[-4:])}")
    return f"({', '.join(parts)})"


def _is_reported(request: Request) -> bool:
    """Whether a prescribed value is named in messages; elastic coordinates prescribed as zero are not."""
    return not is_elastic_name(request.target.components[0]) or any(request.values)


def _opening_of_row(search: AssemblySearch, best: LoopClosure, worst: int) -> float:
    """The gap, in metres or radians, of the joint or pair to which the row `worst` of the position constraints belongs;
    for the row of a prescribed value, the deviation from this value."""
    equations = search.equations
    row = float(equations.position_residual(best.q, search.s, search.p)[worst])
    for one, place in zip(
        equations.loop_constraints.constraints, equations.loop_constraints.position_slices, strict=True
    ):
        if place.start <= worst < place.stop:
            return one.opening(equations, search.p, row)
    return abs(row)


def _rows_are_lengths(search: AssemblySearch) -> list[bool]:
    """For each row of the position constraints, whether its residual is a length (otherwise an angle)."""
    rows = search.equations.rows
    return [rows.rows[k].is_length for k in rows.position_rows]


def contradicted_value_error(search: AssemblySearch, request: Request, found: np.ndarray) -> AssemblyError:
    """The error for a prescribed joint value, if the other prescribed values determine different coordinates `found` of
    this joint."""
    name = request.target.of
    fault = Fault(
        "K04",
        f"'{name}'",
        f"is given as {format_values(request.target, request.values)}, but the other given values determine "
        f"{format_values(request.target, found.tolist())}.",
        f"Too many values are given: leave out '{name}' or another one.",
    )
    return AssemblyError(f"mechanism '{search.mechanism.name}'", [fault], gap=0.0)


def _residual_per_request(search: AssemblySearch, rows: np.ndarray) -> list[float]:
    at, found = len(search.equations.loop_constraints.position_rows), []
    for request in search.held:
        found.append(float(rows[at : at + request.target.row_count()].max(initial=0.0)))
        at += request.target.row_count()
    return found


def _conflict_remedy(search: AssemblySearch, best: LoopClosure) -> str:
    """Remedy text that names a prescribed value without which the loops close, or states that too many values are
    given; empty if neither applies. `best` is the attempt to close the loops that had the smallest gap."""
    if len(search.held) < 2:
        return ""
    for left_out in reversed([r for r in search.held if not is_elastic_name(r.target.components[0])]):
        rest = tuple(request for request in search.held if request is not left_out)
        tree = search.equations.skeleton.tree
        trial = equations_of(search.mechanism, tree, tuple(request.target for request in rest))
        s = np.concatenate([trial.time_values(search.t), values_of(rest)])
        closing = close_loops(trial, best.q, s, search.p)
        if closing.closed:
            found = joint_coordinates(trial, closing.q, search.p, None).get(left_out.target.of)
            would = (
                f" with {left_out.target.of} = {format_values(left_out.target, found.tolist())}"
                if found is not None
                else ""
            )
            rows, left = _count_held_and_free(search, closing.q)
            why = "Too many values are given" if rows > left else "These values are not compatible"
            return f"{why}: leave out '{left_out.target.of}', and the mechanism closes{would}."
    rows, left = _count_held_and_free(search, best.q)
    return (
        f"Give fewer values: there are {rows} for {left} degree{'s'[: left != 1]} of freedom."
        if rows > left
        else ""
    )


def _count_held_and_free(search: AssemblySearch, q: np.ndarray) -> tuple[int, int]:
    """Number of prescribed values, and number of degrees of freedom that the mechanism has at q without them."""
    alone = equations_of(search.mechanism, search.equations.skeleton.tree)
    left = position_degrees_of_freedom(alone, q, alone.time_values(search.t), search.p)
    return sum(request.target.row_count() for request in search.held), left
