"""Outputs of a result as curves: every entry of an output over time, with its label and unit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multiloop.dynamics.outputs import Output, find_output, outputs_of_mechanism
from multiloop.model import UnknownNameError

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result


def outputs_of_result(result: Result) -> Mapping[str, Output]:
    """The outputs of the mechanism of a result by name, those of markers excepted."""
    return {} if result.recorded is None else outputs_of_mechanism(result.recorded.equations)


def unit_of(result: Result, name: str, entry: int = 0) -> str:
    """SI unit of one entry of an output."""
    return outputs_of_result(result)[name].units[entry]


@dataclass(frozen=True, eq=False)
class OutputCurve:
    """One entry of an output over time, in the SI unit of the output; "" for numbers without unit.

    `part` is the index of the entry, and `label` names the owner and the entry: "C (x)".
    """

    output: Output
    part: int
    label: str
    unit: str
    values: np.ndarray


def output_curves(result: Result, name: str) -> list[OutputCurve]:
    """The curves of an output "owner.quantity", one for every entry, or of one entry "owner.quantity.component".

    An unknown name raises an UnknownNameError that suggests a known one.
    """
    if result.recorded is None or not isinstance(name, str):
        raise UnknownNameError(result.mechanism.name, "output", str(name), "Give the name of an output.")
    output, entry = find_output(result.recorded.equations, name)
    values = result.output(output.name).reshape(len(result.time), -1).astype(float)
    parts = range(output.size) if entry is None else [entry]
    labels = [f"{output.owner} ({part})" for part in output.components] or [output.owner]
    units = [unit if unit != "1" else "" for unit in output.units]
    return [OutputCurve(output, k, labels[k], units[k], values[:, k]) for k in parts]
