"""Do all formulations of forward and inverse dynamics agree for every test model?"""

from functools import cache

import casadi as ca
import numpy as np
import pytest
from laws.agreement import Tally, allowed, judge_forward, judge_inverse, judge_round_trips
from laws.closed_positions import DRIVEN, built, duration, trees
from laws.formulation_cases import NUMERIC, SINGULAR, Case, efforts_for, inverse, known_motion, zoo_cases
from laws.newton_euler import scales
from scipy.linalg import null_space, orth
from zoo import ZOO
from zoo.body_poses import joint_ends
from zoo.constraints import joint_rows

import multiloop as ml
from multiloop.analyses.prescribed_motion.inverse_arguments import METHODS as INVERSE
from multiloop.plan import unknown_efforts
from multiloop.spatial import Pose, numeric

SAME = 1e-9
"""Relative agreement of the public functions: condition numbers up to 1e5 in double precision, and a margin."""

SMALL = [name for name in DRIVEN if name not in ("ladder-20", "delta")]
"""The ladder of five windows represents that of twenty, and the idle spins are those of the pump."""

REDUNDANT = [name for name, entry in ZOO.items() if entry.redundant]


@pytest.fixture(params=NUMERIC)
def name(request):
    return request.param


def test_all_forward_formulations_agree(name):
    for case in zoo_cases(name):
        assert case.condition < SINGULAR
        judge_forward(case, Tally())


def test_all_inverse_formulations_agree(name):
    for case in zoo_cases(name):
        judge_inverse(known_motion(case, efforts_for(case)), Tally())


def test_forward_and_inverse_undo_each_other(name):
    for case in zoo_cases(name):
        judge_round_trips(case, efforts_for(case), Tally())


@pytest.mark.parametrize("name", [name for name in DRIVEN if name in NUMERIC])
def test_multipliers_of_prescribed_rates_are_the_efforts(name):
    """Forward dynamics with the rows of the drives below those of the loops is inverse dynamics."""
    case, tally = zoo_cases(name)[0], Tally()
    known = known_motion(case, efforts_for(case))
    driven = tuple(int(np.argmax(column)) for column in known.B.T)
    held = Case(case.equations, case.q, case.v, known.known, case.plan, driven, tuple(known.a[list(driven)]))
    judge_forward(held, tally)
    apart = known.B @ (inverse(known, "system").tau - held.moved.lam[case.equations.loop_constraints.count :])
    limit = allowed(max(held.condition, known.condition))
    tally.hold("efforts", float(np.abs(case.forces(apart)).max() / case.force), limit)


# by the public functions ------------------------------------------------------------------------------


@cache
def asked(name):
    """Inverse dynamics at an instant other than the first."""
    return ml.inverse(built(name), t=(0.0, 0.17 * duration(name)))


def agree(one, other):
    """Two results at their last instant: accelerations, efforts and reactions, each against the largest."""
    force, moment = scales(one)
    fast = max(1.0, *(np.abs(one[joint].acceleration).max(initial=0.0) for joint in one))
    for joint in one:
        a, b = one[joint], other[joint]
        assert b.acceleration[-1] == pytest.approx(a.acceleration[-1], abs=SAME * fast), joint
        assert b.effort[-1] == pytest.approx(a.effort[-1], abs=SAME * moment), joint
        assert b.force[-1] == pytest.approx(a.force[-1], abs=SAME * force), joint
        assert b.moment[-1] == pytest.approx(a.moment[-1], abs=SAME * moment), joint


@pytest.mark.parametrize("name", SMALL)
def test_the_efforts_that_inverse_finds_make_the_motion(name):
    """Released under these efforts, and with its drives prescribed: both give the given motion."""
    mechanism, wanted = built(name), asked(name)
    efforts = {joint: float(wanted[joint].effort[-1]) for joint, _ in unknown_efforts(mechanism)}
    given = {"cuts": wanted.plan.cuts}
    agree(wanted, ml.forward(mechanism.without_drives(), wanted.final, efforts=efforts, **given))
    agree(wanted, ml.forward(mechanism, wanted.final, **given))


@pytest.mark.parametrize("name", SMALL)
def test_inverse_finds_the_efforts_that_made_the_motion(name):
    """Each driven joint follows the parabola of the acceleration that some efforts have caused."""
    mechanism, state, cuts = built(name), asked(name).final, asked(name).plan.cuts
    size = 0.1 * scales(asked(name))[0]
    efforts = {joint: size * (k + 1) for k, (joint, _) in enumerate(unknown_efforts(mechanism))}
    moved = ml.forward(mechanism.without_drives(), state, efforts=efforts, cuts=cuts)
    t = ml.time
    parabolas = [
        ml.Motion(joint, x.position[0] + x.rate[0] * t + x.acceleration[0] / 2 * t**2)
        for joint, x in ((joint, moved[joint]) for joint in efforts)
    ]
    driven = mechanism.replace(drives=parabolas)
    agree(moved, ml.inverse(driven, t=0.0, guess=dict(state.positions), cuts=cuts))


# what equilibrium leaves open -------------------------------------------------------------------------


def all_components(result):
    """Reactions of all joints at the last instant along their wrenches, and the self-equilibrated ones.

    They are written from the joints' wrenches and the poses alone; moments are divided by the characteristic length.
    """
    mechanism, L = result.mechanism, result.plan.length
    poses = {name: Pose(ca.DM(X[-1][:, :3]), ca.DM(X[-1][:, 3])) for name, X in result.poses.items()}
    origins = {body.name: numeric(poses[body.name].p) for body in mechanism.moving}
    found, rows, scale = [], [], []
    for joint in mechanism.connections:
        F, S = joint_ends(mechanism, joint, poses)
        rows.append(joint_rows(joint, F, S, origins, planar=mechanism.planar, held=True))
        W = ca.DM(joint.wrenches(F.inverse() @ S, mechanism.planar)).full()
        x, R = result[joint.name], numeric(F.R)
        force = np.array([*x.force[-1], 0.0][:3])
        moment = np.array([0, 0, x.moment[-1]]) if mechanism.planar else x.moment[-1]
        found.append(np.linalg.pinv(W) @ np.concatenate([R.T @ moment, R.T @ force]))
        scale.append(np.where(np.abs(W[3:]).max(axis=0, initial=0.0) > 0, 1.0, 1 / L))
    shared, d = null_space(np.vstack(rows).T, rcond=1e-9), np.concatenate(scale)
    return d * np.concatenate(found), orth(d[:, None] * shared)


@pytest.mark.parametrize("name", REDUNDANT)
def test_undetermined_reactions_are_one_whatever_the_method_and_the_cut(name):
    mechanism, first = built(name), asked(name)
    for method in INVERSE:
        agree(first, ml.inverse(mechanism, t=first.time, method=method))
    for tree in trees(name, 3):
        agree(first, ml.inverse(mechanism, t=first.time, cuts=tree.cuts))
    for method in ("sslm", "embedding", "augmented"):
        agree(first, ml.forward(mechanism, first.final, method=method, cuts=first.plan.cuts))


@pytest.mark.parametrize("name", REDUNDANT)
def test_undetermined_reactions_are_the_least(name):
    """Adding or subtracting any self-equilibrated reaction makes them larger."""
    least, shared = all_components(asked(name))
    assert shared.shape[1] == ZOO[name].redundant
    size = np.linalg.norm(least)
    # Both are found to round-off by singular values of a matrix with a condition number of a hundred.
    assert np.abs(shared.T @ least).max() < 1e-11 * size
    for more in 1e-3 * size * shared.T:
        assert np.linalg.norm(least + more) > size
        assert np.linalg.norm(least - more) > size


@pytest.mark.parametrize("name", REDUNDANT)
def test_undetermined_components_are_those_that_balance_themselves(name):
    _, shared = all_components(asked(name))
    open_ones = np.abs(shared).max(axis=1) > 1e-7
    named = [flag for unique in asked(name).plan.unique.values() for _, flag in unique]
    assert list(~open_ones) == named
