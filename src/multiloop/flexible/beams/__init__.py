"""Flexible beams: modes and mass integrals of uniform straight beams, and of all others by finite elements."""
