"""The efforts that a prescribed motion needs, worked out anew at every instant that is asked for.

Fed to `simulate` they drive the mechanism, let go, along the same motion: open loop, so that every deviation
grows as the mechanism itself makes it grow.

Source: [koul], §5, forced simulation: driving torques from inverse dynamics.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from multiloop.model import Mechanism, suggestion
from multiloop.plan import efforts_of
from multiloop.questions.leading.driven import DrivenMotion, driven_plan
from multiloop.questions.refusal import refusal, require_rigid
from multiloop.questions.signals.corners import corners
from multiloop.questions.signals.efforts import effort_place, effort_sources

BENDS = (
    'Give the Result of ml.inverse(…, elastic="stable") to `efforts`, or RequiredEfforts of the mechanism with '
    "rigid links, body.rigid()."
)
"""What to do where links bend."""


class RequiredEfforts:
    """Efforts of a driven mechanism as exact functions of time; give it to `efforts` of other verbs by joint.

    What `inverse` refuses is refused here too, when it is made.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        *,
        start: Mapping[str, Any] | None = None,
        guess: Mapping[str, Any] | None = None,
        method: str = "subsystem",
    ) -> None:
        require_rigid(mechanism, "RequiredEfforts", BENDS)
        self.mechanism = mechanism
        self._asked = {"start": start, "guess": guess, "method": method}
        self._motion = DrivenMotion(driven_plan(mechanism, start, guess, 0.0), 0.0, method)
        (self._at,) = self._motion.along([0.0])
        self._found = (0.0, self._motion.solve(self._at).tau)
        self._places: dict[str, int] = {}

    def effort(self, name: str, t: float) -> float:
        """The effort at time t of a joint, "joint.component" where the joint has several coordinates."""
        if name not in self._places:
            self._places[name] = self._place(name)
        return float(self._efforts(t)[self._places[name]])

    def corners(self, begin: float, until: float) -> set[float]:
        """Times at which the prescribed motions, or efforts that are known, are not smooth."""
        known = effort_sources(self._motion.equations, None)
        return set(corners(self.mechanism, known, begin, until))

    def _place(self, name: str) -> int:
        """The rate along which it acts; a joint that nothing drives is refused, since zero is not meant."""
        joint = name.partition(".")[0]
        known = {joint for joint, _ in efforts_of(self.mechanism)}
        known |= {actuator.joint for actuator in self.mechanism.actuators}
        if joint in {pair.name for pair in self.mechanism.binary_joints} - known:
            what = "neither a drive nor an actuator acts there."
            raise refusal(self.mechanism, "S03", f"effort at '{name}'", what, suggestion(joint, known))
        return effort_place(self._motion.equations, name)

    def _efforts(self, t: float) -> np.ndarray:
        if self._found[0] != t:
            self._at, forces = self._motion.forces_at(t, self._at)
            self._found = (t, forces)
        return self._found[1]

    def __getstate__(self) -> tuple[Mechanism, dict[str, Any]]:
        """What was asked: another process works it out for itself."""
        return self.mechanism, self._asked

    def __setstate__(self, state: tuple[Mechanism, dict[str, Any]]) -> None:
        RequiredEfforts.__init__(self, state[0], **state[1])

    def __repr__(self) -> str:
        return f"Efforts that the motion of '{self.mechanism.name}' needs, exact at every time."
