"""Checks of pairs and couplings, by type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from multiloop.model.checks.cams import cam_faults, curve_faults
from multiloop.model.checks.gears import gearing_faults
from multiloop.model.checks.joints import missing_joint
from multiloop.model.checks.relations import relation_faults
from multiloop.model.checks.rolling import length_faults, rolling_faults
from multiloop.model.faults import Fault
from multiloop.model.pairs import Cam, Coupling, Distance, Gearing, PointOnCurve, Relation, RollingContact

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def pair_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of all pairs and couplings."""
    for pair in mechanism.pairs:
        where = f"{pair.called} '{pair.name}'"
        if isinstance(pair, Distance):
            remedy = "for points that coincide take a Spherical joint, or a Revolute."
            yield from length_faults(where, "length", pair.length, f"Give the distance in metres; {remedy}")
        elif isinstance(pair, RollingContact):
            yield from rolling_faults(mechanism, where, pair)
        elif isinstance(pair, Cam):
            yield from cam_faults(mechanism, where, pair)
        elif isinstance(pair, PointOnCurve):
            yield from curve_faults(where, pair.curve)
        elif isinstance(pair, Relation):
            yield from relation_faults(mechanism, where, pair)
        elif isinstance(pair, Gearing):
            yield from gearing_faults(mechanism, where, pair)
        elif isinstance(pair, Coupling):
            known = mechanism.joints_by_name
            yield from (
                missing_joint(mechanism, "P02", where, joint, "it reads")
                for joint in pair.joints
                if joint not in known
            )
