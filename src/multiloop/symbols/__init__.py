"""Traced functions (algorithms run once on symbols), the list (tape) of their scalar operations, and table look-up."""

from multiloop.symbols.lookup import lookup
from multiloop.symbols.tape import Operation, Tape
from multiloop.symbols.traced import Traced

__all__ = ["Operation", "Tape", "Traced", "lookup"]
