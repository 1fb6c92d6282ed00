"""Flexible bodies: mode shapes, mass integrals, stiffness and damping of beams and of meshed solids.

Importing this package enters its functions for beams and solids in `multiloop.model.flexible_body.REDUCTIONS`. Modules
that import SciPy are imported when they are first used.
"""

from functools import cache
from typing import TYPE_CHECKING

from multiloop.flexible.beams.rayleigh_ritz_beam import uniform_beam
from multiloop.lazy_packages import import_at_first_use
from multiloop.model.beams.beam import Beam
from multiloop.model.flexible_body import REDUCTIONS, BeamReduction, SolidReduction
from multiloop.model.solids.solid import Solid

if TYPE_CHECKING:
    from multiloop.flexible.solids.solid_definition import solid

__all__ = ["solid", "uniform_beam"]

import_at_first_use(__name__, {"solids.solid_definition": "solid"})  # its module needs SciPy


@cache
def beam_reduction() -> BeamReduction:
    """Functions that reduce, evaluate and describe beams, for the table `REDUCTIONS`."""
    from multiloop.flexible.beams.beam_reduction import (
        beam_centreline,
        beam_mode_table,
        describe_beam,
        natural_frequencies,
        reduce_beam,
    )
    from multiloop.flexible.beams.finite_element_modes import nodal_counts

    return BeamReduction(
        reduced=reduce_beam,
        centreline=beam_centreline,
        shapes=beam_mode_table,
        frequencies=natural_frequencies,
        describe_modes=describe_beam,
        nodal_counts=nodal_counts,
    )


@cache
def solid_reduction() -> SolidReduction:
    """Functions that reduce, evaluate and describe meshed solids, for the table `REDUCTIONS`."""
    from multiloop.flexible.solids.deformed_mesh import deformed_mesh
    from multiloop.flexible.solids.solid_definition import mesh_faults
    from multiloop.flexible.solids.solid_mode_table import (
        describe_solid,
        shape_frequencies,
        solid_mode_table,
    )
    from multiloop.flexible.solids.solid_reduction import reduce_solid, solid_mass_properties

    return SolidReduction(
        reduced=reduce_solid,
        deformed_mesh=deformed_mesh,
        shapes=solid_mode_table,
        frequencies=shape_frequencies,
        describe_modes=describe_solid,
        mesh_faults=mesh_faults,
        mass_properties=solid_mass_properties,
    )


REDUCTIONS[Beam] = beam_reduction
REDUCTIONS[Solid] = solid_reduction
