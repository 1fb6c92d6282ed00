"""Equilibria, steady and periodic motions, and the linearised motion about them."""
