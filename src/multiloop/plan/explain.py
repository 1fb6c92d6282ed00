"""The plan in words: what the mechanism is, what its constraints do, and in what order it is solved."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multiloop.model.names import counted

if TYPE_CHECKING:
    from multiloop.plan.plan import Plan

MOST = 12
"""Loops, subsystems or joints written out before "and n more"."""


def explanation(plan: Plan) -> str:
    """Paragraphs: mobility, reactions, tree and loops, order of solution, mass."""
    parts = [
        _head(plan),
        _mobility(plan),
        _reactions(plan),
        _tree(plan),
        _patterns(plan),
        _solution(plan),
        _mass(plan),
    ]
    return "\n".join(part for part in parts if part)


def _head(plan: Plan) -> str:
    m = plan.mechanism
    pairs = f"{counted(len(m.pairs), 'pair')}, " if m.pairs else ""
    return (
        f"{m.name}: {counted(len(m.moving), 'moving body', 'moving bodies')}, "
        f"{counted(len(m.binary_joints), 'joint')}, {pairs}{counted(len(plan.tree.loops), 'independent loop')}; "
        f"characteristic length {plan.length:.4g} m."
    )


def _mobility(plan: Plan) -> str:
    rank = plan.rank
    lines = [f"Mobility {plan.mobility}"]
    if plan.mobility == plan.count:
        lines[0] += ", as the count says"
    else:
        lines[0] += f", though the count says {plan.count}"
    lines[0] += f" ({rank.rank} of {rank.rows} constraints are independent"
    lines[0] += f", gap {rank.gap:.0e})." if plan.redundant else ")."
    if plan.redundant:
        lines.append(
            f"  {counted(plan.redundant, 'constraint')} only {_s('repeat', plan.redundant)} what others hold."
        )
    if rank.rates_alone:
        lines.append(
            f"  {counted(rank.rates_alone, 'constraint')} {_s('hold', rank.rates_alone)} rates alone: there are "
            f"{rank.configurations} ways of being placed."
        )
    for idle in plan.idle[:MOST]:
        lines.append(f"  Idle: {idle}, while nothing else moves.")
    if len(plan.idle) > MOST:
        lines.append(f"  … and {len(plan.idle) - MOST} more idle spins.")
    bending = [f"{body.name} ({body.elastic})" for body in plan.mechanism.bodies if body.elastic]
    if bending:
        lines.append(
            f"  Links that bend, with their elastic coordinates, which are no freedoms: {', '.join(bending)}."
        )
    if rank.doubt:
        lines.append(
            f"  Doubtful: {counted(rank.doubt, 'constraint')} {_s('count', rank.doubt)} by "
            f"{rank.doubt_value:.0e} only. With exact dimensions the mobility would be {plan.mobility + rank.doubt}."
        )
    if rank.shaky:
        lines.append(
            f"  Shaky: {counted(rank.shaky, 'way')} of moving {'exists' if rank.shaky == 1 else 'exist'} at this "
            f"position to first order only; no finite motion follows."
        )
    if rank.special:
        lines.append(
            f"  Singular here: at this very position {counted(rank.special, 'constraint')} more only "
            f"{_s('repeat', rank.special)} what others hold; it may move on in several ways, and not all loads "
            f"are determined."
        )
    if plan.gap > plan.assembly.equations.skeleton.closed:
        lines.append(f"  The loops do not close: a part {plan.gap:.1e} of the mechanism's size stays open.")
    return "\n".join(lines)


def _reactions(plan: Plan) -> str:
    open_ones = {
        joint: [name for name, unique in components if not unique]
        for joint, components in plan.unique.items()
    }
    open_ones = {joint: names for joint, names in open_ones.items() if names}
    if not open_ones:
        return "Every reaction is determined."
    lines = ["Reactions that equilibrium alone does not determine (axes of the first marker):"]
    for joint, names in list(open_ones.items())[:MOST]:
        lines.append(f"  {joint}: {', '.join(names)}")
    if len(open_ones) > MOST:
        lines.append(f"  … and {len(open_ones) - MOST} more joints.")
    lines.append(
        "  Constraints repeat each other there; results give the least values that serve, and say so."
    )
    return "\n".join(lines)


def _tree(plan: Plan) -> str:
    tree = plan.tree
    pairs = [pair.name for pair in plan.mechanism.marker_pairs]
    opened = [name for name in plan.cuts if name not in pairs]
    lines = [f"Cut at {', '.join(opened)}." if opened else "No loop of joints, nothing to cut."]
    if pairs:
        lines.append(f"Pairs are always cut: {', '.join(pairs)}.")
    for coupling in plan.mechanism.couplings:
        lines.append(
            f"The {coupling.called} '{coupling.name}' ties {', '.join(coupling.joints)}: these stay in the tree."
        )
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
    return "\n".join(lines)


def _solution(plan: Plan) -> str:
    determinacy = plan.determinacy
    if not plan.tree.loops and not any(stage.count for stage in determinacy.stages):
        return ""
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
    lines.append(f"Forward dynamics: about {plan.operations:,} multiplications an evaluation by count.")
    return "\n".join(lines)


def _mass(plan: Plan) -> str:
    if plan.massless.rule == "regular":
        return ""
    if plan.massless.rule == "undetermined":
        joints = ", ".join(plan.massless.undetermined)
        return (
            _thin_spins(plan) or f"No mass decides the motion at {joints}: give the links there some inertia."
        )
    joints = ", ".join(plan.massless.thin)
    return f"No mass outward of {joints} in this tree; its inertia is stiffened to I + c JᵀJ."


def _thin_spins(plan: Plan) -> str:
    """Where all that no mass decides are idle spins of single bodies: these are left out of the motion."""
    spun = {idle.spin.body: idle for idle in plan.idle if len(idle.bodies) == 1}
    bodies = list(dict.fromkeys(body for body, _ in plan.massless.turning))
    if not bodies or not all(body in spun for body in bodies):
        return ""
    if set(plan.massless.undetermined) - {joint for body in bodies for joint in spun[body].joints}:
        return ""
    lines = [
        f"'{body}' has no inertia about the line through its joints {' and '.join(spun[body].joints)}: "
        "it is taken not to spin about it, and nothing else depends on that."
        for body in bodies
    ]
    return "\n".join(lines)


def _s(verb: str, number: int) -> str:
    return verb + "s" if number == 1 else verb
