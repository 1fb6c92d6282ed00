"""The command line: read a mechanism from a file and ask for its plan, its loads or its picture."""

from multiloop.cli.application import main

__all__ = ["main"]
