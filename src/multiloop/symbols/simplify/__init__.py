"""Simplification of operation lists (tapes): equal values are computed once and common factors are extracted."""
