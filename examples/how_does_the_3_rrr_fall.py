"""How does the 3-RRR manipulator fall when its motors let go?

Check: θ₁ = −0.877378237 rad after 1 s, on which six forward methods agree to 2e-9; the energy stays what it was.
Source: M. Koul, S. V. Shah, S. K. Saha, M. Manivannan, Multibody Syst. Dyn., doi 10.1007/s11044-013-9379-2, §4.2.
"""

from functools import cache

import multiloop as ml
from multiloop.cli.demonstration import checks

EXPECTED = {"θ₁(1 s)": (-0.877378237, 5e-9, "rad"), "energy drift": (0.0, 1e-9, "")}

SIDE, HEIGHT = 0.4, 3**0.5 / 2
LEGS = {1: (0.0, 0.0), 2: (1.0, 0.0), 3: (0.5, HEIGHT)}
STARTS = {"A1": 1.04, "A2": 4.1883, "A3": 5.7637}

mechanism = ml.Mechanism(
    "3-RRR",
    planar=True,
    bodies=[
        ml.ground({f"A{k}": pivot for k, pivot in LEGS.items()}),
        *(ml.rod(f"proximal{k}", length=0.4, mass=3.0) for k in LEGS),
        *(ml.rod(f"distal{k}", length=0.6, mass=4.0) for k in LEGS),
        ml.plate("platform", corners={"c1": 0, "c2": SIDE, "c3": (SIDE / 2, SIDE * HEIGHT)}, mass=8.0),
    ],
    joints=[
        *(ml.Revolute(f"A{k}", f"ground.A{k}", f"proximal{k}.a") for k in LEGS),
        *(ml.Revolute(f"B{k}", f"proximal{k}.b", f"distal{k}.a") for k in LEGS),
        *(ml.Revolute(f"C{k}", f"distal{k}.b", f"platform.c{k}") for k in LEGS),
    ],
    guess={"platform": (0.79201821, 0.45656032, 3.91595341)},
)

solve = cache(lambda: ml.simulate(mechanism, until=1.0, start=STARTS, outputs=101, rtol=1e-11))


def results():
    fall = solve()
    return {"θ₁(1 s)": fall["A1"].position[-1], "energy drift": fall.energy_drift}


def figure():
    fall = solve()
    return mechanism.draw(start=STARTS, traces=[fall.marker(f"platform.c{k}") for k in LEGS])


def main():
    fall = solve()
    print(fall)
    for t in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = fall.at(t).marker("platform.c1")
        print(f"t = {t:.2f} s: corner c1 of the platform at x = {x:.4f} m, y = {y:.4f} m")
    print(*checks(results(), EXPECTED), sep="\n")


if __name__ == "__main__":
    main()
