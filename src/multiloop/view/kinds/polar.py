"""Polar diagrams of bearing loads: the tip of the force on a body, in the axes of the body."""

from __future__ import annotations

from multiloop.model.names import body_of
from multiloop.questions import Result
from multiloop.questions.answers.extremes import noise_floor
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.forces import largest_joints
from multiloop.view.kinds.panel import Diagram, Line
from multiloop.view.kinds.plane import widest_plane


def polar(result: Result, chosen: Chosen) -> list[Diagram]:
    """One diagram for each joint.

    The axes are those of `frame`, by default those of the second body of the joint. The force is that on the second
    body, or on the first where the axes are those of the first.
    """
    floor, found = noise_floor(result)["N"], []
    joints, rest = largest_joints(result, chosen)
    for name in joints:
        joint = result[name]
        first, second = body_of(joint.first), body_of(joint.second)
        frame = chosen.frame or second
        on, sign = (first, -1.0) if frame == first else (second, 1.0)
        points, (across, up), hidden = widest_plane(sign * joint.force_in(frame), "force", "N")
        whose = "its axes" if frame == on else f"axes of '{frame}'"
        line = Line(name, name, points, doubtful=not joint.determined, sizes=joint.load)
        title, note = f"{name}: force on '{on}', {whose}", "; ".join(part for part in (hidden, rest) if part)
        found.append(Diagram(f"polar {name}", title, "force", [line], floor, note, across, up, origin=True))
        rest = ""  # the note is written once
    return found
