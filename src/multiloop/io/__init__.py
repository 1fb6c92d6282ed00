"""Mechanisms in files that people and other tools read."""

from multiloop.io.files import load, save

__all__ = ["load", "save"]
