"""Constraints that are no joints; a new pair is one file here and one line in PAIRS."""

from multiloop.model.pairs.distance import Distance
from multiloop.model.pairs.pair import Pair

PAIRS = (Distance,)

__all__ = ["PAIRS", "Distance", "Pair"]
