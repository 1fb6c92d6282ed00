"""Display of a mechanism, state, result or plan in a notebook: its summary and a picture, as HTML."""

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
    """HTML text with the summary and the drawing of a mechanism."""
    return _page(mechanism, draw_mechanism)


def show_state(state: State) -> str:
    """HTML text with the summary and the drawing of a state."""
    return _page(state, draw_state)


def show_result(result: Result) -> str:
    """HTML text with the summary and the default plots of a result."""
    return _page(result, plot_result)


def show_plan(plan: Plan) -> str:
    """HTML text with the summary and the picture of a plan."""
    return _page(plan, draw_plan)


def _page(thing: Any, draw: Callable[[Any], Figure]) -> str:
    """HTML text with the summary of an object and its picture below, or the reason why it cannot be drawn."""
    from multiloop.view.notebook_display import image_html  # imports Matplotlib

    sentence = f"<p>{escape(repr(thing))}</p>"
    try:
        return sentence + image_html(draw(thing))
    except MultiloopError as error:
        return f"{sentence}<p><small>Not drawn: {escape(error.faults[0].what)}</small></p>"
    except Exception as error:  # displaying an object in a notebook must never fail
        return f"{sentence}<p><small>Not drawn: {escape(str(error))}</small></p>"
