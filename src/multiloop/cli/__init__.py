"""The command-line program `multiloop`, which checks, solves, simulates, plots and draws mechanisms from files."""

from multiloop.cli.application import main

__all__ = ["main"]
