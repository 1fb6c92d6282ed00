"""How far does the universal joint of an RSUR linkage swing?

Check: the tip of the rocker is where its circle meets a sphere about the pin of the crank, for 241 angles of the crank;
both angles of the joint follow from the direction of the coupler. The torque is that of the RSSR linkage.
Source: H. Chaudhary and S. K. Saha, J. Mech. Design 129 (2007) 1234, §6.2; dimensions and masses are ours.
"""

from functools import cache

import numpy as np

import multiloop as ml
from multiloop.cli.demonstration import demonstrate
from multiloop.examples.mechanisms.rsur import swings

mechanism = ml.examples.rsur()
solve = cache(lambda: ml.inverse(mechanism, cycle=241))


def by_hand():
    """Ranges of the inclination of the coupler to the plane of the rocker, and of its angle to the rocker in there."""
    psi, pivot = np.linspace(0.0, 2 * np.pi, 241), np.array([0.25, 0.05, 0.10])
    pin = 0.10 * np.transpose([np.cos(psi), np.sin(psi), 0 * psi])
    d = pivot - pin
    A, B, C = 2 * 0.22 * d[:, 0], -2 * 0.22 * d[:, 2], 0.32**2 - 0.22**2 - (d * d).sum(axis=1)
    phi = np.arctan2(B, A) - np.arccos(C / np.hypot(A, B))  # |d + 0.22 (cos φ, 0, −sin φ)| = 0.32
    x, y, z = (d + 0.22 * np.transpose([np.cos(phi), 0 * phi, -np.sin(phi)])).T / 0.32
    inclined, turned = np.arcsin(y), np.unwrap(np.arctan2(-z, x) - phi)
    return [np.degrees(np.ptp(angle)) for angle in (inclined, turned)]


EXPECTED = {
    "about the first axis": (by_hand()[0], 1e-9, "°"),
    "about the second axis": (by_hand()[1], 1e-9, "°"),
    "largest torque": (0.55384, 5e-6, "N m"),
    "idle spins": (0, 0, ""),
}


def results():
    names = ("about the first axis", "about the second axis")
    largest = max(solve()["A"].effort, key=abs)
    found = dict(zip(names, swings(solve()), strict=True))
    return found | {"largest torque": largest, "idle spins": len(solve().plan.idle)}


def answer():
    return ml.examples.answer("rsur", solve())


def figure():
    return solve().plot(show=["positions"], of=["C"], drawing=True, traces=["rocker.b"])


def main():
    demonstrate(
        "rsur", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
