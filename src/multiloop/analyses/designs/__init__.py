"""Parameter sweeps: inverse dynamics of many designs, their status and their feasibility."""
