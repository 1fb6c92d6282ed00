"""Solids: flexible bodies described by a finite-element mesh and a material."""
