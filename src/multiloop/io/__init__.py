"""Files of mechanisms (YAML and JSON) and of results (tables, netCDF and meshes)."""

from multiloop.io.files import load, save

__all__ = ["load", "save"]
