"""Checks of loads: the bodies and joints on which they act, and the variables on which their values depend."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND
from multiloop.model.checks.joints import missing_joint, reference_faults
from multiloop.model.checks.numbers import number_faults, one_of, scalar_faults
from multiloop.model.checks.readings import reading_faults
from multiloop.model.drives import COMPONENTS
from multiloop.model.expressions import Expression, depends_on_state, depends_on_time
from multiloop.model.expressions.text import shown
from multiloop.model.faults import Fault, suggestion
from multiloop.model.loads import Load
from multiloop.model.names import body_of

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def load_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of all loads."""
    for load in mechanism.loads:
        where = f"load '{load.name}'"
        references = list(_reference_faults(mechanism, where, load))
        yield from references
        if load.markers and not references and all(body_of(marker) == GROUND for marker in load.markers):
            what = "acts on the ground alone, which does not move."
            yield Fault("L01", where, what, "Name a moving body, or a marker of one.")
        for joint, component in load.coordinates:
            yield from _coordinate_faults(mechanism, where, joint, component)
        for name in load.steady:
            value = getattr(load, name)
            for part in value if isinstance(value, tuple) else (value,):
                yield from _steady_faults(where, name, part)
        for name in load.varying:
            value = getattr(load, name)
            for part in value if isinstance(value, tuple) else () if value is None else (value,):
                yield from reading_faults(mechanism, where, name, part)
        yield from load.faults(where, mechanism.planar)
        yield from load.faults_in(where, mechanism)


def _reference_faults(mechanism: Mechanism, where: str, load: Load) -> Iterator[Fault]:
    sides = ("its first", "its second") if len(load.markers) == 2 else ("its",) * len(load.markers)
    for side, marker in zip(sides, load.markers, strict=True):
        yield from reference_faults(mechanism, where, side, marker)


def _coordinate_faults(mechanism: Mechanism, where: str, name: str, component: str) -> Iterator[Fault]:
    """Errors of a joint that is unknown or does not have the coordinate."""
    joints = mechanism.joints_by_name
    if name not in joints:
        yield missing_joint(mechanism, "L01", where, name)
        return
    names = joints[name].components(mechanism.planar)
    usable = [known for known in names if known in COMPONENTS]
    kind = type(joints[name]).__name__
    if not usable:
        what = f"joint '{name}' is a {kind}, which has no coordinate along which it could act."
        yield Fault("L01", where, what, "Name another joint, or take a Torque or a Spring.")
    elif component == "" and len(names) > 1:
        what = f"joint '{name}' has {len(names)} coordinates."
        yield Fault("L01", where, what, f'Name {one_of(usable)} with component="{usable[0]}".')
    elif component and component not in usable:
        what = f"joint '{name}' has no component '{component}'."
        yield Fault("L01", where, what, suggestion(component, usable))


def _steady_faults(where: str, name: str, value: Any) -> Iterator[Fault]:
    """Errors of a value on which the stored energy depends and which must therefore be constant."""
    if value is None:
        return
    if not isinstance(value, Expression):
        yield from number_faults(where, f"its {name}", value, "a number or a Parameter")
    elif depends_on_time(value) or depends_on_state(value):
        what = f"its {name} is {shown(value)}, which changes as the mechanism moves."
        remedy = "Give a number or a Parameter; let a `preload` or a Force have what changes."
        yield Fault("L05", where, what, remedy)
    else:
        yield from scalar_faults(where, f"its {name}", value)
