"""Inverse dynamics: efforts and reactions for a known motion; one formulation a file."""

from multiloop.dynamics.inverse.system import SystemInverse, effort_columns

__all__ = ["SystemInverse", "effort_columns"]
