"""Tolerances common to all backends of time integration: open loops and singular configurations."""

LOST = 1e-8
"""Residual of the loop closure, relative to the size of the mechanism, above which a run ends."""

SINGULAR_BELOW = 1e-7
"""Closeness below which a configuration counts as singular, and all methods except `augmented` stop."""

ROUNDS = 8
"""Newton steps of the position projection after which the loops count as open."""

CLOSE = 3e-8
"""Residual whose square is at the level of round-off: it remains after one more Newton step."""

CLOSED = 1e-11
"""Residual at which the Newton iteration may stop without further decrease."""
