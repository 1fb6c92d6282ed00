"""Which bearing loads of a four-bar in space does equilibrium not determine?

Check: the count says −2 freedoms, yet it moves with 1: parallel axes make 1 − (−2) = 3 constraints redundant.
In every bearing the tilting moments and the thrust are open; the forces in the plane are those of a planar four-bar.
Source: the count of Grübler and Kutzbach, 6·3 − 5·4 = −2; the reasons are in docs/decisions/0005-rank.md.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate

EXPECTED = {
    "count": (-2, 0, ""),
    "mobility": (1, 0, ""),
    "redundant": (3, 0, ""),
    "open components": (4 * 3, 0, ""),
    "difference to the plane": (0.0, 1e-9, "N"),
}

OPEN = ("moment about x", "moment about y", "force along z")

mechanism = ml.examples.four_bar_in_space()
solve = cache(lambda: ml.inverse(mechanism, cycle=121))


def results():
    plan, space, plane = solve().plan, solve(), ml.inverse(ml.examples.four_bar(), cycle=121)
    found = {"count": plan.count, "mobility": plan.mobility, "redundant": plan.redundant}
    found["open components"] = sum(len(set(OPEN) & set(space[joint].undetermined)) for joint in space)
    found["difference to the plane"] = max(
        abs(space[joint].force[:, :2] - plane[joint].force).max() for joint in space
    )
    return found


def answer():
    return ml.examples.answer("four_bar_in_space", solve())


def figure():
    return solve().plot(drawing=True)


def main():
    demonstrate(
        "bearings", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
