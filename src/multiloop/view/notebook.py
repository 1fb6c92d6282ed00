"""Notebook display of a mechanism, state, result or plan: its summary and a picture, as HTML."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from multiloop.analyses import Result, State
from multiloop.model import Mechanism, MultiloopError
from multiloop.plan import Plan
from multiloop.view.mechanism_drawing import draw_mechanism, draw_state
from multiloop.view.plan_diagram import draw_plan
from multiloop.view.plots.result_plot import plot_result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def show_mechanism(mechanism: Mechanism) -> str:
    """The mechanism as HTML."""
    return _page(mechanism, draw_mechanism)


def show_state(state: State) -> str:
    """The state as HTML."""
    return _page(state, draw_state)


def show_result(result: Result) -> str:
    """The result as HTML, with its default plots."""
    return _page(result, plot_result)


def show_plan(plan: Plan) -> str:
    """The plan as HTML."""
    return _page(plan, draw_plan)


def _page(thing: Any, draw: Callable[[Any], Figure]) -> str:
    """The summary with the picture below it; where it cannot be drawn, the summary and the reason."""
    from multiloop.view.notebook_display import image_html  # imports Matplotlib

    sentence = f"<p>{escape(repr(thing))}</p>"
    try:
        return sentence + image_html(draw(thing))
    except MultiloopError as error:
        return f"{sentence}<p><small>Not drawn: {escape(error.faults[0].what)}</small></p>"
    except Exception as error:  # displaying an object in a notebook must never fail
        return f"{sentence}<p><small>Not drawn: {escape(str(error))}</small></p>"
