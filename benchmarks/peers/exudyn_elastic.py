"""Flexible links in Exudyn: absolute nodal coordinates in the plane, exact at any deflection, with implicit steps."""

from __future__ import annotations

import importlib
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

RADIUS = 0.9
"""Spectral radius of generalized α at infinity."""

TOLERANCES = 1e-6, 1e-5
"""Of Newton's iterations, relative and absolute: at tighter ones round-off of the axial forces halves the steps."""


@dataclass(eq=False)
class Elastic:
    """A planar system that is put together item by item."""

    exu: Any = field(init=False)
    system: Any = field(init=False)

    def __post_init__(self) -> None:
        warnings.simplefilter("ignore", DeprecationWarning)
        sys.exudynFast = True  # type: ignore[attr-defined]
        self.exu = importlib.import_module("exudyn")
        self.container = self.exu.SystemContainer()
        self.system, self.items = self.container.AddSystem(), self.exu.itemInterface
        self.ground = self.system.AddObject(self.items.ObjectGround())
        self.still = self.coordinate(self.system.AddNode(self.items.NodePointGround()), 0)

    def strip(self, ends: Sequence[Any], speed: Any, spin: float, beam: Any, elements: int) -> list[int]:
        """The nodes of a straight beam from one end to the other, with the rates of a rigid motion."""
        begin, end = (np.array(point, float) for point in ends)
        length = np.linalg.norm(end - begin)
        e = (end - begin) / length
        nodes = []
        for k in range(elements + 1):
            r = (end - begin) * k / elements
            rates = [*(np.array(speed) + spin * np.array([-r[1], r[0]])), -spin * e[1], spin * e[0]]
            node = self.items.NodePoint2DSlope1(
                referenceCoordinates=[*(begin + r), *e], initialVelocities=rates
            )
            nodes.append(self.system.AddNode(node))
        for k in range(elements):
            element = self.items.ObjectANCFCable2D(
                physicsLength=length / elements,
                physicsMassPerLength=beam.density * beam.section.A,
                physicsBendingStiffness=beam.E * beam.section.Iz,
                physicsAxialStiffness=beam.E * beam.section.A,
                nodeNumbers=nodes[k : k + 2],
                useReducedOrderIntegration=1,
            )
            self.system.AddObject(element)
        return nodes

    def exact_strip(self, beam: Any, shear: float, elements: int) -> list[int]:
        """The nodes of a geometrically exact beam from the origin along x, at rest, with its stiffness in shear."""
        place = np.linspace(0.0, beam.length, elements + 1)
        nodes = [
            self.system.AddNode(self.items.NodeRigidBody2D(referenceCoordinates=[x, 0, 0])) for x in place
        ]
        for k in range(elements):
            element = self.items.ObjectBeamGeometricallyExact2D(
                nodeNumbers=nodes[k : k + 2],
                physicsLength=beam.length / elements,
                physicsMassPerLength=beam.density * beam.section.A,
                physicsCrossSectionInertia=beam.density * beam.section.Iz,
                physicsBendingStiffness=beam.E * beam.section.Iz,
                physicsAxialStiffness=beam.E * beam.section.A,
                physicsShearStiffness=shear,
            )
            self.system.AddObject(element)
        return nodes

    def crank(self, length: float, mass: float, speed: float) -> tuple[int, int, int]:
        """A rigid rod from the origin along x: its node, and markers at both ends."""
        node = self.items.NodeRigidBody2D(
            referenceCoordinates=[length / 2, 0, 0], initialVelocities=[0, speed * length / 2, speed]
        )
        number = self.system.AddNode(node)
        body = self.items.ObjectRigidBody2D(
            physicsMass=mass, physicsInertia=mass * length**2 / 12, nodeNumber=number
        )
        body = self.system.AddObject(body)
        return number, self.on(body, (-length / 2, 0)), self.on(body, (length / 2, 0))

    def on(self, body: int, point: Any) -> int:
        """A marker on a body."""
        return self.system.AddMarker(
            self.items.MarkerBodyPosition(bodyNumber=body, localPosition=[*point, 0])
        )

    def at(self, node: int) -> int:
        """A marker at a node."""
        return self.system.AddMarker(self.items.MarkerNodePosition(nodeNumber=node))

    def coordinate(self, node: int, k: int) -> int:
        """A marker of one coordinate."""
        return self.system.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=k))

    def pin(self, one: int, other: int) -> None:
        """A revolute joint."""
        self.system.AddObject(self.items.ObjectJointRevolute2D(markerNumbers=[one, other]))

    def hold(self, node: int, k: int, **how: Any) -> int:
        """A prescribed coordinate, zero by default."""
        markers = [self.still, self.coordinate(node, k)]
        return self.system.AddObject(self.items.CoordinateConstraint(markerNumbers=markers, **how))

    def drive(
        self, node: int, k: int, angle: Callable[[Any, Any], Any], rate: Callable[[Any, Any], Any]
    ) -> None:
        """A coordinate prescribed by a function of time, compiled as Exudyn compiles its own functions."""
        from exudyn.advancedUtilities import CreateSymbolicUserFunction

        held, symbolic = self.hold(node, k), self.exu.symbolic
        for name, law in (("offsetUserFunction", angle), ("offsetUserFunction_t", rate)):
            made = CreateSymbolicUserFunction(self.system, _given(symbolic, law), name, held)
            self.system.SetObjectParameter(held, name, made)

    def watch(self, node: int) -> int:
        """A sensor of the position of a node."""
        kind = self.exu.OutputVariableType.Position
        return self.system.AddSensor(
            self.items.SensorNode(nodeNumber=node, storeInternal=True, outputVariableType=kind)
        )

    def solve(self, until: float, step: float, every: float) -> float:
        """Seconds of processor time that the solver took."""
        self.system.Assemble()
        settings = self.exu.SimulationSettings()
        stepping = settings.timeIntegration
        stepping.endTime, stepping.numberOfSteps, stepping.verboseMode = until, round(until / step), 0
        stepping.newton.useModifiedNewton = True
        stepping.newton.relativeTolerance, stepping.newton.absoluteTolerance = TOLERANCES
        stepping.generalizedAlpha.spectralRadius = RADIUS
        settings.solutionSettings.writeSolutionToFile = False
        settings.solutionSettings.sensorsWritePeriod = max(every, step)
        settings.displayStatistics = settings.displayComputationTime = False
        settings.parallel.numberOfThreads = 1
        settings.linearSolverType = self.exu.LinearSolverType.EigenSparse
        began = time.thread_time()
        self.system.SolveDynamic(settings)
        return time.thread_time() - began

    def places(self, sensor: int) -> tuple[np.ndarray, np.ndarray]:
        """Times, and positions at a sensor."""
        found = np.array(self.system.GetSensorStoredData(sensor))
        return found[:, 0], found[:, 1:3]


def _given(symbolic: Any, law: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """A law of time with the arguments that Exudyn expects."""

    def offset(mbs: Any, t: Any, item: Any, given: Any) -> Any:
        return law(symbolic, t)

    return offset
