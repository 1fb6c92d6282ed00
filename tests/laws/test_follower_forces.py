"""A force that turns with the tip of a column: Beck's column does not buckle, it flutters.

Source: [beck]: two frequencies meet at P = 20.05 EI/L².
"""

import numpy as np
import pytest
from zoo.plain import clamped_body

import multiloop as ml

LENGTH, EI, CRITICAL = 1.0, 70e9 * 0.02 * 0.004**3 / 12, 20.051


def column(load, frame, **more):
    """A slender cantilever along x, pressed at its tip."""
    link = ml.beam(
        "column",
        length=LENGTH,
        E=70e9,
        density=2700.0,
        section=ml.rectangle(0.02, 0.004),
        **{"modes": 5, "frame": "a"} | more,
    )
    return clamped_body(
        link,
        "column",
        joint="clamp",
        gravity=(0, 0),
        loads=[ml.Force("thrust", "column.b", (-load * EI / LENGTH**2, 0.0), frame=frame)],
    )


def growth(machine):
    """The fastest growth of a small motion, relative to the first frequency of the free column."""
    speed = 3.516 * np.sqrt(EI / (2700 * 8e-5)) / LENGTH**2
    return float(ml.linearise(machine).eigenvalues.real.max() / speed)


@pytest.mark.parametrize(
    "more", [{}, {"shear": True}, {"basis": "nodal", "elements": 3, "modes": ("y",)}], ids=str
)
def test_becks_column_flutters(more):
    """Stable at 99 % of the load and growing at 101 %: three elements are 0.7 % too stiff, five modes 0.1 %."""
    assert growth(column(0.99 * CRITICAL, "body", **more)) < 1e-4
    assert growth(column(1.01 * CRITICAL, "body", **more)) > 1e-2


def test_eulers_column_buckles():
    """Along inertial axes: P = π²EI/4L²."""
    # no growth but round-off of the eigenvalues, whose real parts come in pairs; and clear growth
    assert growth(column(0.99 * np.pi**2 / 4, "inertial")) < 1e-4
    assert growth(column(1.01 * np.pi**2 / 4, "inertial")) > 1e-2
