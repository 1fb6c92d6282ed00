"""The 3-RRR manipulator of the comparison with every link's length and mass left open: 13 parameters."""

from __future__ import annotations

import multiloop as ml
from benchmarks.peers.mechanisms import three_rrr


def open_manipulator() -> ml.Mechanism:
    """The 3-RRR whose every lane is a design of its own."""
    plain = three_rrr()
    bodies = []
    for body in plain.bodies:
        if body.name.startswith(("proximal", "distal")):
            length, mass = (0.4, 3.0) if body.name.startswith("proximal") else (0.6, 4.0)
            open_length = ml.Parameter(f"{body.name} length", length)
            bodies.append(ml.rod(body.name, length=open_length, mass=ml.Parameter(f"{body.name} mass", mass)))
        elif body.name == "platform":
            corners = {name: corner.point for name, corner in body.markers}
            bodies.append(ml.plate("platform", corners=corners, mass=ml.Parameter("platform mass", 8.0)))
        else:
            bodies.append(body)
    return plain.replace(bodies=bodies)
