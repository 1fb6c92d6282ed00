"""Mechanisms with open parameters: a 3-RRR manipulator (lengths and masses of all links) and the thickness of a rod."""

from __future__ import annotations

import multiloop as ml
from benchmarks.peers.mechanisms import three_rrr


def open_manipulator() -> ml.Mechanism:
    """The 3-RRR, of which every lane is a separate design."""
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


def open_rod() -> ml.Mechanism:
    """A slider-crank with a flexible connecting rod; the thickness, length and stiffness of the rod are parameters."""
    from published.elastic.linkages import slider_crank

    thickness, length = ml.Parameter("thickness", 0.008), ml.Parameter("length", 0.30)
    material = {"E": ml.Parameter("E", 2e11), "density": 7870.0, "damping": 0.01}
    section = ml.rectangle(0.008, thickness)
    rod = ml.beam("rod", length=length, section=section, modes={"y": 2, "x": 1}, **material)
    return slider_crank().with_body(rod).without_drives().replace(guess={"A": 0.7, "D": 0.4})
