"""Equations of motion linearised about a steady state, in independent coordinates, and their poles.

Small changes of coordinates q, rates v and accelerations a that satisfy the constraints follow from small changes ζ of
the independent coordinates, δu of the independent rates, δx of further state variables and δp of parameters:

    δq = C_q ζ + q_p δp,      δv = C δu + Z ζ,      δa = C δu̇ + X δu + Y ζ
    M δu̇ + D δu + K ζ + K_x δx + K_p δp = 0,      ζ̇ = N δu + S ζ

M, D and K are the matrices of inertia, damping and stiffness. C_q and C are the changes of all coordinates and rates
per unit of the independent ones, q_p those per unit of a parameter. Z, X and Y are the changes of the dependent rates
and accelerations that the constraints J v = b and J a = γ require when the position or the rates change; without them,
as for the opened tree alone, stiffness and damping of a loaded loop would be wrong. K contains the change of the
constraint forces Jᵀ λ. N and S relate the rates of the independent coordinates to the independent rates. Together with
the linearised rates of the state variables this is the first-order system

    E ẏ = A y,      y = [ζ, δu, δx],      E = diag(1, M, 1)

Coordinates that rotate steadily are omitted from ζ; forces and constraints must not depend on them.

Derived here from `dynamics.residual`; all derivatives are exact.

Theory: docs/theory/13-equilibrium-and-vibrations.md, eqs. (13.6)–(13.9).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NoReturn

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.steady_states.steady_state import SteadyState
from multiloop.kinematics import Equations
from multiloop.kinematics.conditioning import null_space
from multiloop.kinematics.tree import LENGTH_COMPONENTS


@dataclass(frozen=True, eq=False)
class LinearisedMotion:
    """Matrices of the equations linearised about a steady state, with lengths divided by the characteristic length and
    forces multiplied by it."""

    steady_state: SteadyState

    def _derivative(self, name: str, by: str) -> np.ndarray:
        """Derivative of the quantity `name` with respect to coordinates ("q"), rates ("v"), state variables ("x") or
        parameters ("p"), as `by` states.

        Lengths in q and v are divided by the characteristic length, and forces are multiplied by this length.
        """
        st = self.steady_state
        found: np.ndarray = st.derivatives[f"{name}_{by}"]
        if not np.isfinite(found).all():
            self._raise_not_finite(name, by)
        if name == "force":
            found = st.scale[:, None] * found
        return found * st.scale if by in ("q", "v") else found

    def _raise_not_finite(self, name: str, by: str) -> NoReturn:
        """Raise the error for a derivative of `name` with respect to `by` that is infinite or undefined, as for sqrt(q)
        at q = 0."""
        st = self.steady_state
        variables = {"q": "coordinates", "v": "rates", "x": "state variables", "p": "parameters"}[by]
        of = "acting forces" if name == "force" else "constraints or state variables"
        what = f"the derivatives of the {of} with respect to the {variables} are not finite at this configuration."
        remedy = "Start elsewhere, or use expressions with finite derivatives: sqrt(q) has none at q = 0."
        raise analysis_error(st.balance.mechanism, "E01", "linearisation", what, remedy)

    @cached_property
    def _inertia(self) -> np.ndarray:
        scale = self.steady_state.scale
        found: np.ndarray = scale[:, None] * self.steady_state.derivatives["inertia"] * scale
        return found

    @cached_property
    def Z(self) -> np.ndarray:
        """Change of all rates, with lengths divided by the characteristic length, per unit of the independent
        coordinates ζ, at constant independent rates u."""
        return np.asarray(
            -self.steady_state.dependent_rates(self._derivative("rates", "q") @ self.steady_state.C_q)
        )

    @cached_property
    def M(self) -> np.ndarray:
        """Inertia matrix M: derivative of the unbalanced forces f with respect to the derivatives u̇ of the independent
        rates."""
        return np.asarray(self.steady_state.T.T @ self._inertia @ self.steady_state.C)

    @cached_property
    def D(self) -> np.ndarray:
        """Matrix D of damping and gyroscopic forces: derivative of the unbalanced forces f with respect to the
        independent rates u."""
        st = self.steady_state
        X = -st.dependent_rates(self._derivative("accelerations", "v") @ st.C)
        return np.asarray(st.T.T @ (self._derivative("force", "v") @ st.C + self._inertia @ X))

    @cached_property
    def K(self) -> np.ndarray:
        """Stiffness matrix: derivative of the unbalanced forces f with respect to the independent coordinates ζ, at
        constant independent rates u; positive for a restoring force."""
        return self._force_change(self.steady_state.C_q, self.Z)

    def _force_change(self, displacement: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Change Tᵀ δF of the unbalanced forces Tᵀ F for a change `displacement` of the coordinates and a change
        `rates` of the rates, at constant independent rates u. F is the residual of the equations of motion; the columns
        of T are the motions along which the multipliers do no work."""
        st = self.steady_state
        Y = -st.dependent_rates(
            self._derivative("accelerations", "q") @ displacement
            + self._derivative("accelerations", "v") @ rates
        )
        return np.asarray(
            st.T.T
            @ (
                self._derivative("force", "q") @ displacement
                + self._derivative("force", "v") @ rates
                + self._inertia @ Y
            )
        )

    @cached_property
    def K_x(self) -> np.ndarray:
        """Derivative ∂f/∂x of the unbalanced forces with respect to the state variables x."""
        return np.asarray(self.steady_state.T.T @ self._derivative("force", "x"))

    @cached_property
    def N(self) -> np.ndarray:
        """Matrix N of ζ̇ = N δu + S ζ: rates of the independent coordinates ζ per unit of the independent rates u."""
        return np.asarray(self.steady_state.B_q @ self.steady_state.C)

    @cached_property
    def S(self) -> np.ndarray:
        """Matrix S of ζ̇ = N δu + S ζ: change of the rates of the independent coordinates ζ with the position, at
        constant independent rates u.

        For orientations by quaternions, the coordinates are a small rotation ξ about the body's axes, which rotate with
        the angular velocity ω: ξ̇ = δω + ω × ξ.
        """
        st, turning = self.steady_state, np.zeros((len(self.steady_state.v),) * 2)
        for _, rate in st.balance.equations.chart.quaternions:
            x, y, z = st.v[rate]
            turning[rate, rate] = [[0, -z, y], [z, 0, -x], [-y, x, 0]]
        return np.asarray(st.B_q @ (self.Z + turning @ st.C_q))

    def state_derivatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of the rates ẋ of state variables with respect to independent coordinates ζ, independent rates u
        and state variables x."""
        st, by_v = self.steady_state, self._derivative("x_rate", "v")
        by_q = self._derivative("x_rate", "q") @ st.C_q + by_v @ self.Z
        return by_q, by_v @ st.C, self._derivative("x_rate", "x")

    def output_derivatives(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of the outputs of the linear model with respect to independent coordinates ζ, independent rates u
        and state variables x."""
        st, by_v = self.steady_state, self._derivative("read", "v")
        by_q = self._derivative("read", "q") @ st.C_q + by_v @ self.Z
        return by_q, by_v @ st.C, self._derivative("read", "x")

    # derivatives with respect to parameters -----------------------------------------------------------

    def parameter_derivatives(self, k: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of the coordinates, the unbalanced forces f, and the rates ẋ of state variables with respect to
        the k-th parameter.

        The independent coordinates ζ and the independent rates u are constant. Lengths are divided by the
        characteristic length, and forces are multiplied by it.
        """
        st = self.steady_state
        rows = st.balance.equations.row_scale * st.derivatives["closure_p"][:, k]
        q_p = -st._position_inverse[:, : len(st.position_rows)] @ rows
        v_p = -st.dependent_rates(self._derivative("rates", "q") @ q_p + st.derivatives["rates_p"][:, k])
        a_p = -st.dependent_rates(
            self._derivative("accelerations", "q") @ q_p
            + self._derivative("accelerations", "v") @ v_p
            + st.derivatives["accelerations_p"][:, k]
        )
        force = (
            self._derivative("force", "q") @ q_p + self._derivative("force", "v") @ v_p + self._inertia @ a_p
        )
        f_p = st.T.T @ (force + st.scale * st.derivatives["force_p"][:, k])
        x_p = (
            self._derivative("x_rate", "q") @ q_p
            + self._derivative("x_rate", "v") @ v_p
            + st.derivatives["x_rate_p"][:, k]
        )
        return q_p, f_p, x_p


FASTEST_POLE = 1e8
"""Magnitude of a pole, as a multiple of the ratio |A| / |E| of the norms of the matrices in E ẏ = A y, above which the
pole belongs to a motion without inertia; such poles are omitted as infinite."""

GROWTH_TOLERANCE = 1e-6
"""Fraction of the magnitude of the largest pole above which a positive real part of a pole counts as growth; smaller
real parts may be round-off."""


@dataclass(frozen=True, eq=False)
class Pencil:
    """Matrix pencil (E, A) of the linearised equations E ẏ = A y, without coordinates that rotate steadily."""

    linearised: LinearisedMotion
    turning: np.ndarray  # mask of the coordinates of the spanning tree that rotate steadily

    @cached_property
    def resting(self) -> list[int]:
        """Indices, among the independent coordinates, of those that do not rotate steadily; only these are entries of
        the state vector y."""
        return [k for k, place in enumerate(self.in_q) if not self.turning[place]]

    @cached_property
    def in_q(self) -> list[int]:
        """Indices of the rates of the spanning tree that are the rates of the independent coordinates ζ."""
        return [int(np.argmax(row)) for row in self.linearised.steady_state.B_q]

    @cached_property
    def in_v(self) -> list[int]:
        """Indices of the rates of the spanning tree that are the independent rates u."""
        return [int(np.argmax(row)) for row in self.linearised.steady_state.B]

    @cached_property
    def states(self) -> tuple[str, ...]:
        """Names of the entries of the state vector y: independent coordinates ζ, independent rates u and state
        variables x."""
        names = [name for name, _ in rate_names(self.linearised.steady_state.balance.equations)]
        positions = [names[self.in_q[k]] for k in self.resting]
        rates = [f"{names[k]} rate" for k in self.in_v]
        return (*positions, *rates, *self.linearised.steady_state.balance.state_names)

    @cached_property
    def unit(self) -> np.ndarray:
        """Factors that convert the entries of the state vector y, with lengths divided by the characteristic length, to
        SI units."""
        scale = self.linearised.steady_state.scale
        lengths = [*(scale[self.in_q[k]] for k in self.resting), *(scale[k] for k in self.in_v)]
        return np.array([*lengths, *(1.0 for _ in self.linearised.steady_state.x_rate)])

    @cached_property
    def scaled(self) -> tuple[np.ndarray, np.ndarray]:
        """Matrices E and A of the linearised equations E ẏ = A y, for the state vector y with lengths divided by the
        characteristic length."""
        small, kept = self.linearised, self.resting
        by_q, by_u, by_x = small.state_derivatives()
        zeta, u, x = len(kept), len(small.M), len(by_x)
        E = np.zeros((zeta + u + x,) * 2)
        E[:zeta, :zeta], E[zeta + u :, zeta + u :] = np.eye(zeta), np.eye(x)
        E[zeta : zeta + u, zeta : zeta + u] = small.M
        A = np.block(
            [
                [small.S[np.ix_(kept, kept)], small.N[kept], np.zeros((zeta, x))],
                [-small.K[:, kept], -small.D, -small.K_x],
                [by_q[:, kept], by_u, by_x],
            ]
        )
        return E, A

    @cached_property
    def turning_dependence(self) -> np.ndarray:
        """Derivatives of the linearised equations with respect to the steadily rotating coordinates that are omitted.

        They must be zero for a steady motion.
        """
        small = self.linearised
        out = [k for k in range(len(self.in_q)) if k not in self.resting]
        return np.vstack(
            [small.S[np.ix_(self.resting, out)], small.K[:, out], small.state_derivatives()[0][:, out]]
        )

    @cached_property
    def poles(self) -> np.ndarray:
        """Finite poles (eigenvalues λ of λ E y = A y) in 1/s, with the largest real part first."""
        return self.modes[0]

    @cached_property
    def modes(self) -> tuple[np.ndarray, np.ndarray]:
        """Finite poles in 1/s, and their eigenvectors as columns, for the state vector y with lengths divided by the
        characteristic length."""
        E, A = self.scaled
        if not len(E):
            return np.zeros(0, complex), np.zeros((0, 0), complex)
        if self.inertia_is_regular:
            poles, vectors = np.linalg.eig(np.linalg.solve(E, A))
        else:
            poles, vectors = _finite_modes(E, A)
        order = np.lexsort((-poles.imag, -np.round(poles.real, 12)))
        return poles[order], vectors[:, order]

    @cached_property
    def inertia_is_regular(self) -> bool:
        """Whether the inertia of the bodies determines all motions, so that E in E ẏ = A y is regular."""
        return self.linearised.steady_state.balance.masses_determine_motion

    @property
    def has_growing_motion(self) -> bool:
        """Whether a pole has a positive real part, so that a small motion grows."""
        size = float(np.abs(self.poles).max(initial=0.0))
        return bool((self.poles.real > GROWTH_TOLERANCE * size).any())


def _finite_modes(E: np.ndarray, A: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Finite poles of E ẏ = A y and their eigenvectors, for a singular E due to motions without mass."""
    from scipy.linalg import eig

    (alpha, beta), vectors = eig(A, E, homogeneous_eigvals=True)
    fastest = FASTEST_POLE * max(float(np.linalg.norm(A) / np.linalg.norm(E)), 1e-300)
    finite = np.abs(alpha) < fastest * np.abs(beta)
    return alpha[finite] / beta[finite], vectors[:, finite]


REST_TOLERANCE = 1e-9
"""Fraction of the largest rate, with lengths divided by the characteristic length, or of the largest derivative, below
which a rate or derivative counts as zero."""

PREFERRED_PART = 0.05
"""Smallest pivot with which a coordinate of a preferred group is chosen as independent; with a smaller pivot,
coordinates of the next group are tried.

The pivot of a coordinate is the norm, at most 1, of its row in the matrix of orthonormal motions, less the parts along
the rows already chosen."""

LEAST_PART = 1e-7
"""Smallest pivot (see PREFERRED_PART) with which any coordinate is chosen as independent."""


EARLIER_PART = 0.3
"""Fraction of the largest pivot. The first coordinate in the description whose pivot is at least this fraction is
chosen as independent."""


def rate_names(equations: Equations) -> list[tuple[str, bool]]:
    """Name of each rate of the spanning tree, such as "A" or "A.x", and whether its coordinate is a length."""
    found: list[tuple[str, bool]] = [("", False)] * equations.skeleton.rates
    for name, own in equations.skeleton.coordinates.items():
        for k, component in enumerate(own.names):
            called = name if len(own.names) == 1 else f"{name}.{component}"
            found[own.v.start + k] = (called, component in LENGTH_COMPONENTS)
    for link in equations.skeleton.links:
        units = equations.skeleton.mechanism.body(link.body).elastic_units if link.reduced.modes else ()
        for place, unit in zip(range(link.eta_rate.start, link.eta_rate.stop), units, strict=True):
            found[place] = (found[place][0], unit == "m")
    return found


def moving_rates(steady: SteadyState) -> np.ndarray:
    """Mask of the rates of the spanning tree that are not zero."""
    v = np.abs(steady.v / steady.scale)
    moving: np.ndarray = v > REST_TOLERANCE * v.max(initial=0.0)
    return moving if v.max(initial=0.0) > 0 else np.zeros(len(v), bool)


def relevant_coordinates(steady: SteadyState) -> np.ndarray:
    """Mask of the coordinates of the spanning tree on which forces or constraints depend."""
    slopes = steady.derivatives
    found = np.zeros(len(steady.v), bool)
    for name in ("force", "rates", "accelerations", "x_rate"):
        by_q = np.abs(slopes[f"{name}_q"] * steady.scale)
        found |= by_q.max(axis=0, initial=0.0) > REST_TOLERANCE * by_q.max(initial=1e-300)
    return found


def independent_rows(
    motions: np.ndarray, groups: Sequence[np.ndarray], required: np.ndarray | None = None
) -> list[int]:
    """Indices of independent rows of the matrix `motions` (rates × degrees of freedom), as many as it has columns.

    The rows are chosen by pivoting. `groups` are masks of preferred rows: rows of the first group are chosen as long as
    their pivots are large, then rows of the following groups, and finally any rows. Among rows with similarly large
    pivots the first is chosen. Rows of the mask `required` are chosen before all groups, even with small pivots, such
    as that of the slow shaft of a gearbox.
    """
    left, chosen = np.array(motions, float), list[int]()
    everywhere = np.ones(len(motions), bool)
    first = [] if required is None else [(required, LEAST_PART)]
    for group, least in [*first, *((group, PREFERRED_PART) for group in groups), (everywhere, LEAST_PART)]:
        while len(chosen) < motions.shape[1]:
            sizes = np.where(group, np.linalg.norm(left, axis=1), 0.0)
            if sizes.max() < least:
                break
            k = int(np.argmax(sizes >= EARLIER_PART * sizes.max()))
            way = left[k] / sizes[k]
            left = left - np.outer(left @ way, way)
            chosen.append(k)
    return sorted(chosen)


def with_named_coordinates(
    steady: SteadyState, preferred: Sequence[int] = (), required: Sequence[int] = ()
) -> SteadyState:
    """The same steady state, described by coordinates and rates of joints.

    Constant rates are preferred, and among these angular rates: in a steady motion along a circle the components of
    velocity along fixed axes are not constant. `preferred` are indices of rates that are chosen if they are constant;
    `required` are indices of coordinates that are chosen unless the constraints prescribe them.
    """
    rest, n = ~moving_rates(steady), len(steady.v)
    wanted, needed = np.isin(np.arange(n), list(preferred)), np.isin(np.arange(n), list(required))
    constant = np.abs(steady.a / steady.scale) <= REST_TOLERANCE * max(
        float(np.abs(steady.v / steady.scale).max(initial=0.0)) ** 2, 1e-300
    )
    matter = relevant_coordinates(steady)
    turns = ~np.array([is_length for _, is_length in rate_names(steady.balance.equations)], bool)
    groups = [wanted & constant, matter & rest & constant, turns & constant, constant]
    in_v = independent_rows(null_space(steady.J), groups)
    in_q = independent_rows(null_space(steady.position_rows), [wanted & rest, matter & rest, rest], needed)
    unit = np.eye(n)
    u = (steady.v / steady.scale)[in_v]
    return SteadyState(steady.balance, steady.configuration, unit[in_v], u, unit[in_q])
