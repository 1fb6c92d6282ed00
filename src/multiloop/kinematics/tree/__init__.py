"""The spanning tree of a mechanism: its bodies and joints with their constants, coordinates, poses and twists."""
