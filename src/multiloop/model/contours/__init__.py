"""What a cam's outline does to a face, an edge or a roller that touches it, whatever the outline was made from."""

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
