"""Uniform straight beams in closed form: mode shapes over x/L that depend on no parameter of the beam."""
