"""A planar four-bar linkage (crank-rocker), as on the first page of the documentation."""

import multiloop as ml


def four_bar() -> ml.Mechanism:
    """Crank 0.3 m, coupler 0.9 m and rocker 0.8 m on a base of 1 m, driven at 45 rpm."""
    return ml.Mechanism(
        "four-bar",
        planar=True,
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
        drives=[ml.Motion("A", ml.motion_laws.constant_speed(4.712))],
        guess={"coupler.b": (0.8, 0.7)},
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque and bearing loads over one revolution."""
    return ml.inverse(mechanism, cycle=361)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    torque, worst = result["A"].effort, max(result, key=lambda joint: result[joint].load.max())
    return (
        f"Up to {abs(torque).max():.3f} N m, with the crank at {abs(torque).argmax()}°; "
        f"the bearing '{worst}' carries most, up to {result[worst].load.max():.2f} N."
    )
