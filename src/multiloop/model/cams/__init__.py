"""Cams: plane curves, cam profiles made from motion laws, and the contact geometry of their followers.

A `Contour` returns the support function and the pitch curve of a cam profile, which may be made from a motion law or be
given as a circle or curve.
"""

from multiloop.model.cams.contour import PROFILE_SAMPLES, Contour, PitchPoint, ProfilePoints, Support
from multiloop.model.cams.follower_contours import LiftContour, SwingContour
from multiloop.model.cams.plane_curves import Circle, CircleContour, Curve, CurveContour

__all__ = [
    "PROFILE_SAMPLES",
    "Circle",
    "CircleContour",
    "Contour",
    "Curve",
    "CurveContour",
    "LiftContour",
    "PitchPoint",
    "ProfilePoints",
    "Support",
    "SwingContour",
]
