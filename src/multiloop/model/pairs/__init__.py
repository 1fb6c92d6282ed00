"""Pairs and couplings: constraints that carry no body in the tree; a new type is one file and one entry in PAIRS."""

from multiloop.model.pairs.belt import Belt, Chain
from multiloop.model.pairs.bevel import Bevel
from multiloop.model.pairs.cam import Cam
from multiloop.model.pairs.coupling import Coupling
from multiloop.model.pairs.distance import Distance
from multiloop.model.pairs.gear import Gear
from multiloop.model.pairs.gearing import Gearing
from multiloop.model.pairs.pair import Pair
from multiloop.model.pairs.point_on_curve import PointOnCurve
from multiloop.model.pairs.rack import Rack
from multiloop.model.pairs.relation import Relation
from multiloop.model.pairs.rolling import Rolling
from multiloop.model.pairs.rolling_ball import RollingBall
from multiloop.model.pairs.rolling_contact import RollingContact
from multiloop.model.pairs.skate import Skate
from multiloop.model.pairs.worm import Worm

GEARINGS = (Belt, Bevel, Chain, Gear, Rack, Worm)
"""Gears, racks, belts and chains: two wheels on a common carrier."""

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
