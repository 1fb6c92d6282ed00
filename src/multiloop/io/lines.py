"""On which line of a file does something stand that was found wrong in its content?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import yaml

from multiloop.model import Fault

NAMES = ("name", "of", "joint")
"""Keys under which the things of a mechanism have their names, or those of what they act on."""


def with_lines(faults: Sequence[Fault], text: str) -> list[Fault]:
    """The faults with the line of each in the text, be it YAML or JSON; without it where there is none."""
    try:
        root = yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)  # JSON may indent with tabs
    except yaml.YAMLError:  # all but a few odd letters of JSON are YAML
        root = None
    if root is None:
        return list(faults)
    return [_lined(fault, root) for fault in faults]


def _lined(fault: Fault, root: Any) -> Fault:
    """By its place in the content; what has none, by the name of the thing that it is about."""
    line = _line(root, fault.place) if fault.place else _line_of_named(root, fault.where)
    return replace(fault, where=f"line {line}, {fault.where}") if line else fault


def _line_of_named(root: Any, where: str) -> int | None:
    """The line of the body, joint or other thing whose name stands first in quotes."""
    named = re.search(r"'([^']+)'", where)
    if named is None or not isinstance(root, yaml.MappingNode):
        return None
    lists = [value for _, value in root.value if isinstance(value, yaml.SequenceNode)]
    for entry in (entry for each in lists for entry in each.value if isinstance(entry, yaml.MappingNode)):
        for key, value in entry.value:
            if key.value in NAMES and value.value == named[1].partition(".")[0]:
                return int(entry.start_mark.line) + 1
    return None


def _line(node: Any, place: Sequence[str | int]) -> int:
    """The line of what the place leads to, or of the last step on the way that is there."""
    mark = node.start_mark
    for step in place:
        if isinstance(node, yaml.MappingNode):
            key, node = next(
                ((key, value) for key, value in node.value if key.value == str(step)), (None, None)
            )
            mark = key.start_mark if key is not None else mark
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            node = node.value[step]
            mark = node.start_mark
    return int(mark.line) + 1
