"""Checks of names: present, unique, and usable in references."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from multiloop.model.bodies import GROUND
from multiloop.model.brief import brief
from multiloop.model.faults import Fault
from multiloop.model.floating import floating_joint

if TYPE_CHECKING:
    from multiloop.model.mechanism import Mechanism

FORBIDDEN = "./'\""
"""Characters that separate or enclose names: "crank.a", "pin/rod"."""

OWN_NAME = "Give each its own name."


def name_faults(mechanism: Mechanism) -> Iterator[Fault]:
    """Errors in the names of the mechanism and its bodies, joints, loads and markers."""
    yield from usable_faults("mechanism", mechanism.name, forbidden="")
    bodies, joints = [body.name for body in mechanism.bodies], [joint.name for joint in mechanism.joints]
    yield from distinct_faults("body", bodies)
    joints += [pair.name for pair in mechanism.pairs]
    pinned = [joint.name for joint in mechanism.binary_joints if "/" in joint.name]
    yield from distinct_faults("joint", [*joints, *pinned])
    yield from _floating(mechanism, {*bodies, *joints})
    for name in sorted(set(bodies) & set(joints)):
        yield Fault(
            "M01",
            f"joint '{name}'",
            "has the name of a body.",
            "Rename one of them: results, guesses and starts address both by name.",
        )
    loads = [load.name for load in mechanism.loads]
    yield from distinct_faults("load", loads)
    for name in sorted({*bodies, *joints, *pinned} & set(loads)):
        other = "body" if name in bodies else "joint"
        remedy = "Rename one of them: results address both by name."
        yield Fault("M01", f"load '{name}'", f"has the name of a {other}.", remedy)
    for name in loads:
        yield from usable_faults("load", name)
    for body in mechanism.bodies:
        yield from usable_faults("body", body.name)
        yield from distinct_faults(f"body '{body.name}', marker", [name for name, _ in body.markers])
        for name, _ in body.markers:
            yield from usable_faults(f"body '{body.name}', marker", name)
            if name in ("origin", "com"):
                yield Fault(
                    "M01",
                    f"body '{body.name}', marker '{name}'",
                    "is one that every body has already.",
                    "Rename it; give `com=` to move the mass centre.",
                )
    for name in joints:
        yield from usable_faults("joint", name)


def _floating(mechanism: Mechanism, names: set[str]) -> Iterator[Fault]:
    """Errors if the implied Free joint of a floating body has the name of another object."""
    for body in mechanism.floating:
        name = floating_joint(body).name
        if name in names:
            what = f"has the name of the Free joint by which body '{body}' floats, since only pairs hold it."
            remedy = "Rename it, or give the body a Free joint of your own."
            yield Fault("M01", f"'{name}'", what, remedy)


def usable_faults(kind: str, name: Any, forbidden: str = FORBIDDEN) -> Iterator[Fault]:
    """Errors of an invalid name."""
    if not isinstance(name, str):
        what = f"its name is {brief(name)}, which is not text."
        yield Fault("M02", f"the {kind}", what, "Give it a word of its own.")
    elif not name.strip():
        yield Fault("M02", f"{kind} '{name}'", "has an empty name.", "Give it a word of its own.")
    elif not name.isprintable():
        yield Fault(
            "M02", f"{kind} {brief(name)}", "has a letter that cannot be shown.", "Use plain letters."
        )
    elif any(letter in name for letter in forbidden):
        letter = next(letter for letter in forbidden if letter in name)
        remedy = "Leave out dots, slashes and quotes."
        yield Fault("M02", f"{kind} '{name}'", f"has a {letter} in its name.", remedy)


def distinct_faults(kind: str, names: list[str]) -> Iterator[Fault]:
    """Errors of duplicate names."""
    for name, count in Counter(names).items():
        if count > 1:
            times = "twice" if count == 2 else f"{count} times"
            remedy = (
                "Put all its markers into one `ground(…)`." if (kind, name) == ("body", GROUND) else OWN_NAME
            )
            yield Fault("M01", f"{kind} '{name}'", f"is there {times}.", remedy)
