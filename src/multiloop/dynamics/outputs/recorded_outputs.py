"""The function that evaluates the outputs of a result, and the poses of all bodies, at the instants of a motion."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.actions import FLAG
from multiloop.dynamics.outputs.output import Output, OutputSource
from multiloop.dynamics.outputs.output_list import (
    SOURCES,
    needed_inputs,
    outputs_of_mechanism,
    traced_column,
)
from multiloop.dynamics.outputs.traced_instant import traced_instant_of
from multiloop.kinematics import CACHE_SIZE, Equations
from multiloop.spatial import Pose
from multiloop.symbols import Traced


@dataclass(frozen=True, eq=False)
class RecordedOutputs:
    """The outputs of a mechanism that results contain, and the function that evaluates them along one spanning tree."""

    equations: Equations
    outputs: tuple[Output, ...]

    @cached_property
    def traced(self) -> Traced:
        """CasADi function of an instant (`TracedInstant.inputs`) → all outputs as one column `values`, the poses
        [R | p] of the frames of all moving bodies side by side (`poses`), and the poses of the second markers of all
        cut joints relative to the first (`cut_poses`)."""
        at, eq = traced_instant_of(self.equations), self.equations
        results = {
            "values": ca.vertcat(ca.SX(0, 1), *[traced_column(at, one) for one in self.outputs]),
            "poses": ca.horzcat(ca.SX(3, 0), *[_pose_matrix(at.body_pose(body)) for body in self.bodies]),
            "cut_poses": ca.horzcat(ca.SX(3, 0), *[_pose_matrix(ends.relative) for ends in eq.cut_ends]),
        }
        dense = {name: ca.densify(ca.SX(part)) for name, part in results.items()}
        inputs = needed_inputs(at, [ca.reshape(part, -1, 1) for part in dense.values()])
        return Traced("recorded", inputs, dense)

    @property
    def bodies(self) -> tuple[str, ...]:
        """Names of the moving bodies in the order of `poses`, without the twins of split bodies."""
        skeleton = self.equations.skeleton
        twins = {split.twin for split in skeleton.tree.splits}
        return tuple(link.body for link in skeleton.links if link.body not in twins)

    @cached_property
    def places(self) -> Mapping[str, slice]:
        """The rows of every output in the column `values`, by the name of the output."""
        ends = pairwise(accumulate((one.size for one in self.outputs), initial=0))
        return {one.name: slice(*end) for one, end in zip(self.outputs, ends, strict=True)}

    def evaluate(self, columns: Mapping[str, Any], count: int) -> dict[str, np.ndarray]:
        """The results of `traced` at `count` instants, from inputs with one column per instant; one row per instant."""
        found = self.traced.evaluate_many(**{name: columns[name] for name in self.traced.inputs})
        # inputs that do not vary give a single row
        return {
            name: part if len(part) == count else np.repeat(part, count, axis=0)
            for name, part in zip(self.traced.outputs, found, strict=True)
        }

    def by_owner(self, values: np.ndarray) -> dict[str, dict[str, np.ndarray]]:
        """Outputs over time by owner and quantity, from rows of `values`: instants, or instants × entries; True or
        False for a flag."""
        found: dict[str, dict[str, np.ndarray]] = {}
        for one in self.outputs:
            found.setdefault(one.owner, {})[one.quantity] = shaped(one, values[:, self.places[one.name]])
        return found


def shaped(output: Output, rows: np.ndarray) -> np.ndarray:
    """The values of an output, instants × entries, without the axis of entries for a scalar, and as True or False for a
    flag."""
    values = rows if output.components else rows[:, 0]
    return values > 0 if output.unit == FLAG else values


def input_columns(arrays: Mapping[str, np.ndarray], p: np.ndarray) -> dict[str, Any]:
    """Inputs of traced functions by name, with one column per instant, from arrays with one row per instant."""
    columns = {name: part.T for name, part in arrays.items() if name != "t"}
    return {"t": arrays["t"][None], "p": p} | columns


def _pose_matrix(pose: Pose) -> Any:
    """The pose as a 3×4 matrix [R | p]."""
    return ca.horzcat(pose.R, pose.p)


def recorded_outputs_of(equations: Equations) -> RecordedOutputs:
    """The outputs that results contain, cached for repeated use until functions that yield outputs are added."""
    return _recorded(equations, tuple(SOURCES))


@lru_cache(maxsize=CACHE_SIZE)
def _recorded(equations: Equations, sources: tuple[OutputSource, ...]) -> RecordedOutputs:
    known = outputs_of_mechanism(equations).values()
    return RecordedOutputs(equations, tuple(one for one in known if one.recorded and one.trace is not None))
