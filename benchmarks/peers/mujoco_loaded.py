"""The mechanism in MuJoCo with springs and dry friction at its joints and with PD control, all modelled by MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import mujoco

from benchmarks.peers.mujoco_peer import MuJoCo

NEEDED = ("FRICTIONLOSS", "SPRING", "DAMPER", "ACTUATION")
"""Options that the unloaded mechanism disables."""


@dataclass(frozen=True)
class Acting:
    """What acts at the joints, by name: stiffness and rest of springs, friction, and (K_p, K_d, desired) of PD."""

    springs: Mapping[str, tuple[float, float]]
    friction: Mapping[str, float]
    control: Mapping[str, tuple[float, float, float]]


@dataclass(frozen=True, eq=False)
class LoadedMuJoCo(MuJoCo):
    """One mechanism under loads; joints that are cut have none."""

    acting: Acting = field(default_factory=lambda: Acting({}, {}, {}))

    def _options(self, option) -> None:  # type: ignore[no-untyped-def]
        super()._options(option)
        for name in NEEDED:
            option.disableflags &= ~int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))

    def _further(self, spec: mujoco.MjSpec) -> None:
        for joint in spec.joints:
            sign = self.opened.signs[joint.name]
            if joint.name in self.acting.springs:
                stiffness, rest = self.acting.springs[joint.name]
                joint.stiffness, joint.springref = (stiffness, 0.0, 0.0), sign * rest
            joint.frictionloss = self.acting.friction.get(joint.name, 0.0)
            joint.solref_friction = (self.settings.softness * self.settings.dt, 1.0)
        for name, (proportional, derivative, _) in self.acting.control.items():
            actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
            actuator.gainprm[0] = proportional
            actuator.biastype = mujoco.mjtBias.mjBIAS_AFFINE
            actuator.biasprm[:3] = (0.0, -proportional, -derivative)

    def desire(self) -> None:
        """Write the positions and rates that the control shall maintain."""
        for name, (_, _, desired) in self.acting.control.items():
            self.data.actuator(name).ctrl = self.opened.signs[name] * desired
