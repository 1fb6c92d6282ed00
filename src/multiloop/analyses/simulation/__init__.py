"""Simulation: forward dynamics integrated over time, compiled or interpreted, for one design or for many."""
