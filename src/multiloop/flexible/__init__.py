"""Links that bend, made from what an engineer knows of them."""

from multiloop.flexible.centreline import centreline
from multiloop.flexible.kinds_of_beams import line_of_link, reduced_link
from multiloop.flexible.reduced_beam import reduced_beam
from multiloop.flexible.shape_table import natural_frequencies, shape_table
from multiloop.flexible.uniform_beam import uniform_beam

__all__ = [
    "centreline",
    "line_of_link",
    "natural_frequencies",
    "reduced_beam",
    "reduced_link",
    "shape_table",
    "uniform_beam",
]
