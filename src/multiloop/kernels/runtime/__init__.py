"""The compiled time loop: its C sources, the structs shared with Python, integrators and tolerances."""
