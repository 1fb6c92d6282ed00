"""Flexible solids of any shape: meshes of quadratic solid elements, faces tied to markers, and component modes."""
