"""When are loops lost, and when is a position singular? For all who carry a motion, on whatever machine."""

LOST = 1e-8
"""Loops that stay open by more than this part of the mechanism's size are lost."""

SINGULAR_BELOW = 1e-7
"""Closeness below which a position counts as singular, and every method but `augmented` stops."""

ROUNDS = 8
"""Newton steps onto the positions after which the loops count as open."""

CLOSE = 3e-8
"""A gap whose square is round-off: what one more step leaves."""

CLOSED = 1e-11
"""A gap below which it need not fall any more."""
