"""The identities of the papers: the orthogonal complement, constraint wrenches, inertia, zero blocks and energy."""

import casadi as ca
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from laws.formulation_cases import (
    EPSILON,
    NUMERIC,
    drawn_case,
    efforts_for,
    inverse,
    known_motion,
    numbers,
    zoo_cases,
)
from laws.printed_formulas import diagonal_factor, gicm_blocks, lower_factor, tree_complement
from laws.stencils import slope
from zoo import ZOO
from zoo.body_poses import joint_ends
from zoo.constraints import joint_rows
from zoo.random_mechanisms import closed_mechanisms

from multiloop.dynamics.actions import supplied_power
from multiloop.dynamics.inertia_matrix import twist_columns
from multiloop.dynamics.joint_reactions import constraint_wrenches
from multiloop.dynamics.outputs.energy import kinetic_energy, potential_energy
from multiloop.kinematics import Snapshot
from multiloop.kinematics.constraints import end_poses
from multiloop.model.marker_poses import marker_pose, nominal_value
from multiloop.plan import constraint_matrix_at, massless_links
from multiloop.spatial import numeric, twist_matrix
from multiloop.topology import gicm_pattern, jacobian_pattern

ROUND_OFF = 1e-12
"""Sums of a few hundred products along branches of a dozen bodies, several thousand times the unit round-off."""

STEP = 1e-3
"""Of differences, for rates of about one a second: h⁴ and round-off over h are below 1e-11."""


@pytest.fixture(params=NUMERIC)
def name(request):
    return request.param


# the laws ---------------------------------------------------------------------------------------------


def complement_is_the_jacobian_of_the_twists(case):
    """t = N v with N = N_l N_d, column by column from the recursion of the twists; [chaudhary], eqs. (26), (32)."""
    N = ca.DM(tree_complement(case.at)).full()
    unit = np.eye(case.skeleton.rates)
    twists = [[m.column for m in Snapshot(case.skeleton, case.at.q, ca.DM(e)).body_twists] for e in unit]
    columns = np.column_stack([np.concatenate([numbers(t) for t in column]) for column in twists])
    size = np.abs(columns).max()
    assert np.abs(N - columns).max() <= ROUND_OFF * size
    assert np.abs(N - np.vstack([ca.DM(part).full() for part in twist_columns(case.at)])).max() == 0.0
    assert (ca.DM(lower_factor(case.at)) @ ca.DM(diagonal_factor(case.at))).full() == pytest.approx(N, abs=0)


def on_bodies(case, joint, wrench):
    """A wrench between the two bodies of a tree joint, at its second marker, as it acts on all bodies."""
    skeleton, placed = case.skeleton, case.at.placements
    link = skeleton.link_of_joint[joint]
    k = skeleton.index[link.body]
    point = placed[k].pose.p if link.forward else placed[k].parent_frame.p
    first, second = (link.parent, k) if link.forward else (k, link.parent)
    total = np.zeros(6 * len(skeleton.links))
    for body, sign in ((second, 1.0), (first, -1.0)):
        if body >= 0:
            A = ca.DM(twist_matrix(point - placed[body].pose.p)).full()
            total[6 * body : 6 * body + 6] += sign * A.T @ wrench
    return total


def constraint_wrenches_drop_out(case, wrenches):
    """Nᵀ wᶜ = 0 for every uncut joint, so that all of them together do no work in any motion; [chaudhary], eq. (8)."""
    N = ca.DM(tree_complement(case.at)).full()
    size = max(np.abs(w).max() for w in wrenches.values()) * max(1.0, np.abs(N).max() ** 2)
    for link in case.skeleton.links:
        left = N.T @ on_bodies(case, link.joint.name, wrenches[link.joint.name])
        assert np.abs(left).max() <= ROUND_OFF * size, link.joint.name


def cut_wrenches_act_as_multipliers(case):
    """The generalized force of the cut wrenches W λ and of the efforts of couplings is Jᵀ λ: [chaudhary], §3."""
    lam = np.random.default_rng(5).normal(size=case.at.loop_constraints.count)
    on_body, _, efforts = constraint_wrenches(case.at, ca.DM(lam))
    N = ca.DM(tree_complement(case.at)).full()
    found = N.T @ np.concatenate([numbers(w) for w in on_body]) + numbers(efforts)
    size = max(1.0, np.abs(case.J).max(initial=0.0), np.abs(N).max() ** 2)
    assert np.abs(found - case.J.T @ lam).max(initial=0.0) <= ROUND_OFF * size * max(1, len(lam))


def no_power_in_any_constraint(case, wrenches):
    """w · (t_second − t_first) = 0 at the second marker of every joint, cut or not, and so in total."""
    skeleton, placed = case.skeleton, case.at.placements
    twists = [numbers(motion.column) for motion in case.at.body_twists]

    def seen(body, point):
        if body < 0:
            return np.zeros(6)
        return ca.DM(twist_matrix(point - placed[body].pose.p)).full() @ twists[body]

    powers = {
        link.joint.name: on_bodies(case, link.joint.name, wrenches[link.joint.name]) @ np.concatenate(twists)
        for link in skeleton.links
    }
    for cut in case.equations.cut_joints:
        first, second = cut.ends
        point = end_poses(case.at, first, second).S.p
        powers[cut.name] = wrenches[cut.name] @ (seen(second.body, point) - seen(first.body, point))
    size = max(np.abs(w).max() for w in wrenches.values()) * max(1.0, *(np.abs(t).max() for t in twists))
    # Rates meet the loops to round-off of singular values, and powers are small differences of large ones.
    assert max(map(abs, powers.values())) <= 100 * ROUND_OFF * size
    assert abs(sum(powers.values())) <= 100 * ROUND_OFF * size


def inertia_is_symmetric_and_positive(case):
    """I = Iᵀ > 0; massless or thin links of the tree leave it semidefinite, which the loops make positive."""
    scaled = case.col[:, None] * case.inertia * case.col
    weights = np.linalg.eigvalsh(scaled)
    assert np.abs(scaled - scaled.T).max() <= 4 * EPSILON * np.abs(scaled).max()
    p = np.array(list(case.skeleton.mechanism.parameters.values()))
    if massless_links(case.equations, case.q, p).rule == "regular":
        assert weights[0] > 0.0
    assert weights[0] > -1e-14 * weights[-1]
    free = case.decomposed[2][case.rank :]
    assert np.linalg.eigvalsh(free @ scaled @ free.T)[0] > 1e-12 * weights[-1]


def zero_blocks_are_where_the_plan_has_them(case):
    """Blocks of J and of Ī of the loops: exact zeros where the pattern says so; [koul], eqs. (13), (24), (30)."""
    skeleton, tree = case.skeleton, case.skeleton.tree
    rates = [
        [k for joint in subsystem.joints for k in _places(skeleton.link_of_joint[joint])]
        for subsystem in tree.subsystems
    ]
    own = case.at.loop_constraints
    for cut, rows, pattern in zip(own.constraints, own.slices, jacobian_pattern(tree), strict=False):
        for columns, full in zip(rates, pattern, strict=True):
            block = case.J[rows, columns]
            assert full or not np.any(block), (cut.name, columns)
            if block.size:  # a Free joint constrains nothing and has no rows
                yield cut.name, full, bool(np.any(block))
    if case.regular:
        yield from gicm_blocks_are_where_the_plan_has_them(case)


def gicm_blocks_are_where_the_plan_has_them(case):
    """Ī block by block is J I⁻¹ Jᵀ; blocks that the pattern has zero are not formed."""
    rows, (gicm, _) = case.at.loop_constraints.slices, gicm_blocks(case.problem)
    dense = case.J @ np.linalg.solve(case.inertia, case.J.T)
    for r, pattern in enumerate(gicm_pattern(case.skeleton.tree)):
        for s, expected in enumerate(pattern[: r + 1]):
            block = dense[rows[r], rows[s]]
            if block.size:
                found = ca.DM(gicm[r, s]).full() if (r, s) in gicm else np.zeros(block.shape)
                # Two ways to one matrix: apart by round-off in the inverse of I.
                assert np.abs(found - block).max() <= 1e-9 * np.abs(dense).max(), (r, s)
                assert expected or (r, s) not in gicm, (r, s)
                yield (r, s), expected, bool(np.any(found))


def _places(link):
    return range(link.v.start, link.v.stop)


def power_of_the_efforts_is_the_rate_of_energy(case):
    """d(T + V)/dt = τ · v while q moves with v and v with v̇."""
    chart, v, a = case.equations.chart, case.v, case.moved.a

    def energy(h):
        q = chart.apply_step(case.q, h * v + 0.5 * h * h * a)
        # A turn of a quaternion by h v + h² a/2 is that motion up to h³, which first differences do not see.
        at = Snapshot(case.skeleton, ca.DM(q), ca.DM(v + h * a))
        return float(kinetic_energy(at)) + float(potential_energy(at))

    fast = max(1.0, np.abs(v / case.col).max(), np.sqrt(np.abs(a / case.col).max()))
    h = STEP / fast
    power = case.tau @ v + float(supplied_power(case.at))
    size = max(abs(power), np.abs(case.tau * v).max(), np.abs(energy(0.0)) * fast)
    return abs(slope(energy, h) - power) / size


# on the zoo -------------------------------------------------------------------------------------------


def test_complement_is_the_jacobian_of_the_twists(name):
    for case in zoo_cases(name)[:2]:
        complement_is_the_jacobian_of_the_twists(case)
    case = zoo_cases(name)[0]
    traced = case.equations.tree_functions.natural_orthogonal_complement(
        case.q, case.skeleton.parameter_values
    )
    assert ca.DM(tree_complement(case.at)).full() == pytest.approx(
        traced, abs=ROUND_OFF * np.abs(traced).max()
    )


def test_admissible_twists_meet_all_joints(name):
    """A T = 0: A has the rows of all joints, T the twists of all motions that the loops of any tree allow."""
    for case in zoo_cases(name):
        screws = constraint_matrix_at(case.equations, case.q, case.skeleton.parameter_values)
        N, size = ca.DM(tree_complement(case.at)).full(), screws.dimension
        used = slice(2, 5) if size == 3 else slice(0, 6)
        stacked = {}
        for k, link in enumerate(case.skeleton.links):
            away = (
                ca.DM(screws.points[link.body] * case.skeleton.characteristic_length)
                - case.at.placements[k].pose.p
            )
            in_its_midst = ca.DM(twist_matrix(away)).full() @ N[6 * k : 6 * k + 6]
            in_its_midst[3:] /= case.skeleton.characteristic_length
            stacked[link.body] = (in_its_midst @ case.motions)[used]
        T = np.vstack([stacked[body] for body in screws.bodies])
        assert np.abs(screws.A @ T).max(initial=0.0) <= ROUND_OFF * np.abs(screws.A).max() * np.abs(T).max()
        assert T.shape[1] == ZOO[name].mobility


def test_constraint_wrenches_drop_out_and_do_no_work(name):
    for case in zoo_cases(name)[:2]:
        wrenches = inverse(known_motion(case, efforts_for(case)), "system").wrenches
        constraint_wrenches_drop_out(case, wrenches)
        no_power_in_any_constraint(case, wrenches)


def test_cut_wrenches_act_as_multipliers(name):
    for case in zoo_cases(name):
        cut_wrenches_act_as_multipliers(case)


def test_inertia_is_symmetric_and_positive(name):
    for case in zoo_cases(name):
        inertia_is_symmetric_and_positive(case)


def test_zero_blocks_are_where_the_plan_has_them_and_nowhere_else(name):
    for case in zoo_cases(name):
        for where, expected, full in zero_blocks_are_where_the_plan_has_them(case):
            # A shaft in two bearings turns about its line without moving either: its J vanishes as a whole.
            assert full == expected or name == "two-bearings", where


def test_power_of_the_efforts_is_the_rate_of_energy(name):
    for case in zoo_cases(name)[:2]:
        assert power_of_the_efforts_is_the_rate_of_energy(case) < 1e-9


# on random mechanisms ---------------------------------------------------------------------------------


def frames(case):
    """Pose of every body's own frame; the twin of a split body has the frame of the body."""
    mechanism, found = case.skeleton.mechanism, []
    original = {split.twin: split.body for split in case.skeleton.tree.splits}
    for link, place in zip(case.skeleton.links, case.at.placements, strict=True):
        marker = mechanism.body(original.get(link.body, link.body)).marker(link.inboard_marker)
        found.append(place.pose @ marker_pose(marker, nominal_value, mechanism.planar).inverse())
    return found


@pytest.mark.slow
@settings(max_examples=25)
@given(closed_mechanisms(), st.integers(0, 12))
def test_random_mechanisms_obey_the_identities(drawn, number):
    case = drawn_case(drawn, number, number)
    complement_is_the_jacobian_of_the_twists(case)
    wrenches = inverse(known_motion(case, efforts_for(case)), "system").wrenches
    constraint_wrenches_drop_out(case, wrenches)
    no_power_in_any_constraint(case, wrenches)
    cut_wrenches_act_as_multipliers(case)
    inertia_is_symmetric_and_positive(case)
    for where, expected, full in zero_blocks_are_where_the_plan_has_them(case):
        assert expected or not full, where  # a block may vanish for the drawn numbers only
    assert power_of_the_efforts_is_the_rate_of_energy(case) < 1e-9


@settings(max_examples=40)
@given(closed_mechanisms(), st.integers(0, 12))
def test_twists_of_random_mechanisms_meet_a_matrix_written_without_a_tree(drawn, number):
    case, mechanism = drawn_case(drawn, number, number), drawn.mechanism
    origins = {body.name: numeric(drawn.poses[body.name].p) for body in mechanism.moving}
    ends = {joint: joint_ends(mechanism, joint, drawn.poses) for joint in mechanism.connections}
    rows = [joint_rows(joint, *ends[joint], origins, planar=mechanism.planar, held=True) for joint in ends]
    A, N, own = np.vstack(rows), ca.DM(tree_complement(case.at)).full(), frames(case)
    used = slice(2, 5) if mechanism.planar else slice(0, 6)
    parts = {}
    for k, link in enumerate(case.skeleton.links):
        moved = ca.DM(twist_matrix(own[k].p - case.at.placements[k].pose.p)).full() @ N[6 * k : 6 * k + 6]
        parts[link.body] = (moved @ case.motions)[used]
    T = np.vstack([parts[body.name] for body in mechanism.moving])
    # The drawn markers close the loops to 1e-12 of the mechanism's size.
    assert np.abs(A @ T).max() <= 1e-11 * np.abs(A).max() * np.abs(T).max()
    assert T.shape[1] == drawn.mobility
