"""Kinematics of mechanisms: recursions along the tree, constraint rows, assembly, continuation, singularity."""
