"""The motion from rest in Exudyn: redundant coordinates in the plane, implicit steps of order 2."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from functools import partial
from types import ModuleType

import numpy as np

from benchmarks.peers.motions import TIMES, Motion, Ran
from benchmarks.peers.opened import Opened
from benchmarks.peers.states import Moment

STEPS = (1e-3, 2.5e-4, 1e-4)
SCHEMES = {"index 3, ρ∞ 0.95": (0.95, False), "index 2, Newmark": (1.0, True)}


def exudyn_motions(opened: Opened, start: Moment) -> Iterator[Motion]:
    """Generalized α with constraints of positions, and Newmark's method with constraints of rates."""
    for name, scheme in SCHEMES.items():
        for dt in STEPS:
            yield Motion("Exudyn", name, dt, partial(_solved, opened, start, scheme, dt))


def _solved(opened: Opened, start: Moment, scheme: tuple[float, bool], dt: float) -> Ran:
    """One run to each time; the last one's seconds count."""
    found, took = [], 0.0
    for t in TIMES:
        system, container, angles = _built(opened, start)
        settings = _settings(t, dt, *scheme)
        began = time.thread_time()
        done = system.SolveDynamic(settings)
        took = time.thread_time() - began
        moved = np.array(system.systemData.GetODE2Coordinates())[2::3]
        found.append(angles + moved if done else np.full(len(angles), np.nan))
        del container
    return np.array(found), took


def _exudyn() -> ModuleType:
    """Its module without range checks."""
    sys.exudynFast = True  # type: ignore[attr-defined]
    return importlib.import_module("exudyn")


def _built(opened: Opened, start: Moment):  # type: ignore[no-untyped-def]
    exu = _exudyn()
    items = exu.itemInterface
    container = exu.SystemContainer()
    system = container.AddSystem()
    ground = system.AddObject(items.ObjectGround())
    angles = opened.angles(opened.positions(start.positions))
    origins, bodies = [], []
    for step, angle in zip(opened.steps, angles, strict=True):
        base, tilt = (origins[step.parent], angles[step.parent]) if step.parent >= 0 else (np.zeros(2), 0.0)
        origins.append(base + _turn(tilt) @ step.p[:2])
        centre = origins[-1] + _turn(angle) @ step.com[:2]
        node = system.AddNode(items.NodeRigidBody2D(referenceCoordinates=[*centre, angle]))
        body = items.ObjectRigidBody2D(
            physicsMass=step.mass, physicsInertia=step.inertia[2, 2], nodeNumber=node
        )
        bodies.append(system.AddObject(body))
        at_centre = system.AddMarker(items.MarkerNodePosition(nodeNumber=node))
        system.AddLoad(
            items.LoadForceVector(markerNumber=at_centre, loadVector=list(step.mass * opened.gravity))
        )

    def marked(k: int, point: np.ndarray) -> int:
        local = point if k < 0 else point - opened.steps[k].com
        return system.AddMarker(
            items.MarkerBodyPosition(bodyNumber=ground if k < 0 else bodies[k], localPosition=list(local))
        )

    joints = [(step.parent, step.p, k, np.zeros(3)) for k, step in enumerate(opened.steps)]
    joints += [(cut.first, cut.first_point, cut.second, cut.second_point) for cut in opened.joined]
    for first, point, second, other in joints:
        system.AddObject(
            items.ObjectJointRevolute2D(markerNumbers=[marked(first, point), marked(second, other)])
        )
    system.Assemble()
    return system, container, angles


def _settings(until: float, dt: float, radius: float, index2: bool):  # type: ignore[no-untyped-def]
    exu = _exudyn()
    settings = exu.SimulationSettings()
    stepping = settings.timeIntegration
    stepping.endTime, stepping.numberOfSteps, stepping.verboseMode = until, round(until / dt), 0
    stepping.newton.useModifiedNewton = True
    stepping.newton.relativeTolerance, stepping.newton.absoluteTolerance = 1e-8, 1e-10
    stepping.generalizedAlpha.spectralRadius = radius
    stepping.generalizedAlpha.useIndex2Constraints = stepping.generalizedAlpha.useNewmark = index2
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = 1e9
    settings.displayStatistics = settings.displayComputationTime = False
    settings.parallel.numberOfThreads = 1
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    return settings


def _turn(angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])
