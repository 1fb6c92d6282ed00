"""The command line `multiloop`: check, solve, simulate, plot and draw mechanisms from files."""

from multiloop.cli.application import main

__all__ = ["main"]
