"""Contact geometry of cam profiles with a flat face, a knife edge or a roller, for every type of profile."""

from multiloop.model.contours.circular import CircleContour
from multiloop.model.contours.contour import Contour, Outline, Pitch, Support
from multiloop.model.contours.lifted import LiftContour
from multiloop.model.contours.parametric import CurveContour
from multiloop.model.contours.swung import SwingContour

__all__ = [
    "CircleContour",
    "Contour",
    "CurveContour",
    "LiftContour",
    "Outline",
    "Pitch",
    "Support",
    "SwingContour",
]
