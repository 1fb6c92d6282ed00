"""When are loops lost, and when is a position singular? For all who carry a motion, on whatever machine."""

LOST = 1e-8
"""Loops that stay open by more than this part of the mechanism's size are lost."""

SINGULAR_BELOW = 1e-7
"""Closeness below which a position counts as singular, and every method but `augmented` stops."""
