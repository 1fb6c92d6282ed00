"""Beams: flexible bodies described by a centreline, a material and cross sections."""
