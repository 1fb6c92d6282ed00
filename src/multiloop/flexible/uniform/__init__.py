"""Uniform straight beams in closed numbers: shapes over x/L that depend on no number of the beam."""
