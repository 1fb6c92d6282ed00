"""Example mechanisms, one per module: a function that builds the mechanism, a computation `ask`, and its `answer`."""
