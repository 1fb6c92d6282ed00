"""A Result as an xarray Dataset and as a pandas DataFrame: labelled quantities over time with their units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.analyses.results.extremes import crank_angle, crank_of
from multiloop.analyses.results.quantities import (
    ALONG_COORDINATES,
    Label,
    Quantity,
    labels_of,
    quantities_of,
    reported_by_load,
    units_of,
)
from multiloop.model.joints import Joint

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

    from multiloop.analyses.results.histories import JointHistory, LoadHistory
    from multiloop.analyses.results.result import Result


def dataset_of(result: Result) -> xr.Dataset:
    """All quantities as a Dataset: forces and moments over (time, joint, axis), bearing loads over (time, joint), rates
    and efforts over (time, coordinate).

    Positions have the dimensions (time, place), since a quaternion has four entries but three rates. For arrays that
    contain angles and lengths, `rate_units` etc. give the unit of every column. The variables of a load or coupling end
    with its name, such as "force return" for the force of the load "return"; slashes in names become spaces, since
    netCDF does not accept slashes. If equilibrium does not determine the force of the unilateral load "rope", because
    other such loads can carry it, "force_least rope" and "force_largest rope" are the smallest and largest admissible
    values.
    """
    import xarray as xr

    variables: dict[str, Any] = {
        f"{one.name} {one.of}".rstrip().replace("/", " "): (("time", *one.dims), one.values, _attributes(one))
        for one in quantities_of(result)
    }
    variables["determined"] = ("joint", [joint.determined for joint in result.joints.values()])
    return xr.Dataset(
        variables,
        coords={
            "time": ("time", result.time, {"units": "s"}),
            **{name: [label.name for label in labels] for name, labels in labels_of(result).items()},
            **{
                f"{kind}_units": (dimension, list(units_of(result, kind)))
                for kind, dimension in ALONG_COORDINATES.items()
            },
        },
        attrs=result_attributes(result),
    )


def result_attributes(result: Result) -> dict[str, str]:
    """Attributes of a result as a whole: name of the mechanism, method, status, codes and places of the warnings, and
    fingerprint of the mechanism."""
    mechanism = result.mechanism
    return {
        "mechanism": mechanism.name,
        "method": result.method,
        "status": result.status,
        "warnings": ", ".join(f"{one.code} {one.place}" for one in result.warnings) or "none",
        "fingerprint": mechanism.fingerprint,
    }


def _attributes(quantity: Quantity) -> dict[str, str]:
    """Attributes of a quantity in the Dataset: its unit, or all units that occur if those of its columns differ."""
    units = (quantity.unit,) if isinstance(quantity.unit, str) else dict.fromkeys(quantity.unit)
    unit = " or ".join(filter(None, units))
    return {"units": unit} if unit else {}


COLUMN_WORDS = {
    "integrals": "integral",
    "eta": "position",
    "eta_rate": "rate",
    "eta_acceleration": "acceleration",
}
"""Names, in column titles, of quantities that have a different name in the Dataset."""

Column = tuple[str, str, np.ndarray]
"""A column: joint, body, load or coupling to which it belongs ("" for the mechanism), name with unit, and values."""


def table_of(
    result: Result, *, markers: Sequence[str] | str = (), links: Sequence[str] | str = ()
) -> pd.DataFrame:
    """All quantities of a result over time as a DataFrame, as described in `Result.to_table`."""
    import pandas as pd

    asked, bent = ([one] if isinstance(one, str) else list(one) for one in (markers, links))
    found = [*_of_quantities(result), *(column for one in asked for column in columns_of_marker(result, one))]
    found += [column for one in bent for column in columns_of_link(result, one)]
    owners = dict.fromkeys([*result.joints, *(owner for owner, _, _ in found if owner), ""])
    rank = {owner: place for place, owner in enumerate(owners)}
    found.sort(key=lambda column: rank[column[0]])
    columns = {name: values for _, name, values in [*_crank(result), *found]}
    table = pd.DataFrame(columns, index=pd.Index(result.time, name="time [s]"))
    histories: dict[str, JointHistory | LoadHistory] = {**result.joints, **result.loads}
    open_ones = {name: list(one.undetermined) for name, one in histories.items() if one.undetermined}
    table.attrs = result_attributes(result) | {"undetermined": open_ones}
    return table


def _crank(result: Result) -> Iterator[Column]:
    crank = crank_of(result.mechanism)
    if crank:
        yield crank, f"{crank}.angle [deg]", np.degrees(crank_angle(result))


def _of_quantities(result: Result) -> Iterator[Column]:
    labels, nothing = (
        labels_of(result),
        {"effort": _without_effort(result), "moment": _without_moment(result)},
    )
    for quantity in quantities_of(result):
        entries = list(product(*(labels[dim] for dim in quantity.dims)))
        values = quantity.values.reshape(len(result.time), len(entries))
        units = [quantity.unit] * len(entries) if isinstance(quantity.unit, str) else quantity.unit
        for entry, unit, column in zip(entries, units, values.T, strict=True):
            owner = quantity.of or next((label.owner for label in entry if label.owner), "")
            if not quantity.of and owner in nothing.get(quantity.name, ()):
                continue
            if quantity.name == "integrals" and reported_by_load(result, entry[0].name):
                continue
            yield owner, _with_unit(_name(quantity, entry), unit), column.astype(float)


def _without_effort(result: Result) -> set[str]:
    """Names of the joints at which no drive, actuator or given effort acts."""
    mechanism = result.mechanism
    acted_on = {motion.of for motion in mechanism.drives} | {one.joint for one in mechanism.actuators}
    return {name for name, joint in result.joints.items() if name not in acted_on and not joint.effort.any()}


def _without_moment(result: Result) -> set[str]:
    """Names of the joints that cannot transmit a moment, such as pins in the plane and ball joints in space."""
    joints = [result.mechanism.connection(name) for name in result.joints]
    planar = result.mechanism.planar
    return {
        joint.name
        for joint in joints
        if isinstance(joint, Joint) and not any("moment" in name for name in joint.wrench_names(planar))
    }


def _name(quantity: Quantity, entry: tuple[Label, ...]) -> str:
    """Name of a column: the joint, load or other owner, then the quantity, then the axis, such as "C.force_x"."""
    axes = [label.name for dim, label in zip(quantity.dims, entry, strict=True) if dim == "axis"]
    others = [label.name for dim, label in zip(quantity.dims, entry, strict=True) if dim != "axis"]
    word = COLUMN_WORDS.get(quantity.name, quantity.name)
    first = [quantity.of] if quantity.of else others
    return ".".join([*first, "_".join([word, *axes])])


def columns_of_marker(result: Result, reference: str) -> Iterator[Column]:
    """Columns with the position, velocity and acceleration of a marker, one column per inertial axis."""
    paths = {
        "": (result.marker(reference), "m"),
        "velocity_": (result.velocity(reference), "m/s"),
        "acceleration_": (result.acceleration(reference), "m/s2"),
    }
    for word, (path, unit) in paths.items():
        for axis, values in zip("xyz", path.T, strict=False):
            yield reference, _with_unit(f"{reference}.{word}{axis}", unit), values


def columns_of_link(result: Result, name: str) -> Iterator[Column]:
    """Columns with the largest deflection, moment and stress along a flexible link, if defined for this link."""
    link = result.link(name)
    for peak in link.peaks:
        yield name, _with_unit(f"{name}.largest_{peak.what}", peak.unit), link.largest(peak.what)


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def split_unit(title: str) -> tuple[str, str]:
    """The name and the unit in the title of a column, "C.force_x [N]"; the unit is "" if the title has none."""
    name, bracket, unit = title.strip().rpartition(" [")
    return (name.strip(), unit[:-1].strip()) if bracket and unit.endswith("]") else (title.strip(), "")
