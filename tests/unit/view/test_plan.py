"""The picture of a plan shows its tree, its cuts and its blocks."""

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from unit.view.overlaps import overlaps
from zoo import ZOO

import multiloop as ml
from multiloop.view.plan_diagram import Blocks, graph_layout


@pytest.fixture(scope="module", params=["scraper-C", "excavator", "two-bearings", "floating-base", "bennett"])
def plan(request):
    return ml.analyse(ZOO[request.param].build())


def test_every_body_joint_and_cut_is_named(plan):
    figure = plan.draw()
    assert isinstance(figure, Figure)
    words = [text.get_text() for text in figure.axes[0].texts]
    for name in [branch.body for branch in plan.tree.branches] + [
        branch.joint for branch in plan.tree.branches
    ]:
        assert name in words
    for number, cut in enumerate(plan.cuts, start=1):
        assert str(number) in words
        assert cut in words


def test_boxes_stand_apart_and_children_above_their_parents(plan):
    layout = graph_layout(plan)
    for one, other in combinations(layout.centres, 2):
        gap = np.abs(layout.centres[one] - layout.centres[other])
        assert gap[0] > (layout.widths[one] + layout.widths[other]) / 2 or gap[1] > 30
    for branch in plan.tree.branches:
        if branch.parent in layout.centres:
            assert layout.centres[branch.body][1] > layout.centres[branch.parent][1]


def test_filled_squares_are_the_blocks_that_differ_from_zero(plan):
    patches = plan.draw().axes[0].patches
    cells = [p for p in patches if abs(np.ptp(p.get_xy()[:, 0]) - Blocks(plan).cell) < 1e-9]
    filled = sum(p.get_facecolor()[:3] != (1.0, 1.0, 1.0) for p in cells)
    expected = np.sum(plan.jacobian_pattern, dtype=int) + np.sum(plan.gicm_pattern, dtype=int)
    assert filled == expected


def test_a_stage_states_its_unknowns():
    plan = ml.analyse(ZOO["scraper-C"].build(), cuts=["crank-coupler", "Q/coupler", "Q/link7"])
    words = {text.get_text() for text in plan.draw().axes[0].texts}
    assert {"4 unknowns: Q/coupler, Q/link7", "2 unknowns: crank-coupler", "1 unknown: crank pivot"} <= words


def test_picture_is_saved(tmp_path, plan):
    plan.draw(path=tmp_path / "plan.png")
    assert (tmp_path / "plan.png").stat().st_size > 5_000


@pytest.mark.parametrize("cuts", [None, ["crank-coupler", "Q/coupler", "Q/link7"]])
def test_no_words_of_a_plan_overlap(plan, cuts):
    if cuts is not None:
        plan = ml.analyse(ZOO["scraper-C"].build(), cuts=cuts)
    assert overlaps(plan.draw()) == ([], [])


def test_no_cut_runs_through_the_name_of_a_joint(plan):
    figure = plan.draw()
    renderer = FigureCanvasAgg(figure).get_renderer()
    (axes,) = figure.axes
    cuts = [axes.transData.transform(line.get_xydata()) for line in axes.lines if line.is_dashed()]
    assert len(cuts) == len(plan.cuts)
    joints = {branch.joint for branch in plan.tree.branches} | set(plan.cuts)
    boxes = {
        text.get_text(): text.get_window_extent(renderer).shrunk(0.9, 0.8)
        for text in axes.texts
        if text.get_text() in joints
    }
    struck = [name for name, box in boxes.items() if any(box.contains(*p) for cut in cuts for p in cut)]
    assert struck == []
