"""The carpet scraper: a crank-rocker that moves a pantograph over the carpet, three loops driven by one crank."""

from math import pi

import multiloop as ml


def carpet_scraper() -> ml.Mechanism:
    """Build the carpet scraper with the published dimensions and masses, driven at 45 rpm.

    Source: [chaudhary], §6.1, Table 1.
    """
    return ml.Mechanism(
        "carpet scraper",
        planar=True,
        bodies=[
            ml.ground(crank=(0, 0), rocker=(-0.089, 0), pantograph=(0.038, 0.410)),
            ml.rod("crank", length=0.038, mass=1.5, inertia=0.73e-3, inertia_at="origin"),
            ml.rod("rocker", length=0.115, mass=3.0, inertia=13.30e-3, inertia_at="origin"),
            ml.rod("coupler", length=0.230, mass=5.0, inertia=22.12e-3, inertia_at="m", markers={"m": 0.115}),
            ml.rod(
                "link4", length=0.335, mass=4.2, inertia=157e-3, inertia_at="origin", markers={"m": 0.096}
            ),
            ml.rod("link5", length=0.239, mass=3.0, inertia=57e-3, inertia_at="origin"),
            ml.rod(
                "link6", length=0.836, mass=10.5, inertia=2449e-3, inertia_at="origin", markers={"m": 0.239}
            ),
            ml.rod("link7", length=0.239, mass=3.0, inertia=57e-3, inertia_at="origin"),
        ],
        joints=[
            ml.Revolute("rocker pivot", "ground.rocker", "rocker.a"),
            ml.Revolute("rocker-coupler", "rocker.b", "coupler.m"),
            ml.Revolute("crank pivot", "ground.crank", "crank.a"),
            ml.Revolute("crank-coupler", "crank.b", "coupler.a"),
            ml.Revolute("pantograph pivot", "ground.pantograph", "link4.a"),
            ml.Revolute("link4-link5", "link4.m", "link5.a"),
            ml.Revolute("link4-link6", "link4.b", "link6.a"),
            ml.Revolute("link6-link7", "link6.m", "link7.a"),
            ml.Pin("Q", carrier="link5.b", others=("coupler.b", "link7.b")),
        ],
        drives=[ml.Motion("crank pivot", ml.motion_laws.constant_speed(45 * 2 * pi / 60))],
        guess={"coupler.b": (-0.09, 0.19), "link4.b": (0.26, 0.16), "link6.m": (0.07, 0.01)},
    )


def scraper_of_slender_rods() -> ml.Mechanism:
    """Build the carpet scraper with slightly different lengths, and with links that are slender rods.

    Source: [koul], §4.1 and Table 1.
    """
    rods = {
        "crank": (0.038, 1.5, {}),
        "rocker": (0.1152, 3.0, {}),
        "coupler": (0.2304, 5.0, {"m": 0.1152}),
        "link4": (0.3346, 4.2, {"m": 0.0956}),
        "link5": (0.239, 3.0, {}),
        "link6": (0.8365, 10.5, {"m": 0.239}),
        "link7": (0.239, 3.0, {}),
    }
    mechanism = carpet_scraper()
    links = [
        ml.rod(name, length=length, mass=mass, markers=own) for name, (length, mass, own) in rods.items()
    ]
    return mechanism.replace(name="carpet scraper of rods", bodies=[mechanism.bodies[0], *links])


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute torque and bearing loads over one revolution."""
    return ml.inverse(mechanism, cycle=1441)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    torque = result["crank pivot"].effort
    worst = max(result, key=lambda joint: result[joint].load.max())
    return (
        f"Up to {max(torque, key=abs):.1f} N m, with the crank at {abs(torque).argmax() / 4:.2f}°; "
        f"the bearing '{worst}' carries most, up to {result[worst].load.max():.0f} N."
    )
