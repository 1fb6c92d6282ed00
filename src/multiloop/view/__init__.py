"""Pictures: drawings of mechanisms and plans, plots and films of results. This package contains no mechanics."""

from multiloop.view.equilibrium_drawing import draw_equilibrium, draw_mode, plot_branch
from multiloop.view.film import film_result
from multiloop.view.mechanism_drawing import draw_mechanism, draw_state
from multiloop.view.mode_shapes import draw_shapes, draw_solid_shapes
from multiloop.view.notebook import show_mechanism, show_plan, show_result, show_state
from multiloop.view.plan_diagram import draw_plan
from multiloop.view.plots.comparison_plot import plot_comparison
from multiloop.view.plots.result_plot import plot_result

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
    "plot_comparison",
    "plot_result",
    "show_mechanism",
    "show_plan",
    "show_result",
    "show_state",
]
