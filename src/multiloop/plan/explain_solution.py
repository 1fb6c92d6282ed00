"""Text of the solution part of a plan: cut joints, subsystems, block patterns and the order of the unknowns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.names import counted
from multiloop.plan.determinacy import efforts_of
from multiloop.plan.elastic_cost import bending_words

if TYPE_CHECKING:
    from multiloop.plan.plan import Plan

MOST = 12
"""Number of loops, subsystems or joints listed before "and n more"."""


def solution_words(plan: Plan) -> str:
    """Paragraphs on tree and loops, block patterns, order of solution, and stiffened inertia."""
    head = f"How it is solved (characteristic length {plan.length:.4g} m):"
    parts = [head, _tree(plan), _patterns(plan), _solution(plan), _bending(plan), _stiffened(plan)]
    return "\n".join(part for part in parts if part)


def _tree(plan: Plan) -> str:
    tree = plan.tree
    pairs = [pair.name for pair in plan.mechanism.marker_pairs]
    opened = [name for name in plan.cuts if name not in pairs]
    lines = [f"Cut at {', '.join(opened)}." if opened else "No loop of joints, nothing to cut."]
    if pairs:
        lines.append(f"Pairs are always cut: {', '.join(pairs)}.")
    for coupling in plan.mechanism.couplings:
        tied = ", ".join(plan.mechanism.tied_joints[coupling.name])
        lines.append(f"The {coupling.called} '{coupling.name}' ties {tied}: these stay in the tree.")
    for body in plan.mechanism.floating:
        lines.append(
            f"Only pairs lead from '{body}' to the ground: it floats, by a Free joint '{body} floats'."
        )
    for subsystem in tree.subsystems[:MOST]:
        lines.append(f"  Subsystem {subsystem.name} ({subsystem.kind}): {', '.join(subsystem.bodies)}")
    if len(tree.subsystems) > MOST:
        lines.append(f"  … and {len(tree.subsystems) - MOST} more subsystems.")
    for split in tree.splits:
        lines.append(f"  Body '{split.body}' is split at joint '{split.joint}' and closed again by a weld.")
    return "\n".join(lines)


def _patterns(plan: Plan) -> str:
    if not plan.tree.loops or len(plan.tree.loops) > MOST or len(plan.tree.subsystems) > MOST:
        return ""
    names = [subsystem.name for subsystem in plan.tree.subsystems]
    widths = [max(3, len(name)) for name in names]
    head = " ".join(f"{name:^{width}}" for name, width in zip(names, widths, strict=True))
    loops = " ".join(f"{number:^3}" for number in range(1, len(plan.tree.loops) + 1))
    lines = [f"  blocks of J      {head}      of the GICM   {loops}"]
    for number, (row, gicm) in enumerate(zip(plan.jacobian_pattern, plan.gicm_pattern, strict=True), 1):
        left = " ".join(f"{'×' if used else '·':^{width}}" for used, width in zip(row, widths, strict=True))
        right = " ".join(f"{'×' if used else '·':^3}" for used in gicm)
        lines.append(f"    loop {number:<2}        {left}                    {right}")
    return "\n".join(line.rstrip() for line in lines)


def _solution(plan: Plan) -> str:
    determinacy = plan.determinacy
    if not plan.tree.loops and not any(stage.count for stage in determinacy.stages):
        return ""
    forward = f"Forward dynamics: about {plan.operations:,} multiplications an evaluation by count."
    if not plan.mechanism.drives and not efforts_of(plan.mechanism):
        return f"No efforts to find: nothing drives it.\n{forward}"
    lines = ["Inverse dynamics, subsystem after subsystem:"]
    for number, stage in enumerate(determinacy.stages[:MOST], 1):
        together = " and ".join(stage.subsystems[:6]) + (" …" if len(stage.subsystems) > 6 else "")
        fits = (
            ""
            if stage.determinate
            else f", {counted(stage.equations, 'equation')}: not determinate by counting"
        )
        found = ", ".join(stage.unknowns[:6]) + (", …" if len(stage.unknowns) > 6 else "")
        lines.append(f"  {number}. {together}: {counted(stage.count, 'unknown')} ({found}){fits}")
    sizes = [len(block.unknowns) for block in determinacy.blocks]
    if sizes:
        shown = ", ".join(map(str, sizes[:MOST])) + (", …" if len(sizes) > MOST else "")
        lines.append(f"  finest blocks: {shown}.")
    lines.append(forward)
    return "\n".join(lines)


def _bending(plan: Plan) -> str:
    return bending_words(plan.assembly.equations.skeleton, plan.operations)


def _stiffened(plan: Plan) -> str:
    if plan.massless.rule in ("regular", "undetermined"):
        return ""
    joints = ", ".join(plan.massless.thin)
    return f"No mass outward of {joints} in this tree; its inertia is stiffened to I + c JᵀJ."
