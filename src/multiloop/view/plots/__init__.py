"""Plots of a result: curves over time or a joint coordinate, diagrams in a plane, and profiles along flexible
bodies."""
