"""Text of the plan of a mechanism: mobility, drives, reactions and masses, then the method of solving its equations."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from multiloop.kinematics.constraints import Target, drive_targets
from multiloop.model import Universal, count_text, implausible_numbers, joint_markers
from multiloop.plan.block_decomposition import Stage, unknown_efforts
from multiloop.plan.mobility import ADD_AXIAL_MODE, INEXTENSIBLE, IdleMotion
from multiloop.plan.operation_count import flexible_cost_text

if TYPE_CHECKING:
    from multiloop.plan.plan import Plan

LONGEST_LIST = 12
"""Number of loops, subsystems or joints listed before "and n more"."""

BLOCKS_HEADING = (
    "Non-zero blocks of the loop Jacobian (columns: subsystems) and "
    "generalized inertia constraint matrix (columns: loops):"
)
"""Heading of the table of block patterns."""


def solution_text(plan: Plan) -> str:
    """Text on the solution of the equations: tree and loops, block patterns, order of solution, flexible bodies, and
    joints that move no mass."""
    head = f"Solution of the equations (for specialists; characteristic length {plan.length:.4g} m):"
    parts = [head, _tree(plan), _patterns(plan), _solution(plan), _flexible(plan), _stiffened(plan)]
    return "\n".join(part for part in parts if part)


def _tree(plan: Plan) -> str:
    tree = plan.tree
    pairs = [pair.name for pair in plan.mechanism.marker_pairs]
    opened = [name for name in plan.cuts if name not in pairs]
    lines = [f"Cut joints: {', '.join(opened)}." if opened else "No closed loop of joints: no cut joints."]
    if pairs:
        lines.append(f"Pairs always close loops, as cut joints do: {', '.join(pairs)}.")
    for coupling in plan.mechanism.couplings:
        coupled = ", ".join(plan.mechanism.tied_joints[coupling.name])
        lines.append(
            f"The {coupling.called} '{coupling.name}' couples {coupled}: these joints stay in the tree."
        )
    for body in plan.mechanism.floating:
        lines.append(f"Body '{body}' is connected by pairs only: the Free joint '{body} floats' is added.")
    for subsystem in tree.subsystems[:LONGEST_LIST]:
        lines.append(f"  Subsystem {subsystem.name} ({subsystem.kind}): {', '.join(subsystem.bodies)}")
    if len(tree.subsystems) > LONGEST_LIST:
        lines.append(f"  … and {len(tree.subsystems) - LONGEST_LIST} more subsystems.")
    for split in tree.splits:
        lines.append(
            f"  Body '{split.body}' is split at joint '{split.joint}'; a Fixed joint reconnects its two parts."
        )
    return "\n".join(lines)


def _patterns(plan: Plan) -> str:
    if not plan.tree.loops or len(plan.tree.loops) > LONGEST_LIST or len(plan.tree.subsystems) > LONGEST_LIST:
        return ""
    names = [subsystem.name for subsystem in plan.tree.subsystems]
    widths = [max(3, len(name)) for name in names]
    subsystems = " ".join(f"{name:^{width}}" for name, width in zip(names, widths, strict=True))
    loops = " ".join(f"{number:^3}" for number in range(1, len(plan.tree.loops) + 1))
    lines = [BLOCKS_HEADING, f"              {subsystems}       {loops}"]
    for number, (row, gicm) in enumerate(zip(plan.jacobian_pattern, plan.gicm_pattern, strict=True), 1):
        left = " ".join(f"{'×' if used else '·':^{width}}" for used, width in zip(row, widths, strict=True))
        right = " ".join(f"{'×' if used else '·':^3}" for used in gicm)
        lines.append(f"    loop {number:<3}  {left}       {right}")
    return "\n".join(line.rstrip() for line in lines)


def _solution(plan: Plan) -> str:
    determinacy = plan.determinacy
    if not plan.tree.loops and not any(stage.count for stage in determinacy.stages):
        return ""
    forward = f"Forward dynamics: about {plan.operations:,} multiplications per evaluation."
    if not plan.mechanism.drives and not unknown_efforts(plan.mechanism):
        return f"No unknown drive efforts: there is no drive and no actuator.\n{forward}"
    underdetermined = any(stage.count > stage.equations for stage in determinacy.stages)
    lines = [
        "Inverse dynamics, solved for all loops together, because it is underdetermined:"
        if underdetermined
        else "Inverse dynamics, solved subsystem by subsystem:"
    ]
    for number, stage in enumerate(determinacy.stages[:LONGEST_LIST], 1):
        subsystems = " and ".join(stage.subsystems[:6]) + (" …" if len(stage.subsystems) > 6 else "")
        unknowns = f"{count_text(stage.count, 'unknown')} ({_unknowns_text(plan, stage)})"
        lines.append(f"  {number}. {subsystems}: {unknowns}{_determinacy_text(stage)}")
    sizes = [len(block.unknowns) for block in determinacy.blocks]
    if sizes:
        shown = ", ".join(map(str, sizes[:LONGEST_LIST])) + (", …" if len(sizes) > LONGEST_LIST else "")
        lines.append(
            f"  Sizes of the irreducible blocks of these equations, in the order of their solution: {shown}."
        )
    lines.append(forward)
    return "\n".join(lines)


def _unknowns_text(plan: Plan, stage: Stage) -> str:
    """The joints and pairs whose reactions, and the drives or actuators whose efforts, are unknown in a stage."""
    closures = {group.name for group in plan.tree.row_groups}
    reactions = [name for name in stage.unknowns if name in closures]
    efforts = [name for name in stage.unknowns if name not in closures]
    parts = (("reactions at", reactions), (f"effort{'s'[: len(efforts) > 1]} of", efforts))
    return "; ".join(
        f"{what} {', '.join(names[:6])}{', …' if len(names) > 6 else ''}" for what, names in parts if names
    )


def _determinacy_text(stage: Stage) -> str:
    """Text on a stage of solution whose number of equations differs from its number of unknowns; empty if the numbers
    are equal."""
    equations = count_text(stage.equations, "equation")
    if stage.count > stage.equations:
        return f" but only {equations}: underdetermined, solved for minimum norm"
    return "" if stage.determinate else f" and {equations}"


def _flexible(plan: Plan) -> str:
    return flexible_cost_text(plan.assembly.equations.skeleton, plan.operations)


def _stiffened(plan: Plan) -> str:
    if plan.massless.rule in ("regular", "undetermined"):
        return ""
    joints = ", ".join(plan.massless.thin)
    return (
        f"Internal: no body outboard of {joints} in the tree has mass, so that the mass matrix I is replaced by "
        f"I + c JᵀJ with the loop Jacobian J and a positive number c, on which the results do not depend."
    )


WIDTH = 110
"""Largest number of characters in a line of the text."""

CLEAR_GAP = 1e10
"""Ratio of adjacent singular values above which a rank is certain."""


def explain_plan(plan: Plan) -> str:
    """Text of a plan: bodies, mobility, drives, reactions and masses; then, after an empty line, `solution_text`."""
    parts = [_head(plan), _mobility(plan), _drives(plan), _reactions(plan), _mass(plan), *_warnings(plan)]
    return "\n".join(part for part in parts if part) + "\n\n" + solution_text(plan)


def _warnings(plan: Plan) -> list[str]:
    """Lines with warnings about implausible values in the description of the mechanism."""
    return [f"Warning: {warning}." for warning in implausible_numbers(plan.mechanism)]


def _head(plan: Plan) -> str:
    """Text with the numbers of bodies, joints and loops, and the names of bodies and joints."""
    m = plan.mechanism
    pairs = f"{count_text(len(m.all_pairs), 'pair')}, " if m.all_pairs else ""
    moving, names_by_type = [body.name for body in m.moving], dict[str, list[str]]()
    for parts, what in ((m.binary_joints, "joints"), (m.all_pairs, "pairs")):
        for each in parts:
            names_by_type.setdefault(f"{type(each).__name__} {what}", []).append(each.name)
    return "\n".join(
        [
            f"{m.name}, a {'planar' if m.planar else 'spatial'} mechanism: "
            f"{count_text(len(m.moving), 'moving body', 'moving bodies')}, "
            f"{count_text(len(m.binary_joints), 'joint')}, {pairs}"
            f"{count_text(len(plan.tree.loops), 'independent loop')}.",
            *(
                _list_line(head, names)
                for head, names in {"Moving bodies": moving, **names_by_type}.items()
                if names
            ),
        ]
    )


def _mobility(plan: Plan) -> str:
    rank = plan.rank
    lines = [f"Mobility {plan.mobility}"]
    if plan.mobility == plan.count:
        lines[0] += ", equal to the Grübler–Kutzbach count"
    else:
        lines[0] += f", while the Grübler–Kutzbach count is {plan.count}"
    lines[0] += f" ({rank.rank} of {rank.rows} constraints are independent"
    lines[0] += f", singular-value gap {_gap_text(rank.gap)})." if plan.redundant else ")."
    if plan.redundant:
        lines.append(f"  {count_text(plan.redundant, 'redundant constraint')}, implied by the others.")
    if rank.rates_alone:
        lines.append(
            f"  {count_text(rank.rates_alone, 'nonholonomic constraint')}: the configuration has "
            f"{count_text(rank.configurations, 'degree of freedom', 'degrees of freedom')}."
        )
    for idle in plan.idle[:LONGEST_LIST]:
        lines.append(
            f"  Idle degree of freedom: {idle}; nothing else moves with it.{_universal_text(plan, idle)}"
        )
    if len(plan.idle) > LONGEST_LIST:
        lines.append(f"  … and {len(plan.idle) - LONGEST_LIST} more idle degrees of freedom.")
    bending = [f"{body.name} ({body.elastic})" for body in plan.mechanism.all_bodies if body.elastic]
    if bending:
        lines.append(
            f"  Flexible bodies (number of elastic coordinates, not counted in the mobility): {', '.join(bending)}."
        )
    lists = [
        (body.name, body.describe_modes(plan.mechanism.planar, joint_markers(plan.mechanism, body.name)))
        for body in plan.mechanism.all_bodies
    ]
    lines += [f"  {name}: {words}" for name, words in lists if words]
    lines += [f"  {warning}." for warning in plan.bending.warnings]
    lines += [f"  '{name}' {INEXTENSIBLE}. {ADD_AXIAL_MODE}" for name in plan.bending.locked]
    if rank.doubt:
        lines.append(
            f"  Rank uncertain: {count_text(rank.doubt, 'constraint')} counted as independent because of "
            f"a singular value that is only {rank.doubt_value:.0e} of the largest one. "
            f"With exact dimensions the mobility would be {plan.mobility + rank.doubt}."
        )
    if rank.shaky:
        lines.append(
            f"  Infinitesimal mobility: in this configuration the loops allow {count_text(rank.shaky, 'motion')} "
            f"to first order only, not by a finite amount."
        )
    if rank.special:
        lines.append(
            f"  Singular configuration: {count_text(rank.special, 'more redundant constraint')} here; "
            f"the motion may branch, and some loads are undetermined."
        )
    if plan.gap > plan.assembly.equations.chart.closure_tolerance_at(plan.assembly.q):
        lines.append(f"  The loops do not close: the gap is {plan.gap:.1e} of the mechanism's size.")
    return "\n".join(lines)


def _universal_text(plan: Plan, idle: IdleMotion) -> str:
    """Sentence that names the universal joints at the ends of an idle group of bodies, each of which has an axis on the
    line about which the group rotates; empty if there are none."""
    joints = plan.mechanism.joints_by_name
    names = [f"'{name}'" for name in idle.joints if isinstance(joints.get(name), Universal)]
    return f" An axis of the Universal joint {' and of '.join(names)} lies on this line." if names else ""


def _drives(plan: Plan) -> str:
    """Text on drives: the number required (one for every degree of freedom that is not idle), the given drives, and the
    efforts to be found."""
    needed, targets = plan.mobility - len(plan.idle), drive_targets(plan.mechanism)
    given, names = (
        sum(target.row_count() for target in targets),
        _list_names([_target_text(target) for target in targets]),
    )
    if needed <= 0 and not given:
        apart = " apart from its idle degrees of freedom" if plan.idle else ""
        return f"The mechanism cannot move{apart} and needs no drive."
    begin = f"The mechanism needs {count_text(needed, 'drive')}"
    if given == needed:
        lines = [f"{begin}, and has {'it' if needed == 1 else 'them'}: {names}."]
    elif not given:
        lines = [f"{begin} and has none: it moves freely."]
    elif given < needed:
        free = needed - given
        lines = [
            f"{begin} and has {given} ({names}): "
            f"{count_text(free, 'degree of freedom', 'degrees of freedom')} {'is' if free == 1 else 'are'} determined "
            f"by forces."
        ]
    else:
        lines = [f"{begin} and has {given} ({names}): their prescribed motions must be consistent."]
    return "\n".join([*lines, *_actuators(plan, needed, given)])


def _actuators(plan: Plan, needed: int, given: int) -> list[str]:
    """Lines on the known and the unknown efforts of actuators; empty for a mechanism without actuators. `needed` is the
    number of drives required, `given` the number of prescribed coordinates."""
    m = plan.mechanism
    if not m.actuators:
        return []
    unknown, known = unknown_efforts(m), [a.joint for a in m.actuators if a.effort is not None]
    lines = [f"  Known efforts: {_list_names(known)}."] if known else []
    if not unknown:
        return lines
    line = f"  Efforts to be found: {_list_names([joint for joint, _ in unknown])}"
    if len(unknown) > needed:
        line += "; more than the degrees of freedom, so results give the minimum-norm solution"
    elif len(unknown) < given:
        line += f"; too few for {count_text(given, 'prescribed coordinate')}: add an Actuator for each"
    return [*lines, f"{line}."]


def _target_text(target: Target) -> str:
    """Name of a driven joint; for a marker or a joint with several coordinates, also the prescribed components."""
    parts = ["orientation" if part == "turn" else part for part in target.components]
    return target.of if len(parts) == 1 and not target.on_marker else f"{target.of} ({', '.join(parts)})"


def _reactions(plan: Plan) -> str:
    undetermined = {
        joint: [name for name, unique in components if not unique]
        for joint, components in plan.unique.items()
    }
    undetermined = {joint: names for joint, names in undetermined.items() if names}
    if not undetermined:
        return "Every reaction is determined."
    lines = ["Reactions that equilibrium alone does not determine (axes of the first marker):"]
    for joint, names in list(undetermined.items())[:LONGEST_LIST]:
        lines.append(f"  {joint}: {', '.join(names)}")
    if len(undetermined) > LONGEST_LIST:
        lines.append(f"  … and {len(undetermined) - LONGEST_LIST} more joints.")
    lines.append(
        "  Constraints of these joints are redundant; results give the minimum-norm solution and mark these components "
        "as undetermined."
    )
    if not plan.mechanism.planar:
        lines.append(
            "  Joints with more degrees of freedom (Spherical or Cylindrical instead of Revolute) make these "
            "reactions unique."
        )
    return "\n".join(lines)


def _mass(plan: Plan) -> str:
    if plan.massless.rule != "undetermined":
        return ""
    joints = ", ".join(plan.massless.undetermined)
    return (
        _massless_spins(plan)
        or f"The motion at {joints} is undetermined: the links there have no inertia. Give them inertia."
    )


def _massless_spins(plan: Plan) -> str:
    """Text for a mechanism in which inertia determines all motions but idle spins of single bodies, whose rates are set
    to zero; empty for other mechanisms."""
    spins = {idle.spin.body: idle for idle in plan.idle if len(idle.bodies) == 1}
    bodies = list(dict.fromkeys(body for body, _ in plan.massless.turning))
    if not bodies or not all(body in spins for body in bodies):
        return ""
    if set(plan.massless.undetermined) - {joint for body in bodies for joint in spins[body].joints}:
        return ""
    lines = [
        f"'{body}' has no inertia about the line through its joints {' and '.join(spins[body].joints)}: "
        "its spin about this line is set to zero, which affects no other result."
        for body in bodies
    ]
    return "\n".join(lines)


def _gap_text(gap: float) -> str:
    """Text of the ratio between adjacent singular values; for a large ratio, whose digits are round-off, a lower
    bound."""
    return f"{gap:.0e}" if gap < CLEAR_GAP else f"above {CLEAR_GAP:.0e}"


def _list_names(names: list[str]) -> str:
    """Names joined by commas. A long list is cut to its first LONGEST_LIST names if at least two more follow."""
    others = len(names) - LONGEST_LIST
    return f"{', '.join(names[:LONGEST_LIST])} and {others} more" if others > 1 else ", ".join(names)


def _list_line(head: str, names: list[str]) -> str:
    """A heading followed by names, wrapped over several lines."""
    return fill(f"  {head}: {_list_names(names)}.", WIDTH, subsequent_indent="    ", break_on_hyphens=False)
