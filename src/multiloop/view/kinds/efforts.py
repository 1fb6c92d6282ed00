"""Plots of efforts along the coordinates, of drives, actuators and `efforts=`."""

from __future__ import annotations

from multiloop.questions import Result
from multiloop.questions.answers.extremes import noise_floor
from multiloop.view.histories import along, effort_panels
from multiloop.view.kinds.chosen import Chosen
from multiloop.view.kinds.panel import Line, Panel


def efforts(result: Result, chosen: Chosen) -> list[Panel]:
    """One panel where all efforts have one unit, otherwise one for torques and one for forces."""
    found = effort_panels(result, chosen.joints)
    if not found:
        found = {"efforts": [h for name in result.joints for h in along(result, name, "effort")]}
        found["efforts"] = [history for history in found["efforts"] if history.values.any()]
    floor = noise_floor(result)
    return [
        Panel(
            panel,
            "effort",
            "force" if histories[0].length else "moment",
            [Line(history.joint, history.label, history.values, history.part) for history in histories],
            floor[histories[0].effort_unit],
            zero=True,
        )
        for panel, histories in found.items()
        if histories
    ]
