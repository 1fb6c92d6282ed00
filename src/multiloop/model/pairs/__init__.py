"""What constrains bodies without carrying any of them; a new kind is one file here and one line in PAIRS."""

from multiloop.model.pairs.cam import Cam
from multiloop.model.pairs.contact import Contact
from multiloop.model.pairs.coupling import Coupling
from multiloop.model.pairs.distance import Distance
from multiloop.model.pairs.pair import Pair
from multiloop.model.pairs.point_on_curve import PointOnCurve
from multiloop.model.pairs.relation import Relation
from multiloop.model.pairs.rolling import Rolling
from multiloop.model.pairs.rolling_ball import RollingBall
from multiloop.model.pairs.rolling_contact import RollingContact
from multiloop.model.pairs.skate import Skate

PAIRS = (Cam, Distance, PointOnCurve, Relation, Rolling, RollingBall, Skate)

__all__ = [
    "PAIRS",
    "Cam",
    "Contact",
    "Coupling",
    "Distance",
    "Pair",
    "PointOnCurve",
    "Relation",
    "Rolling",
    "RollingBall",
    "RollingContact",
    "Skate",
]
