"""Test models with flexible links: the laws of rigid ones hold, and at rest their deflections fall as 1/(E I).

A twin has a beam for every straight, uniform rod, with its mass; its drives are held at their initial positions.
"""

from __future__ import annotations

from functools import cache
from itertools import islice

import numpy as np
import pytest
from laws.agreement import Tally, judge_forward
from laws.closed_positions import DRIVEN
from laws.formulation_cases import SINGULAR, Case, case_at
from laws.stencils import second
from laws.test_kernels_on_the_zoo import STATES, States, answers, apart
from zoo import ZOO
from zoo.twins import MIDDLE, TWINS, rigid_twin, twin

import multiloop as ml
from multiloop.analyses.assemble import assemble_with_rates
from multiloop.kernels import compiler_available
from multiloop.kinematics import equations_of
from multiloop.model.marker_poses import nominal_value
from multiloop.plan import plan_at
from multiloop.topology import Tree, candidate_trees, graph_of

STIFFER = (10.0, 100.0, 1000.0)
RESTING = [name for name in TWINS if name in DRIVEN and name != "ladder-20"]
"""Twins whose position the drives determine; the ladder of five windows represents that of twenty."""

NUMERIC = [name for name in RESTING if not ZOO[name].build().parameters]
BENT = [name for name in RESTING if not ZOO[name].redundant]
"""Twins that may begin deformed; from rest the motion in one step is too small for differences."""

COMPILED = [
    "four-bar",
    "scraper-C",
    "four-bar-parameters",
    "four-bar-welded",
    "scotch-yoke",
    "watt",
    "five-bar",
    "excavator",
    "3-RRR",
    "RSSR",
    "RSUR",
]
"""Some of the twins without redundant rows: for the others rows are chosen undeformed, and deflections are random
here."""

BENT_MORE = 10.0
"""A factor of the allowed difference, which is estimated for undeformed links; for deformed ones with open loops rows
are worse conditioned."""

TOUCHED, LONG_SUMS = 1e-15, 20.0
"""Relative change of coordinates to measure the effect of round-off, and the number of such changes in an operation
list."""

TOLD = [name for name in RESTING if ZOO[name].build().planar and name != "five-bar-geared"]
"""Planar twins; efforts of a relation are reported under its name, not at the joints."""


def some(names: list[str], *quick: str) -> list[object]:
    """A few in `make test`, all in `make test-slow`."""
    return [pytest.param(name, marks=() if name in quick else pytest.mark.slow) for name in names]


@cache
def twin_of(name: str, times: float = 1.0) -> ml.Mechanism:
    return twin(name, times)


@cache
def trees(name: str) -> tuple[Tree, ...]:
    """The default tree and the fourth of the others, or the last."""
    found = tuple(islice(candidate_trees(graph_of(twin_of(name))), 5))
    return found if len(found) == 1 else (found[0], found[-1])


# at rest ---------------------------------------------------------------------------------------------------


def resting(mechanism: ml.Mechanism, **how: object) -> np.ndarray:
    """Equilibrium positions of the middles and far ends of all links."""
    state = ml.equilibrium(mechanism, held=True, **how).state
    links = [body.name for body in mechanism.moving if body.has_marker(MIDDLE)]
    return np.concatenate([state.marker(f"{link}.{place}") for link in links for place in (MIDDLE, "b")])


@pytest.mark.parametrize("name", some(RESTING, "four-bar", "five-bar-geared"))
def test_what_is_left_falls_as_the_links_grow_stiff(name: str) -> None:
    """Slope −1 over two decades, to 0.01."""
    rigid = resting(rigid_twin(name))
    left = [np.linalg.norm(resting(twin_of(name, times)) - rigid) for times in STIFFER]
    assert np.diff(np.log10(left)) == pytest.approx(-1.0, abs=0.01)


@pytest.mark.parametrize("name", some(RESTING, "four-bar", "scotch-yoke"))
def test_cuts_do_not_matter_at_rest(name: str) -> None:
    one, *others = (resting(twin_of(name), cuts=tree.cuts) for tree in trees(name))
    for other in others:
        assert other == pytest.approx(one, abs=1e-10)


# in motion -------------------------------------------------------------------------------------------------


def bent_start(name: str, seed: int = 5) -> tuple[dict[str, object], dict[str, object]]:
    """Deflections of a hundredth of the lengths, and rates of a tenth of them per second; none if overconstrained."""
    rng, start, rates = np.random.default_rng(seed), {}, {}
    if ZOO[name].redundant:
        return start, rates
    for body in twin_of(name).moving:
        if body.elastic:
            length = length_of(body)
            start[f"{body.name}.eta"] = tuple(0.01 * length * rng.uniform(-1, 1, body.elastic))
            rates[f"{body.name}.eta"] = tuple(0.1 * length * rng.uniform(-1, 1, body.elastic))
    return start, rates


def length_of(body: ml.Body) -> float:
    return nominal_value(body.marker("b").point[0])


def cases(name: str) -> list[Case]:
    """The twin deformed and in motion, along two trees."""
    start, _ = bent_start(name)
    assembly, _ = assemble_with_rates(twin_of(name), start, None, None, 0.0)
    found = []
    for tree in trees(name):
        equations = equations_of(twin_of(name), tree)
        found.append(case_at(equations, assembly.coordinates_on(equations), 7, plan_at(assembly, tree.cuts)))
    return found


@pytest.mark.parametrize("name", some(NUMERIC, "four-bar", "RCCC", "five-bar-geared"))
def test_all_forward_formulations_agree(name: str) -> None:
    """As for rigid models, and to the same tolerance."""
    for case in cases(name):
        assert case.condition < SINGULAR
        judge_forward(case, Tally())


@pytest.mark.parametrize("name", some(RESTING, "four-bar", "planetary"))
def test_cuts_do_not_matter_in_motion(name: str) -> None:
    """Accelerations of joints and links, and joint reactions, of deformed and driven links."""
    start, rates = bent_start(name)
    one, *others = (ml.forward(twin_of(name), start, rates=rates, cuts=tree.cuts) for tree in trees(name))
    load = max(np.abs(one[joint].force).max(initial=0.0) for joint in one)
    fast = max(np.abs(link.eta_acceleration).max() for link in one.links.values())
    for other in others:
        for link, history in one.links.items():
            assert other.link(link).eta_acceleration == pytest.approx(
                history.eta_acceleration, abs=1e-8 * fast
            )
        for joint in one:
            if not one[joint].undetermined:
                assert other[joint].force == pytest.approx(one[joint].force, abs=1e-8 * load), joint


@pytest.mark.skipif(not compiler_available(), reason="no C compiler")
@pytest.mark.parametrize("name", some(COMPILED, "four-bar"))
def test_interpreter_and_both_kinds_of_machine_code_agree(name: str) -> None:
    here = States(ml.compile(twin_of(name)))
    q, rng = here.q.copy(), np.random.default_rng(2)
    for link in here.kernels.equations.skeleton.links:
        q[link.eta] = (
            0.01
            * here.kernels.equations.skeleton.characteristic_length
            * rng.uniform(-1, 1, (link.reduced.elastic, STATES))
        )
    kernel = here.kernels.forward
    touched = q * (1 + TOUCHED * rng.choice([-1.0, 1.0], q.shape))
    found, beside = (answers(kernel, here.inputs(kernel, one, *here.drawn)) for one in (q, touched))
    expected, moved = (x["interpreter"][0] / here.scale[:, None] for x in (found, beside))
    assert np.isfinite(expected).all()
    for kind in ("scalar C", "vector C"):
        for k in range(STATES):
            allowed = max(BENT_MORE * here.allowed(k), LONG_SUMS * apart(moved, expected, k))
            assert apart(found[kind][0] / here.scale[:, None], expected, k) <= allowed, (
                kind,
                k,
            )


# what the ground gives, and what a section at a joint carries ----------------------------------------------

SOFT, PART = 0.1, 0.01
"""Stiffness of the twins for differences, and the step between instants in radians of their fastest mode."""


def step(name: str) -> float:
    """Seconds between instants: of the second mode on pins, ω = 4 π² √(E I/m L³)."""
    fastest = 0.0
    for body in twin_of(name, SOFT).moving:
        if body.elastic:
            EI, mass = nominal_value(body.E * body.section.Iz), nominal_value(body.mass)
            fastest = max(fastest, 4 * np.pi**2 * np.sqrt(EI / mass / length_of(body) ** 3))
    return PART / fastest


@cache
def run(name: str) -> ml.Result:
    """Five instants of a driven twin, deformed at first."""
    start, rates = bent_start(name)
    times, how = step(name) * np.arange(5), {"rtol": 1e-12, "target": "interpreter"}
    return ml.simulate(twin_of(name, SOFT), start=start, rates=rates, until=times[-1], samples=times, **how)


def quadrature(elements: int) -> tuple[np.ndarray, np.ndarray]:
    """Places in [0, 1] and weights of Gauss's rule with six points on each of some equal elements."""
    x, weight = np.polynomial.legendre.leggauss(6)
    return ((np.arange(elements)[:, None] + (x + 1) / 2) / elements).ravel(), np.tile(
        weight / 2, elements
    ) / elements


@pytest.mark.parametrize("name", some(BENT, "four-bar", "RCCC"))
def test_the_ground_gives_what_momentum_takes(name: str) -> None:
    """d²/dt² ∫ r dm = forces of the ground and weight, from the positions of the points of all links.

    Mode shapes are cubics on each element, so the integral is taken element by element: one rule of 20 points over the
    whole length is off by 1e-5 of the force. The remaining error is round-off over the square of the step.
    """
    found = run(name)
    mechanism, total, mass = found.mechanism, 0.0, 0.0
    for body in mechanism.moving:
        own = nominal_value(body.mass)
        mass += own
        if body.elastic:
            link = found.link(body.name)
            xi, weight = quadrature(body.elements)
            total = total + own * np.einsum("n,tnk->tk", weight, link.position(xi * link.line.length))
        else:
            total = total + own * found.marker(f"{body.name}.com")
    needed = second(total, step(name)) - mass * np.array(mechanism.gravity)
    given = -found.shaking_force[2]
    size = np.abs([found[joint].force for joint in found]).max()
    assert given == pytest.approx(needed, abs=1e-5 * size)


def pinned_ends(mechanism: ml.Mechanism, body: str) -> dict[str, list[tuple[str, float]]]:
    """The ends of a link that are held by pins only: their joints, and whether the link is the second of their
    bodies."""
    found: dict[str, list[tuple[str, float]]] = {}
    for end in ("a", "b"):
        at = [joint for joint in mechanism.connections if f"{body}.{end}" in (joint.first, joint.second)]
        if all(isinstance(joint, ml.Revolute) for joint in at):
            found[end] = [(joint.name, 1.0 if joint.second == f"{body}.{end}" else -1.0) for joint in at]
    return found


@pytest.mark.parametrize("name", some(TOLD, "four-bar", "planetary"))
def test_the_moment_of_the_end_sections_is_that_of_the_joints(name: str) -> None:
    """With the efforts of drives: the moment at an end is the whole section moment there."""
    found = run(name)
    for body in found.mechanism.moving:
        if not body.elastic:
            continue
        link, size = found.link(body.name), length_of(body)
        largest = np.abs(link.moment(np.linspace(0, size, 5))).max()
        for end, joints in pinned_ends(found.mechanism, body.name).items():
            acting = sum(sign * (found[joint].moment + found[joint].effort) for joint, sign in joints)
            place, sign = (0.0, -1.0) if end == "a" else (size, 1.0)
            assert link.moment(place) == pytest.approx(sign * acting, abs=1e-9 * largest), (body.name, end)
