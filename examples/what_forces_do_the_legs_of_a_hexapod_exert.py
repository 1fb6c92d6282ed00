"""What forces do the legs of a hexapod exert along a path with changing orientation?

Check: lengths of the legs from the pose, |p + R h − f|; forces from Newton's and Euler's equations of the platform,
Σ F u = m (a − g) and Σ F (R h × u) = I α + ω × I ω, six equations in six legs, at every instant.
Source: Newton and Euler; the platform is that of Gough and Stewart, with dimensions of ours.
"""

from functools import cache
from math import pi

import numpy as np
from scipy.spatial.transform import Rotation

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms import hexapod as six

EXPECTED = {"lengths less those by hand": (0.0, 1e-12, "m"), "forces less those by hand": (0.0, 1e-8, "N")}
LEGS = [f"P{k}" for k in range(1, 7)]

mechanism = ml.examples.hexapod()
solve = cache(lambda: ml.inverse(mechanism, cycle=121))


def by_hand(t):
    """Lengths and forces of the legs; about an axis that stays, ω = φ̇ n and α = φ̈ n."""
    w = 2 * pi / six.PERIOD
    c, s, n = np.cos(w * t), np.sin(w * t), np.array(six.AXIS)
    R = Rotation.from_rotvec(six.TILT * s * n).as_matrix()
    arms = np.array(six.HEADS) @ R.T
    legs = arms - np.array(six.FEET) + np.array([six.RADIUS * c, six.RADIUS * s, six.HEIGHT])
    lengths = np.linalg.norm(legs, axis=1)
    u = legs / lengths[:, None]
    force = six.MASS * np.array([-six.RADIUS * w**2 * c, -six.RADIUS * w**2 * s, 9.81])
    I, omega, alpha = R @ np.diag(six.INERTIA) @ R.T, six.TILT * w * c * n, -six.TILT * w**2 * s * n
    torque = I @ alpha + np.cross(omega, I @ omega)
    return lengths, np.linalg.solve(np.hstack([u, np.cross(arms, u)]).T, np.hstack([force, torque]))


def results():
    positions, efforts = (
        np.array([getattr(solve()[leg], what) for leg in LEGS]) for what in ("position", "effort")
    )
    lengths, forces = (np.transpose(rows) for rows in zip(*map(by_hand, solve().time), strict=True))
    far, off = abs(positions - lengths).max(), abs(efforts - forces).max()
    return {"lengths less those by hand": far, "forces less those by hand": off}


def answer():
    return ml.examples.answer("hexapod", solve())


def figure():
    return solve().plot(drawing=True, traces=["platform.h1"])


def main():
    demonstrate(
        "hexapod", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
