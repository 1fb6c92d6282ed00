"""Which bearing loads of a four-bar in space does equilibrium not determine?

Check: the count says −2 freedoms, yet it moves with 1: parallel axes make 1 − (−2) = 3 constraints redundant.
In every bearing the tilting moments and the thrust are open; the forces in the plane are those of a planar four-bar.
Source: the count of Grübler and Kutzbach, 6·3 − 5·4 = −2; the reasons are in docs/decisions/0005-rank.md.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import checks

EXPECTED = {
    "count": (-2, 0, ""),
    "mobility": (1, 0, ""),
    "redundant": (3, 0, ""),
    "open components": (4 * 3, 0, ""),
    "difference to the plane": (0.0, 1e-9, "N"),
}

OPEN = ("moment about x", "moment about y", "force along z")


def four_bar(planar: bool) -> ml.Mechanism:
    return ml.Mechanism(
        "four-bar" if planar else "four-bar in space",
        planar=planar,
        gravity=(0, -9.81) if planar else (0, -9.81, 0),
        bodies=[
            ml.ground(A=0.0, D=1.0),
            ml.rod("crank", length=0.3, mass=1.0),
            ml.rod("coupler", length=0.9, mass=2.0),
            ml.rod("rocker", length=0.8, mass=1.5),
        ],
        joints=[
            ml.Revolute("A", "ground.A", "crank.a"),
            ml.Revolute("B", "crank.b", "coupler.a"),
            ml.Revolute("C", "coupler.b", "rocker.b"),
            ml.Revolute("D", "ground.D", "rocker.a"),
        ],
        drives=[ml.Motion("A", ml.constant_speed(4.712))],
        guess={"B": 1.0, "C": 0.8, "D": 1.9},
    )


solve = cache(lambda planar: ml.inverse(four_bar(planar), cycle=121))


def results():
    plan, space, plane = solve(False).plan, solve(False), solve(True)
    found = {"count": plan.count, "mobility": plan.mobility, "redundant": plan.redundant}
    found["open components"] = sum(len(set(OPEN) & set(space[joint].undetermined)) for joint in space)
    found["difference to the plane"] = max(
        abs(space[joint].force[:, :2] - plane[joint].force).max() for joint in space
    )
    return found


def figure():
    return solve(False).plot(drawing=True)


def main():
    for joint in solve(False):
        print(solve(False)[joint])
    print(*checks(results(), EXPECTED), sep="\n")


if __name__ == "__main__":
    main()
