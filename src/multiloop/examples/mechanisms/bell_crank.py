"""A bell crank cut from plate: two arms at a right angle on a pin, loaded at one end, with a spring at the other."""

import numpy as np

import multiloop as ml
from multiloop.flexible.solids.mesh_files import require_packages

ARM, UPRIGHT, HIGH, THICK = 0.24, 0.18, 0.012, 0.02
E, PUSH, STIFFNESS = 210e9, 150.0, 4e5


def angle_mesh() -> object:
    """scikit-fem mesh of hexahedra of the two arms; the pin is at the origin."""
    require_packages("skfem", "meshio")
    from skfem import MeshHex, MeshHex2

    half = HIGH / 2
    ticks = [np.array([-half, *np.linspace(half, reach, 9)]) for reach in (ARM, UPRIGHT)]
    block = MeshHex.init_tensor(*ticks, np.array([-THICK / 2, THICK / 2]))
    x, y, _ = block.p[:, block.t].mean(axis=1)
    return MeshHex2.from_mesh(block.remove_elements(np.flatnonzero((x > half) & (y > half))))


def around_the_pin(points: np.ndarray) -> np.ndarray:
    """Mask of the points on both outer faces of the corner, which is mounted on the pin."""
    near = (points[:, :2] < HIGH / 2 + 1e-9).all(axis=1)
    return near & (abs(points[:, 2]) > THICK / 2 - 1e-9)


def bell_crank() -> ml.Mechanism:
    """Build a bell crank of steel in a horizontal plane, 20 mm thick, with arms 12 mm high."""
    crank = ml.solid(
        "crank",
        mesh=angle_mesh(),
        E=E,
        density=7850.0,
        interfaces={"pin": around_the_pin, "a": {"x": ARM}, "b": {"y": UPRIGHT}},
        modes=6,
        damping=0.02,
    )
    return ml.Mechanism(
        "bell crank",
        planar=True,
        gravity=(0, 0),
        bodies=[ml.ground(foot=(ARM, -0.1)), crank],
        joints=[ml.Revolute("pin", "ground.origin", "crank.pin")],
        loads=[
            ml.Spring("spring", "ground.foot", "crank.a", stiffness=STIFFNESS, length=0.1, damping=300.0),
            ml.Force("push", "crank.b", (PUSH, 0)),
        ],
    )


def ask(mechanism: ml.Mechanism) -> ml.Result:
    """Compute the equilibrium of the loaded crank, and simulate 10 ms from it, in which the crank remains at rest."""
    rest = ml.equilibrium(mechanism, guess={"pin": 0.0})
    return ml.simulate(mechanism, start=rest.state, until=0.01, samples=201)


def answer(result: ml.Result) -> str:
    """Answer to the question of this example in a sentence, from the result of `ask`."""
    link, shift = result.link("crank"), result.marker("crank.b")[-1, 0]
    peak = link.stress(times=0.0).max()
    return (
        f"The end of its upright arm by {1e3 * shift:.2f} mm; the stress is {half_way_up(result) / 1e6:.1f} MPa at "
        f"half the height of this arm, and {peak / 1e6:.0f} MPa at the sharp corner."
    )


def half_way_up(result: ml.Result) -> float:
    """Stress (Pa) at the side of the upright arm at half its height, from a straight line fitted to nodal stresses."""
    link = result.link("crank")
    side = np.flatnonzero(np.isclose(np.abs(link.points[:, 0]), HIGH / 2) & (link.points[:, 1] > HIGH))
    line = np.polyfit(link.points[side, 1], link.stress(side, times=0.0)[0], 1)
    return float(np.polyval(line, UPRIGHT / 2))
