"""Figures that were once reached and are not given up: operation counts, and numbers by name.

`python -m golden` (from `tests/`) writes them anew; a figure changes only together with its cause.
"""
