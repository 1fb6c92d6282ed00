"""Do all formulations agree on mechanisms nobody thought of, wherever their loops are cut?"""

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from laws.formulating import SINGULAR, drawn_case, efforts_for, known_motion
from laws.judging import Tally, judge_forward, judge_inverse, judge_round_trips
from zoo.random_mechanisms import FLAT_TREE, closed_mechanisms

from multiloop.model import JOINTS

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


@pytest.mark.parametrize(("planar", "number"), BATCHES)
def test_all_formulations_agree_on_random_mechanisms(planar, number):
    tally, loops, kinds, cuts = Tally(), set(), set(), set()

    @seed(number)
    @settings(max_examples=EACH)
    @given(closed_mechanisms(planar=planar), st.integers(0, TREES - 1), st.integers(0, 99))
    def every(drawn, tree, numbers):
        case = drawn_case(drawn, tree, numbers)
        loops.add(drawn.loops)
        kinds.update(type(joint) for joint in drawn.mechanism.pairs)
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
