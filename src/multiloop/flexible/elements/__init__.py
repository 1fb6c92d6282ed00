"""Beams of any make by finite elements: tapered, cranked, sheared, with point masses; points to second order."""
