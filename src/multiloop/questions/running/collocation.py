"""Do actuators act where motions are prescribed? Forward dynamics finds the effort of a drive at its own joint only."""

from __future__ import annotations

from collections.abc import Iterable

from multiloop.kinematics.targets import drive_targets
from multiloop.model import Mechanism
from multiloop.plan import efforts_of
from multiloop.questions.refusal import refusal


def acts_elsewhere(mechanism: Mechanism, given: Iterable[str] = ()) -> list[str]:
    """Driven joints without an actuator of their own, though there are actuators whose efforts are to be found.

    `given` are the joints (or "joint.component") whose efforts are given.
    """
    taken = set(given)
    unknown = {
        (joint, component)
        for joint, component in (efforts_of(mechanism) if mechanism.actuators else ())
        if joint not in taken and f"{joint}.{component}" not in taken
    }
    driven = [(t.of, c) for t in drive_targets(mechanism) if not t.on_marker for c in t.components]
    return list(dict.fromkeys(joint for joint, c in driven if (joint, c) not in unknown)) if unknown else []


def require_collocated(mechanism: Mechanism, given: Iterable[str] = ()) -> None:
    """Refuse actuators whose efforts are to be found but that do not act where motions are prescribed."""
    bare = acts_elsewhere(mechanism, given)
    if bare:
        joints, acting = (
            ", ".join(dict.fromkeys(names)) for names in (bare, (j for j, _ in efforts_of(mechanism)))
        )
        raise refusal(
            mechanism,
            "S01",
            "forward dynamics",
            f"the motion of {joints} is prescribed, but the efforts to be found are at {acting}; here the effort of "
            "a drive acts at its own joint.",
            "Use `inverse`, which finds them wherever they are, give their efforts, or leave the actuators out.",
        )
