"""Results as labelled arrays that other tools read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import xarray as xr

    from multiloop.questions.result import Result


def dataset_of(result: Result) -> xr.Dataset:
    """Forces, moments, loads over (time, joint, axis); rates and efforts over (time, coordinate).

    A coordinate is called by its joint, or "joint.component" where the joint has several; positions stand
    over (time, place), since a quaternion has four of them.
    """
    import xarray as xr

    mechanism, planar = result.mechanism, result.mechanism.planar
    names = list(result.joints)
    axes = ["x", "y"] if planar else ["x", "y", "z"]
    labels: list[str] = []
    places: list[str] = []
    parts: dict[str, list[np.ndarray]] = {"position": [], "rate": [], "acceleration": [], "effort": []}
    for name, joint in result.joints.items():
        components = mechanism.joint(name).components(planar)
        labels += [name] if len(components) == 1 else [f"{name}.{part}" for part in components]
        count = mechanism.joint(name).positions(planar)
        places += [name] if count == 1 else [f"{name}[{k}]" for k in range(count)]
        for kind, columns in parts.items():
            columns.append(_columns(getattr(joint, kind)))
    moments = np.stack([joint.moment for joint in result.joints.values()], axis=1)
    return xr.Dataset(
        {
            "force": (
                ("time", "joint", "axis"),
                np.stack([joint.force for joint in result.joints.values()], axis=1),
                {"units": "N"},
            ),
            "moment": (
                ("time", "joint") if planar else ("time", "joint", "axis"),
                moments,
                {"units": "N m"},
            ),
            "load": (
                ("time", "joint"),
                np.stack([j.load for j in result.joints.values()], axis=1),
                {"units": "N"},
            ),
            "position": (("time", "place"), np.concatenate(parts["position"], axis=1)),
            "rate": (("time", "coordinate"), np.concatenate(parts["rate"], axis=1)),
            "acceleration": (("time", "coordinate"), np.concatenate(parts["acceleration"], axis=1)),
            "effort": (("time", "coordinate"), np.concatenate(parts["effort"], axis=1)),
            "kinetic_energy": (("time",), result.kinetic_energy, {"units": "J"}),
            "potential_energy": (("time",), result.potential_energy, {"units": "J"}),
            "determined": (("joint",), [joint.determined for joint in result.joints.values()]),
            "constraint_violation": (("time",), result.constraint_violation),
        },
        coords={
            "time": ("time", result.time, {"units": "s"}),
            "joint": names,
            "axis": axes,
            "coordinate": labels,
            "place": places,
        },
        attrs={"mechanism": mechanism.name, "method": result.method, "fingerprint": mechanism.fingerprint},
    )


def _columns(values: np.ndarray) -> np.ndarray:
    return values[:, None] if values.ndim == 1 else values
