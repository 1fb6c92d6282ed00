"""Outputs of a linear model: joints, markers and outputs by name, and expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from multiloop.analyses.errors import analysis_error
from multiloop.dynamics.outputs import find_output
from multiloop.kinematics import equations_of
from multiloop.model import (
    Expression,
    Mechanism,
    SolveError,
    UnknownNameError,
    position,
    short_repr,
    suggestion,
)
from multiloop.model.expressions import OutputValue, joints_of
from multiloop.topology import tree_of

OUTPUT_REMEDY = 'Name joints, markers or outputs, or give expressions: outputs={"angle": ml.position("A")}.'


def named_outputs(mechanism: Mechanism, outputs: Any) -> dict[str, Expression]:
    """The argument `outputs` as a mapping of names to outputs: a joint is replaced by its coordinates, a marker
    ("rod.b") by its coordinates x, y and z, the name of an output by its entries; expressions keep their names."""
    if isinstance(outputs, str | Expression):
        outputs = [outputs]
    if not isinstance(outputs, Mapping | Sequence):
        raise output_error(mechanism, "outputs", f"are {short_repr(outputs)}.", OUTPUT_REMEDY)
    asked = (
        outputs
        if isinstance(outputs, Mapping)
        else {_output_name(mechanism, one, k): one for k, one in enumerate(outputs)}
    )
    found: dict[str, Expression] = {}
    for name, one in asked.items():
        if isinstance(one, Expression):
            found[name] = one
        elif isinstance(one, str):
            found |= _by_reference(mechanism, name, one)
        else:
            raise output_error(mechanism, f"output '{name}'", f"is {short_repr(one)}.", OUTPUT_REMEDY)
    return found


def _output_name(mechanism: Mechanism, one: Any, k: int) -> str:
    return one if isinstance(one, str) else f"output {k + 1}"


def _by_reference(mechanism: Mechanism, name: str, reference: str) -> dict[str, Expression]:
    """Outputs for a reference to a joint, to one coordinate of a joint, or to a marker, with one output per coordinate,
    or for the name of an output of the mechanism, with one output per entry."""
    joints = {joint.name: joint for joint in mechanism.binary_joints}
    first, _, last = reference.partition(".")
    with suppress(UnknownNameError):
        output, entry = find_output(equations_of(mechanism, tree_of(mechanism)), reference)
        parts = output.components if entry is None else ()
        values = {f"{name}.{part}": OutputValue(f"{reference}.{part}") for part in parts}
        return dict[str, Expression](values) or {name: OutputValue(reference)}
    if first in joints:
        components = joints[first].components(mechanism.planar)
        if last and last not in components:
            raise output_error(
                mechanism,
                f"output '{name}'",
                f"joint '{first}' has no '{last}'.",
                suggestion(last, components),
            )
        chosen = [last] if last else list(components)
        called = {c: name if len(chosen) == 1 else f"{name}.{c}" for c in chosen}
        return {called[c]: position(first, components.index(c)) for c in chosen}
    bodies = {body.name: body.marker_names for body in mechanism.bodies}
    if first in bodies and last in bodies[first]:
        axes = "xy" if mechanism.planar else "xyz"
        return {f"{name}.{axis}": OutputValue(f"{reference}.position.{axis}") for axis in axes}
    remedy = suggestion(reference, [*joints, *(f"{body}.{mark}" for body in bodies for mark in bodies[body])])
    raise output_error(mechanism, f"output '{name}'", "there is no such joint or marker.", remedy)


def observed_joints(
    inputs: Sequence[str], outputs: Mapping[str, Expression], mechanism: Mechanism
) -> list[str]:
    """Names of the joints that must belong to the spanning tree, because they are inputs or outputs read them."""
    read = [joint for one in outputs.values() for joint in joints_of(one)]
    return [*(name.partition(".")[0] for name in inputs if name not in mechanism.parameters), *read]


def output_error(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    """The error for an invalid input or output; `where` names it in the message."""
    return analysis_error(mechanism, "E05", where, what, remedy)
