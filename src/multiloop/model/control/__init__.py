"""Control laws that make a mechanism follow a desired motion."""

from multiloop.model.control.control_laws import PD, PID, ComputedTorque, ControlLaw

__all__ = ["PD", "PID", "ComputedTorque", "ControlLaw"]
