"""Do all formulations agree on random mechanisms, wherever their loops are cut?"""

import numpy as np
import pytest
from hypothesis import Phase, given, seed, settings, strategies as st
from laws.agreement import Tally, allowed, judge_forward, judge_inverse, judge_round_trips
from laws.formulation_cases import SINGULAR, Case, drawn_case, efforts_for, guessed_case, known_motion
from zoo.random_mechanisms import FLAT_TREE, closed_mechanisms

from multiloop import Actuator
from multiloop.model import JOINTS
from multiloop.topology import tree_of

EACH = 40
TREES = 13
"""Trees of a mechanism among which one is drawn."""

BATCHES = [(planar, number) for planar in (True, False) for number in (3, 4, 5)]
"""In the plane and in space: 240 mechanisms. The numbers are those of the draws."""


def judge(case, tally):
    """All laws at once on one instant, unless it is numerically singular."""
    if case.condition > SINGULAR:
        tally.rejected += 1
        return
    tally.judged += 1
    efforts = efforts_for(case)
    judge_forward(case, tally)
    judge_inverse(known_motion(case, efforts), tally)
    judge_round_trips(case, efforts, tally)


@pytest.mark.slow
@pytest.mark.parametrize(("planar", "number"), BATCHES)
def test_all_formulations_agree_on_random_mechanisms(planar, number):
    tally, loops, kinds, cuts = Tally(), set(), set(), set()

    @seed(number)
    @settings(max_examples=EACH)
    @given(closed_mechanisms(planar=planar), st.integers(0, TREES - 1), st.integers(0, 99))
    def every(drawn, tree, numbers):
        case = drawn_case(drawn, tree, numbers)
        loops.add(drawn.loops)
        kinds.update(type(joint) for joint in drawn.mechanism.connections)
        cuts.update(type(cut.joint) for cut in case.skeleton.cuts)
        judge(case, tally)

    every()
    print(f"{'planar' if planar else 'spatial'}, batch {number}, loops {sorted(loops)}: {tally}")
    assert tally.judged + tally.rejected >= EACH
    assert tally.rejected <= EACH // 20, "their rows are drawn independent"
    assert min(loops) == 1
    assert max(loops) >= 5
    assert kinds == set(FLAT_TREE if planar else JOINTS)
    assert len(cuts) >= 4, "loops are cut at all kinds of joints"


def along(case, values, other):
    """Values along the rates of one tree as they stand along another; None where a joint is missing there."""
    found = np.zeros(other.skeleton.rates)
    for link in other.skeleton.links:
        if link.joint.name not in case.skeleton.link_of_joint:
            return None
        found[link.v] = values[case.skeleton.link_of_joint[link.joint.name].v]
    return found


@pytest.mark.slow
def test_split_bodies_change_nothing():
    """Joints that must all stay in the tree split a body, whose halves are welded again: the motion is the same."""
    tally, compared = Tally(), 0

    @seed(1)
    @settings(max_examples=EACH, phases=[Phase.generate])  # a small example is a unit test
    @given(closed_mechanisms(planar=True, most_loops=3))
    def every(drawn):
        nonlocal compared
        single = [j for j in drawn.mechanism.connections if j.degrees_of_freedom(drawn.mechanism.planar) == 1]
        kept = drawn.mechanism.replace(actuators=[Actuator(joint.name, effort=0.0) for joint in single])
        tree = tree_of(kept)
        if not tree.splits:
            return
        split, whole = guessed_case(kept, tree, 1), drawn_case(drawn, 0, 1)
        judge(split, tally)
        v, tau = (along(split, values, whole) for values in (split.v, split.tau))
        if v is None:
            return
        forces = np.zeros(split.skeleton.rates)  # those that act in both
        for link in whole.skeleton.links:
            forces[split.skeleton.link_of_joint[link.joint.name].v] = tau[link.v]
        one = Case(split.equations, split.q, split.v, forces)
        other = Case(whole.equations, whole.q, v, tau)
        a = along(one, one.moved.a, other)
        apart = np.abs((a - other.moved.a) / other.col).max() / np.abs(a / other.col).max()
        tally.hold("split and whole", float(apart), allowed(max(one.condition, other.condition)))
        compared += 1

    every()
    print(f"{compared} compared: {tally}")
    assert tally.judged >= EACH // 4
    assert compared >= EACH // 8
