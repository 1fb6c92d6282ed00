"""One instant of a mechanism along one tree, in numbers, and every formulation asked about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from types import SimpleNamespace

import casadi as ca
import numpy as np
from laws.placing import assembled, built, places
from scipy.linalg import qr
from zoo import ZOO
from zoo.random_mechanisms import Closed

from multiloop.dynamics import forward as forwarding
from multiloop.dynamics import inverse as inverting
from multiloop.dynamics.problem import Problem
from multiloop.dynamics.reactions import all_reactions
from multiloop.kinematics.equations import Equations
from multiloop.kinematics.skeleton import Skeleton, build_skeleton
from multiloop.kinematics.snapshot import Snapshot
from multiloop.model import Actuator
from multiloop.plan import Block, Plan, efforts_of, joint_wrenches, plan_at, screws_of
from multiloop.plan.determinacy import determinacy_of
from multiloop.questions.motion import PENALTY
from multiloop.topology import Tree, candidate_trees, graph_of

EPSILON = float(np.finfo(float).eps)

AGREED = 1e-9
"""Relative agreement of two formulations on a problem with a condition number of a million at most: each loses
six of sixteen digits to it, and the augmented one some more to its penalty."""

DEPENDENT = 1e-9
"""Singular values below this part of the largest count as zero."""

SINGULAR = 1e10
"""Condition numbers of Ī from which half of the digits and more are lost: such instants are passed over."""

NUMERIC = [name for name in ZOO if not built(name).parameters]
"""Mechanisms of the zoo that are numbers throughout; those with parameters are judged as traced functions."""


def allowed(condition: float) -> float:
    """How far two formulations may be apart: 1e-9, and on ill-conditioned problems what round-off makes of it."""
    return AGREED if condition <= 1e6 else 100 * EPSILON * condition


@dataclass(frozen=True, eq=False)
class Moved:
    """What one formulation of forward dynamics answers."""

    a: np.ndarray
    lam: np.ndarray


@dataclass(frozen=True, eq=False)
class Loaded:
    """What one formulation of inverse dynamics answers: efforts, and the constraint wrench of every joint."""

    tau: np.ndarray
    wrenches: dict[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Case:
    """Coordinates and rates that keep all loops closed, and forces applied along all rates."""

    equations: Equations
    q: np.ndarray
    v: np.ndarray
    tau: np.ndarray
    plan: Plan | None = None  # where reactions may be undetermined or freedoms idle

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
        """All rows of the loops."""
        return ca.DM(self.at.loop_jacobian).full()

    @property
    def col(self) -> np.ndarray:
        """Multiplies rates that are lengths by the characteristic length; forces along them are divided by it."""
        return self.equations.chart.scale

    @cached_property
    def row(self) -> np.ndarray:
        """Divides rows that are lengths by the characteristic length."""
        return self.equations.row_scale[: self.skeleton.rows]

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
        """Independent combinations of the rows where some are redundant."""
        return None if self.rank == len(self.J) else self.decomposed[0][:, : self.rank].T * self.row

    @cached_property
    def choice(self) -> np.ndarray:
        """Independent combinations of the rates."""
        return self.decomposed[2][self.rank :] / self.col

    @cached_property
    def motions(self) -> np.ndarray:
        """Columns span the rates that the loops allow."""
        return self.col[:, None] * self.decomposed[2][self.rank :].T

    @cached_property
    def weight(self) -> float:
        """Inertia over squared rows."""
        return float(np.trace(self.inertia)) / (float(np.sum(self.J**2)) or 1.0)

    @cached_property
    def inertia(self) -> np.ndarray:
        """I of the tree."""
        nothing = ca.DM(self.skeleton.rates, 1)
        return ca.DM(Problem(self.at, nothing, ca.DM(self.J), nothing, ()).inertia).full()

    @cached_property
    def regular(self) -> bool:
        """Whether every joint of the tree moves some mass."""
        scaled = self.col[:, None] * self.inertia * self.col
        return bool(np.linalg.eigvalsh(scaled)[0] > 1e-12 * np.abs(scaled).max())

    @cached_property
    def problem(self) -> Problem:
        """The equations of motion of the tree with its rows."""
        return self.problem_with(self.tau)

    def problem_with(self, tau: np.ndarray) -> Problem:
        """The same under other forces."""
        return Problem(
            self.at,
            ca.DM(tau),
            ca.DM(self.J),
            ca.DM(self.at.loop_gamma),
            tuple(cut.rows for cut in self.skeleton.cuts),
            None if self.basis is None else ca.DM(self.basis),
            0.0 if self.regular else ca.DM(self.weight),
        )

    @cached_property
    def gicm(self) -> np.ndarray:
        """Ī = J I⁻¹ Jᵀ of independent rows, free of units of length."""
        basis = self.row[:, None] * np.eye(len(self.J)) if self.basis is None else self.basis
        J = basis @ self.J
        return J @ np.linalg.solve(ca.DM(self.problem.stiffened[0]).full(), J.T)

    @cached_property
    def condition(self) -> float:
        """cond(Ī), or that of I where there is nothing to close."""
        if self.rank:
            return float(np.linalg.cond(self.gicm))
        return float(np.linalg.cond(self.col[:, None] * self.inertia * self.col))

    def forces(self, along: np.ndarray) -> np.ndarray:
        """Generalized forces made comparable: moments over the characteristic length."""
        return along * self.col / self.skeleton.length

    @cached_property
    def force(self) -> float:
        """The largest force about, against which differences are judged."""
        moved = forward(self, "system")
        parts = (self.tau, numbers(self.problem.phi), self.J.T @ moved.lam, self.inertia @ moved.a)
        return max(float(np.abs(self.forces(part)).max(initial=0.0)) for part in parts)


def decomposed(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Singular values with full bases, also of a matrix without rows."""
    if not matrix.shape[0]:
        return np.zeros((0, 0)), np.zeros(0), np.eye(matrix.shape[1])
    return np.linalg.svd(matrix, full_matrices=True)


def numbers(column: ca.DM) -> np.ndarray:
    """A column as a vector."""
    return ca.DM(column).full()[:, 0]


# forward ----------------------------------------------------------------------------------------------


def forward(case: Case, method: str, tau: np.ndarray | None = None) -> Moved:
    """Accelerations and multipliers by one formulation."""
    problem = case.problem if tau is None else case.problem_with(tau)
    if method in ("embedding", "virtual_work"):
        answer = getattr(forwarding, method)(problem, ca.DM(case.choice))
    elif method == "augmented":
        answer = forwarding.augmented(problem, PENALTY * case.weight)
    else:
        answer = getattr(forwarding, method)(problem)
    return Moved(numbers(answer.a), numbers(answer.lam))


def accelerations_apart(case: Case, one: Moved, other: Moved) -> float:
    """Largest difference of accelerations relative to the largest of them."""
    size = np.abs(one.a / case.col).max(initial=0.0)
    return float(np.abs((one.a - other.a) / case.col).max(initial=0.0) / (size or 1.0))


def forces_apart(case: Case, one: Moved, other: Moved) -> float:
    """Largest difference of Jᵀ λ relative to the largest force about."""
    return float(np.abs(case.forces(case.J.T @ (one.lam - other.lam))).max(initial=0.0) / case.force)


def multipliers_apart(case: Case, one: Moved, other: Moved) -> float:
    """Largest difference of λ relative to the largest, moments over the characteristic length."""
    size = np.abs(one.lam / case.row).max(initial=0.0)
    return float(np.abs((one.lam - other.lam) / case.row).max(initial=0.0) / (size or 1.0))


# inverse ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Known:
    """A known motion of a case: accelerations, which efforts are unknown, and known forces along all rates."""

    case: Case
    a: np.ndarray
    efforts: tuple[tuple[str, str], ...]
    known: np.ndarray

    @cached_property
    def B(self) -> np.ndarray:
        """A unit column for every unknown effort."""
        return inverting.effort_columns(self.case.equations, self.efforts)

    @cached_property
    def problem(self) -> inverting.InverseProblem:
        """Jᵀ λ + B τ = h."""
        case = self.case
        basis = None if case.basis is None else ca.DM(case.basis)
        return inverting.InverseProblem(case.at, ca.DM(self.a), ca.DM(self.B), ca.DM(self.known), basis)

    @cached_property
    def condition(self) -> float:
        """cond [Jᵀ B] of independent rows, free of units."""
        case = self.case
        rows = case.decomposed[2][: case.rank] * case.decomposed[1][: case.rank, None]
        B = self.B / np.abs(self.B * case.col[:, None]).max(axis=0, initial=0.0)
        return float(np.linalg.cond(np.column_stack([rows.T, case.col[:, None] * B])))

    @property
    def names(self) -> list[str]:
        """All joints as the traditional method has them: the tree's, then the cuts."""
        skeleton = self.case.skeleton
        return [*(link.joint.name for link in skeleton.links), *(cut.joint.name for cut in skeleton.cuts)]

    @property
    def idle(self) -> bool:
        """Whether there are more equations than unknowns."""
        return len(self.efforts) < self.case.skeleton.rates - self.case.rank


INVERSE = ("traditional", "system", "subsystem", "virtual_work")


def inverse(known: Known, method: str) -> Loaded:
    """Efforts and reactions by one formulation."""
    case, problem = known.case, known.problem
    if method == "traditional":
        spread = _spread(known)
        answer = inverting.traditional(problem, None if spread is None else ca.DM(spread))
        wrenches = dict(zip(known.names, map(numbers, answer.wrenches), strict=True))
        return Loaded(numbers(answer.tau), wrenches)
    if method == "subsystem" and not known.idle:
        found = inverting.subsystem(problem, blocks_of(known))
    elif method == "virtual_work":
        found = inverting.virtual_work(problem, ca.DM(case.choice))
    else:
        found = inverting.system(problem)
    tau = ca.DM(known.known) + ca.DM(known.B) @ found.tau
    wrenches = all_reactions(case.at, problem.needed, found.lam, tau)
    return Loaded(numbers(found.tau), {name: numbers(w) for name, w in wrenches.items()})


def blocks_of(known: Known) -> tuple[Block, ...]:
    """The irreducible blocks of the equations; an effort may turn a ball here, which no Actuator does."""
    mechanism = known.case.skeleton.mechanism
    actuators = tuple(Actuator(*effort) for effort in known.efforts)
    acting = SimpleNamespace(planar=mechanism.planar, joint=mechanism.joint, actuators=actuators, drives=())
    return determinacy_of(acting, known.case.skeleton.tree).blocks  # type: ignore[arg-type]


def _spread(known: Known) -> np.ndarray | None:
    """Independent combinations of all joints' components, in the order of the traditional method."""
    case = known.case
    if case.basis is None:
        return None
    screws = screws_of(case.equations, case.q, case.skeleton.values)
    rows = [k for joint in known.names for k in screws.joint_rows(joint)]
    U, sigma, _ = np.linalg.svd(screws.A[rows])
    return U[:, : int(np.sum(sigma > DEPENDENT * sigma[0]))]


def efforts_apart(known: Known, one: Loaded, other: Loaded) -> float:
    """Largest difference of efforts relative to the largest force about."""
    case = known.case
    return float(np.abs(case.forces(known.B @ (one.tau - other.tau))).max(initial=0.0) / load_of(case, one))


def reactions_apart(known: Known, one: Loaded, other: Loaded) -> float:
    """Largest difference of constraint wrenches in what equilibrium determines, relative to the largest force."""
    case = known.case
    scale = np.array([1 / case.skeleton.length] * 3 + [1.0] * 3)
    differences = {name: scale * (w - other.wrenches[name]) for name, w in one.wrenches.items()}
    if case.basis is not None:
        differences = dict(_determined(case, differences))
    worst = max((np.abs(d).max(initial=0.0) for d in differences.values()), default=0.0)
    return float(worst / load_of(case, one))


def _determined(case: Case, wrenches: dict[str, np.ndarray]) -> Iterator[tuple[str, np.ndarray]]:
    """The components of wrenches that equilibrium determines, along the first marker's axes."""
    assert case.plan is not None
    bases = joint_wrenches(case.equations, case.q, case.skeleton.values)
    for joint, W in zip(case.skeleton.mechanism.pairs, bases, strict=True):
        unique = [flag for _, flag in case.plan.unique[joint.name]]
        yield joint.name, (np.linalg.pinv(W) @ wrenches[joint.name])[unique]


def load_of(case: Case, loaded: Loaded) -> float:
    """The largest force about: in the joints, or along the rates."""
    scale = np.array([1 / case.skeleton.length] * 3 + [1.0] * 3)
    largest = max(np.abs(scale * w).max() for w in loaded.wrenches.values())
    return max(float(largest), case.force)


# cases ------------------------------------------------------------------------------------------------


def weight_of(equations: Equations) -> float:
    """All bodies' weight on earth, the measure of random forces."""
    return 9.81 * float(sum(float(link.reduced.mass) for link in equations.skeleton.links))


def case_at(equations: Equations, q: np.ndarray, seed: int, plan: Plan | None = None) -> Case:
    """Random rates that keep the loops closed, about one radian or characteristic length a second, random forces."""
    rng, n = np.random.default_rng(seed), equations.skeleton.rates
    still = Case(equations, q, np.zeros(n), np.zeros(n), plan)
    v = still.motions @ rng.normal(size=still.motions.shape[1])
    tau = weight_of(equations) * equations.skeleton.length * rng.normal(size=n) / still.col
    return Case(equations, q, v, tau, plan)


@cache
def zoo_case(name: str, tree: Tree) -> Case:
    """A mechanism of the zoo at a position that is not its first."""
    equations, positions = places(name, tree)
    return case_at(equations, positions[-1], 7, plan_at(assembled(name), tree.cuts))


def drawn_case(drawn: Closed, number: int, seed: int) -> Case:
    """A random mechanism as it was drawn, along one of its trees."""
    mechanism = drawn.mechanism
    *_, tree = candidate_trees(graph_of(mechanism), number + 1)
    equations = Equations(build_skeleton(mechanism, tree))
    q, guess = np.array(equations.skeleton.neutral, float), dict(mechanism.guess)
    for link in equations.skeleton.links:
        if link.joint.name in guess:
            q[link.q] = guess[link.joint.name]
    return case_at(equations, q, seed)


def chosen_efforts(case: Case) -> tuple[tuple[str, str], ...]:
    """As many coordinates as there are freedoms, independent as far as possible."""
    skeleton = case.skeleton
    names = [
        (link.joint.name, component)
        for link in skeleton.links
        for component in link.joint.components(skeleton.planar)
    ]
    C = case.motions / case.col[:, None]
    _, _, order = qr(C.T, pivoting=True)
    return tuple(names[k] for k in sorted(order[: C.shape[1]]))


def zoo_efforts(case: Case) -> tuple[tuple[str, str], ...]:
    """The efforts of the drives, or chosen ones where there are too few drives."""
    idle = len(case.plan.idle) if case.plan else 0
    driven = efforts_of(case.skeleton.mechanism)
    return driven if len(driven) >= case.motions.shape[1] - idle else chosen_efforts(case)


def known_motion(case: Case, efforts: tuple[tuple[str, str], ...], seed: int) -> Known:
    """A random acceleration that keeps the loops closed, with random known forces.

    Idle freedoms, on which nothing unknown acts, accelerate as the forces make them.
    """
    rng = np.random.default_rng([seed, 1])
    if len(efforts) < case.motions.shape[1]:
        return Known(case, forward(case, "system").a, efforts, known_part(case, efforts))
    particular = np.linalg.lstsq(
        case.row[:, None] * case.J * case.col, case.row * numbers(case.at.loop_gamma), rcond=DEPENDENT
    )[0]
    a = case.col * particular + 10 * case.motions @ rng.normal(size=case.motions.shape[1])
    return Known(case, a, efforts, case.tau)


def known_part(case: Case, efforts: tuple[tuple[str, str], ...]) -> np.ndarray:
    """The applied forces without those along the unknown efforts."""
    B = inverting.effort_columns(case.equations, efforts)
    return case.tau - B @ (B.T @ case.tau)


@dataclass
class Tally:
    """How a law fared over many instants: the worst differences, and those that were passed over."""

    judged: int = 0
    rejected: int = 0
    worst: dict[str, float] = field(default_factory=dict)

    def add(self, what: str, apart: float, case_allows: float) -> None:
        """Note a difference and hold it to what is allowed."""
        self.worst[what] = max(self.worst.get(what, 0.0), apart)
        assert apart <= case_allows, f"{what}: {apart:.1e} apart, {case_allows:.1e} allowed"

    def __str__(self) -> str:
        worst = ", ".join(f"{what} {apart:.0e}" for what, apart in sorted(self.worst.items()))
        return f"{self.judged} judged, {self.rejected} rejected; worst: {worst}"
