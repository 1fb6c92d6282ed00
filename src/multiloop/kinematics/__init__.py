"""Kinematics of mechanisms along a spanning tree: poses and twists, constraint equations, assembly and continuation.

Packages, each of which uses only those before it: `tree` (the spanning tree and its outward recursions), `constraints`
(rows Φ, J, γ of every kind of constraint), `conditioning` (rank, null space and distance from singularity),
`assembly` (positions in which all loops are closed) and `continuation` (the same assembly mode along a motion).
`snapshot`, `tree_functions` and `equations` join the tree and its constraints at one instant.
"""
