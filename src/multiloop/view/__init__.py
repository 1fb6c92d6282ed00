"""Pictures: drawings of mechanisms and plans, plots and films of results. This package computes no mechanics."""

from multiloop.view.film import film_result
from multiloop.view.mechanism import draw_mechanism, draw_state
from multiloop.view.notebook import show_mechanism, show_plan, show_result, show_state
from multiloop.view.plan import draw_plan
from multiloop.view.result import plot_result
from multiloop.view.shape_pictures import draw_shapes, draw_solid_shapes
from multiloop.view.steady import draw_equilibrium, draw_mode, plot_branch

__all__ = [
    "draw_equilibrium",
    "draw_mechanism",
    "draw_mode",
    "draw_plan",
    "draw_shapes",
    "draw_solid_shapes",
    "draw_state",
    "film_result",
    "plot_branch",
    "plot_result",
    "show_mechanism",
    "show_plan",
    "show_result",
    "show_state",
]
