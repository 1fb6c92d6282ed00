"""What does a notebook show of a mechanism, a state, a result or a plan: its sentence, and a picture of it."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import TYPE_CHECKING, Any

from multiloop.model import Mechanism, MultiloopError
from multiloop.plan import Plan
from multiloop.questions import Result, State
from multiloop.view.mechanism import draw_mechanism, draw_state
from multiloop.view.plan import draw_plan
from multiloop.view.result import plot_result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def show_mechanism(mechanism: Mechanism) -> str:
    """The mechanism as HTML."""
    return _page(mechanism, draw_mechanism)


def show_state(state: State) -> str:
    """The state as HTML."""
    return _page(state, draw_state)


def show_result(result: Result) -> str:
    """The result as HTML, with its usual curves."""
    return _page(result, plot_result)


def show_plan(plan: Plan) -> str:
    """The plan as HTML."""
    return _page(plan, draw_plan)


def _page(thing: Any, draw: Callable[[Any], Figure]) -> str:
    """The sentence and the picture below it; the sentence alone, and why, where it cannot be drawn."""
    from multiloop.view.notebook_display import image_html  # imports Matplotlib

    sentence = f"<p>{escape(repr(thing))}</p>"
    try:
        return sentence + image_html(draw(thing))
    except MultiloopError as error:
        return f"{sentence}<p><small>Not drawn: {escape(error.faults[0].what)}</small></p>"
    except Exception as error:  # a notebook shows what it can, and never fails by looking
        return f"{sentence}<p><small>Not drawn: {escape(str(error))}</small></p>"
