"""The plan of a mechanism as text: mobility, drives, reactions and mass; then how the equations are solved."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from multiloop.kinematics.targets import Target, drive_targets
from multiloop.model.joint_seats import joint_seats
from multiloop.model.names import counted
from multiloop.plan.bending_room import LET_STRETCH, ONLY_BENDS
from multiloop.plan.determinacy import efforts_of
from multiloop.plan.explain_solution import MOST, solution_words
from multiloop.plan.plausibility import implausible_numbers

if TYPE_CHECKING:
    from multiloop.plan.plan import Plan

WIDTH = 110
"""Characters of a line."""

CLEAR = 1e10
"""Gap between singular values above which a rank is certain."""


def explanation(plan: Plan) -> str:
    """Paragraphs on bodies, mobility, drives, reactions and mass; after an empty line, on the solution."""
    parts = [_head(plan), _mobility(plan), _drives(plan), _reactions(plan), _mass(plan), *_warnings(plan)]
    return "\n".join(part for part in parts if part) + "\n\n" + solution_words(plan)


def _warnings(plan: Plan) -> list[str]:
    """Warnings about implausible values."""
    return [f"Warning: {said}" for said in implausible_numbers(plan.mechanism)]


def _head(plan: Plan) -> str:
    """Numbers and names of bodies, joints and loops."""
    m = plan.mechanism
    pairs = f"{counted(len(m.all_pairs), 'pair')}, " if m.all_pairs else ""
    moving, kinds = [body.name for body in m.moving], dict[str, list[str]]()
    for each in (*m.binary_joints, *m.all_pairs):
        kinds.setdefault(type(each).__name__, []).append(each.name)
    return "\n".join(
        [
            f"{m.name}, a {'planar' if m.planar else 'spatial'} mechanism: "
            f"{counted(len(m.moving), 'moving body', 'moving bodies')}, "
            f"{counted(len(m.binary_joints), 'joint')}, {pairs}"
            f"{counted(len(plan.tree.loops), 'independent loop')}.",
            *(_row(kind, names) for kind, names in {"Moving": moving, **kinds}.items() if names),
        ]
    )


def _mobility(plan: Plan) -> str:
    rank = plan.rank
    lines = [f"Mobility {plan.mobility}"]
    if plan.mobility == plan.count:
        lines[0] += ", as the count says"
    else:
        lines[0] += f", though the count says {plan.count}"
    lines[0] += f" ({rank.rank} of {rank.rows} constraints are independent"
    lines[0] += f", gap {_gap(rank.gap)})." if plan.redundant else ")."
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
    bending = [f"{body.name} ({body.elastic})" for body in plan.mechanism.all_bodies if body.elastic]
    if bending:
        lines.append(
            f"  Links that bend, with their elastic coordinates, which are no freedoms: {', '.join(bending)}."
        )
    told = [
        (body.name, body.explained_shapes(plan.mechanism.planar, joint_seats(plan.mechanism, body.name)))
        for body in plan.mechanism.all_bodies
    ]
    lines += [f"  {name}: {words}" for name, words in told if words]
    lines += [f"  {said}." for said in plan.bending.said]
    lines += [f"  '{name}' {ONLY_BENDS}. {LET_STRETCH}" for name in plan.bending.locked]
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
    if plan.gap > plan.assembly.equations.chart.closed_at(plan.assembly.q):
        lines.append(f"  The loops do not close: a part {plan.gap:.1e} of the mechanism's size stays open.")
    return "\n".join(lines)


def _drives(plan: Plan) -> str:
    """Number of drives required (idle degrees of freedom excluded), those given, and the efforts to be found."""
    needed, targets = plan.mobility - len(plan.idle), drive_targets(plan.mechanism)
    given, names = sum(target.rows() for target in targets), _listed([_driven(target) for target in targets])
    if needed <= 0 and not given:
        return "It cannot move and needs no drive."
    begin = f"It needs {counted(needed, 'drive')}"
    if given == needed:
        lines = [f"{begin}, and has {'it' if needed == 1 else 'them'}: {names}."]
    elif not given:
        lines = [f"{begin} and has none: it moves freely."]
    elif given < needed:
        left = needed - given
        lines = [
            f"{begin} and has {given} ({names}): {counted(left, 'freedom')} {'is' if left == 1 else 'are'} "
            f"left to the forces."
        ]
    else:
        lines = [f"{begin} and has {given} ({names}): these must agree with each other."]
    return "\n".join([*lines, *_actuators(plan, needed, given)])


def _actuators(plan: Plan, needed: int, given: int) -> list[str]:
    """If actuators are described: the efforts to be found, and those that are known."""
    m = plan.mechanism
    if not m.actuators:
        return []
    found, known = efforts_of(m), [a.joint for a in m.actuators if a.effort is not None]
    lines = [f"  Known efforts: {_listed(known)}."] if known else []
    if not found:
        return lines
    said = f"  Efforts to be found: {_listed([joint for joint, _ in found])}"
    if len(found) > needed:
        said += "; they are more than the freedoms, and the least that serve are given"
    elif len(found) < given:
        said += f"; they are too few for {counted(given, 'prescribed freedom')}: add an Actuator for each"
    return [*lines, f"{said}."]


def _driven(target: Target) -> str:
    """Name of a driven joint; for a marker or a joint with several coordinates, also the prescribed components."""
    parts = ["orientation" if part == "turn" else part for part in target.components]
    return target.of if len(parts) == 1 and not target.on_marker else f"{target.of} ({', '.join(parts)})"


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
    if not plan.mechanism.planar:
        lines.append(
            "  Joints that give way there, such as a ball or a sleeve for a bearing, would settle them."
        )
    return "\n".join(lines)


def _mass(plan: Plan) -> str:
    if plan.massless.rule != "undetermined":
        return ""
    joints = ", ".join(plan.massless.undetermined)
    return _thin_spins(plan) or f"No mass decides the motion at {joints}: give the links there some inertia."


def _thin_spins(plan: Plan) -> str:
    """Text for the case that all undetermined motions are idle spins of single bodies, which are then held."""
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


def _gap(gap: float) -> str:
    """A gap as text; a large one only by its bound, since its digits are round-off."""
    return f"{gap:.0e}" if gap < CLEAR else f"above {CLEAR:.0e}"


def _s(verb: str, number: int) -> str:
    return verb + "s" if number == 1 else verb


def _listed(names: list[str]) -> str:
    """Names joined by commas, the first MOST of many; "1 more" is never written, the name is listed instead."""
    left = len(names) - MOST
    return f"{', '.join(names[:MOST])} and {left} more" if left > 1 else ", ".join(names)


def _row(kind: str, names: list[str]) -> str:
    """The names of one kind, wrapped over several lines."""
    return fill(f"  {kind}: {_listed(names)}.", WIDTH, subsequent_indent="    ", break_on_hyphens=False)
