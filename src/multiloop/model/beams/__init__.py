"""Beams: flexible bodies described by a line, a material and cross sections."""
