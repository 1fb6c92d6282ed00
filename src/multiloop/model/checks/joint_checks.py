"""Checks of joints: the ground, the markers that joints connect, and whether every body is connected to the ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import networkx as nx

from multiloop.model.bodies import GROUND
from multiloop.model.checks.body_checks import marker_faults
from multiloop.model.checks.value_checks import choice_text, length_faults, scalar_faults
from multiloop.model.faults import Fault, suggestion
from multiloop.model.joints import JOINTS, Helical, Pin, Revolute

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism


def ground_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors if there is no ground or no moving body."""
    where = f"mechanism '{mechanism.name}'"
    if not mechanism.bodies:
        remedy = "Give it a ground and links: `bodies=[ground(A=(0, 0)), rod(…), …]`."
        yield Fault("M10", where, "has no bodies.", remedy)
    elif GROUND not in {body.name for body in mechanism.bodies}:
        yield Fault("M10", where, "has no ground.", "Add `ground(A=(0, 0), …)` to its bodies.")
    elif not mechanism.moving:
        yield Fault("M10", where, "has no body but the ground.", "Add a body that moves.")


def joint_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of joints and pairs: unknown markers, both markers on one body, or spatial joints in planar mechanisms."""
    known = {body.name for body in mechanism.all_bodies}
    for joint in mechanism.connections:
        where = f"{joint.called} '{joint.name}'"
        if mechanism.planar and not joint.planar_too:
            allowed = ", ".join(kind.__name__ for kind in JOINTS if kind.planar_too)
            remedy = (
                f"Use one of {allowed}, or make the mechanism spatial."
                if type(joint).__module__.startswith("multiloop.")
                else f"Set `planar_too = True` in the class {type(joint).__name__} if it works in the plane, or make "
                "the mechanism spatial."
            )
            yield Fault("M06", where, f"is a {type(joint).__name__} in a planar mechanism.", remedy)
        for side in ("first", "second"):
            yield from reference_faults(mechanism, where, f"its {side}", getattr(joint, side))
        body = reference_body(joint.first)
        if body == reference_body(joint.second) and body in known:
            remedy = "Give markers of two different bodies."
            yield Fault("T01", where, f"connects body '{body}' with itself.", remedy)
        if isinstance(joint, Helical):
            yield from scalar_faults(where, "pitch", joint.pitch)
        if isinstance(joint, Revolute):
            remedy = "Give the dimensions of the pin in metres, above zero."
            for what in ("diameter", "width"):
                if getattr(joint, what) is not None:
                    yield from length_faults(where, what, getattr(joint, what), remedy)


def reference_faults(mechanism: Mechanism, where: str, role: str, reference: str) -> Iterator[Fault]:
    """Errors of a reference "body.marker" whose body or marker is unknown; `ground_faults` reports a missing ground.

    `role` names the reference in messages, such as "its first".
    """
    bodies = mechanism.bodies_by_name
    body, dot, marker = reference.partition(".")
    if not bodies or (body == GROUND and GROUND not in bodies):
        return
    if body not in bodies:
        yield Fault("T02", where, f"{role} body '{body}' does not exist.", suggestion(body, bodies))
    elif not dot:
        known = ", ".join(f"'{body}.{name}'" for name in bodies[body].marker_names)
        yield Fault(
            "T03", where, f"{role} marker is '{body}', which is the name of a body.", f"Give one of {known}."
        )
    elif not bodies[body].has_marker(marker):
        what = f"{role} marker '{marker}' does not exist on body '{body}'."
        yield Fault("T03", where, what, suggestion(marker, bodies[body].marker_names))


def missing_joint_fault(mechanism: Mechanism, code: str, where: str, name: str, reads: str = "") -> Fault:
    """The error of a reference to an unknown joint; if `name` is that of a Pin, the message suggests its revolute
    joints. If an expression refers to the joint, `reads` is the beginning of the message, which states the
    expression."""
    for joint in mechanism.joints:
        if isinstance(joint, Pin) and joint.name == name:
            revolutes = [f"'{revolute.name}'" for revolute in joint.revolutes()]
            what = f"{reads} '{name}' is a Pin" if reads else "is a Pin"
            return Fault(
                code,
                where,
                f"{what}, which consists of several Revolutes.",
                f"Name {choice_text(revolutes)}.",
            )
    known = (joint.name for joint in mechanism.binary_joints)
    return Fault(code, where, f"{reads} there is no joint '{name}'.".lstrip(), suggestion(name, known))


def connection_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors of bodies that no joint connects to the ground; a floating body needs a Free joint.

    Nothing is reported if a joint names an unknown body, since that joint may be the missing connection.
    """
    graph = nx.MultiGraph()
    graph.add_nodes_from(body.name for body in mechanism.all_bodies)
    ends = [(reference_body(joint.first), reference_body(joint.second)) for joint in mechanism.binary_joints]
    if GROUND not in graph or not all(body in graph for end in ends for body in end):
        return
    graph.add_edges_from(ends)
    for group in nx.connected_components(graph):
        if GROUND in group:
            continue
        names = [body.name for body in mechanism.moving if body.name in group]
        listed = " and ".join(f"'{name}'" for name in names)
        alone = len(names) == 1
        remedy = "Connect it, or add a Free joint" if alone else "Connect one of them, or add a Free joint"
        yield Fault(
            "T04",
            f"body {listed}" if alone else f"bodies {listed}",
            f"{'is' if alone else 'are'} not connected to the ground.",
            f'{remedy}: Free("floating", "ground.origin", "{names[0]}.origin").',
        )


def reference_body(reference: str) -> str:
    """The name of the body in a reference "body.marker"."""
    return reference.partition(".")[0]


def all_markers_valid(mechanism: Mechanism) -> bool:
    """Whether all markers used by joints exist, and all markers have valid positions and axes."""
    references = [end for joint in mechanism.binary_joints for end in (joint.first, joint.second)]
    if not all(marker_exists(mechanism, reference) for reference in references):
        return False
    return GROUND in mechanism.bodies_by_name and next(marker_faults(mechanism), None) is None


def marker_exists(mechanism: Mechanism, reference: str) -> bool:
    """Whether the mechanism has the marker of a reference "body.marker"."""
    bodies = mechanism.bodies_by_name
    body, _, marker = reference.partition(".")
    return body in bodies and bodies[body].has_marker(marker)
