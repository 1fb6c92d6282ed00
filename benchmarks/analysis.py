"""How does the time to analyse a mechanism grow with its size?

The families are the N-four-bar without its drive, guessed by the poses of its bodies to three digits; the same in space
with revolute joints, where three rows of every loop are redundant; and chains. Times are CPU seconds of one call
without cached results: of the assembly, of the plan, and of `analyse`, which is both. The slope is the exponent of
growth from the previous size: 1 is linear.
"""

from __future__ import annotations

from collections.abc import Callable
from math import cos, log, pi, sin
from time import process_time
from typing import Any

from zoo.body_poses import along, assembled
from zoo.chains import chain, ladder

from multiloop.kinematics.assembly.assembly_mode_search import find_assembly_modes
from multiloop.model import Mechanism, ground, rod
from multiloop.plan import plan_at

ANGLE = -pi / 6
"""Of the verticals of a ladder, from the horizontal."""


def free_ladder(windows: int) -> Mechanism:
    """The N-four-bar without drives, guessed by the poses of its bodies."""
    x, y = cos(ANGLE), sin(ANGLE)
    poses = {f"v{k}": (k, 0.0, ANGLE) for k in range(windows + 1)}
    poses |= {f"h{k}": (k - 1 + x, y, 0.0) for k in range(1, windows + 1)}
    guess = {body: tuple(round(value, 3) for value in pose) for body, pose in poses.items()}
    return ladder(windows).without_drives().replace(guess=guess)


def ladder_in_space(windows: int) -> Mechanism:
    """The N-four-bar with revolute joints in space: their axes are parallel, so that three rows of every loop are
    redundant."""
    flat, x, y = ladder(windows).without_drives(), cos(ANGLE), sin(ANGLE)
    round_bar = (5e-5, 1 / 12, 1 / 12)
    mechanism = Mechanism(
        f"ladder of {windows} in space",
        bodies=[
            ground({f"p{k}": (k, 0, 0) for k in range(windows + 1)}),
            *(rod(body.name, length=1.0, mass=1.0, inertia=round_bar) for body in flat.moving),
        ],
        joints=flat.joints,
    )
    poses = {f"v{k}": along((k, 0, 0), x=(x, y, 0)) for k in range(windows + 1)}
    poses |= {f"h{k}": along((k - 1 + x, y, 0), x=(1, 0, 0)) for k in range(1, windows + 1)}
    return assembled(mechanism, poses)


FAMILIES: dict[str, tuple[Callable[[int], Mechanism], dict[int, float | None]]] = {
    "free N-four-bar": (free_ladder, {10: None, 40: 2.0, 160: 6.0, 640: 25.0}),
    "N-four-bar in space": (ladder_in_space, {10: None, 40: None, 160: None}),
    "chain": (chain, {10: None, 100: 1.0, 1000: 10.0}),
}
"""How each is built, and the seconds that each size may take."""


def measure() -> list[dict[str, Any]]:
    """One row for each family and size."""
    plan_at(find_assembly_modes(chain(2))[0])  # modules are imported beforehand
    rows: list[dict[str, Any]] = []
    for family, (build, sizes) in FAMILIES.items():
        before: dict[str, Any] | None = None
        for size, allowed in sizes.items():
            mechanism = build(size)
            began = process_time()
            assembly = find_assembly_modes(mechanism)[0]
            closed = process_time()
            plan = plan_at(assembly)
            planned = process_time()
            row: dict[str, Any] = {
                "family": family,
                "size": size,
                "bodies": len(mechanism.moving),
                "loops": len(plan.tree.loops),
                "redundant": plan.redundant,
                "assembly": closed - began,
                "plan": planned - closed,
                "analyse": planned - began,
                "allowed": allowed,
            }
            for part in ("plan", "analyse"):
                row[f"{part} slope"] = before and log(row[part] / before[part]) / log(size / before["size"])
            rows.append(row)
            before = row
    return rows


def table(rows: list[dict[str, Any]]) -> str:
    """The rows as text."""
    lines = [
        "time to analyse, CPU seconds",
        "",
        f"{'family':<22}{'size':>6}{'bodies':>8}{'loops':>7}{'redundant':>11}{'assembly':>10}{'plan':>8}{'slope':>7}"
        f"{'analyse':>9}{'slope':>7}{'allowed':>9}",
    ]
    for row in rows:
        slopes = [f"{row[key]:.2f}" if row[key] else "" for key in ("plan slope", "analyse slope")]
        late = row["allowed"] is not None and row["analyse"] > row["allowed"]
        lines.append(
            f"{row['family']:<22}{row['size']:>6}{row['bodies']:>8}{row['loops']:>7}{row['redundant']:>11}"
            f"{row['assembly']:>10.2f}{row['plan']:>8.2f}{slopes[0]:>7}{row['analyse']:>9.2f}{slopes[1]:>7}"
            f"{row['allowed'] or '':>9}{'  more than allowed' if late else ''}"
        )
    return "\n".join(lines)
