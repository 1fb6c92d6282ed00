"""A hydraulic face shovel: boom, stick and bucket moved by three cylinders through a rocker on the boom."""

from __future__ import annotations

from multiloop import Mechanism
from multiloop.examples.mechanisms.face_shovel import face_shovel, initial_poses
from zoo.body_poses import assembled
from zoo.entry import Entry

PAPER_CUTS = ("15", "14", "5", "11")
"""The joints at which [koul], Fig. 1(b), opens the four loops."""


def excavator() -> Mechanism:
    """The example `face_shovel`, which has three subsystems and four loops as in the paper.

    Source: [koul], Fig. 1 and §3, for the joints and their numbers. The dimensions are chosen.
    """
    return assembled(face_shovel().replace(name="excavator"), initial_poses()[0])


FAMILY = (Entry("excavator", excavator, 11, 4, count=3, mobility=3, source="koul"),)
