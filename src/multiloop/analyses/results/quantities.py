"""Quantities of a result by name, and the deviation of a motion from a prescribed path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.output_curves import outputs_of_result
from multiloop.dynamics.outputs import AXES, ELASTIC, WHOLE
from multiloop.model import elastic_names

if TYPE_CHECKING:
    from multiloop.analyses.results.result import Result
    from multiloop.dynamics.outputs import Output
    from multiloop.model import Connection

ALONG_COORDINATES = {
    "position": "place",
    "rate": "coordinate",
    "acceleration": "coordinate",
    "effort": "coordinate",
}
"""Outputs of joints with one entry per coordinate, and the dimension along which those of all joints are stacked.

"place" has more entries than "coordinate", since a quaternion has four entries but three rates.
"""

REACTIONS = ("force", "moment", "load")
"""Outputs of joints that are stacked along the dimension "joint"."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """One quantity over time; the axes of `values` are the instants and then the dimensions named in `dims`.

    `unit` is the unit of all values, "" if unknown, or a tuple with one unit per entry of a single dimension. `of` is
    the load, coupling or joint to which the quantity belongs; "" if `dims` or the whole mechanism determine it.
    """

    name: str
    dims: tuple[str, ...]
    values: np.ndarray
    unit: str | tuple[str, ...]
    of: str = ""


@dataclass(frozen=True)
class Label:
    """The label of one index along a dimension of a quantity: a name, and the joint or body to which it belongs."""

    name: str
    owner: str = ""


def labels_of(result: Result) -> dict[str, tuple[Label, ...]]:
    """The labels along every dimension except time, by the name of the dimension.

    The label of a coordinate is "joint", or "joint.component" if the joint has several coordinates. The dimension
    "place" contains the entries of the position vector q of every joint; their labels are "joint", or "joint[0]" etc.
    if a joint has several entries, such as the four of a quaternion.
    """
    planar = result.mechanism.planar
    joints = [result.mechanism.connection(name) for name in result.joints]
    found = {
        "joint": tuple(Label(joint.name, joint.name) for joint in joints),
        "axis": tuple(Label(axis) for axis in ("xy" if planar else "xyz")),
        "coordinate": tuple(
            Label(name, joint.name) for joint in joints for name in _coordinates(joint, planar)
        ),
        "place": tuple(Label(name, joint.name) for joint in joints for name in _places(joint, planar)),
    }
    if result.integrals:
        found["integral"] = tuple(Label(name) for name in result.integrals)
    if result.links:
        found["elastic"] = tuple(
            Label(f"{body}.{part}", body)
            for body, link in result.links.items()
            for part in elastic_names(link.eta.shape[1])
        )
    return found


def quantities_of(result: Result) -> Iterator[Quantity]:
    """All quantities of a result; the quantities of the joints come first.

    They are the tabulated outputs, with those of all joints and all flexible bodies stacked, the integrals, and the
    admissible ranges of forces that equilibrium does not determine.
    """
    known = [one for one in outputs_of_result(result).values() if one.tabulated]
    for kind, dimension in ALONG_COORDINATES.items():
        yield _stacked(result, kind, list(result.joints), (dimension,))
    for kind in REACTIONS:
        own = [result.joints[name].values[kind] for name in result.joints]
        dims = ("joint",) if own[0].ndim == 1 else ("joint", "axis")
        yield Quantity(kind, dims, np.stack(own, axis=1), _units(result, next(iter(result.joints)), kind)[0])
    if result.links:
        for kind in ELASTIC:
            yield _stacked(result, kind, list(result.links), ("elastic",))
    for one in known:
        stacked = (*ALONG_COORDINATES, *REACTIONS) if one.owner in result.joints else tuple(ELASTIC)
        if one.quantity not in stacked or one.owner not in {**result.joints, **result.links}:
            yield from _of_output(result, one)
    yield from _of_undetermined_loads(result)
    yield from _of_shared_joints(result)
    if result.integrals:
        columns = list(result.integrals.values())
        units = tuple(_integral_unit(result, name) for name in result.integrals)
        yield Quantity("integrals", ("integral",), np.stack(columns, axis=1), units)
    if result.work is not None:
        yield Quantity("work", (), result.work, "J")


def _stacked(result: Result, kind: str, owners: Sequence[str], dims: tuple[str, ...]) -> Quantity:
    """An output of several joints or flexible bodies, with the entries of all of them along one dimension."""
    known = outputs_of_result(result)
    units = [unit for owner in owners for unit in _units(result, owner, kind)]
    columns = [_columns(result.output(f"{owner}.{kind}")) for owner in owners if f"{owner}.{kind}" in known]
    values = np.concatenate([np.zeros((len(result.time), 0)), *columns], axis=1)
    return Quantity(kind, dims, values, tuple(units))


def _units(result: Result, owner: str, kind: str) -> tuple[str, ...]:
    """Units of the entries of an output; empty for a joint without coordinates."""
    found = outputs_of_result(result).get(f"{owner}.{kind}")
    return () if found is None else found.units


def _of_output(result: Result, one: Output) -> Iterator[Quantity]:
    """The quantities of one output: one if it is a scalar or has inertial axes, otherwise one for every entry."""
    of, values = "" if one.owner == WHOLE else one.owner, result.output(one.name)
    axes = AXES[: 2 if result.mechanism.planar else 3]
    if not one.components or (one.components == axes and len(set(one.units)) == 1):
        yield Quantity(one.quantity, ("axis",) if one.components else (), values, one.units[0], of)
    else:
        for part, unit, column in zip(one.components, one.units, values.T, strict=True):
            yield Quantity(f"{one.quantity}.{part}", (), column, unit, of)


def _of_undetermined_loads(result: Result) -> Iterator[Quantity]:
    """Smallest and largest admissible values of the quantities of loads that equilibrium does not determine."""
    for load in result.loads.values():
        for name in load.undetermined:
            yield from _range_quantities(name, load.range(name), load.units.get(name, "1"), load.name)


def _range_quantities(name: str, ends: np.ndarray, unit: str, of: str) -> Iterator[Quantity]:
    """The smallest and the largest admissible value of a quantity that equilibrium does not determine, over time.

    `ends` has these two values in its last axis; `of` is the joint or load to which the quantity belongs.
    """
    for word, values in zip(("least", "largest"), np.moveaxis(ends, -1, 0), strict=True):
        yield Quantity(f"{name}_{word}", ("axis",) if values.ndim > 1 else (), values, unit, of)


def _of_shared_joints(result: Result) -> Iterator[Quantity]:
    """Smallest and largest admissible reactions of joints where equilibrium does not determine them, because unilateral
    loads can carry the same forces."""
    for name, joint in result.joints.items():
        shared = {what for one in joint.shared if one is not None for what in one.undetermined(name)}
        for what, unit in (("force", "N"), ("moment", "N m")):
            if what in shared:
                yield from _range_quantities(what, joint.range(what), unit, name)


def reported_by_load(result: Result, integral: str) -> bool:
    """Whether an integral is a state variable that the history of a load contains, such as the heat of friction."""
    load, _, state = integral.rpartition(".")
    return load in result.loads and state in result.loads[load].values


def _integral_unit(result: Result, name: str) -> str:
    """The unit of an integral that is a state variable of a load; "" for other integrals, whose unit is unknown."""
    load, _, state = name.rpartition(".")
    return result.loads[load].units.get(state, "") if load in result.loads else ""


def units_of(result: Result, kind: str) -> tuple[str, ...]:
    """Units of the quantity `kind` along all joint coordinates; for "position", of all entries of position vectors."""
    return tuple(unit for name in result.joints for unit in _units(result, name, kind))


def _coordinates(joint: Connection, planar: bool) -> list[str]:
    parts = joint.components(planar)
    return [joint.name] if len(parts) == 1 else [f"{joint.name}.{part}" for part in parts]


def _places(joint: Connection, planar: bool) -> list[str]:
    count = joint.positions(planar)
    return [joint.name] if count == 1 else [f"{joint.name}[{k}]" for k in range(count)]


def _columns(values: np.ndarray) -> np.ndarray:
    return values[:, None] if values.ndim == 1 else values


DEVIATION_FLOOR = 1e-14
"""Deviation, in rad or m, below which values count as round-off and are not used for the growth rate."""

LARGE_DEVIATION = 0.1
"""Deviation, in rad or m, above which two motions no longer diverge exponentially."""


@dataclass(frozen=True, eq=False)
class Deviation:
    """Differences between the joint positions of two motions over time, by the name of the joint."""

    time: np.ndarray
    joints: Mapping[str, np.ndarray]
    # `units`: by joint, the units of the entries of its position
    units: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def largest(self) -> np.ndarray:
        """The largest magnitude of the differences of all coordinates at every instant, in rad or m."""
        each = [np.abs(np.atleast_2d(d.T)).max(axis=0) for d in self.joints.values()]
        most: np.ndarray = np.max(each, axis=0)
        return most

    @property
    def growth_rate(self) -> float:
        """Growth rate λ (1/s) of the envelope of the largest deviation d while d is small, |d| ~ exp(λ t).

        It is computed by least squares from the logarithm of the envelope; 0 if fewer than three instants are suitable.
        """
        envelope = np.maximum.accumulate(self.largest)
        used = (envelope > DEVIATION_FLOOR) & (envelope < LARGE_DEVIATION)
        if used.sum() < 3:
            return 0.0
        return float(np.polyfit(self.time[used], np.log(envelope[used]), 1)[0])

    def until(self, t: float) -> float:
        """The largest deviation of any coordinate up to time t."""
        return float(self.largest[self.time <= t].max(initial=0.0))

    def __repr__(self) -> str:
        most = max(self.joints, key=lambda name: float(np.abs(self.joints[name]).max(initial=0.0)))
        columns = np.abs(np.atleast_2d(self.joints[most].T))
        k = int(columns.max(axis=1).argmax())
        unit = dict(enumerate(self.units.get(most, ()))).get(k, "").replace("1", "")
        largest = f"{columns[k].max():.2e} {unit}{' ' if unit else ''}at '{most}'"
        first = f", in the first second {self.until(1.0):.2e}" if self.time[-1] > 1.0 else ""
        growing = f", growing as exp({self.growth_rate:.2f} t)" if self.growth_rate else ""
        return f"Deviation over {self.time[-1]:g} s: largest {largest}{first}{growing}."


def deviation(found: Result, desired: Result) -> Deviation:
    """Joint positions of `found` minus those of `desired`, two results at the same times."""
    if len(found.time) != len(desired.time) or not np.allclose(
        found.time, desired.time, rtol=1e-12, atol=1e-12
    ):
        what = (
            f"the two results have different times: {len(found.time)} instants up to {found.time[-1]:g} s and "
            f"{len(desired.time)} up to {desired.time[-1]:g} s."
        )
        raise analysis_error(found.mechanism, "R03", "deviation", what, "Compute both at the same times.")
    joints = {name: found[name].position - desired[name].position for name in found.joints}
    units: dict[str, list[str]] = {}
    for label, unit in zip(labels_of(found)["place"], units_of(found, "position"), strict=True):
        units.setdefault(label.owner, []).append(unit)
    return Deviation(found.time, joints, units)


def tracking_errors(result: Result) -> dict[str, np.ndarray]:
    """Tracking errors of a control law over time: desired minus actual values, by the names in `result.desired`.

    For an orientation the error is the angle of the rotation between desired and actual orientation.
    """
    found: dict[str, np.ndarray] = {}
    for name, wanted in result.desired.items():
        owner, _, component = name.rpartition(".")
        if name in result.joints:
            found[name] = wanted - result.joints[name].position
        elif owner in result.joints:
            names = result.mechanism.joint(owner).components(result.mechanism.planar)
            found[name] = wanted - result.joints[owner].position[:, names.index(component)]
        elif component in ("x", "y", "z"):
            found[name] = wanted - result.marker(owner)[:, "xyz".index(component)]
        elif component == "angle":
            turn = wanted - result.output(f"{owner}.orientation")
            found[name] = np.arctan2(np.sin(turn), np.cos(turn))
    for owner in {name.partition(".orientation.")[0] for name in result.desired if ".orientation." in name}:
        e = np.array([result.desired[f"{owner}.orientation.{k}"] for k in range(4)])
        actual = result.output(f"{owner}.orientation").T
        between = np.einsum("tij,tij->t", _matrices(e), _matrices(actual))
        found[f"{owner}.orientation"] = np.arccos(np.clip((between - 1) / 2, -1.0, 1.0))
    return found


def _matrices(e: np.ndarray) -> np.ndarray:
    """Rotation matrices, instants × 3 × 3, of unit quaternions, scalar first, 4 × instants."""
    w, x, y, z = e
    rows = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    return np.moveaxis(np.array(rows), 2, 0)
