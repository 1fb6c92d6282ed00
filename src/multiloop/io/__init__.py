"""Mechanisms and results in files: YAML and JSON, tables, netCDF and meshes."""

from multiloop.io.files import load, save

__all__ = ["load", "save"]
