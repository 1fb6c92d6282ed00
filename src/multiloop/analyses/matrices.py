"""The matrices of the natural-orthogonal-complement formulation at a State, as labelled arrays.

    A t = 0,  t = N v,  N = N_l N_d,      I v̇ + C v = τ + Jᵀ λ,  J v = 0,      Ī = J I⁻¹ Jᵀ

t are the twists of all bodies (and the rates of elastic coordinates), v the rates of the spanning tree, τ the forces
along these rates, and λ the multipliers of the loop constraints. `Matrices` describes A, N, I, C, J and Ī. For
independent coordinates θ, with v = R θ̇:

    t = T θ̇,  T = N R,  A T = 0,      Tᵀ M T θ̈ + Tᵀ (M Ṫ + B T) θ̇ = Rᵀ τ

M ṫ + B t are the inertia wrenches of the bodies, with the mass matrices M and matrices B that are linear in the twists.

Theory: docs/theory/04-orthogonal-complement.md, eqs. (4.5), (4.8), (4.9), (4.14), (4.25)–(4.28).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

import casadi as ca
import numpy as np

from multiloop.analyses.analysis_cache import cached_assembly, cached_plan
from multiloop.analyses.constraint_map import require_independent, target_of
from multiloop.analyses.errors import analysis_error
from multiloop.dynamics import complement_rates, convective_matrix, generalized_inertia
from multiloop.kinematics import CACHE_SIZE, Equations, equations_of, tree_rates
from multiloop.kinematics.assembly import start_conditions
from multiloop.kinematics.conditioning import consistent_rates, cut_joint_rows, scaled_rows
from multiloop.model import (
    ETA,
    IN_PLANE,
    Mechanism,
    SuggestsAttributes,
    UnknownNameError,
    elastic_names,
    suggestion,
)
from multiloop.plan import Plan, constraint_matrix_at
from multiloop.symbols import Traced

if TYPE_CHECKING:
    import xarray as xr

    from multiloop.analyses.results import State

TWIST_COMPONENTS = ("omega_x", "omega_y", "omega_z", "v_x", "v_y", "v_z")
"""Names of the components of the twist of a body; in the plane only omega_z, v_x and v_y are used."""

ROW = "_row"
"""Suffix that distinguishes the rows of a square matrix from its columns: dimension and labels of the rows have the
names of those of the columns, followed by this suffix."""


@dataclass(frozen=True, eq=False)
class ReducedMatrices(SuggestsAttributes):
    """Equations of motion in independent coordinates θ, I θ̈ + C θ̇ = Rᵀ τ, with the forces τ along the rates of the
    tree (weight and loads included).

    R (rates × independent) maps the rates θ̇ to all rates of the tree, v = R θ̇. T = N R is the natural orthogonal
    complement of the mechanism with closed loops, A T = 0, and T_rate its time derivative. I = Tᵀ M T is the
    generalized inertia, C = Tᵀ (M Ṫ + B T) the convective matrix, with A, N, M and B of `Matrices`.

    Source: [saha], eqs. (9)–(17).
    Differs: C has the opposite sign there, I θ̈ = C θ̇ + τ.
    """

    R: xr.DataArray
    T: xr.DataArray
    T_rate: xr.DataArray
    I: xr.DataArray
    C: xr.DataArray

    def __repr__(self) -> str:
        return _listing("Matrices in independent coordinates", self)


@dataclass(frozen=True, eq=False)
class Matrices(SuggestsAttributes):
    """The matrices of a mechanism at one State, in SI units and inertial axes, with named rows and columns.

    A        constraint matrix of all joints, pairs and couplings, A t = 0 ([saha], eq. (6))
    N        natural orthogonal complement of the spanning tree, t = N v ([chaudhary], eq. (26))
    N_l, N_d its factors, block lower-triangular and block-diagonal, N = N_l N_d ([chaudhary], eqs. (25)–(33))
    N_rate   time derivative of N
    M        mass matrices of all bodies, block-diagonal ([chaudhary], eq. (3))
    I        generalized inertia of the tree, I = Nᵀ M N ([koul], eq. (7))
    C        convective matrix of the tree, C = Nᵀ (M Ṅ + B N); inertia forces are I v̇ + C v ([koul], eqs. (6), (7))
    J        loop Jacobian, J v = 0 ([koul], eqs. (12)–(15))
    v        rates of the tree in this State
    GICM     generalized inertia constraint matrix Ī = J I⁻¹ Jᵀ ([koul], eqs. (22)–(24)); computed on demand
    reduced  the matrices in independent coordinates, None if none were named

    Every dimension has labels, and further coordinates by which `block` selects: "constraint" (with "joint"), "twist"
    (with "body"), "rate" (with "joint" and "subsystem"), "loop_constraint" (with "loop", the name of the cut joint or
    coupling) and "independent". In square matrices the names of the rows end with "_row".

    M ṫ + B t are the inertia wrenches of the bodies; the matrix B, which is linear in the twists, is not stored. The
    twist of a body is taken at the origin of its inboard joint frame, in inertial axes, and is followed by the rates of
    its elastic coordinates; in the plane it consists of omega_z, v_x and v_y. Rows of a joint in A are Wᵀ (twist of its
    second body − twist of its first body) at its second marker, with unit constraint forces and moments W in the axes
    of its first marker; rows of couplings are divided by their norm. Stiffness, damping, weight and loads are not part
    of any matrix.
    """

    A: xr.DataArray
    N: xr.DataArray
    N_l: xr.DataArray
    N_d: xr.DataArray
    N_rate: xr.DataArray
    M: xr.DataArray
    I: xr.DataArray
    C: xr.DataArray
    J: xr.DataArray
    v: xr.DataArray
    reduced: ReducedMatrices | None
    mechanism: Mechanism
    massless: tuple[str, ...]  # joints of the tree whose motion moves no inertia

    @cached_property
    def GICM(self) -> xr.DataArray:
        """Generalized inertia constraint matrix Ī = J I⁻¹ Jᵀ, with a block for every pair of loops.

        An error is raised if massless links make I singular.
        """
        if self.massless:
            what = f"the inertia I of the tree is singular: massless links at {', '.join(self.massless)}."
            remedy = "Give these links masses, or choose other `cuts`."
            raise analysis_error(self.mechanism, "S06", "GICM", what, remedy)
        J = self.J.values
        scale = 1 / np.sqrt(np.diag(self.I.values))
        scaled = J * scale
        values = scaled @ np.linalg.solve(scale[:, None] * self.I.values * scale, scaled.T)
        loops = _Axis(
            "loop_constraint", list(self.J["loop_constraint"].values), {"loop": list(self.J["loop"].values)}
        )
        return _labelled("GICM", values, (loops, loops), "generalized inertia constraint matrix J I⁻¹ Jᵀ")

    def block(self, matrix: xr.DataArray, **labels: str) -> xr.DataArray:
        """The part of one of these matrices whose rows and columns have the given labels; it keeps all dimensions.

        `block(found.J, loop="C", subsystem="II")` is the block J_(i,j) of the loop i that the joint C closes and of
        subsystem j = II, `block(found.reduced.T, body="coupler")` contains the rows of the twist of the coupler.
        """
        for word, label in labels.items():
            if word not in matrix.coords:
                known = list(map(str, matrix.coords))
                raise UnknownNameError(self.mechanism.name, "coordinate", word, suggestion(word, known))
            values = matrix.coords[word]
            if label not in values.values:
                known = list(dict.fromkeys(map(str, values.values)))
                raise UnknownNameError(self.mechanism.name, word, label, suggestion(label, known))
            matrix = matrix.isel({values.dims[0]: np.flatnonzero(values.values == label)})
        return matrix

    def __repr__(self) -> str:
        r = self.J.shape[0]
        own = f"  GICM    {f'{r} × {r}':<9} generalized inertia constraint matrix J I⁻¹ Jᵀ"
        lines = [_listing(f"Matrices of '{self.mechanism.name}'", self), own]
        return "\n".join([*lines, *([] if self.reduced is None else [repr(self.reduced)])])


def _listing(title: str, found: Matrices | ReducedMatrices) -> str:
    """The names, sizes and meanings of the matrices, one line each."""
    arrays = {field.name: getattr(found, field.name) for field in fields(found)}
    lines = [
        f"  {name:<7} {' × '.join(map(str, array.shape)):<9} {array.attrs['long_name']}"
        for name, array in arrays.items()
        if hasattr(array, "dims")
    ]
    return "\n".join([title, *lines])


@dataclass(frozen=True)
class _Axis:
    """The rows or columns of a matrix: name of the dimension, unique labels, and further coordinates."""

    dim: str
    labels: list[str]
    more: Mapping[str, list[str]]

    @property
    def as_rows(self) -> _Axis:
        """The same axis as rows of a square matrix."""
        more = {f"{name}{ROW}": values for name, values in self.more.items()}
        return _Axis(f"{self.dim}{ROW}", self.labels, more)


def _labelled(name: str, values: np.ndarray, axes: Sequence[_Axis], meaning: str) -> xr.DataArray:
    """A matrix or vector as a labelled array."""
    import xarray as xr

    if len(axes) == 2 and axes[0].dim == axes[1].dim:
        axes = (axes[0].as_rows, axes[1])
    coords: dict[str, Any] = {}
    for axis in axes:
        coords[axis.dim] = np.array(axis.labels, dtype=str)
        coords |= {word: (axis.dim, np.array(values, dtype=str)) for word, values in axis.more.items()}
    dims = [axis.dim for axis in axes]
    return xr.DataArray(values, dims=dims, coords=coords, name=name, attrs={"long_name": meaning})


def state_matrices(
    state: State, *, independent: Sequence[str] = (), cuts: Sequence[str] | None = None
) -> Matrices:
    """The matrices of the formulation at a State, see `State.matrices`."""
    mechanism = state.mechanism
    t, start, rates = start_conditions(mechanism, state)
    assembly, found = cached_assembly(mechanism, start, None, rates, t)
    plan = cached_plan(assembly, cuts)
    equations, p = equations_of(mechanism, plan.tree), assembly.p
    at = _Instant(plan, equations, assembly.coordinates_on(equations), tree_rates(equations, found), p, t)
    return at.matrices(tuple(independent))


@lru_cache(maxsize=CACHE_SIZE)
def _traced_matrices(equations: Equations) -> Traced:
    """Traced function (q, v, p) → generalized inertia I, convective matrix C and Ṅ."""
    rates = ca.vertcat(ca.SX(0, equations.skeleton.rates), *complement_rates(equations))
    return equations.function(
        "matrices", "qv", I=generalized_inertia(equations), C=convective_matrix(equations), N_rate=rates
    )


@lru_cache(maxsize=CACHE_SIZE)
def _traced_row_rates(equations: Equations) -> Traced:
    """Traced function (q, v, t, p) → time derivatives of the loop Jacobian, at constant time t, and of the matrix that
    maps the rates of the tree to those of the cut joints."""
    q, q_rate = equations.q, equations.q_rate
    cut_rates, _ = equations.tree_functions.cut_motion_symbols
    return equations.function(
        "row_rates",
        "qvt",
        loops=ca.jtimes(ca.SX(equations.loop_jacobian), q, q_rate),
        cuts=ca.jtimes(ca.jacobian(cut_rates, equations.v), q, q_rate),
    )


@dataclass(frozen=True, eq=False)
class _Instant:
    """One State in the coordinates of one spanning tree: coordinates q, rates v, parameter values p and time t."""

    plan: Plan
    equations: Equations
    q: np.ndarray
    v: np.ndarray
    p: np.ndarray
    t: float

    def matrices(self, independent: tuple[str, ...]) -> Matrices:
        """All matrices; those in independent coordinates if some are named."""
        motion, q, p = self.equations.tree_functions, self.q, self.p
        twists, rates, loops = self._twists, self._rates, self._loops
        count, n = len(twists.labels), len(rates.labels)
        keep = self._used_rows
        lower, diagonal = motion.decoupled_complement(q, p)
        N = motion.natural_orthogonal_complement(q, p)[keep]
        I, C, N_rate = _traced_matrices(self.equations)(q, self.v, p)
        I, C, N_rate = I.reshape(n, n), C.reshape(n, n), N_rate.reshape(len(lower), n)[keep]
        M = _block_diagonal(motion.mass_matrices(q, p))[np.ix_(keep, keep)]
        J = self.equations.geometric_jacobian(q, p, self.t)
        A, reactions = self._constraint_matrix(count)
        reduced = self._reduced(independent, N, N_rate, I, C) if independent else None
        return Matrices(
            A=_labelled("A", A, (reactions, twists), "constraint matrix of all joints, A t = 0"),
            N=_labelled("N", N, (twists, rates), "natural orthogonal complement of the tree, t = N v"),
            N_l=_labelled(
                "N_l", lower[np.ix_(keep, keep)], (twists, twists), "lower block-triangular factor of N"
            ),
            N_d=_labelled("N_d", diagonal[keep], (twists, rates), "block-diagonal factor of N"),
            N_rate=_labelled("N_rate", N_rate, (twists, rates), "time derivative of N"),
            M=_labelled("M", M, (twists, twists), "mass matrices of all bodies"),
            I=_labelled("I", I, (rates, rates), "generalized inertia of the tree, Nᵀ M N"),
            C=_labelled("C", C, (rates, rates), "convective matrix of the tree, inertia forces I v̇ + C v"),
            J=_labelled("J", J, (loops, rates), "loop Jacobian, J v = 0"),
            v=_labelled("v", self.v, (rates,), "rates of the tree"),
            reduced=reduced,
            mechanism=self.plan.mechanism,
            massless=self.plan.massless.thin,
        )

    @cached_property
    def _used_rows(self) -> list[int]:
        """Indices of the rows of N that are used: in the plane only omega_z, v_x, v_y of every body."""
        used, at = IN_PLANE if self.equations.skeleton.planar else range(6), 0
        found: list[int] = []
        for link in self.equations.skeleton.links:
            size = 6 + link.reduced.elastic
            found += [at + k for k in (*used, *range(6, size))]
            at += size
        return found

    @cached_property
    def _twists(self) -> _Axis:
        """Labels of the rows of N: for each body the components of its twist, followed by its elastic rates."""
        skeleton = self.equations.skeleton
        used = [TWIST_COMPONENTS[k] for k in (IN_PLANE if skeleton.planar else range(6))]
        names = [
            (link.body, component)
            for link in skeleton.links
            for component in (*used, *elastic_names(link.reduced.elastic))
        ]
        return _Axis("twist", [f"{b}.{c}" for b, c in names], {"body": [body for body, _ in names]})

    @cached_property
    def _rates(self) -> _Axis:
        """Labels of the rates of the tree, with the names of their joints and subsystems."""
        skeleton = self.equations.skeleton
        labels, owners = [""] * skeleton.rates, [""] * skeleton.rates
        for name, own in skeleton.coordinates.items():
            for component, k in zip(own.names, range(own.v.start, own.v.stop), strict=True):
                elastic = name.endswith(f".{ETA}")
                whole = name if len(own.names) == 1 and not elastic else f"{name}.{component}"
                labels[k], owners[k] = whole.replace(f".{ETA}.", "."), name
        home = [
            skeleton.tree.subsystem_of(link.body).name
            for link in skeleton.links
            for _ in range(link.rates.start, link.rates.stop)
        ]
        return _Axis("rate", labels, {"joint": owners, "subsystem": home})

    @cached_property
    def _loops(self) -> _Axis:
        """Labels of the rows of the loop Jacobian, with the names of their cut joints, pairs or couplings."""
        rows = [
            (one.name, row.name) for one in self.equations.loop_constraints.constraints for row in one.rows
        ]
        return _named_rows("loop_constraint", "loop", rows)

    def _constraint_matrix(self, count: int) -> tuple[np.ndarray, _Axis]:
        """The constraint matrix A with `count` columns, as many as N has rows, and the labels of its rows.

        If a body is split to cut a loop, the columns of its second part are zero.
        """
        skeleton, L = self.equations.skeleton, self.equations.skeleton.characteristic_length
        found = constraint_matrix_at(self.equations, self.q, self.p, self.t)
        poses = self.equations.tree_functions.inboard_poses(self.q, self.p)
        whole = found.at_points({body: np.asarray(poses[body].p) for body in found.bodies}, L)
        A = np.zeros((len(whole), count))
        at, bent = 0, found.dimension * len(found.bodies)
        for link in skeleton.links:
            e = link.reduced.elastic
            if link.body in found.bodies:
                A[:, at : at + found.dimension] = whole[:, found.columns(link.body)]
                A[:, at + found.dimension : at + found.dimension + e] = whole[:, bent : bent + e]
                bent += e
            at += found.dimension + e
        return A, _named_rows("constraint", "joint", found.rows)

    def _reduced(
        self, names: tuple[str, ...], N: np.ndarray, N_rate: np.ndarray, I: np.ndarray, C: np.ndarray
    ) -> ReducedMatrices:
        """The matrices in independent coordinates.

            [J; S] R = [0; 1],    [J; S] Ṙ = −[J̇; Ṡ] R,      I_θ = Rᵀ I R,   C_θ = Rᵀ (C R + I Ṙ)

        S maps the rates of the tree to those of the independent coordinates.

        Source: [saha], eqs. (13)–(17).
        """
        mechanism, equations, q, p = self.plan.mechanism, self.equations, self.q, self.p
        if equations.loop_constraints.rheonomic:
            what = (
                "constraints depend on time, so that the twists are not linear and homogeneous in the rates."
            )
            raise analysis_error(
                mechanism,
                "S09",
                "independent",
                what,
                "Use `constraint_map`, which contains the further terms.",
            )
        targets = tuple(target_of(mechanism, name) for name in names)
        s = equations.time_values(self.t)
        rows, unit = scaled_rows(equations, q, s, p, targets)
        require_independent(mechanism, rows.toarray(), equations.skeleton.rates, len(targets), list(names))
        ways = np.eye(len(targets))
        R = np.transpose([consistent_rates(equations, q, s, p, targets, way)[0] for way in ways])
        n, own = equations.skeleton.rates, equations.loop_constraints.count
        loops, cuts = _traced_row_rates(equations)(q, self.v, np.array([self.t]), p)
        moved = [loops.reshape(own, n)]
        for target in targets:
            in_tree = target.of in equations.skeleton.coordinates  # its row of S is then constant
            rates = np.zeros((1, n)) if in_tree else cuts.reshape(-1, n)[cut_joint_rows(equations, target)]
            moved.append(rates)
        scale = np.concatenate([equations.rate_row_scale[:own], unit])
        right = -scale[:, None] * np.vstack(moved) @ R
        solved, *_ = np.linalg.lstsq(rows.toarray(), right, rcond=None)
        R_rate = equations.chart.rate_units[:, None] * solved
        axis = _Axis("independent", list(names), {})
        return ReducedMatrices(
            R=_labelled("R", R, (self._rates, axis), "rates of the tree, v = R θ̇"),
            T=_labelled(
                "T", N @ R, (self._twists, axis), "natural orthogonal complement, t = T θ̇ and A T = 0"
            ),
            T_rate=_labelled("T_rate", N_rate @ R + N @ R_rate, (self._twists, axis), "time derivative of T"),
            I=_labelled("I", R.T @ I @ R, (axis, axis), "generalized inertia Tᵀ M T"),
            C=_labelled("C", R.T @ (C @ R + I @ R_rate), (axis, axis), "convective matrix, I θ̈ + C θ̇ = Rᵀ τ"),
        )


def _named_rows(dim: str, owner: str, rows: Sequence[tuple[str, str]]) -> _Axis:
    """Rows that are named by pairs (joint or coupling, component)."""
    return _Axis(dim, [f"{name} {word}" for name, word in rows], {owner: [name for name, _ in rows]})


def _block_diagonal(blocks: Sequence[np.ndarray]) -> np.ndarray:
    """The block-diagonal matrix of square blocks."""
    size, at = sum(map(len, blocks)), 0
    whole = np.zeros((size, size))
    for block in blocks:
        whole[at : at + len(block), at : at + len(block)] = block
        at += len(block)
    return whole
