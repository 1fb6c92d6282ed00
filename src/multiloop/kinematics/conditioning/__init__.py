"""Rank, null space and minimum-norm solutions of the constraint rows, and their distance from singularity."""
