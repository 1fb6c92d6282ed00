"""Frequencies of cantilevers with tapered height and width, as printed in [maganti_nalluri], Table 1, at rest.

ω √(ρ A L⁴/E I) by the section at the root; τ_h and τ_b are the relative reductions of height and width at the tip. The
numbers are those that the table quotes from Özdemir Özgümüş and Kaya (marked a); the authors' own values differ from
them by 3e-5 at strong tapers, where ours agree with the former. Erratum: their own first frequency of the uniform beam
is printed as 3.15601, for 3.51601.
"""

from __future__ import annotations

import numpy as np
import pytest

import multiloop as ml

E, RHO, WIDTH, HEIGHT = 2.1e11, 7850.0, 0.02, 0.005

PRINTED = {
    (0.0, 0.0): (3.51602, 22.0345, 61.6972),
    (0.0, 0.4): (4.09698, 23.1186, 62.7763),
    (0.2, 0.0): (3.60828, 20.6210, 56.1923),
    (0.2, 0.2): (3.85512, 21.0567, 56.6303),
    (0.4, 0.0): (3.73708, 19.1138, 50.3537),
    (0.4, 0.6): (4.80842, 20.8343, 52.1963),
    (0.6, 0.4): (4.51799, 18.3441, 44.9432),
    (0.6, 0.8): (5.82882, 20.3952, 47.3051),
}
"""By (τ_h, τ_b)."""


@pytest.mark.parametrize(("height", "width"), PRINTED)
def test_frequencies_as_printed(height: float, width: float) -> None:
    """To six digits, with 40 elements."""
    root = ml.rectangle(WIDTH, HEIGHT)
    tip = ml.rectangle(WIDTH * (1 - width), HEIGHT * (1 - height))
    blade = ml.beam(
        "blade",
        length=1.0,
        E=E,
        density=RHO,
        section=(root, tip),
        modes=3,
        frame="a",
        elements=40,
        masses={"b": 0.0},
    )
    unit = np.sqrt(E * root.Iz / (RHO * root.A))
    assert blade.frequencies() / unit == pytest.approx(PRINTED[height, width], rel=5e-6)
