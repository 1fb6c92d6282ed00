"""Runs with unilateral contacts, ropes, stiction and freewheels: contact modes, impacts and load sharing."""

from multiloop.analyses.contact_events.contact_modes import modes_at
from multiloop.analyses.contact_events.event_driven_loop import EventDrivenLoop
from multiloop.analyses.contact_events.load_sharing import SharedInstant, share_forces
from multiloop.analyses.contact_events.set_valued_forces import SetValuedForces

__all__ = [
    "EventDrivenLoop",
    "SetValuedForces",
    "SharedInstant",
    "modes_at",
    "share_forces",
]
