"""Outputs that measure the distance from singular configurations of type I and II along a motion.

    type II (parallel, forward):   the rows [J; J_in] of loops and inputs lose rank
    type I (serial, inverse):      the rows [J; J_out] of loops and output lose rank

J contains the rows of the loops and idle spins, J_in those of the inputs, J_out those of an output: a joint coordinate,
or the position of a marker. At a type II singularity the mechanism can move although all inputs are locked; at a type I
singularity the inputs can move although the output stands still. The measure is the ratio of singular values (8.1) with
the rank away from singularities. Elastic coordinates are held (`input_motions`), so that the distance is that of the
mechanism with its flexible bodies rigid in their present shape.

The distances are not traced, since singular values are computed by iteration.

Source: [gosselin_angeles], types I and II. Differs: loops, inputs and outputs have separate matrices.
Theory: docs/theory/08-singular-configurations.md, eq. (8.1).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.outputs.input_motions import coordinate_of, input_motions_of
from multiloop.dynamics.outputs.output import WHOLE, Output, refused
from multiloop.dynamics.outputs.task_jacobian import marker_rows
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.kinematics.conditioning import numerical_rank, singular_value_ratio
from multiloop.model import Connection
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

TYPE_1, TYPE_2 = "type_1_singularity_distance", "type_2_singularity_distance"
"""Names of the distances."""


def singularity_outputs(at: TracedInstant) -> Iterator[Output]:
    """Distances from type II singularities of the mechanism, and from type I singularities of joint coordinates."""
    inputs = input_motions_of(at.equations)
    if inputs.refusal:
        yield refused(WHOLE, TYPE_2, inputs.refusal)
    else:
        text = "distance from configurations in which the mechanism can move with all inputs locked; 0 is singular"
        lengths = [one.is_length for one in inputs.inputs]
        yield _distance(WHOLE, TYPE_2, text, lambda _: inputs.input_rows, lengths)
    for joint in at.mechanism.connections:
        if len(joint.components(at.planar)) == 1 and joint.name not in {one.joint for one in inputs.inputs}:
            yield _of_joint(at, joint)


def _of_joint(at: TracedInstant, joint: Connection) -> Output:
    inputs = input_motions_of(at.equations)
    if inputs.refusal:
        return refused(joint.name, TYPE_1, inputs.refusal)
    one = coordinate_of(at.mechanism, joint.name, joint.components(at.planar)[0])
    text = "distance from configurations in which the inputs can move with the joint at rest; 0 is singular"
    return _distance(joint.name, TYPE_1, text, lambda _: inputs.rate_row(one), [one.is_length])


def marker_singularity_outputs(at: TracedInstant, reference: str) -> Iterator[Output]:
    """Distance from type I singularities of the position of a marker "body.marker"."""
    inputs = input_motions_of(at.equations)
    if inputs.refusal:
        yield refused(reference, TYPE_1, inputs.refusal)
        return
    text = "distance from configurations in which the marker loses a direction of motion; 0 is singular"
    rows = partial(marker_rows, reference=reference)
    yield _distance(reference, TYPE_1, text, rows, [True] * (2 if at.planar else 3))


def _distance(
    owner: str, name: str, text: str, rows: Callable[[TracedInstant], Matrix], lengths: Sequence[bool]
) -> Output:
    evaluate = partial(_evaluate, rows=rows, lengths=tuple(lengths))
    return Output(owner, name, "1", text, None, recorded=False, tabulated=False, evaluate=evaluate)


def _evaluate(
    at: TracedInstant,
    columns: Mapping[str, Any],
    rows: Callable[[TracedInstant], Matrix],
    lengths: tuple[bool, ...],
) -> np.ndarray:
    """The distance at every instant, from inputs of traced functions with one column per instant.

    The mobility is the number of inputs or, if there are more inputs than degrees of freedom, what the loops leave.
    """
    eq, inputs = at.equations, input_motions_of(at.equations)
    A = inputs.scaled_rows(rows(at), lengths)
    traced = Traced("rows", {"q": eq.q, "t": eq.t, "p": eq.skeleton.parameter_symbols}, {"A": ca.densify(A)})
    (found,) = traced.evaluate_many(**{name: columns[name] for name in traced.inputs})
    matrices, own = found.reshape(-1, *A.shape), A.shape[0] - len(lengths)
    n, free = len(inputs.joint_rates), len(inputs.inputs)
    if own + free > n and own:
        held = np.linalg.svd(matrices[:, :own], compute_uv=False)
        free = min(free, n - max(map(numerical_rank, held)))
    sigma = np.linalg.svd(matrices, compute_uv=False)
    distance = singular_value_ratio(sigma, n - free + min(free, len(lengths)))
    return np.broadcast_to(distance, (len(columns["t"].T),))
