"""On which line of a file does something stand that was found wrong in its content?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import yaml

from multiloop.model import Fault


def with_lines(faults: Sequence[Fault], text: str) -> list[Fault]:
    """The faults with the line of each in the text, be it YAML or JSON; without it where there is none."""
    try:
        root = yaml.compose(text.replace("\t", " "), Loader=yaml.SafeLoader)  # JSON may indent with tabs
    except yaml.YAMLError:  # all but a few odd letters of JSON are YAML
        root = None
    if root is None:
        return list(faults)
    return [replace(fault, where=f"line {_line(root, fault.place)}, {fault.where}") for fault in faults]


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
