"""Registration of user-defined types: mechanisms, files and all analyses accept a type once it is registered.

A type is checked for methods and properties that are missing or contradict each other.

Joints and pairs whose fields all have defaults are also evaluated: their matrices must have consistent sizes, and
their methods must accept symbols.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar, overload

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import ACTIONS, Action, contains_nan
from multiloop.dynamics.outputs import register_outputs
from multiloop.kinematics.constraints import COUPLINGS, Constraint
from multiloop.model import (
    Actuator,
    Body,
    Connection,
    Coupling,
    Fault,
    Integral,
    Joint,
    Load,
    ModelError,
    Motion,
    Pair,
    count_text,
    short_repr,
    suggestion,
)
from multiloop.model.joints import JOINTS, Composite
from multiloop.model.joints.joint import TOLERANCE, joint_type_fault
from multiloop.model.serialise.kinds import add_kind
from multiloop.spatial import Pose

NOUNS: dict[type, str] = {
    Joint: "joint",
    Composite: "composite joint",
    Pair: "pair",
    Coupling: "coupling",
    Load: "load",
    Body: "body",
    Motion: "motion",
    Actuator: "actuator",
    Integral: "integral",
}
"""The base classes of types that a mechanism may contain, and the noun for each in messages."""

MEMBERS: dict[str, str] = {
    "Joint.coordinates": '`coordinates = ("x", …)`: a name for each rate in v',
    "Joint.pose": "`pose(q, planar)`: the pose of the second marker in the first",
    "Joint.motion_subspace": "`motion_subspace(pose, planar)`: the 6×f matrix P of the relative twist P v",
    "Joint.constraint_wrenches": "`constraint_wrenches(pose, planar)`: the 6×c matrix W in space, with Wᵀ P = 0",
    "Joint.closure": "`closure(pose, planar)`: its constraint equations, zero if closed; or set `must_stay = True`",
    "Joint.read": "`read(pose, near, planar)`: the coordinates q of a numerical pose",
    "Pair.degrees_of_freedom": "`degrees_of_freedom(planar)`: the number of relative degrees of freedom",
    "Pair.wrenches": "`wrenches(pose, planar)`: the 6×c matrix W of its constraint wrenches",
    "Pair.wrench_names": "`wrench_names(planar)`: a name for each column of W",
    "Pair.closure": "`closure(pose, planar)`: its constraint equations, zero if satisfied",
    "Load.markers": "the property `markers` or `coordinates`: the markers or coordinates on which it acts",
    "Action.wrenches": "`wrenches(at)`: a MarkerWrench for each of its markers",
    "Action.efforts": "`efforts(at)`: an effort along each of its coordinates",
    "Action.power": "`power(at)`, the power of its forces without a potential (0 if they do no work), or "
    "`potential(at)`, the potential energy of its forces",
    "Action.state_rates": "`state_rates(at)`: the time derivative of each of its states",
    "Body.reduced": "`reduced(handle, resolve, planar, share)`: the ReducedBody with its modes",
}
"""For every method or property that a user-defined type may lack: its signature and meaning, for error messages."""


def type_faults(kind: Any, action: Any, constraint: Any) -> Iterator[Fault]:
    """All faults of a user-defined type `kind`, and of the classes `action` and `constraint` with its forces or
    equations."""
    if not isinstance(kind, type):
        yield Fault("M18", "the type", f"is {short_repr(kind)}, which is not a class.", "Register the class.")
        return
    base = next((base for base in NOUNS if issubclass(kind, base)), None)
    if base is None:
        remedy = "Derive it from ml.Joint, ml.Pair, ml.Coupling, ml.Load or ml.Body."
        yield Fault(
            "M18", f"type '{kind.__name__}'", "is not derived from a base class of multiloop.", remedy
        )
        return
    where = f"{NOUNS[base]} type '{kind.__name__}'"
    faults = [*_dataclass_faults(where, kind)]
    if base is Load:
        faults += _load_faults(where, kind, action)
    elif action is not None:
        faults.append(Fault("M18", where, "has an action.", "Only loads have one; remove `action=`."))
    if base is Coupling:
        faults += _coupling_faults(where, kind, constraint)
    elif constraint is not None:
        faults.append(
            Fault("M18", where, "has a constraint.", "Only couplings have one; remove `constraint=`.")
        )
    for member in sorted(getattr(kind, "__abstractmethods__", ())):
        faults.append(_missing(where, base.__name__, member))
    if base is Joint:
        faults += _joint_faults(where, kind)
    if issubclass(kind, Body) and kind.elastic is not Body.elastic and kind.reduced is Body.reduced:
        faults.append(_missing(where, "Body", "reduced"))
    yield from faults
    if not faults and issubclass(kind, Joint | Pair):
        yield from _evaluated_faults(where, kind)


def _missing(where: str, base: str, member: str) -> Fault:
    remedy = MEMBERS.get(f"{base}.{member}", f"`{member}` as described in `multiloop.extension.{base}`")
    return Fault("M18", where, f"has no `{member}`.", f"Define {remedy}.")


def _dataclass_faults(where: str, kind: type) -> Iterator[Fault]:
    """Faults of a class that is not a dataclass, or that annotates fields without being decorated as a dataclass
    itself."""
    own = vars(kind).get("__dataclass_params__")
    if own is None and any(not _is_class_variable(hint) for hint in inspect.get_annotations(kind).values()):
        remedy = "Decorate it with `@dataclass(frozen=True)`, in the line below `@ml.register`."
        yield Fault("M18", where, "has fields but is not a dataclass.", remedy)
    if not is_dataclass(kind):
        yield Fault("M18", where, "is not a dataclass.", "Decorate it with `@dataclass(frozen=True)`.")


def _is_class_variable(hint: Any) -> bool:
    return "ClassVar" in str(hint)


def _joint_faults(where: str, kind: type[Joint]) -> Iterator[Fault]:
    """Faults of a joint type without coordinates or closure equations; types derived from built-in joints have both."""
    if issubclass(kind, JOINTS):
        return
    counted = kind.components is Joint.components and kind.degrees_of_freedom is Joint.degrees_of_freedom
    if counted and not kind.coordinates:
        yield _missing(where, "Joint", "coordinates")
    uniform = counted and kind.turning is Joint.turning and kind.positions is Joint.positions
    if uniform and len(kind.turns) != len(kind.coordinates):
        what = f"has {count_text(len(kind.coordinates), 'coordinate')}, but {len(kind.turns)} entries in `turns`."
        remedy = "State in `turns` for each coordinate whether it is an angle: True or False."
        yield Fault("M18", where, what, remedy)
    if kind.closure is Joint.closure and not kind.must_stay:
        yield _missing(where, "Joint", "closure")


def _load_faults(where: str, kind: type[Load], action: Any) -> Iterator[Fault]:
    """Faults of a load type and of its action, the class that computes its forces."""
    names = [entry.name for entry in fields(kind)]
    for role in ("steady", "varying", "unsigned"):
        for name in getattr(kind, role):
            if name not in names and not hasattr(kind, name):
                yield Fault(
                    "M18",
                    where,
                    f"names '{name}' in `{role}`, but has no field of this name.",
                    suggestion(name, names),
                )
    marked, coordinated = kind.markers is not Load.markers, kind.coordinates is not Load.coordinates
    if not marked and not coordinated:
        yield _missing(where, "Load", "markers")
    if action is None:
        if not any(base in ACTIONS for base in kind.__mro__):
            remedy = f"Derive its action from ml.Action, and write `ml.register({kind.__name__}, action=…)`."
            yield Fault("M18", where, "has no action, which computes its forces.", remedy)
        return
    if not (isinstance(action, type) and issubclass(action, Action)):
        remedy = "Give the class itself, derived from ml.Action."
        yield Fault("M18", where, f"has the action {short_repr(action)}.", remedy)
        return
    acts = f"action '{action.__name__}' of {where}"
    if action.wrenches is Action.wrenches and action.efforts is Action.efforts:
        yield _missing(acts, "Action", "efforts" if coordinated and not marked else "wrenches")
    if action.power is Action.power and action.potential is Action.potential:
        yield _missing(acts, "Action", "power")
    if (
        kind.states is not Load.states
        and kind.modes is Load.modes
        and action.state_rates is Action.state_rates
    ):
        yield _missing(acts, "Action", "state_rates")


def _coupling_faults(where: str, kind: type[Coupling], constraint: Any) -> Iterator[Fault]:
    """Faults of the constraint class of a coupling type.

    If `constraint` is None there are no faults: COUPLINGS must then contain the constraint class when the coupling is
    used.
    """
    if constraint is None:
        return
    if not (isinstance(constraint, type) and issubclass(constraint, Constraint)):
        remedy = "Give the class itself, derived from `multiloop.extension.Constraint`."
        yield Fault("M18", where, f"has the constraint {short_repr(constraint)}.", remedy)
        return
    for member in sorted(constraint.__abstractmethods__):
        yield _missing(f"constraint '{constraint.__name__}' of {where}", "Constraint", member)


def _evaluated_faults(where: str, kind: type[Connection]) -> Iterator[Fault]:
    """Faults of the matrices of a joint or pair whose own fields all have defaults, evaluated on symbols.

    The matrices are evaluated for a planar mechanism if the type is allowed there, otherwise for a spatial mechanism.
    """
    required = [
        entry.name
        for entry in fields(kind)
        if entry.init and entry.default is MISSING and entry.default_factory is MISSING
    ]
    if required != ["name", "first", "second"]:
        return
    part: Any = kind("J", "a.a", "b.b")
    planar = bool(kind.planar_too)
    values: dict[str, Any] = {}
    pose = Pose(ca.SX.sym("R", 3, 3), ca.SX.sym("p", 3))

    def evaluate(member: str, call: Callable[[], Any]) -> Iterator[Fault]:
        remedy = "Write it with operations of CasADi, for instance ca.cos instead of math.cos."
        try:
            values[member] = call()
        except Exception as error:
            what = f"`{member}` fails on symbols: {type(error).__name__}: {error}."
            yield Fault("M18", where, what, remedy)
            return
        if _contains_nan(values[member]):  # math.cos of a symbol returns NaN instead of raising an error
            yield Fault("M18", where, f"`{member}` returns NaN on symbols.", remedy)

    if isinstance(part, Joint):
        q = ca.SX.sym("q", part.positions(planar))
        yield from evaluate("pose", lambda: part.pose(q, planar))
        yield from evaluate("motion_subspace", lambda: part.motion_subspace(pose, planar))
    yield from evaluate("wrenches", lambda: part.wrenches(pose, planar))
    if not part.must_stay:
        yield from evaluate("closure", lambda: part.closure(pose, planar))
    if "wrenches" not in values or (isinstance(part, Joint) and len(values) < 4 - part.must_stay):
        return
    yield from _size_faults(where, part, planar, values)


def _contains_nan(value: Any) -> bool:
    """Whether a matrix or pose of CasADi expressions contains the constant NaN."""
    parts = (value.R, value.p) if isinstance(value, Pose) else (value,)
    return contains_nan(ca.veccat(*map(ca.SX, parts)))


def _size_faults(where: str, part: Any, planar: bool, values: dict[str, Any]) -> Iterator[Fault]:
    """Faults of a joint or pair whose matrices have the wrong size, or of a joint whose closure residual is not zero in
    its neutral pose.

    `values` are the results of the methods of `part`, by name of the method.
    """
    rows = part.rows(planar)
    space = "the plane" if planar else "space"
    if isinstance(part, Joint):
        fault = joint_type_fault(part, planar)
        if fault:
            yield Fault(
                "M18",
                where,
                fault,
                "Correct `motion_subspace` or `constraint_wrenches`; `must_stay = True` permits any columns of P.",
            )
            return
    elif values["wrenches"].shape != (6, rows):
        what = f"has wrenches W of shape {values['wrenches'].shape}, expected (6, {rows}) in {space}."
        yield Fault("M18", where, what, "Give one column for each degree of freedom that it removes.")
    names = part.wrench_names(planar)
    if len(names) != rows:
        what = f"has {len(names)} names of wrenches for {count_text(rows, 'wrench', 'wrenches')} in {space}."
        yield Fault("M18", where, what, "Let `wrench_names` return one name for each column of W.")
    if "closure" in values and not part.counts_turns(planar):
        found, expected = ca.SX(values["closure"]).shape, (part.position_rows(planar), 1)
        if found != expected:
            what = f"has a closure of shape {found}, expected {expected} in {space}."
            yield Fault(
                "M18", where, what, "Let `closure` return a column with one row for each position constraint."
            )
        elif isinstance(part, Joint):
            closed = part.pose(ca.DM(part.neutral(planar)), planar)
            gap = float(np.abs(ca.DM(part.closure(closed, planar)).full()).max(initial=0.0))
            if gap > TOLERANCE:
                what = f"has a closure residual of {gap:.3g} in its own neutral pose, where it must be zero."
                yield Fault("M18", where, what, "Correct `pose` or `closure`.")


Kind = TypeVar("Kind", bound=type | Callable[..., Any])


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
    """Register a user-defined type of joint, pair, coupling, load or body, so that mechanisms and files may contain it,
    or a function that yields further outputs.

    `kind` is a frozen dataclass derived from `ml.Joint`, `ml.Pair`, `ml.Coupling`, `ml.Load` or `ml.Body`. A load needs
    its `action`, a subclass of `ml.Action` that computes its forces: `ml.register(Drag, action=DragAction)`. A coupling
    needs its `constraint`, a subclass of `Constraint` with its constraint equations. A type derived from a built-in
    load or coupling inherits its action or constraint. Returns the type, so that `@ml.register` and
    `@ml.register(action=…)` are decorators.

    A function of a `TracedInstant` that yields objects `Output` defines further outputs of all mechanisms: they are
    listed by `mechanism.outputs()`, and are part of results and kernels like those of the library.

    A type with missing or wrong members is rejected with a ModelError that lists all of them. A type may be registered
    again under the same name from the same module, as happens when a notebook cell is run again.
    """
    if kind is None:
        return lambda decorated: register(decorated, action=action, constraint=constraint)
    if inspect.isfunction(kind):
        register_outputs(kind)
        return kind
    faults = list(type_faults(kind, action, constraint))
    if faults:
        raise ModelError(f"type '{getattr(kind, '__name__', kind)}'", faults)
    add_kind(kind)
    if action is not None:
        ACTIONS[kind] = action
    if constraint is not None:
        COUPLINGS[kind] = constraint
    return kind
