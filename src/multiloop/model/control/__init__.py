"""Control laws that make a mechanism follow a desired motion."""

from multiloop.model.control.computed_torque import ComputedTorque
from multiloop.model.control.law import ControlLaw
from multiloop.model.control.pd import PD, PID

__all__ = ["PD", "PID", "ComputedTorque", "ControlLaw"]
