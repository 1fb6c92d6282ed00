"""Links that bend, made from what an engineer knows of them."""

from multiloop.flexible.centreline import centreline
from multiloop.flexible.deformed_mesh import deformed_mesh
from multiloop.flexible.explained_beam import explained_beam
from multiloop.flexible.explained_solid import explained_solid, shape_frequencies
from multiloop.flexible.kinds_of_beams import line_of_link, reduced_link
from multiloop.flexible.mesh_faults import mesh_faults
from multiloop.flexible.reduced_beam import reduced_beam
from multiloop.flexible.reduced_solid import reduced_solid
from multiloop.flexible.shape_table import natural_frequencies, shape_table
from multiloop.flexible.solids import solid
from multiloop.flexible.uniform_beam import uniform_beam
from multiloop.flexible.weighed_mesh import weighed_mesh

__all__ = [
    "centreline",
    "deformed_mesh",
    "explained_beam",
    "explained_solid",
    "line_of_link",
    "mesh_faults",
    "natural_frequencies",
    "reduced_beam",
    "reduced_link",
    "reduced_solid",
    "shape_frequencies",
    "shape_table",
    "solid",
    "uniform_beam",
    "weighed_mesh",
]
