"""All quantities of a Result over time with their names and units: one list for datasets and tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from multiloop.kinematics.chart import LENGTHS
from multiloop.model.names import elastic_names
from multiloop.questions.answers.contact_history import ContactHistory

if TYPE_CHECKING:
    from multiloop.model import Connection
    from multiloop.questions.answers.result import Result

UNITS = {
    "position": ("rad", "m"),
    "rate": ("rad/s", "m/s"),
    "acceleration": ("rad/s2", "m/s2"),
    "effort": ("N m", "N"),
}
"""Units of coordinates that are angles, and of those that are lengths, in characters that all file formats accept."""

ELASTIC = {"eta": "", "eta_rate": "/s", "eta_acceleration": "/s2"}
"""Quantities of elastic coordinates, and the suffix to the unit that their body defines."""

QUATERNION = 4
"""Entries of an orientation in space; they have no unit."""


@dataclass(frozen=True, eq=False)
class Quantity:
    """One quantity over time: instants × the sizes of its `dims`.

    `unit` is its unit, "" where it is unknown, or one for each entry of its single dimension. `of` is the load or
    coupling to which it belongs.
    """

    name: str
    dims: tuple[str, ...]
    values: np.ndarray
    unit: str | tuple[str, ...]
    of: str = ""


@dataclass(frozen=True)
class Label:
    """An entry of a dimension: its name, and the joint or body to which it belongs."""

    name: str
    owner: str = ""


def labels_of(result: Result) -> dict[str, tuple[Label, ...]]:
    """The entries of every dimension but time.

    A coordinate is called by its joint, or "joint.component" where the joint has several. A place is an entry of q,
    "joint[0]" etc. where there are several: a quaternion has four of them.
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
    """All quantities, those of the joints first."""
    planar, joints = result.mechanism.planar, list(result.joints.values())
    turn = () if planar else ("axis",)
    for kind in UNITS:
        columns = [_columns(getattr(joint, kind)) for joint in joints]
        yield Quantity(kind, (along(kind),), np.concatenate(columns, axis=1), units_of(result, kind))
    yield Quantity("force", ("joint", "axis"), np.stack([joint.force for joint in joints], axis=1), "N")
    yield Quantity("moment", ("joint", *turn), np.stack([joint.moment for joint in joints], axis=1), "N m")
    yield Quantity("load", ("joint",), np.stack([joint.load for joint in joints], axis=1), "N")
    if result.links:
        bent = [unit for name in result.links for unit in result.mechanism.body(name).elastic_units]
        for kind, per in ELASTIC.items():
            columns = [getattr(link, kind) for link in result.links.values()]
            own = tuple(f"{unit}{per}" for unit in bent)
            yield Quantity(kind, ("elastic",), np.concatenate(columns, axis=1), own)
    yield from _of_contacts(result)
    yield from _of_couplings(result)
    for load in result.loads.values():
        for name, values in load.values.items():
            dims = ("axis",) if values.ndim > 1 else ()
            yield Quantity(name, dims, values, load.units.get(name, "1"), load.name)
        for name in load.undetermined:
            yield from _ends(name, load.range(name), load.units.get(name, "1"), load.name)
    yield from _of_shared_joints(result)
    if result.integrals:
        columns = list(result.integrals.values())
        units = tuple(_integral_unit(result, name) for name in result.integrals)
        yield Quantity("integrals", ("integral",), np.stack(columns, axis=1), units)
    yield from _of_the_whole(result, turn)


def _ends(name: str, ends: np.ndarray, unit: str, of: str) -> Iterator[Quantity]:
    """The smallest and the largest value of a quantity that equilibrium does not determine."""
    for word, values in zip(("least", "largest"), np.moveaxis(ends, -1, 0), strict=True):
        yield Quantity(f"{name}_{word}", ("axis",) if values.ndim > 1 else (), values, unit, of)


def _of_shared_joints(result: Result) -> Iterator[Quantity]:
    """Ranges of reactions of joints that share forces with one-sided loads."""
    for name, joint in result.joints.items():
        shared = {what for one in joint.shared if one is not None for what in one.undetermined(name)}
        for what, unit in (("force", "N"), ("moment", "N m")):
            if what in shared:
                yield from _ends(what, joint.range(what), unit, name)


def told_by_load(result: Result, integral: str) -> bool:
    """Whether an integral is a state of a load that the load itself reports, such as heat of friction."""
    load, _, state = integral.rpartition(".")
    return load in result.loads and state in result.loads[load].values


def _integral_unit(result: Result, name: str) -> str:
    """The unit of a load's state; that of other integrals is unknown."""
    load, _, state = name.rpartition(".")
    return result.loads[load].units.get(state, "") if load in result.loads else ""


def _of_the_whole(result: Result, turn: tuple[str, ...]) -> Iterator[Quantity]:
    """Energies, momentum, shaking force and moment, and residual of the loops."""
    angular = result.momentum[:, 0] if not turn else result.momentum[:, :3]
    yield Quantity("power", (), result.power, "W")
    if result.work is not None:
        yield Quantity("work", (), result.work, "J")
    yield Quantity("kinetic_energy", (), result.kinetic_energy, "J")
    yield Quantity("potential_energy", (), result.potential_energy, "J")
    yield Quantity("momentum", ("axis",), result.momentum[:, angular[0].size :], "kg m/s")
    yield Quantity("angular_momentum", turn, angular, "kg m2/s")
    yield Quantity("shaking_force", ("axis",), result.shaking_force, "N")
    yield Quantity("shaking_moment", turn, result.shaking_moment, "N m")
    yield Quantity("constraint_violation", (), result.constraint_violation, "1")


def _of_contacts(result: Result) -> Iterator[Quantity]:
    """Forces, contact point and pressure angle of every contact."""
    for name, one in result.joints.items():
        if isinstance(one, ContactHistory):
            yield Quantity("normal", (), one.normal, "N", name)
            yield Quantity("tangential", (), one.tangential, "N", name)
            yield Quantity("contact", ("axis",), one.contact, "m", name)
            yield Quantity("pressure_angle", (), one.pressure_angle, "rad", name)


def _of_couplings(result: Result) -> Iterator[Quantity]:
    """Efforts of every coupling along each coupled coordinate, and the power that it supplies."""
    planar = result.mechanism.planar
    for coupling in result.couplings.values():
        for name, effort in coupling.efforts.items():
            joint = result.mechanism.connection(name)
            parts = zip(
                _coordinates(joint, planar), joint.components(planar), _columns(effort).T, strict=True
            )
            for label, part, values in parts:
                yield Quantity(f"effort_{label}", (), values, _unit("effort", part), coupling.name)
        for name, values in coupling.values.items():
            yield Quantity(name, ("axis",) if values.ndim > 1 else (), values, "N", coupling.name)
        yield Quantity("power", (), coupling.power, "W", coupling.name)


def units_of(result: Result, kind: str) -> tuple[str, ...]:
    """The unit of every coordinate, or of every place, of all joints."""
    planar = result.mechanism.planar
    found: list[str] = []
    for name in result.joints:
        joint = result.mechanism.connection(name)
        components = joint.components(planar)
        own = [_unit(kind, part) for part in components]
        more = joint.positions(planar) - len(components)
        if kind == "position" and more > 0:  # a quaternion has four entries without a unit
            own[len(own) - (QUATERNION - more) :] = ["1"] * QUATERNION
        found += own
    return tuple(found)


def along(kind: str) -> str:
    """The dimension of a joint quantity: places for positions, coordinates for all others."""
    return "place" if kind == "position" else "coordinate"


def _unit(kind: str, component: str) -> str:
    return UNITS[kind][component in LENGTHS]


def _coordinates(joint: Connection, planar: bool) -> list[str]:
    parts = joint.components(planar)
    return [joint.name] if len(parts) == 1 else [f"{joint.name}.{part}" for part in parts]


def _places(joint: Connection, planar: bool) -> list[str]:
    count = joint.positions(planar)
    return [joint.name] if count == 1 else [f"{joint.name}[{k}]" for k in range(count)]


def _columns(values: np.ndarray) -> np.ndarray:
    return values[:, None] if values.ndim == 1 else values
