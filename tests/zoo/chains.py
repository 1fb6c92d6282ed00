"""Long mechanisms of any size and mechanisms without loops: ladder, chains, a floating base with arms."""

from __future__ import annotations

from functools import partial
from math import cos, pi, sin

from multiloop import Body, Free, Mechanism, Motion, Revolute, Spherical, ground, marker, rod
from zoo.body_poses import assembled
from zoo.entry import Entry, swinging


def ladder(windows: int) -> Mechanism:
    """N four-bars in a row: verticals of 1 m on pivots 1 m apart, joined at their ends by rods of 1 m.

    Source: the N-four-bar mechanism of M. González et al., Multibody RunKernels Dynamics 16 (2006) 179.
    Differs: it starts with every vertical 30° below the horizontal.
    """
    start, last = -pi / 6, range(1, windows + 1)
    verticals = [f"v{k}" for k in range(windows + 1)]
    joints = [Revolute("P0", "ground.p0", "v0.a")]
    for k in last:
        joints += [
            Revolute(f"A{k}", f"v{k - 1}.b", f"h{k}.a"),
            Revolute(f"B{k}", f"h{k}.b", f"v{k}.b"),
            Revolute(f"P{k}", f"ground.p{k}", f"v{k}.a"),
        ]
    mechanism = Mechanism(
        f"ladder of {windows}",
        planar=True,
        bodies=[
            ground({f"p{k}": (k, 0) for k in range(windows + 1)}),
            *(rod(name, length=1.0, mass=1.0) for name in verticals),
            *(rod(f"h{k}", length=1.0, mass=1.0) for k in last),
        ],
        joints=joints,
        drives=[Motion("P0", swinging(start, 0.3))],
    )
    poses = {f"v{k}": (k, 0, start) for k in range(windows + 1)}
    poses |= {f"h{k}": (k - 1 + cos(start), sin(start), 0.0) for k in last}
    return assembled(mechanism, poses)


def chain(links: int) -> Mechanism:
    """A planar chain of rods of 0.1 m that hangs from one pivot, slightly bent."""
    names = [f"b{k}" for k in range(links)]
    seats = ["ground.origin", *(f"{name}.b" for name in names)]
    return Mechanism(
        f"chain of {links}",
        planar=True,
        bodies=[ground(), *(rod(name, length=0.1, mass=0.1) for name in names)],
        joints=[Revolute(f"J{k}", seats[k], f"{name}.a") for k, name in enumerate(names)],
        guess={f"J{k}": -0.3 if k == 0 else round(0.1 * sin(k), 3) for k in range(links)},
    )


def spatial_chain(links: int) -> Mechanism:
    """A chain in space on a ball joint; the following hinges are alternately perpendicular to each other."""
    names = [f"b{k}" for k in range(links)]
    across = {0: marker((0.2, 0, 0), z=(0, 1, 0)), 1: marker((0.2, 0, 0), z=(0, 0, 1), x=(1, 0, 0))}
    seats = {0: marker((0, 0, 0), z=(0, 0, 1), x=(1, 0, 0)), 1: marker((0, 0, 0), z=(0, 1, 0))}
    bodies = [
        Body(
            name,
            mass=0.3,
            com=(0.1, 0.01, 0),
            inertia=(3e-5, 1e-3, 1e-3),
            markers={"a": seats[k % 2], "b": across[k % 2]},
        )
        for k, name in enumerate(names)
    ]
    hinges = [Revolute(f"J{k}", f"{names[k - 1]}.b", f"{names[k]}.a") for k in range(1, links)]
    return Mechanism(
        f"spatial chain of {links}",
        bodies=[ground(), *bodies],
        joints=[Spherical("J0", "ground.origin", "b0.a"), *hinges],
        guess={"J0": (0.9, 0.1, 0.4, 0.0)} | {f"J{k}": round(0.4 * cos(k), 3) for k in range(1, links)},
    )


def floating_base() -> Mechanism:
    """A satellite with two arms, free of gravity: no external load acts on it, so that its momentum is constant."""
    hips = {
        "left": marker((0, 0.3, 0), z=(1, 0, 0), x=(0, 1, 0)),
        "right": marker((0, -0.3, 0), z=(0, 0, 1), x=(0, -1, 0)),
    }
    bar = (1e-3, 0.03, 0.03)
    arms = [
        rod(f"{side} {part}", length=0.4, mass=2.0, inertia=bar) for side in hips for part in ("arm", "hand")
    ]
    joints = [Free("floats", "ground.origin", "base.origin")]
    for side in hips:
        joints += [
            Revolute(f"{side} shoulder", f"base.{side}", f"{side} arm.a"),
            Revolute(f"{side} elbow", f"{side} arm.b", f"{side} hand.a"),
        ]
    return Mechanism(
        "floating base",
        gravity=(0, 0, 0),
        bodies=[
            ground(),
            Body("base", mass=20.0, com=(0.02, 0, 0.01), inertia=(1.1, 1.3, 1.5), markers=hips),
            *arms,
        ],
        joints=joints,
        drives=[Motion("left shoulder", swinging(0.4, 0.5)), Motion("right elbow", swinging(-0.3, 0.6))],
        guess={
            "floats": (0.1, -0.2, 0.3, 0.8, 0.2, -0.5, 0.1),
            "left shoulder": 0.4,
            "left elbow": 0.5,
            "right shoulder": 0.2,
            "right elbow": -0.3,
        },
    )


FAMILY = (
    Entry("ladder-5", partial(ladder, 5), 11, 5, count=1, mobility=1),
    Entry("ladder-20", partial(ladder, 20), 41, 20, count=1, mobility=1),
    Entry("chain-10", partial(chain, 10), 10, 0, count=10, mobility=10),
    Entry("spatial-chain-6", partial(spatial_chain, 6), 6, 0, count=8, mobility=8),
    Entry("floating-base", floating_base, 5, 0, count=10, mobility=10),
)
