"""The same mechanisms in other libraries, built from multiloop's own descriptions, checked, and then timed."""

from __future__ import annotations

import sys
from importlib.util import find_spec

NEEDED = {"mujoco": "mujoco", "pinocchio": "pin", "exudyn": "exudyn"}
"""Modules of the peers and the packages that hold them."""


def require_peers() -> None:
    """End with advice when a peer is missing."""
    missing = [package for module, package in NEEDED.items() if find_spec(module) is None]
    if missing:
        sys.exit(f"{', '.join(missing)} not found: make bench, or pip install --editable '.[bench]'")
