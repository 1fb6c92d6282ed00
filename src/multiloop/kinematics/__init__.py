"""Where everything is and how it moves: recursions, constraint rows, assembly, branches, singularity."""
