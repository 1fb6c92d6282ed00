"""The efforts that a prescribed motion needs, worked out anew at every instant that is asked for.

Fed to `simulate` they drive the mechanism, let go, along the same motion: open loop, so that every deviation
grows as the mechanism itself makes it grow.

Source: [koul], §5, forced simulation: driving torques from inverse dynamics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.path import advance, instant_at
from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism
from multiloop.plan import plan_at
from multiloop.questions.assembling import chosen_closure
from multiloop.questions.loads import Loads
from multiloop.questions.motion import drive_of


class RequiredEfforts:
    """Efforts of a driven mechanism as exact functions of time; give it to `efforts` of other verbs by joint."""

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        start: Mapping[str, Any] | None = None,
        guess: Mapping[str, Any] | None = None,
        method: str = "subsystem",
    ) -> None:
        self.mechanism = mechanism
        assembly = chosen_closure(mechanism, start, guess, 0.0)
        plan = plan_at(assembly)
        spins = tuple(idle.spin for idle in plan.idle)
        self._equations = equations_of(mechanism, plan.tree, drive_targets(mechanism), spins)
        self._drive = drive_of(mechanism)
        self._loads = Loads(plan, self._equations, assembly.p, method)
        self._at = instant_at(self._equations, 0.0, assembly.on(self._equations), self._drive, assembly.p)
        self._found: tuple[float, np.ndarray] | None = None

    def effort(self, joint: str, t: float) -> float:
        """The effort at a joint with one coordinate at time t."""
        return float(self._efforts(t)[self._equations.skeleton.carrier[joint].v][0])

    def _efforts(self, t: float) -> np.ndarray:
        if self._found is None or self._found[0] != t:
            self._at = advance(self._equations, self._at, t, self._drive, self._loads.p)
            self._found = (t, self._loads.solve(self._at)[1])
        return self._found[1]

    def __repr__(self) -> str:
        return f"Efforts that the motion of '{self.mechanism.name}' needs, exact at every time."
