"""Equations of motion: forward and inverse dynamics, applied forces, reactions and energy, on symbols or numbers."""
