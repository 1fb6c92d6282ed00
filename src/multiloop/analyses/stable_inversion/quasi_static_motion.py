"""Quasi-static deformation of flexible links for prescribed outputs, and small motions about its first and last state.

The quasi-static deformation ζ(t) is the static deformation under the forces at each time: g(t, ζ, 0, 0) = 0, where g(t,
ζ, u, w) is the residual of the internal dynamics with coordinates ζ, rates u and accelerations w. The bounded motion
begins and ends with this deformation; in between, the deformation is the initial guess of Newton's method. Small
motions about the first and last state determine the boundary conditions and the settling times.

Theory: docs/theory/11-stable-inversion.md, eqs. (11.3), (11.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.stable_inversion.independent_rates import find_dependent_modes, open_loops_text
from multiloop.analyses.stable_inversion.internal_dynamics import (
    Instants,
    InternalDynamics,
    LinearisedResidual,
)
from multiloop.dependencies import la
from multiloop.kinematics import equations_of
from multiloop.kinematics.constraints import Target, drive_targets
from multiloop.kinematics.continuation import follow_drives
from multiloop.model import SolveError

RESIDUAL = 1e-10
"""Residual, relative to the largest force on the links, at which Newton's method counts as converged."""

NEWTON_LIMIT = 20
"""Largest number of Newton steps for the quasi-static deformation, and for the bounded motion on one mesh."""

FOLLOWED = 200
"""Number of time steps in which the motion with undeformed links is computed."""

SETTLED = np.log(1e10)
"""Product of decay rate and time after which a vibration counts as settled: its amplitude has decayed by 10¹⁰."""

OSCILLATORY = 0.05
"""Ratio of real part to magnitude below which an eigenvalue counts as oscillatory, that is 5 % of critical damping."""

UNDAMPED = 1e-6
"""Fraction of critical damping below which a small motion counts as undamped."""

REGULARISATION = 1e-12
"""Weight in the boundary conditions of motions that these conditions do not bound, as a fraction of the weight of the
other motions; it is not zero, so that the least-squares problem is regular."""


@dataclass(frozen=True, eq=False)
class QuasiStaticMotion:
    """Quasi-static motion of flexible links along prescribed outputs, and small motions about its first and last
    state.

    `corners` are the times at which the prescribed motion is not smooth; the first and last are its beginning and end.
    """

    dynamics: InternalDynamics
    corners: list[float]

    @cached_property
    def _undeformed(self) -> tuple[np.ndarray, np.ndarray]:
        """Times along the motion, and coordinates q with undeformed links at these times, in one assembly mode."""
        eq, d = self.dynamics.equations, self.dynamics
        targets = (*drive_targets(eq.skeleton.mechanism), *self._elastic_targets())
        led = equations_of(eq.skeleton.mechanism, eq.skeleton.tree, targets)
        straight, clock = np.zeros(d.elastic_count), replace(d, moving=(-np.inf, np.inf))

        def drive(t: float, order: int) -> np.ndarray:
            return np.concatenate([clock.prescribed(np.array([t]))[order][0], straight])

        times = np.linspace(self.corners[0], self.corners[-1], FOLLOWED + 1)
        assembly = d.balance.plan.assembly
        course = follow_drives(led, assembly.coordinates_on(led), [assembly.t, *times.tolist()], drive, d.p)
        return times, course.q[1:]

    def _elastic_targets(self) -> list[Target]:
        """One `Target` (body and names of coordinates) per flexible link, with which a drive can prescribe the
        independent elastic coordinates of the link."""
        skeleton, places = self.dynamics.equations.skeleton, np.argmax(self.dynamics.S, axis=1)
        found = list[Target]()
        for name, own in skeleton.coordinates.items():
            names = (n for n, k in zip(own.names, range(own.v.start, own.v.stop), strict=True) if k in places)
            if name not in skeleton.link_of_joint and (chosen := tuple(names)):
                found.append(Target(name, chosen))
        return found

    def at_rest(self, t: np.ndarray) -> Instants:
        """The motion at times t with zero rates, at the positions with undeformed links that were computed for the
        nearest times."""
        times, q = self._undeformed
        return self.dynamics.at_rest(t, q[np.argmin(np.abs(times[None] - t[:, None]), axis=1)])

    def close_loops(self, at: Instants, zeta: np.ndarray) -> Instants:
        """The motion with loops closed for elastic coordinates `zeta`; an error is raised if this is not possible."""
        at, gap = self.dynamics.close_loops(at, zeta)
        worst = int(np.argmax(np.where(np.isfinite(gap), gap, np.inf)))
        if gap[worst] <= self.dynamics.equations.skeleton.closure_tolerance:
            return at
        t = float(at.t[worst])
        raise self.inversion_error(
            f"with deformed links, the loops {open_loops_text(gap[worst])} at t = {t:.6g} s.", t
        )

    def quasi_static(self, t: np.ndarray) -> tuple[Instants, np.ndarray]:
        """The motion at rest and the quasi-static deformation ζ at many times t; the residual g(t, ζ, 0, 0) of the
        internal dynamics with zero rates and accelerations vanishes."""
        at, zeta = self.at_rest(t), np.zeros((len(t), len(self.dynamics.S)))
        still, size = 0 * zeta, 0.0
        for _ in range(NEWTON_LIMIT):
            at = self.close_loops(at, zeta)
            at, found = self.dynamics.linearise(at, still, still)
            size = max(size, float(np.abs(found.g).max(initial=0.0)))
            step = -_solve_each(found.K, found.g)
            if not np.isfinite(step).all():
                raise self.inversion_error("the flexible links have no quasi-static equilibrium.", None)
            zeta = zeta + step
            if np.abs(found.g).max(initial=0.0) <= RESIDUAL * size:
                break
        return self.close_loops(at, zeta), zeta

    @cached_property
    def _ends(self) -> tuple[Instants, LinearisedResidual, np.ndarray]:
        """The first and last state of the quasi-static motion, the equations linearised about them, and the states as
        vectors z, which consist of coordinates ζ and zero rates."""
        at, zeta = self.quasi_static(np.array([self.corners[0], self.corners[-1]]))
        at, slopes = self.dynamics.linearise(at, 0 * zeta, 0 * zeta)
        return at, slopes, np.hstack([zeta, 0 * zeta])

    @property
    def rest(self) -> np.ndarray:
        """States z at rest at both ends of the motion, one row per end: coordinates ζ and zero rates."""
        return self._ends[2]

    def settling(self, before: float | None, after: float | None) -> tuple[float, float]:
        """Settling times (s) before and after the motion.

        If `before` or `after` is None, the time is computed: before the prescribed motion from the slowest growth of
        small motions, after it from their slowest decay. Oscillatory motions are not considered.
        """
        lasting = []
        for k, given in enumerate((before, after)):
            decays, size = self._decays(k) if given is None else (np.zeros(0),) * 2
            plain = decays[decays > OSCILLATORY * size]
            own = float(SETTLED / plain.min()) if len(plain) else 0.0
            lasting.append(own if given is None else given)
        return lasting[0], lasting[1]

    def slow_decay(self, k: int) -> tuple[float, float] | None:
        """For damped oscillations that the default settling time neglects, the smallest damping ratio and the time (s)
        in which all of them settle; None if there are none. k is 0 before the motion and 1 after it."""
        decays, size = self._decays(k)
        slow = np.flatnonzero((decays > UNDAMPED * size) & (decays <= OSCILLATORY * size))
        if not slow.size:
            return None
        return float((decays[slow] / size[slow]).min()), float(SETTLED / decays[slow].min())

    def _decays(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Growth rates of small motions about the first state (k = 0), or decay rates of those about the last state
        (k = 1), and the magnitudes |λ| of their eigenvalues."""
        rates = eigenvalues(self._ends[1], k)
        return (1, -1)[k] * rates.real, np.abs(rates)

    @cached_property
    def conditions(self) -> tuple[np.ndarray, np.ndarray]:
        """The weights W₀ and W₁ of the boundary conditions, matrices that measure the energy of a state.

        W₀ measures the energy of motions that do not grow at the beginning, W₁ of motions that still grow at the end.
        """
        slopes = self._ends[1]
        return tuple(  # type: ignore[return-value]
            energy_outside(growing_motions(slopes, k, grows=k == 0), self.weights) for k in range(2)
        )

    @cached_property
    def weights(self) -> np.ndarray:
        """Twice the elastic energy of a unit of every independent coordinate, and twice the kinetic energy of a unit of
        every independent rate, at the beginning."""
        at, _, _ = self._ends
        K, inertia = self.dynamics.link_matrices(at.part(slice(0, 1)))
        return np.asarray(np.abs(np.concatenate([np.diag(K), np.diag(inertia)])))

    def inversion_error(self, what: str, t: float | None) -> SolveError:
        """The error raised if no bounded motion is found, with the cause `what` at time t."""
        remedy = (
            "Make the motion slower or smoother, the links stiffer, or use fewer modes; omit dry "
            "friction whose velocity changes sign."
        )
        d, mechanism = self.dynamics, self.dynamics.balance.mechanism
        dependent = find_dependent_modes(d.equations, *self._undeformed, d.p, d.S)
        if dependent:
            what, remedy, t = dependent
        return analysis_error(mechanism, "S18", "stable inversion", what, remedy, time=t)


def _solve_each(K: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Solutions x of K x = g at every instant."""
    return np.asarray(np.linalg.solve(K, g[:, :, None])[:, :, 0])


def eigenvalues(slopes: LinearisedResidual, k: int) -> np.ndarray:
    """Finite eigenvalues λ of small internal motions about the k-th instant: (λ² M + λ D + K) ζ = 0.

    M, D and K are the derivatives in `slopes`.
    """
    found = la.eigvals(*_first_order_pencil(slopes, k))
    return np.asarray(found[np.isfinite(found)])


def growing_motions(slopes: LinearisedResidual, k: int, *, grows: bool) -> np.ndarray:
    """Orthonormal basis of the states (coordinates ζ, rates u) whose small motions about the k-th instant grow.

    If `grows` is false, the basis is that of all other states, whose motions decay or oscillate.
    """

    def chosen(alpha: np.ndarray, beta: np.ndarray) -> np.ndarray:
        finite = np.abs(beta) > 1e-14 * np.abs(alpha)
        rate = np.where(finite, alpha / np.where(finite, beta, 1.0), -1.0)
        return np.asarray((rate.real > OSCILLATORY * np.abs(rate)) == grows)

    *_, alpha, beta, _, Z = la.ordqz(*_first_order_pencil(slopes, k), sort=chosen, output="complex")
    span = Z[:, : int(chosen(alpha, beta).sum())]
    U, sigma, _ = np.linalg.svd(np.hstack([span.real, span.imag]), full_matrices=False)
    return np.asarray(U[:, : span.shape[1]] if len(sigma) else U)


def energy_outside(V: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Matrix of the energy of motions outside the span of the columns of V: E − E V (Vᵀ E V)⁻¹ Vᵀ E, with the diagonal
    energy matrix E of the `weights`.

    Motions inside the span of V are given a small energy, so that the matrix is regular.
    """
    E = np.diag(weights)
    if not V.shape[1]:
        return E
    return np.asarray((1 + REGULARISATION) * E - E @ V @ np.linalg.solve(V.T @ E @ V, V.T @ E))


def _first_order_pencil(slopes: LinearisedResidual, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Matrices A and B of the eigenvalue problem A z = λ B z of small motions about the k-th instant; the state z
    consists of coordinates ζ and rates u."""
    K, D, M = slopes.K[k], slopes.D[k], slopes.M[k]
    none, one = np.zeros_like(K), np.eye(len(K))
    return np.block([[none, one], [-K, -D]]), np.block([[one, none], [none, M]])
