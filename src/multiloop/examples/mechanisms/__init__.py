"""Example mechanisms, one per module: a function that describes it, its computation `ask`, and `answer`."""
