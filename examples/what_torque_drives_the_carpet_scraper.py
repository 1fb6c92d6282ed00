"""What torque drives the carpet scraper, and what do its bearings carry?

Check: 100.327 N·m at 160.25° and −6.5996 N·m at 0° of the crank, on which two formulations agree.
Source: H. Chaudhary and S. K. Saha, J. Mech. Design 129 (2007) 1234, §6.1, Table 1 and 45 rpm.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import demonstrate

EXPECTED = {"peak": (100.327, 5e-4, "N m"), "angle": (160.25, 1e-6, "°"), "start": (-6.5996, 5e-5, "N m")}

mechanism = ml.examples.carpet_scraper()
solve = cache(lambda: ml.inverse(mechanism, cycle=1441))


def results():
    torque = solve()["crank pivot"].effort
    return {"peak": max(torque, key=abs), "angle": abs(torque).argmax() / 4, "start": torque[0]}


def answer():
    return ml.examples.answer("carpet_scraper", solve())


def figure():
    return solve().plot(drawing=True, traces=["link6.b"])


def main():
    demonstrate(
        "scraper", mechanism, solve=solve, results=results, expected=EXPECTED, figure=figure, answer=answer
    )


if __name__ == "__main__":
    main()
