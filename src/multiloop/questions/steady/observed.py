"""Outputs of a linear model by name: joint coordinates, marker coordinates and expressions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import casadi as ca

from multiloop.kinematics.equations import Equations
from multiloop.kinematics.spans import marker_motion
from multiloop.model import Expression, Mechanism, SolveError, position, suggestion
from multiloop.model.brief import brief
from multiloop.model.expressions import joints_of
from multiloop.questions.refusal import refusal

AXES = ("x", "y", "z")

REMEDY = 'Name joints or markers, or give expressions: outputs={"angle": ml.position("A")}.'


@dataclass(frozen=True)
class MarkerPlace:
    """One coordinate of a marker in the inertial frame."""

    reference: str
    axis: int

    def traced(self, equations: Equations) -> Any:
        """The coordinate as a symbolic expression."""
        return ca.SX(marker_motion(equations, self.reference)[0].p)[self.axis]


Observed = Expression | MarkerPlace


def named_outputs(mechanism: Mechanism, outputs: Any) -> dict[str, Observed]:
    """Outputs by name: coordinates of joints, x, y, z of markers ("rod.b"), and expressions under their names."""
    if isinstance(outputs, str | Expression):
        outputs = [outputs]
    if not isinstance(outputs, Mapping | Sequence):
        raise refused(mechanism, "outputs", f"are {brief(outputs)}.", REMEDY)
    asked = (
        outputs
        if isinstance(outputs, Mapping)
        else {_called(mechanism, one, k): one for k, one in enumerate(outputs)}
    )
    found: dict[str, Observed] = {}
    for name, one in asked.items():
        if isinstance(one, Expression):
            found[name] = one
        elif isinstance(one, str):
            found |= _by_reference(mechanism, name, one)
        else:
            raise refused(mechanism, f"output '{name}'", f"is {brief(one)}.", REMEDY)
    return found


def _called(mechanism: Mechanism, one: Any, k: int) -> str:
    return one if isinstance(one, str) else f"output {k + 1}"


def _by_reference(mechanism: Mechanism, name: str, reference: str) -> dict[str, Observed]:
    """The coordinates of a joint, one of them, or those of a marker."""
    joints = {joint.name: joint for joint in mechanism.binary_joints}
    first, _, last = reference.partition(".")
    if first in joints:
        components = joints[first].components(mechanism.planar)
        if last and last not in components:
            raise refused(
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
        return {f"{name}.{AXES[k]}": MarkerPlace(reference, k) for k in range(2 if mechanism.planar else 3)}
    remedy = suggestion(reference, [*joints, *(f"{body}.{mark}" for body in bodies for mark in bodies[body])])
    raise refused(mechanism, f"output '{name}'", "there is no such joint or marker.", remedy)


def joints_observed(
    inputs: Sequence[str], outputs: Mapping[str, Observed], mechanism: Mechanism
) -> list[str]:
    """Joints that must be part of the tree, because they are inputs or outputs."""
    read = [joint for one in outputs.values() if isinstance(one, Expression) for joint in joints_of(one)]
    return [*(name.partition(".")[0] for name in inputs if name not in mechanism.parameters), *read]


def refused(mechanism: Mechanism, where: str, what: str, remedy: str) -> SolveError:
    """Error for an invalid input or output."""
    return refusal(mechanism, "E05", where, what, remedy)
