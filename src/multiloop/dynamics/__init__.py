"""Equations of motion: forward and inverse dynamics, applied forces, joint reactions and energy, on symbols or
numbers.
"""
