"""What does a notebook show of a mechanism, a state, a result or a plan: its sentence, and a picture of it."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any

from multiloop.model import Mechanism, MultiloopError
from multiloop.plan import Plan
from multiloop.questions import Result, State
from multiloop.view.mechanism import draw_mechanism, draw_state
from multiloop.view.plan import draw_plan
from multiloop.view.result import plot_result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DOTS = 144
"""Dots per inch: two to a point, for screens that have them."""

PAPER = "background:#ffffff;max-width:100%;height:auto"
"""Behind a picture, where the page may be dark."""


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
    sentence = f"<p>{escape(repr(thing))}</p>"
    try:
        return sentence + _image(draw(thing))
    except MultiloopError as error:
        return f"{sentence}<p><small>Not drawn: {escape(error.faults[0].what)}</small></p>"
    except Exception as error:  # a notebook shows what it can, and never fails by looking
        return f"{sentence}<p><small>Not drawn: {escape(str(error))}</small></p>"


def _image(figure: Figure) -> str:
    """A figure within the page, as wide as it was made."""
    file = BytesIO()
    figure.savefig(file, format="png", dpi=DOTS)
    width = round(96 * figure.get_size_inches()[0])
    data = b64encode(file.getvalue()).decode("ascii")
    return f'<img width="{width}" style="{PAPER}" src="data:image/png;base64,{data}"/>'
