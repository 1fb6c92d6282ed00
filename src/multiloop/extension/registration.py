"""Registration of user-defined types: mechanisms, files and all analyses then accept them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, overload

from multiloop.dynamics.actions import ACTIONS, Action
from multiloop.extension.type_faults import type_faults
from multiloop.kinematics.constraints import COUPLINGS, Constraint
from multiloop.model import ModelError
from multiloop.model.serialise.kinds import add_kind

Kind = TypeVar("Kind", bound=type)


@overload
def register(
    kind: Kind, /, *, action: type[Action] | None = None, constraint: type[Constraint] | None = None
) -> Kind: ...


@overload
def register(
    kind: None = None, /, *, action: type[Action] | None = None, constraint: type[Constraint] | None = None
) -> Callable[[Kind], Kind]: ...


def register(
    kind: Any = None, /, *, action: type[Action] | None = None, constraint: type[Constraint] | None = None
) -> Any:
    """Register a user-defined type of joint, pair, coupling, load or body, so that mechanisms and files may contain it.

    `kind` is a frozen dataclass derived from `ml.Joint`, `ml.Pair`, `ml.Coupling`, `ml.Load` or `ml.Body`. A load needs
    its `action`, a subclass of `ml.Action` that computes its forces: `ml.register(Drag, action=DragAction)`. A coupling
    needs its `constraint`, a subclass of `Constraint` with its rows. A type derived from a built-in load or coupling
    inherits action or constraint. Returns the type, so that `@ml.register` and `@ml.register(action=…)` are decorators.

    A type with missing or wrong members is rejected with a ModelError that lists all of them. A type may be registered
    again under its name from the same place, as in a notebook.
    """
    if kind is None:
        return lambda decorated: register(decorated, action=action, constraint=constraint)
    faults = list(type_faults(kind, action, constraint))
    if faults:
        raise ModelError(f"type '{getattr(kind, '__name__', kind)}'", faults)
    add_kind(kind)
    if action is not None:
        ACTIONS[kind] = action
    if constraint is not None:
        COUPLINGS[kind] = constraint
    return kind
