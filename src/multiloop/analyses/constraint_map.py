"""The function `constraint_map`: the linear map from the rates of independent coordinates to all joint rates.

The map is given by its matrix C, the time derivative Ċ, and terms of constraints that depend explicitly on time.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.14), (4.15).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly
from multiloop.analyses.errors import analysis_error
from multiloop.kinematics import equations_of, joint_motion
from multiloop.kinematics.assembly import StateValues, start_conditions
from multiloop.kinematics.conditioning import consistent_accelerations, consistent_rates, scaled_rows
from multiloop.kinematics.constraints import Target
from multiloop.model import Mechanism, count_text, public_function, single_design, suggestion

RATE_RESIDUAL = 1e-9
"""Largest singular value of the constraint Jacobian, with lengths divided by the characteristic length, that counts as
zero when ranks are computed."""


@dataclass(frozen=True, eq=False)
class ConstraintMap:
    """Rates of all joints as functions of those of the independent coordinates ψ, at one State.

        q̇ = C ψ̇ + c₀,      q̈ = C ψ̈ + Ċ ψ̇ + ċ₀

    `names` are the names of the coordinates of all joints, one per row of C; `independent` are the names of the
    coordinates ψ, one per column of C. c₀ and ċ₀ come from constraints that depend explicitly on time.
    """

    names: tuple[str, ...]
    independent: tuple[str, ...]
    C: np.ndarray
    C_rate: np.ndarray
    c0: np.ndarray
    c0_rate: np.ndarray

    def __getitem__(self, name: str) -> np.ndarray:
        """The row of C that belongs to the coordinate `name`."""
        row: np.ndarray = self.C[self.names.index(name)]
        return row


@public_function
def constraint_map(
    mechanism: Mechanism,
    state: StateValues | None = None,
    *,
    independent: Sequence[str],
    guess: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    t: float | None = None,
) -> ConstraintMap:
    """The matrices C and Ċ of the constraint map q̇ = C ψ̇ + c₀ at a state, for independent coordinates ψ.

    `independent` names as many joint coordinates as there are degrees of freedom: "A", or "C.angle" of a joint with
    several coordinates. Drives are ignored: their joints move freely.

    `state`, at which the function is evaluated, is a mapping from joints to coordinates, a State or an Equilibrium;
    the time and the rates are those of the State, unless they are given. `parameters` gives other parameter values by
    name.

    Source: [dado], eqs. (1)–(4). Differs: dependent coordinates need not be explicit functions F of the independent
    ones, loop equations suffice; eq. (4) lacks the term (∂²F/∂ψ∂t) ψ̇, which is part of Ċ ψ̇ and of ċ₀ here.
    """
    free = single_design(mechanism, parameters).without_drives()
    t, start, moving = start_conditions(free, state, rates, t)
    assembly, found = cached_assembly(free, start, guess, moving, t)
    equations, q, p = equations_of(free, assembly.equations.skeleton.tree), assembly.q, assembly.p
    targets = tuple(target_of(free, name) for name in independent)
    s = equations.time_values(t)
    rows, _ = scaled_rows(equations, q, s, p, targets)
    require_independent(free, rows.toarray(), equations.skeleton.rates, len(targets), list(independent))

    def v_of(psi_rate: np.ndarray) -> np.ndarray:
        return consistent_rates(equations, q, s, p, targets, psi_rate)[0]

    def second(psi_rate: np.ndarray) -> np.ndarray:
        """Accelerations of all joints for the rates `psi_rate` of the independent coordinates, with ψ̈ = 0."""
        v = v_of(psi_rate)
        a, _ = consistent_accelerations(equations, t, q, v, p, targets, np.zeros(len(targets)))
        return _column(joint_motion(equations, q, v, a, p)[1])

    def first(psi_rate: np.ndarray) -> np.ndarray:
        v = v_of(psi_rate)
        return _column(joint_motion(equations, q, v, np.zeros_like(v), p)[0])

    ways = np.eye(len(targets))
    psi = np.array([found[target.of][_coordinate_index(free, target)] for target in targets])
    c0, here = first(0 * psi), second(psi)
    C = np.transpose([first(way) - c0 for way in ways])
    # The accelerations g = Ċ ψ̇ + ċ₀ at ψ̈ = 0 are quadratic in ψ̇. Half of their derivative with respect to ψ̇ is Ċ, and
    # the central difference of a quadratic function is exact.
    C_rate = np.transpose([(second(psi + way) - second(psi - way)) / 4 for way in ways])
    return ConstraintMap(_names(free), tuple(independent), C, C_rate, c0, here - C_rate @ psi)


def target_of(mechanism: Mechanism, name: str) -> Target:
    """The `Target` (joint and component) of the coordinate `name`, such as "A" or "C.angle"; an error is raised if this
    coordinate does not exist."""
    joint, _, component = name.partition(".")
    known = mechanism.joints_by_name
    if joint not in known:
        what, remedy = "there is no such joint.", suggestion(joint, known)
        raise analysis_error(mechanism, "S09", f"independent '{name}'", what, remedy)
    names = known[joint].components(mechanism.planar)
    if (component or len(names) != 1) and component not in names:
        listed = ", ".join(f"'{joint}.{part}'" for part in names)
        raise analysis_error(
            mechanism, "S09", f"independent '{name}'", "is not a coordinate.", f"Name one of {listed}."
        )
    return Target(joint, (component or names[0],))


def _coordinate_index(mechanism: Mechanism, target: Target) -> int:
    return mechanism.joint(target.of).components(mechanism.planar).index(target.components[0])


def require_independent(
    mechanism: Mechanism, rows: np.ndarray, rates: int, count: int, names: list[str]
) -> None:
    """Raise an error if the number of independent coordinates differs from the number of degrees of freedom, or if
    their rates do not determine the rates of all other coordinates.

    `rows` is the constraint Jacobian, followed by one row for each of the `count` independent coordinates; `rates` is
    the number of its columns, the rates of the spanning tree.
    """
    held = (
        int(np.linalg.matrix_rank(rows[: len(rows) - count], tol=RATE_RESIDUAL)) if len(rows) > count else 0
    )
    rank = int(np.linalg.matrix_rank(rows, tol=RATE_RESIDUAL))
    given = ", ".join(names) or "nothing"
    if count != rates - held:
        freedoms = rates - held
        there = f"the mechanism has {count_text(freedoms, 'degree of freedom', 'degrees of freedom')}"
        what = f"{given} {'is' if count < 2 else 'are'} given, but {there}."
        raise analysis_error(
            mechanism, "S09", "independent", what, "Name as many coordinates as degrees of freedom."
        )
    if rank < rates:
        what = f"{given} do not determine the rates of all other coordinates in this configuration."
        raise analysis_error(
            mechanism, "S09", "independent", what, "Name other coordinates, or give another configuration."
        )


def _names(mechanism: Mechanism) -> tuple[str, ...]:
    found: list[str] = []
    for joint in mechanism.connections:
        parts = joint.components(mechanism.planar)
        found += [joint.name] if len(parts) == 1 else [f"{joint.name}.{part}" for part in parts]
    return tuple(found)


def _column(values: Mapping[str, np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *(np.atleast_1d(value) for value in values.values())])
