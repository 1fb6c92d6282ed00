"""Measurements: what multiloop costs, counted and timed. `make bench` runs them all."""
