"""Pictures: the mechanism as a drawing, its plan as a diagram, a result as curves; no mechanics."""

from multiloop.view.mechanism import draw_mechanism
from multiloop.view.plan import draw_plan
from multiloop.view.result import plot_result

__all__ = ["draw_mechanism", "draw_plan", "plot_result"]
