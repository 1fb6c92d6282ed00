"""Pairs and couplings: constraints outside the spanning tree; a new type needs one file and one entry in PAIRS."""

from multiloop.model.cams.cam import Cam
from multiloop.model.connection import Coupling, Pair
from multiloop.model.gears.belt import Belt, Chain
from multiloop.model.gears.gearing import Gearing
from multiloop.model.gears.toothed_gears import Bevel, Gear, Rack, Worm
from multiloop.model.pairs.holonomic import Distance, PointOnCurve
from multiloop.model.pairs.nonholonomic import Rolling, RollingBall, RollingContact, Skate
from multiloop.model.pairs.relation import Relation

GEARINGS = (Belt, Bevel, Chain, Gear, Rack, Worm)
"""Types of gears, racks, worms, belts and chains: two wheels on a common carrier."""

PAIRS = (Cam, Distance, PointOnCurve, Relation, Rolling, RollingBall, Skate, *GEARINGS)

__all__ = [
    "GEARINGS",
    "PAIRS",
    "Belt",
    "Bevel",
    "Cam",
    "Chain",
    "Coupling",
    "Distance",
    "Gear",
    "Gearing",
    "Pair",
    "PointOnCurve",
    "Rack",
    "Relation",
    "Rolling",
    "RollingBall",
    "RollingContact",
    "Skate",
    "Worm",
]
