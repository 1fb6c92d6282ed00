"""Flexible beams: modes and mass integrals of uniform straight beams, and of all other beams by finite elements."""
