"""Results as labelled arrays with units, which other tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.model.names import elastic_names

if TYPE_CHECKING:
    import xarray as xr

    from multiloop.questions.answers.result import Result

UNITS = {
    "position": ("rad", "m"),
    "rate": ("rad/s", "m/s"),
    "acceleration": ("rad/s2", "m/s2"),
    "effort": ("N m", "N"),
}
"""Of coordinates that are angles, and of those that are lengths; in letters that every file format takes."""

QUATERNION = 4
"""Numbers of an orientation in space; they have no unit."""


def dataset_of(result: Result) -> xr.Dataset:
    """Forces, moments, loads over (time, joint, axis); rates and efforts over (time, coordinate).

    A coordinate is called by its joint, or "joint.component" where the joint has several; positions stand
    over (time, place), since a quaternion has four of them. Where angles and lengths stand side by side, each
    column has its unit in `rate_units` and its like. What a load tells is called "force return", the load's name last.
    """
    import xarray as xr

    planar = result.mechanism.planar
    joints = list(result.joints.values())
    vector, turn = ("time", "axis"), ("time",) if planar else ("time", "axis")
    angular = result.momentum[:, 0] if planar else result.momentum[:, :3]
    variables: dict[str, Any] = {
        "force": (("time", "joint", "axis"), np.stack([j.force for j in joints], axis=1), {"units": "N"}),
        "moment": (("time", "joint", *turn[1:]), np.stack([j.moment for j in joints], 1), {"units": "N m"}),
        "load": (("time", "joint"), np.stack([j.load for j in joints], axis=1), {"units": "N"}),
        **_coordinates(result),
        "power": ("time", result.power, {"units": "W"}),
        "kinetic_energy": ("time", result.kinetic_energy, {"units": "J"}),
        "potential_energy": ("time", result.potential_energy, {"units": "J"}),
        "momentum": (vector, result.momentum[:, angular[0].size :], {"units": "kg m/s"}),
        "angular_momentum": (turn, angular, {"units": "kg m2/s"}),
        "shaking_force": (vector, result.shaking_force, {"units": "N"}),
        "shaking_moment": (turn, result.shaking_moment, {"units": "N m"}),
        "determined": ("joint", [joint.determined for joint in joints]),
        "constraint_violation": ("time", result.constraint_violation, {"units": "1"}),
    }
    if result.work is not None:
        variables["work"] = ("time", result.work, {"units": "J"})
    if result.integrals:
        variables["integrals"] = (("time", "integral"), np.stack(list(result.integrals.values()), axis=1))
    for kind, unit in (("eta", "1"), ("eta_rate", "1/s"), ("eta_acceleration", "1/s2")):
        if result.links:  # as its shapes are scaled
            columns = [getattr(link, kind) for link in result.links.values()]
            variables[kind] = (("time", "elastic"), np.concatenate(columns, axis=1), {"units": unit})
    for load in result.loads.values():
        for name, values in load.values.items():
            shape = vector if values.ndim > 1 else ("time",)
            variables[f"{name} {load.name}"] = (shape, values, {"units": load.units.get(name, "1")})
    labels, places, units = _labels(result)
    attributes = {"mechanism": result.mechanism.name, "method": result.method, "status": result.status}
    return xr.Dataset(
        variables,
        coords={
            "time": ("time", result.time, {"units": "s"}),
            "joint": list(result.joints),
            "axis": ["x", "y"] if planar else ["x", "y", "z"],
            "coordinate": labels,
            "place": places,
            **({"integral": list(result.integrals)} if result.integrals else {}),
            **({"elastic": _elastic_labels(result)} if result.links else {}),
            **{f"{kind}_units": (_along(kind), words) for kind, words in units.items()},
        },
        attrs=attributes | {"fingerprint": result.mechanism.fingerprint},
    )


def _coordinates(result: Result) -> dict[str, Any]:
    """Positions, rates, accelerations and efforts, all joints side by side, with the units that occur."""
    _, _, units = _labels(result)
    found = {}
    for kind, words in units.items():
        columns = [_columns(getattr(joint, kind)) for joint in result.joints.values()]
        occurring = " or ".join(dict.fromkeys(words))
        found[kind] = (("time", _along(kind)), np.concatenate(columns, axis=1), {"units": occurring})
    return found


def _labels(result: Result) -> tuple[list[str], list[str], dict[str, list[str]]]:
    """Names of all coordinates and of all places, and their units by kind."""
    planar = result.mechanism.planar
    labels: list[str] = []
    places: list[str] = []
    units: dict[str, list[str]] = {kind: [] for kind in UNITS}
    for name in result.joints:
        joint = result.mechanism.connection(name)
        components, count = joint.components(planar), joint.positions(planar)
        labels += [name] if len(components) == 1 else [f"{name}.{part}" for part in components]
        places += [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]
        for kind, pair in UNITS.items():
            units[kind] += [pair[part in LENGTHS] for part in components]
        if count > len(components):  # three turns are four numbers without a unit
            turns = QUATERNION - (count - len(components))
            units["position"][-turns:] = ["1"] * QUATERNION
    return labels, places, units


def _elastic_labels(result: Result) -> list[str]:
    """Names of all elastic coordinates."""
    return [
        f"{name}.{part}" for name, link in result.links.items() for part in elastic_names(link.eta.shape[1])
    ]


def _along(kind: str) -> str:
    return "place" if kind == "position" else "coordinate"


def _columns(values: np.ndarray) -> np.ndarray:
    return values[:, None] if values.ndim == 1 else values
