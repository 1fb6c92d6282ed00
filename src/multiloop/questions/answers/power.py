"""Power that drives, efforts, couplings and loads supply at every instant."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from multiloop.questions.answers.coupling_history import CouplingHistory
from multiloop.questions.answers.load_history import LoadHistory

if TYPE_CHECKING:
    from multiloop.questions.answers.joint_history import JointHistory


def supplied_power(
    joints: Iterable[JointHistory], loads: Iterable[LoadHistory], couplings: Iterable[CouplingHistory]
) -> np.ndarray | float:
    """Σ τᵀq̇ over the joints, plus the power of every load and coupling."""
    at_joints = sum(one.power for one in joints)
    return sum([one.power for one in loads] + [one.power for one in couplings], at_joints)
