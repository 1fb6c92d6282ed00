"""Flexible solids of any shape: meshes of quadratic solid elements, faces tied to markers, component modes."""
