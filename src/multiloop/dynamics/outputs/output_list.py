"""All outputs of a mechanism, outputs by name, and traced functions of chosen outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import casadi as ca

from multiloop.dynamics.outputs.body_outputs import body_outputs, frame_outputs
from multiloop.dynamics.outputs.deflections import deflection_outputs
from multiloop.dynamics.outputs.joint_outputs import joint_outputs
from multiloop.dynamics.outputs.load_outputs import coupling_outputs, load_outputs
from multiloop.dynamics.outputs.mechanism_outputs import mechanism_outputs
from multiloop.dynamics.outputs.output import Output, OutputSource
from multiloop.dynamics.outputs.singularity_distances import marker_singularity_outputs, singularity_outputs
from multiloop.dynamics.outputs.surface_pressures import pressure_outputs
from multiloop.dynamics.outputs.task_jacobian import task_outputs
from multiloop.dynamics.outputs.traced_instant import TracedInstant, traced_instant_of
from multiloop.dynamics.outputs.transmission import transmission_outputs
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.model import GROUND, Fault, ModelError, SolveError, UnknownNameError, short_repr, suggestion
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

SOURCES: list[OutputSource] = [
    joint_outputs,
    load_outputs,
    coupling_outputs,
    body_outputs,
    mechanism_outputs,
    transmission_outputs,
    singularity_outputs,
    pressure_outputs,
]
"""Functions that yield the outputs of a mechanism; further functions may be added."""

MARKER_SOURCES: tuple[Callable[[TracedInstant, str], Iterator[Output]], ...] = (
    frame_outputs,
    task_outputs,
    marker_singularity_outputs,
    deflection_outputs,
)
"""Functions that yield the outputs of a marker "body.marker", which are not listed."""


def outputs_of_mechanism(equations: Equations) -> Mapping[str, Output]:
    """All outputs by name "owner.quantity" that are defined, those of the markers of bodies excepted."""
    return _defined_outputs(equations, tuple(SOURCES))


@lru_cache(maxsize=CACHE_SIZE)
def _defined_outputs(equations: Equations, sources: tuple[OutputSource, ...]) -> Mapping[str, Output]:
    return {name: one for name, one in _outputs(equations, sources).items() if not one.refusal}


@lru_cache(maxsize=CACHE_SIZE)
def _outputs(equations: Equations, sources: tuple[OutputSource, ...]) -> Mapping[str, Output]:
    """All outputs by name, including those that are not defined for their owner."""
    at, found = traced_instant_of(equations), dict[str, Output]()
    for source in sources:
        for output in source(at):
            if not is_built_in(source):
                _require_valid(at, source, output, found)
            found[output.name] = output
    return found


def is_built_in(source: OutputSource) -> bool:
    """Whether a function that yields outputs belongs to the library. Kernels of outputs of other functions are not
    cached, since changes of the text of these functions would not be detected."""
    return str(source.__module__).partition(".")[0] == "multiloop"


def register_outputs(source: OutputSource) -> None:
    """Add a function that yields outputs; it replaces one of the same name from the same module."""
    known = [(one.__module__, one.__qualname__) for one in SOURCES]
    name = (source.__module__, source.__qualname__)
    if name in known:
        SOURCES[known.index(name)] = source
    else:
        SOURCES.append(source)


def _require_valid(at: TracedInstant, source: OutputSource, output: Any, found: Mapping[str, Output]) -> None:
    """Raise a ModelError for an invalid output of a user-defined function, or for a name that is already used."""
    where, remedy = (
        f"function '{source.__qualname__}'",
        "Yield `Output(owner, quantity, unit, description, trace)`.",
    )
    if not isinstance(output, Output):
        what = f"yields {short_repr(output)} instead of an Output."
    elif output.name in found:
        what, remedy = f"yields the output '{output.name}', which exists already.", "Choose another name."
    elif output.trace is None:
        if output.evaluate is not None or output.refusal:
            return
        what = f"yields the output '{output.name}', which has neither `trace` nor `evaluate`."
    else:
        rows, columns = ca.SX(output.trace(at)).shape
        if (rows, columns) == (output.size, 1) and len(output.units) == output.size:
            return
        what = (
            f"yields the output '{output.name}' of shape {rows} × {columns} with {len(output.units)} units."
        )
        remedy = f"Return a column of {output.size} with one unit or {output.size}, or change `components`."
    raise ModelError("the registered outputs", [Fault("M18", where, what, remedy)])


def find_output(equations: Equations, name: str) -> tuple[Output, int | None]:
    """The output with the given name; for the name of one entry, "C.force.x", the output and the index of the entry.

    Outputs of markers, "coupler.b.velocity", are found in addition to those of `outputs_of_mechanism`. An output that
    is not defined for its owner raises a SolveError with the reason.
    """
    known = _outputs(equations, tuple(SOURCES))
    found = known.get(name) or _marker_output(equations, name)
    if found is not None:
        _require_defined(equations, found)
        return found, None
    owner, _, component = name.rpartition(".")
    found = known.get(owner) or _marker_output(equations, owner)
    if found is not None and (component in found.components or found.refusal):
        _require_defined(equations, found)
        return found, found.components.index(component)
    known = outputs_of_mechanism(equations)
    of_owner = [one for one in known.values() if name.startswith(f"{one.owner}.")]
    names = dict.fromkeys(entry for one in of_owner or known.values() for entry in (one.name, *one.entries))
    raise UnknownNameError(equations.skeleton.mechanism.name, "output", name, suggestion(name, names))


def _require_defined(equations: Equations, output: Output) -> None:
    """Raise a SolveError for an output that is not defined for its owner."""
    if output.refusal:
        what, remedy = f"is not defined: {output.refusal}", "Choose an output that `outputs()` lists."
        fault = Fault("R09", f"output '{output.name}'", what, remedy)
        raise SolveError(f"mechanism '{equations.skeleton.mechanism.name}'", [fault])


def _marker_output(equations: Equations, name: str) -> Output | None:
    """The output of a marker, "body.marker.quantity"; None if there is no such marker or quantity."""
    reference, _, quantity = name.rpartition(".")
    body, _, marker = reference.partition(".")
    skeleton = equations.skeleton
    if not marker or body == GROUND or body not in skeleton.index:
        return None
    if marker not in skeleton.body_of(skeleton.index[body]).markers:
        return None
    at = traced_instant_of(equations)
    return next(
        (one for source in MARKER_SOURCES for one in source(at, reference) if one.quantity == quantity), None
    )


def traced_outputs(equations: Equations, names: Sequence[str]) -> Traced:
    """CasADi function (t, q, v, a, λ, τ, x, f, p) → the columns of the named outputs and entries, in their order.

    f are the reaction-dependent forces; inputs that no output depends on are omitted. The results are called y0, y1 and
    so on, since names of outputs are no identifiers of C. An output that cannot be traced raises a SolveError.
    """
    at, columns = traced_instant_of(equations), []
    for name in names:
        output, entry = find_output(equations, name)
        require_traced(at, output)
        column = traced_column(at, output)
        columns.append(column if entry is None else column[entry])
    return Traced("outputs", needed_inputs(at, columns), {f"y{k}": one for k, one in enumerate(columns)})


def require_traced(at: TracedInstant, output: Output) -> None:
    """Raise a SolveError for an output that is computed after an analysis and has no traced expression."""
    if output.trace is None:
        what = "it is computed after the analysis, and has no traced expression."
        fault = Fault(
            "R09", f"output '{output.name}'", what, "Read it from a Result, or choose another output."
        )
        raise SolveError(f"mechanism '{at.mechanism.name}'", [fault])


def traced_column(at: TracedInstant, output: Output) -> Matrix:
    """The dense column of an output that can be traced."""
    assert output.trace is not None
    return ca.densify(ca.SX(output.trace(at)))


def needed_inputs(at: TracedInstant, columns: Iterable[Matrix]) -> dict[str, Matrix]:
    """Those symbols of an instant, by name, on which the columns depend; the parameter values are always included."""
    whole = ca.vertcat(ca.SX(0, 1), *columns)
    return {
        name: symbol
        for name, symbol in at.inputs.items()
        if name == "p" or (symbol.numel() and ca.depends_on(whole, symbol))
    }
