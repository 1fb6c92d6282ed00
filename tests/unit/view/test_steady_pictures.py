"""Pictures of equilibria, modes and branches: their content."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.colors import to_hex
from steady_mechanisms import damped_four_bar, toggle
from texts import Texts
from unit.view.overlaps import overlaps

import multiloop as ml
from multiloop.view.figure import GREY


def texts(figure) -> list[str]:
    return [text.get_text() for axes in figure.axes for text in axes.texts] + [
        t.get_text() for t in figure.texts
    ]


def test_a_mode_is_drawn_over_the_position_of_rest(tmp_path) -> None:
    modes = ml.eigenmodes(damped_four_bar())
    figure = modes.draw(0, size=0.2, path=tmp_path / "mode.png")
    assert (tmp_path / "mode.png").stat().st_size > 10_000
    said = f"mode 0: {modes.frequencies[0]:.4g} rad/s, damping ratio {modes.damping[0]:.3g}"
    assert said in texts(figure)
    ghosts = [line for line in figure.axes[0].lines if to_hex(line.get_color()) == GREY and line.is_dashed()]
    assert len(ghosts) >= 6  # three links at rest, three at the opposite extreme
    plt.close(figure)


def test_the_ends_of_a_swing_are_closed_and_opposite() -> None:
    modes = ml.eigenmodes(damped_four_bar())
    ends = [modes.displaced(0, sign * 0.01)["A"].position - modes.state["A"].position for sign in (1, -1)]
    # loops close by terms of second order in the amplitude
    assert ends[0] == pytest.approx(-ends[1], rel=1e-3)
    assert abs(ends[0]) == pytest.approx(0.01 * abs(modes.shape(0)["A"]), rel=1e-3)


def test_a_branch_has_stable_parts_solid_and_its_fold_marked(tmp_path, texts: Texts) -> None:
    branch = ml.equilibrium(toggle(), along={"P": (0.0, 500.0)})
    registered = plt.get_fignums()
    figure = branch.plot(show="A", path=tmp_path / "branch.png")
    (axes,) = figure.axes
    solid, dashed = (
        [line for line in axes.lines if line.is_dashed() is flag and len(line.get_xdata()) > 2]
        for flag in (False, True)
    )
    assert np.max(solid[0].get_xdata()) == pytest.approx(branch.value(branch.folds[0]))
    assert solid[0].get_ydata().min() > dashed[0].get_ydata().max() - 1e-2
    texts(axes.get_ylabel(), "(rad)")
    assert axes.get_xlabel() == "P"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["A", "unstable", "fold"]
    assert overlaps(figure) == ([], [])
    assert plt.get_fignums() == registered  # no window, and no figure registered in pyplot
    with pytest.raises(ml.UnknownNameError):
        branch.plot(show="B")


def test_a_fold_alone_is_not_called_unstable() -> None:
    branch = ml.equilibrium(ml.examples.governor(), along={"Omega": (20.0, 13.5)})
    legend = branch.plot(show="slide").axes[0].get_legend()
    assert [text.get_text() for text in legend.get_texts()] == ["slide", "fold"]


def test_an_equilibrium_draws_itself() -> None:
    said = texts(ml.equilibrium(toggle(load=5.0)).draw())
    assert {"knee", "in equilibrium"} <= set(said)
    assert "t = 0 s" not in said  # it is an equilibrium at any time


def test_a_mode_shows_rest_dotted_and_the_other_end_dashed() -> None:
    modes = ml.eigenmodes(damped_four_bar())
    lines = [line for line in modes.draw(0).axes[0].lines if line.get_color() == GREY and line.is_dashed()]
    dotted, dashed = ([line for line in lines if short(line) is flag] for flag in (True, False))
    assert len(dotted) == len(dashed) == 3
    for state, drawn in ((modes.state, dotted), (modes.displaced(0, -0.3), dashed)):
        tip = state.marker("crank.b")
        assert min(np.linalg.norm(line.get_xydata() - tip, axis=1).min() for line in drawn) < 1e-9


def short(line) -> bool:
    """Whether the dashes of a line are shorter than its gaps."""
    _, (dash, gap) = line._unscaled_dash_pattern
    return dash < gap
