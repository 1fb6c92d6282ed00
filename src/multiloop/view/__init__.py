"""Pictures: the mechanism as a drawing, its plan as a diagram, a result as curves; no mechanics."""

from multiloop.view.mechanism import draw_mechanism

__all__ = ["draw_mechanism"]
