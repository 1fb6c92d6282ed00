"""Positions at which laws are tested on the test models: closed positions, other trees, and intervals of motion."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import islice

import numpy as np
from zoo import ZOO

from multiloop import Mechanism
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.assembly import Assembly, drive_values, find_assembly_modes
from multiloop.kinematics.constraints import drive_targets
from multiloop.kinematics.continuation import Instant, follow_drives
from multiloop.model import period_of
from multiloop.plan.rank import first_order_motions
from multiloop.topology import Tree, candidate_trees, graph_of

NONE = np.zeros(0)
TREES = 4
"""Number of trees for which a law is tested: the default one and three others."""

DRIVEN = [name for name, entry in ZOO.items() if entry.build().drives and name != "floating-base"]
"""Test models with as many drives as degrees of freedom, except idle ones."""

TURNING = [name for name, entry in ZOO.items() if entry.turns]
"""Test models whose drive makes full turns."""


@cache
def built(name: str) -> Mechanism:
    """A test model, built once."""
    return ZOO[name].build()


@cache
def assembled(name: str) -> Assembly:
    """A test model, closed from its guess."""
    return find_assembly_modes(built(name))[0]


@cache
def trees(name: str, count: int = TREES) -> tuple[Tree, ...]:
    """The default tree and others."""
    return tuple(islice(candidate_trees(graph_of(built(name))), count))


def places(name: str, tree: Tree) -> tuple[Equations, list[np.ndarray]]:
    """The equations along a tree, without drives, and several closed positions in its coordinates."""
    assembly = assembled(name)
    equations = equations_of(built(name), tree)
    return equations, [
        replace(assembly, q=q).coordinates_on(equations) for q in first_order_motions(assembly).positions()
    ]


def drive_of(mechanism: Mechanism):
    """All drives as one function of time and order of derivative."""

    def drive(t: float, order: int) -> np.ndarray:
        return np.array([x for request in drive_values(mechanism, t, order) for x in request.values])

    return drive


def duration(name: str) -> float:
    """One period of the first drive, or its stroke."""
    profile = next(iter(built(name).drives[0].named().values()))
    return period_of(profile, 2 * np.pi) or 2.0


def followed(name: str, tree: Tree, times: np.ndarray) -> tuple[Equations, list[Instant]]:
    """Instants of the driven motion at the given times, the first of which is 0."""
    mechanism, assembly = built(name), assembled(name)
    equations = equations_of(mechanism, tree, drive_targets(mechanism))
    return equations, follow_drives(
        equations, assembly.coordinates_on(equations), times, drive_of(mechanism), assembly.p
    )


def idle_joints(name: str) -> set[str]:
    """Joints of bodies with idle spins: their coordinates depend on an arbitrary rotation."""
    idle = set(ZOO[name].idle)
    return {
        joint.name
        for joint in built(name).connections
        if {joint.first.partition(".")[0], joint.second.partition(".")[0]} & idle
    }
