"""Parsing of YAML text within bounds that descriptions satisfy and malicious files may not."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import yaml

from multiloop.model.brief import brief, called
from multiloop.model.json_text import DEEPEST, LONGEST_NUMBER, MOST_ENTRIES, too_deep, too_many

SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The loader of LibYAML if it is available: ten times as fast as that in Python, with the same results."""

NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")

MERGE = "tag:yaml.org,2002:merge"

MISREAD = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError)
"""Exceptions of YAML constructors for a value that does not fit its tag: `!!int x`, a 30th of February."""


def yaml_data(text: str) -> Any:
    """The plain data of a YAML text; raises a YAMLError, with the position if it is known."""
    _require_modest(text)
    return yaml.load(text, Loader=_Loader)


def _require_modest(text: str) -> None:
    """Raise an error for a text beyond the bounds before any data is built; an alias counts as its whole content."""
    count, sizes = 0, dict[str | None, int]()
    within: list[
        tuple[str | None, int]
    ] = []  # open lists and mappings: anchor, and number of entries before each
    for event in yaml.parse(text, Loader=SafeLoader):
        if isinstance(event, yaml.AliasEvent):
            if any(anchor == event.anchor for anchor, _ in within):
                raise _misfit(f"'{called(event.anchor)}' contains itself", event.start_mark)
            count += sizes.get(event.anchor, 1)
        elif isinstance(event, yaml.CollectionStartEvent):
            within.append((event.anchor, count))
            count += 1
        elif isinstance(event, yaml.ScalarEvent):
            count += 1
            if event.anchor is not None:
                sizes[event.anchor] = 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, before = within.pop()
            if anchor is not None:
                sizes[anchor] = count - before
        if count > MOST_ENTRIES:
            raise _misfit(too_many(), event.start_mark)
        if len(within) > DEEPEST:
            raise _misfit(too_deep(), event.start_mark)


class _Loader(SafeLoader):  # type: ignore[misc]  # the base class is determined at import
    """The safe loader, with errors for values that do not fit their tag and for duplicate or invalid keys."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        if node.tag == MERGE:
            raise _misfit("merge keys (<<) are not read", node.start_mark)
        if node.tag in NUMBERS and len(node.value) > LONGEST_NUMBER:
            raise _misfit(f"a number of {len(node.value):,} letters", node.start_mark)
        try:
            return super().construct_object(node, deep)
        except MISREAD:
            said = f"{brief(node.value)} cannot be read as {node.tag.rpartition(':')[2]}"
            raise _misfit(said, node.start_mark) from None

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
        if not isinstance(node, yaml.MappingNode):  # `!!map 1`
            raise _misfit(
                f"{brief(_shown(node))} cannot be read as {node.tag.rpartition(':')[2]}", node.start_mark
            )
        found = set()
        for entry, _ in node.value:
            key = self.construct_object(entry, deep=True)
            if not isinstance(key, str | int | float | None):
                raise _misfit(f"{brief(key)} cannot be the name of a field", entry.start_mark)
            if key in found:
                raise _misfit(f"the key '{called(key)}' comes twice in one mapping", entry.start_mark)
            found.add(key)
        mapping: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return mapping


def _shown(node: Any) -> str:
    """The text of a node that is not a mapping."""
    return node.value if isinstance(node.value, str) else "a list"


def _misfit(what: str, mark: Any) -> yaml.MarkedYAMLError:
    return yaml.MarkedYAMLError(problem=what, problem_mark=mark)
