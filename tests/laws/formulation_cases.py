"""One instant of a mechanism along one tree, in numbers, and the results of every formulation for it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from types import SimpleNamespace

import casadi as ca
import numpy as np
from laws.closed_positions import assembled, built, places, trees
from scipy.linalg import qr
from zoo import ZOO
from zoo.random_mechanisms import Closed

from multiloop import Actuator, Mechanism, Plan
from multiloop.analyses.run_models.local_choice import PENALTY
from multiloop.dynamics import forward as forwarding, generalized_inertia, inverse as inverting
from multiloop.dynamics.forward import ForwardProblem
from multiloop.dynamics.forward.forward_problem import NOTHING_PRESCRIBED
from multiloop.dynamics.joint_reactions import joint_reactions
from multiloop.kinematics import Equations, Snapshot
from multiloop.kinematics.constraints import Prescribed, RowSet, Target, target_rows
from multiloop.kinematics.tree import Skeleton
from multiloop.kinematics.tree.skeleton import build_skeleton
from multiloop.plan import Block, constraint_matrix_at, plan_at, unknown_efforts
from multiloop.plan.block_decomposition import determinacy_of
from multiloop.topology import Tree, candidate_trees, graph_of

Efforts = tuple[tuple[str, str], ...]
INVERSE = ("traditional", "system", "subsystem", "virtual_work")
EPSILON = float(np.finfo(float).eps)

DEPENDENT = 1e-9
"""Singular values below this part of the largest count as zero."""

SINGULAR = 1e10
"""Condition numbers of Ī at which most digits are lost: such instants are rejected and counted."""

NUMERIC = [name for name in ZOO if not built(name).parameters]
"""Test models without parameters; those with parameters are tested as traced functions."""


def numbers(column: ca.DM) -> np.ndarray:
    """A column as a vector."""
    return ca.DM(column).full()[:, 0]


def decomposed(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular values with full bases, also of a matrix without rows."""
    if not matrix.shape[0]:
        return np.zeros((0, 0)), np.zeros(0), np.eye(matrix.shape[1])
    return np.linalg.svd(matrix, full_matrices=True)


@dataclass(frozen=True, eq=False)
class Case:
    """Coordinates, rates that keep all loops closed, and forces along all rates.

    The accelerations of the `driven` rates are `prescribed`. Lengths count in characteristic lengths.
    """

    equations: Equations
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    plan: Plan | None = None  # where reactions may be undetermined or degrees of freedom idle
    driven: tuple[int, ...] = ()
    prescribed: tuple[float, ...] = ()

    @property
    def skeleton(self) -> Skeleton:
        """The tree with its constants."""
        return self.equations.skeleton

    @cached_property
    def at(self) -> Snapshot:
        """The instant in numbers."""
        return Snapshot(self.skeleton, ca.DM(self.q), ca.DM(self.v))

    @cached_property
    def J(self) -> np.ndarray:
        """Rows of the loops, then of the drives."""
        return np.vstack(
            [ca.DM(self.at.loop_jacobian).full(), np.eye(self.skeleton.rates)[list(self.driven)]]
        )

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """The driven rates by joint and component."""
        named = [
            Target(link.joint.name, (component,))
            for link in self.skeleton.links
            for component in link.joint.components(self.skeleton.planar)
        ]
        return tuple(named[k] for k in self.driven)

    @cached_property
    def drives(self) -> RowSet:
        """Their rows."""
        return RowSet(tuple(target_rows(self.skeleton, target) for target in self.targets))

    @cached_property
    def gamma(self) -> np.ndarray:
        """Right-hand sides of the rows: J v̇ = γ."""
        return np.concatenate(
            [numbers(self.at.loop_constraints.gamma(self.at, NOTHING_PRESCRIBED)), self.prescribed]
        )

    @property
    def col(self) -> np.ndarray:
        """Multiplies rates that are lengths by the characteristic length."""
        return self.equations.chart.rate_units

    @cached_property
    def row(self) -> np.ndarray:
        """Divides rows that are lengths by the characteristic length."""
        loops = self.equations.rate_row_scale[: self.equations.loop_constraints.count]
        return np.concatenate([loops, 1 / self.col[list(self.driven)]])

    @cached_property
    def decomposed(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Singular values of the rows, free of units."""
        return decomposed(self.row[:, None] * self.J * self.col)

    @cached_property
    def rank(self) -> int:
        """Independent rows."""
        sigma = self.decomposed[1]
        return int(np.sum(sigma > DEPENDENT * sigma.max(initial=1e-300)))

    @cached_property
    def basis(self) -> np.ndarray | None:
        """Independent combinations of the rows, if some are redundant."""
        return None if self.rank == len(self.J) else self.decomposed[0][:, : self.rank].T * self.row

    @cached_property
    def choice(self) -> np.ndarray:
        """Independent combinations of the rates."""
        return self.decomposed[2][self.rank :] / self.col

    @cached_property
    def motions(self) -> np.ndarray:
        """Columns span the rates that the rows allow."""
        return self.col[:, None] * self.decomposed[2][self.rank :].T

    @cached_property
    def inertia(self) -> np.ndarray:
        """I of the tree."""
        return ca.DM(generalized_inertia(self.at)).full()

    @cached_property
    def regular(self) -> bool:
        """Whether every joint of the tree moves some mass."""
        scaled = self.col[:, None] * self.inertia * self.col
        return bool(np.linalg.eigvalsh(scaled)[0] > 1e-12 * np.abs(scaled).max())

    @cached_property
    def weight(self) -> float:
        """Inertia relative to squared rows."""
        return float(np.trace(self.inertia)) / (float(np.sum(self.J**2)) or 1.0)

    @cached_property
    def problem(self) -> ForwardProblem:
        """The equations of motion of the tree with its rows."""
        return self.problem_under(self.tau)

    def problem_under(self, tau: np.ndarray) -> ForwardProblem:
        """The same under other forces."""
        return ForwardProblem(
            self.at,
            ca.DM(tau),
            self.drives,
            Prescribed(*[ca.DM(len(self.driven), 1)] * 2, ca.DM(list(self.prescribed))),
            None if self.basis is None else ca.DM(self.basis),
            0.0 if self.regular else ca.DM(self.weight),
        )

    @cached_property
    def gicm(self) -> np.ndarray:
        """Ī = J I⁻¹ Jᵀ of independent rows."""
        J = (np.diag(self.row) if self.basis is None else self.basis) @ self.J
        return J @ np.linalg.solve(ca.DM(self.problem.stiffened[0]).full(), J.T)

    @cached_property
    def condition(self) -> float:
        """cond(Ī), or cond(I) without constraints."""
        return float(np.linalg.cond(self.gicm if self.rank else self.col[:, None] * self.inertia * self.col))

    @cached_property
    def penalised(self) -> float:
        """Condition number of the augmented method's matrix I + α JᵀJ."""
        left = self.inertia + PENALTY * self.weight * self.J.T @ self.J
        return float(np.linalg.cond(self.col[:, None] * left * self.col))

    def forces(self, along: np.ndarray) -> np.ndarray:
        """Generalized forces as forces: moments over the characteristic length."""
        return along * self.col / self.skeleton.characteristic_length

    @cached_property
    def moved(self) -> Moved:
        """The result of the system method, with which the others are compared."""
        return forward(self, "system")

    @cached_property
    def force(self) -> float:
        """The largest force, relative to which differences of forces are stated."""
        moved, phi = self.moved, numbers(self.problem.phi)
        parts = (self.tau, phi, self.J.T @ moved.lam, self.inertia @ moved.a)
        return max(float(np.abs(self.forces(part)).max(initial=0.0)) for part in parts)


# forward ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Moved:
    """The results of a formulation of forward dynamics."""

    a: np.ndarray
    lam: np.ndarray


def forward(case: Case, method: str, tau: np.ndarray | None = None) -> Moved:
    """Accelerations and multipliers by one formulation."""
    problem, solve = case.problem if tau is None else case.problem_under(tau), getattr(forwarding, method)
    more = {"augmented": PENALTY * case.weight} | dict.fromkeys(
        ("embedding", "virtual_work"), ca.DM(case.choice)
    )
    answer = solve(problem, more[method]) if method in more else solve(problem)
    return Moved(numbers(answer.a), numbers(answer.lam))


# inverse ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Loaded:
    """The results of a formulation of inverse dynamics: efforts, and the constraint wrench of every joint."""

    tau: np.ndarray
    wrenches: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Known:
    """A known motion: accelerations of a case, which efforts are unknown, and known forces along all rates."""

    case: Case
    a: np.ndarray
    efforts: Efforts
    known: np.ndarray

    @cached_property
    def B(self) -> np.ndarray:
        """A unit column for every unknown effort."""
        return inverting.effort_columns(self.case.equations, self.efforts)

    @cached_property
    def problem(self) -> inverting.InverseProblem:
        """Jᵀ λ + B τ = h."""
        basis = None if self.case.basis is None else ca.DM(self.case.basis)
        return inverting.InverseProblem(self.case.at, ca.DM(self.a), ca.DM(self.B), ca.DM(self.known), basis)

    @cached_property
    def condition(self) -> float:
        """cond [Jᵀ B] of independent rows, free of units."""
        case = self.case
        rows = case.decomposed[1][: case.rank, None] * case.decomposed[2][: case.rank]
        return float(np.linalg.cond(np.column_stack([rows.T, self.B])))

    @property
    def names(self) -> list[str]:
        """All joints as the traditional method has them: the tree's, then the cuts."""
        skeleton = self.case.skeleton
        return [*(link.joint.name for link in skeleton.links), *(cut.joint.name for cut in skeleton.cuts)]

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Irreducible blocks of the equations; here an effort may act on a ball joint too, unlike an Actuator."""
        mechanism = self.case.skeleton.mechanism
        acting = SimpleNamespace(
            planar=mechanism.planar,
            joint=mechanism.joint,
            body=mechanism.body,
            actuators=tuple(Actuator(*effort) for effort in self.efforts),
            drives=(),
        )
        return determinacy_of(acting, self.case.skeleton.tree).blocks  # type: ignore[arg-type]

    @property
    def spread(self) -> np.ndarray | None:
        """Independent combinations of all joints' components where some are redundant."""
        case = self.case
        if case.basis is None:
            return None
        screws = constraint_matrix_at(case.equations, case.q, case.skeleton.parameter_values)
        U, sigma, _ = np.linalg.svd(screws.A[[k for joint in self.names for k in screws.joint_rows(joint)]])
        return U[:, : int(np.sum(sigma > DEPENDENT * sigma[0]))]


def inverse(known: Known, method: str) -> Loaded:
    """Efforts and reactions by one formulation; with more equations than unknowns there are no subsystems."""
    case, problem = known.case, known.problem
    if method == "traditional":
        spread = known.spread
        answer = inverting.traditional(problem, None if spread is None else ca.DM(spread))
        return Loaded(numbers(answer.tau), dict(zip(known.names, map(numbers, answer.wrenches), strict=True)))
    if method == "subsystem" and len(known.efforts) == case.motions.shape[1]:
        found = inverting.subsystem(problem, known.blocks)
    elif method == "virtual_work":
        found = inverting.virtual_work(problem, ca.DM(case.choice))
    else:
        found = inverting.system(problem)
    tau = ca.DM(known.known) + ca.DM(known.B) @ found.tau
    wrenches = joint_reactions(case.at, problem.required_wrenches, found.lam, tau)
    joints = {name: numbers(w) for name, w in wrenches.items() if name in known.names}
    return Loaded(numbers(found.tau), joints)


# cases ------------------------------------------------------------------------------------------------


def case_at(equations: Equations, q: np.ndarray, seed: int, plan: Plan | None = None) -> Case:
    """Random rates of about one radian or characteristic length a second, and forces of the size of the weight."""
    rng, n, L = (
        np.random.default_rng(seed),
        equations.skeleton.rates,
        equations.skeleton.characteristic_length,
    )
    still = Case(equations, q, np.zeros(n), np.zeros(n), plan)
    v = still.motions @ rng.normal(size=still.motions.shape[1])
    weight = 9.81 * sum(float(link.reduced.mass) for link in equations.skeleton.links)
    return Case(equations, q, v, weight * L * rng.normal(size=n) / still.col, plan)


@cache
def zoo_cases(name: str) -> tuple[Case, ...]:
    """A mechanism of the zoo along its default tree and two others, at a position that is not its first."""
    found, all_trees = [], trees(name, 9)
    for tree in dict.fromkeys((all_trees[0], all_trees[len(all_trees) // 2], all_trees[-1])):
        equations, positions = places(name, tree)
        found.append(case_at(equations, positions[-1], 7, _plan(name)))
    return tuple(found)


@cache
def _plan(name: str) -> Plan:
    return plan_at(assembled(name), trees(name, 1)[0].cuts)


def drawn_case(drawn: Closed, number: int, seed: int) -> Case:
    """A random mechanism in its drawn position, along one of its trees."""
    *_, tree = candidate_trees(graph_of(drawn.mechanism), number + 1)
    return guessed_case(drawn.mechanism, tree, seed)


def guessed_case(mechanism: Mechanism, tree: Tree, seed: int) -> Case:
    """A mechanism that is closed in the position of its guess."""
    equations = Equations(build_skeleton(mechanism, tree))
    q, guess = np.array(equations.skeleton.neutral_position, float), dict(mechanism.guess)
    for link in equations.skeleton.links:
        if link.joint.name in guess:
            q[link.q] = guess[link.joint.name]
    return case_at(equations, q, seed)


def efforts_for(case: Case) -> Efforts:
    """The efforts of the drives; if there are too few, as many coordinates as degrees of freedom, well conditioned."""
    skeleton, C = case.skeleton, case.motions / case.col[:, None]
    driven = unknown_efforts(skeleton.mechanism)
    if driven and len(driven) == C.shape[1] - len(case.plan.idle if case.plan else ()):
        return driven
    coordinates = [
        (link.joint.name, component)
        for link in skeleton.links
        for component in link.joint.components(skeleton.planar)
    ]
    order = qr(C.T, mode="r", pivoting=True)[1]
    return tuple(coordinates[k] for k in sorted(order[: C.shape[1]]))


def known_part(case: Case, efforts: Efforts) -> np.ndarray:
    """The applied forces without those along the unknown efforts."""
    B = inverting.effort_columns(case.equations, efforts)
    return case.tau - B @ (B.T @ case.tau)


def known_motion(case: Case, efforts: Efforts, seed: int = 3) -> Known:
    """Random accelerations that keep the loops closed; idle degrees of freedom accelerate under the forces."""
    if len(efforts) < case.motions.shape[1]:
        return Known(case, case.moved.a, efforts, known_part(case, efforts))
    scaled = case.row[:, None] * case.J * case.col
    particular = case.col * np.linalg.lstsq(scaled, case.row * case.gamma, rcond=DEPENDENT)[0]
    x = np.random.default_rng(seed).normal(size=case.motions.shape[1])
    return Known(case, particular + 10 * case.motions @ x, efforts, case.tau)
