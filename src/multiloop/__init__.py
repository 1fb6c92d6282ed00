"""multiloop: dynamics of mechanisms with closed kinematic loops.

Describe a mechanism by its bodies, joints and drives, then call `analyse`, `assemble`, `inverse`, `simulate` and so on.
"""

from __future__ import annotations

import gc
import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_PACKAGES = {
    "multiloop.model": (
        "Actuator AssemblyError Backlash Beam Belt Bevel Body Bushing Cam Chain Circle ComputedTorque "
        "Contact ControlLaw Coupling Curve Cylindrical DH DescribedNumber Distance DrawingError Expression Fault Fixed "
        "Force Free Freewheel Friction Gear Helical Integral Joint JointSpring Load Marker Mechanism ModalBody "
        "ModelError Motion MultiloopError NumberTable PD PID Pair Parameter Payload Pin Planar PointOnCurve "
        "Prismatic Rack Rayleigh ReducedBody Relation ResultWarning Revolute Rolling RollingBall Rope Section Skate "
        "Solid SolveError Spherical Spring Stop Strut ToothFriction TopologyError Torque Universal UnknownNameError "
        "Worm arc axis_angle beam box_mesh cam_angle deg dh_chain from_data from_text ground integral length "
        "length_rate line marker mm motor_envelope motor_limit normal output plate position quaternion_table "
        "rate rectangle rod rpm spline table time to_data to_text tube turn waypoints with_rotor"
    ),
    "multiloop.extension": "Action register",
    "multiloop.flexible": "solid uniform_beam",
    "multiloop.plan": "Plan analyse",
    "multiloop.io": "load save",
    "multiloop.analyses": (
        "Branch ConstraintMap Designs Equilibrium Impact Kernels LinearModel Eigenmodes Matrices Periodic "
        "ReducedMatrices RequiredEfforts Result Runs State assemble batch branches compile constraint_map "
        "equilibrium forward inverse linearise eigenmodes periodic simulate"
    ),
}
_PACKAGE_OF = {name: package for package, names in _PACKAGES.items() for name in names.split()}

_MODULES = {
    "expr": "multiloop.model.expressions.functions",
    "motion_laws": "multiloop.model.profiles.motion_laws",
    "examples": "multiloop.examples",
    "extension": "multiloop.extension",
}

_MOTION_LAWS = (
    "b_spline constant_speed cycloidal modified_sine polynomial_345 polynomial_4567 ramp trapezoidal"
)
_RENAMED = {
    "modes": "eigenmodes",
    "NaturalModes": "Eigenmodes",
    "functions": "expr",
    **{law: f"motion_laws.{law}" for law in _MOTION_LAWS.split()},
}
"""Names of version 0.1 and the present ones; the earlier names are accepted with a warning."""

__all__ = tuple(sorted([*_PACKAGE_OF, *_MODULES]))

if TYPE_CHECKING:
    from multiloop.analyses import *  # noqa: F403
    from multiloop.extension import *  # noqa: F403
    from multiloop.flexible import *  # noqa: F403
    from multiloop.io import *  # noqa: F403
    from multiloop.model import *  # noqa: F403
    from multiloop.model.expressions import functions as expr  # noqa: F401
    from multiloop.model.profiles import motion_laws  # noqa: F401
    from multiloop.plan import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """Import a public name from its package at its first use, so that importing multiloop itself is fast."""
    if name in _RENAMED:
        from multiloop.model.deprecation import warn_changed

        warn_changed(f"multiloop.{name} is called multiloop.{_RENAMED[name]} now.")
        module, _, inner = _RENAMED[name].rpartition(".")
        return getattr(_import_package(_MODULES[module]), inner) if module else __getattr__(inner)
    if name in _MODULES:
        return _import_package(_MODULES[name])
    if name not in _PACKAGE_OF:
        raise AttributeError(f"multiloop has no '{name}'{_suggest(name)}")
    value = getattr(_import_package(_PACKAGE_OF[name], name), name)
    import multiloop.flexible  # noqa: F401  # registers the reductions of beams and solids

    globals()[name] = value
    return value


def _import_package(path: str, name: str = "") -> ModuleType:
    """Import a package, and the module in which it defines `name`, without garbage collection: objects made by an
    import persist, and scanning them takes time."""
    seeking = gc.isenabled()
    gc.disable()
    try:
        package = importlib.import_module(path)
        if name:
            getattr(package, name)
        return package
    finally:
        if seeking:
            gc.enable()


def _suggest(name: str) -> str:
    """A suggestion for an unknown name; empty if the name begins with an underscore, since Python looks up such
    names."""
    if name.startswith("_"):
        return ""
    from multiloop.model.expressions.operations import OPERATIONS
    from multiloop.model.synonyms import suggest_public_name

    if name in OPERATIONS:
        return f". Write multiloop.expr.{name}."
    return f". {suggest_public_name(name, __all__)}"


def __dir__() -> list[str]:
    return list(__all__)
