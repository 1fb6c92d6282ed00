"""States of a mechanism with the results of the interpreter, with which those of a GPU are compared."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

import multiloop as ml
from multiloop.kinematics.assembly.newton import close_loops
from multiloop.kinematics.conditioning.consistent_rates import linearise_rows
from multiloop.plan import tree_inertia
from multiloop.plan.rank import first_order_motions

EPSILON = float(np.finfo(float).eps)
NOTHING = np.zeros(0)

Arrays = dict[str, np.ndarray]
"""Inputs or outputs by name."""


@dataclass(frozen=True, eq=False)
class Lanes:
    """A mechanism and closed states in motion, one a lane, with the parameters of each."""

    kernels: ml.Kernels  # interpreted
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    p: np.ndarray

    @property
    def inputs(self) -> Arrays:
        """The inputs of the forward kernel."""
        x = self.kernels.equations.skeleton.initial_states(self.p[:, 0])
        given = self.kernels.forward.defaults | {"q": self.q, "v": self.v, "tau": self.tau, "p": self.p}
        given |= {"x": np.tile(x[:, None], self.q.shape[1]), "t": np.zeros((1, self.q.shape[1]))}
        return {array.name: given[array.name] for array in self.kernels.forward.inputs}

    def accelerations(self) -> Arrays:
        """Accelerations by the interpreter, the scale of the rates, and for each lane their size and the allowed
        difference.

        a = I⁻¹ φ + I⁻¹ Jᵀ λ: where the two nearly cancel, differences are of the size of the second.
        """
        a, lam = self.kernels.multipliers.batch(**self.inputs)
        scale, sizes, allowed = self.kernels.equations.chart.rate_units, [], []
        for lane in range(a.shape[1]):
            J, inertia = self._matrices(lane)
            held = np.linalg.solve(inertia, J.T @ lam[:, lane])
            sizes.append(max(np.abs(a[:, lane] / scale).max(), np.abs(held / scale).max()))
            allowed.append(1e-13 + 10 * EPSILON * self._condition(J, inertia))
        return {"a": a, "scale": scale, "size": np.array(sizes), "allowed": np.array(allowed)}

    def _matrices(self, lane: int) -> tuple[np.ndarray, np.ndarray]:
        """J and I, stiffened where links are massless."""
        eq, q, p = self.kernels.equations, self.q[:, lane], self.p[:, lane]
        J, stiffness = eq.geometric_jacobian(q, p), self.kernels.forward.defaults.get("c", np.zeros(1)).item()
        return J, tree_inertia(eq, q, p) + stiffness * J.T @ J

    def _condition(self, J: np.ndarray, inertia: np.ndarray) -> float:
        """cond(Ī) of independent rows; cond(I) without constraints, or if larger where links spin idly or are flexible.

        A slender link has so little inertia about itself that its idle spin alone makes I ill-conditioned.
        """
        eq, plan, given = self.kernels.equations, self.kernels.plan, self.kernels.forward.defaults
        of_tree = float(np.linalg.cond(eq.chart.rate_units[:, None] * inertia * eq.chart.rate_units))
        if not len(J) or plan.mobility == len(inertia):
            return of_tree
        rows = given["basis"] @ J if "basis" in given else eq.rate_row_scale[: len(J), None] * J
        of_loops = float(np.linalg.cond(rows @ np.linalg.solve(inertia, rows.T)))
        bends = any(link.reduced.elastic for link in eq.skeleton.links)
        return max(of_loops, of_tree) if plan.idle or bends else of_loops

    def after(self, step: float, steps: int, *, project: bool) -> Arrays:
        """q and v after steps of RK4, with loops closed and rates made consistent after each; q̇ is v."""
        q, v = self.q, self.v
        for _ in range(steps):
            k1 = v, self._acceleration(q, v)
            k2 = v + step / 2 * k1[1], self._acceleration(q + step / 2 * k1[0], v + step / 2 * k1[1])
            k3 = v + step / 2 * k2[1], self._acceleration(q + step / 2 * k2[0], v + step / 2 * k2[1])
            k4 = v + step * k3[1], self._acceleration(q + step * k3[0], v + step * k3[1])
            q = q + step / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
            v = v + step / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
            if project:
                q, v = self._projected(q, v)
        return {"q": q, "v": v}

    def _acceleration(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return self.kernels.forward.batch(**(self.inputs | {"q": q, "v": v}))

    def _projected(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Closed positions and consistent rates, by the smallest displacement in the norm of the inertia."""
        q, v = q.copy(), v.copy()
        for lane, p in enumerate(self.p.T):
            for _ in range(3):
                q[:, lane] -= self._lightest(q[:, lane], p) @ self.kernels.equations.position_residual(
                    q[:, lane], NOTHING, p
                )
            J = self.kernels.equations.geometric_jacobian(q[:, lane], p)
            v[:, lane] -= self._lightest(q[:, lane], p) @ (J @ v[:, lane])
        return q, v

    def _lightest(self, q: np.ndarray, p: np.ndarray) -> np.ndarray:
        """I⁻¹ Jᵀ (J I⁻¹ Jᵀ)⁻¹."""
        J = self.kernels.equations.geometric_jacobian(q, p)
        back = np.linalg.solve(tree_inertia(self.kernels.equations, q, p), J.T)
        return back @ np.linalg.inv(J @ back)


def lanes_around(mechanism: ml.Mechanism, each: int = 4) -> Lanes:
    """Closed positions about the assembled one, `each` with several random rates and forces."""
    kernels = ml.compile(mechanism.without_drives(), target="interpreter")
    assembly, eq = kernels.plan.assembly, kernels.equations
    positions = [replace(assembly, q=q).coordinates_on(eq) for q in first_order_motions(assembly).positions()]
    return _moving(
        kernels, np.repeat(np.array(positions), each, axis=0), np.tile(assembly.p, (each * len(positions), 1))
    )


def lanes_of_designs(mechanism: ml.Mechanism, count: int, spread: float = 0.05) -> Lanes:
    """Designs whose parameters differ by up to `spread`, each closed separately near the assembled position."""
    kernels, rng = ml.compile(mechanism, target="interpreter"), np.random.default_rng(2)
    positions, designs = [], []
    while len(positions) < count:
        p = kernels.plan.assembly.p * rng.uniform(1 - spread, 1 + spread, len(kernels.plan.assembly.p))
        closing = close_loops(
            kernels.equations, kernels.q + 0.1 * rng.normal(size=len(kernels.q)), NOTHING, p
        )
        if closing.closed:
            positions.append(closing.q)
            designs.append(p)
    return _moving(kernels, np.array(positions), np.array(designs))


def bent(lanes: Lanes, by: float = 1e-4) -> Lanes:
    """The same states with flexible links, if there are any, deformed and vibrating by some tenths of a millimetre."""
    links, rng = lanes.kernels.equations.skeleton.links, np.random.default_rng(4)
    q, v = lanes.q.copy(), lanes.v.copy()
    for link in links:
        size = (link.reduced.elastic, q.shape[1])
        q[link.eta], v[link.eta_rate] = by * rng.normal(size=size), 10 * by * rng.normal(size=size)
    return replace(lanes, q=q, v=v) if any(link.reduced.elastic for link in links) else lanes


def _moving(kernels: ml.Kernels, positions: np.ndarray, designs: np.ndarray) -> Lanes:
    """Random rates that the loops allow, of about one radian a second, and forces of the size of the weight."""
    eq, rng = kernels.equations, np.random.default_rng(3)
    mass = sum(M[5, 5] for M in eq.tree_functions.mass_matrices(positions[0], designs[0]))
    rates = []
    for q, p in zip(positions, designs, strict=True):
        ways = linearise_rows(eq, q, NOTHING, p).null_space()
        rates.append(ways @ rng.normal(size=ways.shape[1]))
    tau = (
        9.81
        * mass
        * eq.skeleton.characteristic_length
        * rng.normal(size=(eq.skeleton.rates, len(positions)))
        / eq.chart.rate_units[:, None]
    )
    return Lanes(
        kernels, *(np.ascontiguousarray(x.T) for x in (positions, np.array(rates))), tau, designs.T.copy()
    )
