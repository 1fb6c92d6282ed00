"""Every variable of the dataset of results: of all test models, rigid and flexible, and of all examples."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from math import prod
from pathlib import Path

import numpy as np
from zoo import ZOO
from zoo.flexible import BENDING

import multiloop as ml

INSTANT = 0.05
"""Seconds after t = 0 at which the variables of test models are recorded."""

RECORDED = 5
"""Number of instants at which the variables of an example are recorded, evenly spaced over its result."""

Variables = dict[str, np.ndarray]
"""Values of the variables of a dataset by name, instants × dimensions."""


def cases() -> dict[str, Callable[[], Variables]]:
    """Functions that compute the recorded variables, by the name of the case."""
    models = {name: entry.build for name, entry in (ZOO | BENDING).items()}
    found: dict[str, Callable[[], Variables]] = {}
    for name, build in models.items():
        found[f"inverse {name}"] = lambda build=build: _inverse(build())
        found[f"simulate {name}"] = lambda build=build: _simulate(build())
    return found | {f"ask {name}": lambda name=name: _ask(name) for name in ml.examples.names()}


def _inverse(mechanism: ml.Mechanism) -> Variables:
    if not mechanism.drives:
        return {}
    return variables(ml.inverse(mechanism, t=[0.0, INSTANT]))


def _simulate(mechanism: ml.Mechanism) -> Variables:
    """Variables of a short motion: without drives from the state of the driven motion, with drives where the drives do
    not determine the state, as for flexible bodies."""
    span = {"until": INSTANT / 5, "samples": 3, "rtol": 1e-10}
    if not mechanism.drives:
        return variables(ml.simulate(mechanism, start=_assembled(mechanism), **span))
    try:
        state = ml.inverse(mechanism, t=[0.0]).final
    except ml.SolveError:
        begun = {} if any(isinstance(body, ml.Beam) for body in mechanism.bodies) else _assembled(mechanism)
        return variables(ml.simulate(mechanism.without_drives() if begun else mechanism, start=begun, **span))
    start, rates = ({k: x for k, x in part.items() if len(x)} for part in (state.positions, state.rates))
    return variables(ml.simulate(mechanism.without_drives(), start=start, rates=rates, **span))


def _assembled(mechanism: ml.Mechanism) -> dict[str, np.ndarray]:
    """Coordinates of all joints in the assembly mode of the description."""
    found = ml.analyse(mechanism).assembly.coordinates()
    return {name: x for name, x in found.items() if len(x)}


def _ask(name: str) -> Variables:
    result = ml.examples.ask(name)
    return variables(result) if isinstance(result, ml.Result) else {}


def variables(result: ml.Result) -> Variables:
    """All variables and unit coordinates of the dataset of a result, at up to `RECORDED` instants."""
    dataset = result.dataset
    last = dataset.sizes["time"] - 1
    kept = sorted(set(np.linspace(0, last, RECORDED).astype(int).tolist()))
    found = {}
    for name, variable in dataset.variables.items():
        values = variable.isel(time=kept).values if "time" in variable.dims else variable.values
        found[str(name)] = values if values.dtype.kind == "U" else np.asarray(values, float)
        found[f"{name} | dims"] = np.array([*variable.dims, str(variable.attrs.get("units", ""))])
    return found


FILE = Path(__file__).parent / "datasets.npz"


def write(cases: Mapping[str, Variables]) -> None:
    """Write the variables of cases to `FILE`: one array of all numbers, and an index with the place of each."""
    index, numbers, texts = [], [np.zeros(0)], list[str]()
    for case, variables in cases.items():
        for name, values in variables.items():
            text = values.dtype.kind == "U"
            index.append([case, name, "text" if text else "numbers", list(values.shape)])
            if text:
                texts += values.ravel().tolist()
            else:
                numbers.append(values.ravel())
    np.savez_compressed(
        FILE, index=json.dumps(index), texts=json.dumps(texts), numbers=np.concatenate(numbers)
    )


def read() -> dict[str, Variables]:
    """The recorded variables of all cases."""
    found: dict[str, Variables] = {}
    with np.load(FILE) as file:
        numbers, texts = file["numbers"], np.array(json.loads(str(file["texts"])))
        places = {"text": 0, "numbers": 0}
        for case, name, kind, shape in json.loads(str(file["index"])):
            count = prod(shape)
            source = texts if kind == "text" else numbers
            part = source[places[kind] : places[kind] + count]
            found.setdefault(case, {})[name] = part.reshape(shape)
            places[kind] += count
    return found
