"""Plots of a result: curves over the motion, diagrams in a plane, and profiles along flexible links."""
