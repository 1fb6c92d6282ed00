"""Quantities computed from a known motion: energies, readouts of an instant, and loads on flexible links."""
