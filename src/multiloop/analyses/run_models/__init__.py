"""Models of a run: accelerations at a state, choices made at a position, and the functions that a run integrates.

A `ForwardModel` returns accelerations and efforts at one instant, a `RunModel` the traced functions of a run, a
`LocalChoice` what code without branches cannot decide. Contact events, simulation and steady states use them.
"""
