"""The decorator `public_function` of the analysis functions: argument checks, interrupts, and limited BLAS threads.

A decorated function accepts a Mechanism and values by name. Any other argument raises an error that states the argument
and its expected form.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial, wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

from multiloop.model.faults import (
    AssemblyError,
    Fault,
    ModelError,
    MultiloopError,
    SolveError,
    short_repr,
)
from multiloop.model.interrupts import guard_interrupts
from multiloop.model.markers import as_mapping, vector
from multiloop.model.mechanism import Mechanism
from multiloop.model.named_coordinates import degree_faults
from multiloop.model.synonyms import ArgumentList, suggest_argument

P = ParamSpec("P")
Returned = TypeVar("Returned")

NAMED_ARGUMENTS = {
    "start": 'start={"A": 0.3}',
    "state": '{"A": 0.3}',
    "guess": 'guess={"rocker.b": (0.8, 0.7)}',
    "rates": 'rates={"A": 4.7}',
    "accelerations": 'accelerations={"A": 1.5}',
    "efforts": 'efforts={"A": 2.0}',
    "parameters": 'parameters={"L2": 0.9}',
    "events": 'events={"top": ml.rate("A")}',
    "weights": 'weights={"A": 2.0}',
}
"""Arguments that are mappings from names to values, each with an example for error messages."""

PAIR_ARGUMENTS = ("start", "state", "guess")
"""Arguments that may also be given as pairs (name, values), the form in which a mechanism stores its guess."""

KEYWORD_VALUES = {("simulate", "start"): "relaxed"}
"""For a pair of function and argument, the string that the function accepts in place of a mapping."""

LIST_ARGUMENTS = {"cuts": 'cuts=["C"]', "inputs": 'inputs=["A"]'}
"""Arguments that are lists of names, each with an example for error messages."""

BOOLEAN_ARGUMENTS = ("exact", "progress", "held")
"""Arguments that are True or False."""


def public_function(function: Callable[P, Returned]) -> Callable[P, Returned]:
    """Decorate a public function so that it checks its arguments: a Mechanism first, and values by name.

    While the function runs, Ctrl-C is handled, and BLAS is limited to one thread for small mechanisms.
    """
    signature = inspect.signature(function)
    known, name = ArgumentList(signature.parameters.values()), function.__name__.removesuffix("_mechanism")
    suggest = partial(suggest_argument, name)

    @wraps(function)
    def asked(*arguments: P.args, **options: P.kwargs) -> Returned:
        if arguments or "mechanism" in options:
            _require_mechanism(name, arguments[0] if arguments else options["mechanism"])
        if not known.accepts(arguments, options):
            raise known.error(f"{name}()", arguments, options, suggest)
        bound = signature.bind(*arguments, **options)
        given = bound.arguments
        given |= {role: as_mapping(given[role]) for role in PAIR_ARGUMENTS if role in given}
        try:
            _require_readable(given["mechanism"], given, function.__name__)
            with guard_interrupts(), one_blas_thread(len(given["mechanism"].moving)):
                return function(*bound.args, **bound.kwargs)
        except ModelError:
            raise
        except MultiloopError as error:
            error.asked = name
            raise

    return asked


def _require_readable(mechanism: Mechanism, given: Mapping[str, Any], function: str) -> None:
    """Raise an error if one of the arguments `given` to the public function `function` has a wrong type."""
    for name, example in NAMED_ARGUMENTS.items():
        word, value = KEYWORD_VALUES.get((function, name)), given.get(name)
        if isinstance(value, str) and word == value:
            continue
        _require_names(mechanism, name, value, f'{name}="{word}", or {example}' if word else example)
    for name in ("guess", "start"):
        _require_radians(mechanism, name, given.get(name))
    for name, example in LIST_ARGUMENTS.items():
        _require_listed(mechanism, name, given.get(name), example)
    for name in BOOLEAN_ARGUMENTS:
        _require_switch(mechanism, name, given.get(name))


def _require_mechanism(function: str, mechanism: Any) -> None:
    """Raise an error that names the function if its first argument is not a Mechanism."""
    if not isinstance(mechanism, Mechanism):
        remedy = "Give a Mechanism; `ml.load(path)` reads one from a file."
        what = f"is {short_repr(mechanism)}, which is not a Mechanism."
        raise SolveError(f"`{function}`", [Fault("M12", "the first argument", what, remedy)])


def _require_names(mechanism: Mechanism, name: str, value: Any, example: str) -> None:
    """Raise an error for an argument that is not a mapping with names as keys, a table with columns or a State.

    `start` and `state` may also be an Equilibrium. `name` is the argument, `example` a valid call for the remedy.
    """
    # An Equilibrium contains a State as its attribute `state`.
    known = getattr(value, "state", value) if name in ("start", "state") else value
    named = isinstance(value, Mapping) or hasattr(value, "keys") or hasattr(known, "positions")
    if value is not None and not named:
        fault = Fault(
            "S09",
            name,
            f"is {short_repr(value)}, which is not a mapping with names as keys.",
            f"Write {example}.",
        )
        raise SolveError(f"mechanism '{mechanism.name}'", [fault])
    for key in value if isinstance(value, Mapping) else ():
        if not isinstance(key, str):
            what = f"contains the key {short_repr(key)}, which is not text."
            raise SolveError(f"mechanism '{mechanism.name}'", [Fault("S09", name, what, f"Write {example}.")])


def _require_listed(mechanism: Mechanism, name: str, value: Any, example: str) -> None:
    """Raise an error for an argument that is not a list of names, such as a single string; `example` is a valid
    call."""
    listed = isinstance(value, Iterable) and not isinstance(value, str | bytes)
    listed = listed and not (isinstance(value, np.ndarray) and value.ndim != 1)
    if value is not None and not (listed and all(isinstance(entry, str) for entry in value)):
        fault = Fault(
            "S09", name, f"is {short_repr(value)}, which is not a list of names.", f"Write {example}."
        )
        raise SolveError(f"mechanism '{mechanism.name}'", [fault])


def _require_switch(mechanism: Mechanism, name: str, value: Any) -> None:
    if not (value is None or isinstance(value, bool)):
        fault = Fault("S09", name, f"is {short_repr(value)}.", f"Write {name}=True, or remove it.")
        raise SolveError(f"mechanism '{mechanism.name}'", [fault])


def _require_radians(mechanism: Mechanism, name: str, value: Any) -> None:
    """Raise an error if the value of the argument `name`, "guess" or "start", contains angles probably in degrees."""
    if not isinstance(value, Mapping) or not value:
        return
    given = ((str(key), vector(numbers)) for key, numbers in value.items())
    faults = list(degree_faults(mechanism, name, given))
    if faults:
        raise AssemblyError(f"mechanism '{mechanism.name}'", faults)


MAX_BODIES_SINGLE_THREAD = 64
"""Number of moving bodies up to which BLAS is limited to one thread: more threads do not speed up small matrices."""

BLAS_MODULES = ("scipy.linalg", "scipy.sparse.linalg")
"""Modules that load another BLAS library, besides that of NumPy, when they are imported."""

_limiting = Lock()
_controllers: dict[tuple[bool, ...], ThreadpoolController] = {}


@contextmanager
def one_blas_thread(bodies: int) -> Iterator[None]:
    """Context manager that limits BLAS to one thread for up to MAX_BODIES_SINGLE_THREAD moving bodies.

    OpenBLAS uses all processors for matrices of more than about 40 × 40 entries. The threads then wait for each other
    longer than they compute, ten times as long if other programs occupy the processors. The limit holds for the whole
    process: the outermost context sets it and restores the previous limit, inner contexts change nothing.
    """
    if bodies > MAX_BODIES_SINGLE_THREAD or not _limiting.acquire(blocking=False):
        yield
        return
    try:
        with _controller().limit(limits=1, user_api="blas"):
            yield
    finally:
        _limiting.release()


def _controller() -> ThreadpoolController:
    """The controller of all loaded BLAS libraries, cached for each set of loaded modules (the search takes 1 ms)."""
    loaded = tuple(name in sys.modules for name in BLAS_MODULES)
    if loaded not in _controllers:
        _controllers[loaded] = ThreadpoolController()
    return _controllers[loaded]
