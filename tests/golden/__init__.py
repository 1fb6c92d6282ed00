"""Recorded reference values that must not get worse: operation counts, and numbers by name.

`python -m golden` (from `tests/`) writes them anew; a value changes only together with its cause.
"""
