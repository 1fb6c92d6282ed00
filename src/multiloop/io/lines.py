"""Line numbers of faults in the text of a mechanism file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import yaml

from multiloop.io.yaml_text import SafeLoader
from multiloop.model import Fault
from multiloop.model.brief import called

NAMES = ("name", "of", "joint")
"""Keys with the name of a part, or with the name of the part on which it acts."""

SECTIONS = {"body": ("bodies",), "joint": ("joints", "pairs"), "pair": ("pairs",), "load": ("loads",)}
"""By the noun before a name in a fault, the lists of a mechanism that contain such parts."""

Place = tuple[str, ...]


def with_lines(faults: Sequence[Fault], text: str) -> list[Fault]:
    """The faults with their line numbers in the YAML or JSON text, where these are found.

    The text is parsed once for all faults.
    """
    places = [_place(fault) for fault in faults]
    lines = _Lines({place[:k] for place in places for k in range(len(place) + 1)})
    try:
        lines.read(text.replace("\t", " "))  # JSON may indent with tabs
    except yaml.YAMLError:  # JSON is YAML except for a few characters
        return list(faults)
    return [_lined(fault, lines.of(fault, place)) for fault, place in zip(faults, places, strict=True)]


def _place(fault: Fault) -> Place:
    return tuple(step if isinstance(step, str) else called(step) for step in fault.place)


def _lined(fault: Fault, line: int | None) -> Fault:
    return replace(fault, where=f"line {line}, {fault.where}") if line else fault


@dataclass
class _Open:
    """An open list or mapping: its place and line, and the number or key of its next entry."""

    place: Place
    line: int
    is_mapping: bool
    count: int = 0
    key: str | None = None  # the key whose value comes next


@dataclass
class _Lines:
    """Lines of the requested places, and of the parts of a mechanism by name."""

    wanted: set[Place]
    at: dict[Place, int] = field(default_factory=dict)
    named: dict[str, int] = field(default_factory=dict)
    listed: dict[tuple[str, str], int] = field(default_factory=dict)  # by list and name

    def of(self, fault: Fault, place: Place) -> int | None:
        """The line of a fault: by its place or the nearest enclosing place; without a place, by the name it quotes."""
        if place:
            return next((self.at[place[:k]] for k in range(len(place), -1, -1) if place[:k] in self.at), None)
        quoted = re.match(r"(\w*)[^']*'([^']+)'", fault.where)
        if not quoted:
            return None
        kind, name = quoted[1], quoted[2].partition(".")[0]
        own = ((section, name) for section in SECTIONS.get(kind, ()))
        return next((self.listed[one] for one in own if one in self.listed), self.named.get(name))

    def read(self, text: str) -> None:
        """Parse the text and record the lines."""
        within: list[_Open] = []
        for event in yaml.parse(text, Loader=SafeLoader):
            if isinstance(event, yaml.CollectionEndEvent):
                within.pop()
            elif isinstance(event, yaml.NodeEvent):
                self._enter(event, within)

    def _enter(self, event: Any, within: list[_Open]) -> None:
        """Process a node: a key or a value of a mapping, an entry of a list, or the whole document."""
        line, around = event.start_mark.line + 1, within[-1] if within else None
        place: Place = ()
        if around is not None and around.is_mapping and around.key is None:
            around.key = getattr(event, "value", "")
            self._mark((*around.place, around.key), line)
            return
        if around is not None:
            step, around.key = str(around.count) if around.key is None else around.key, None
            around.count += 1
            place = (*around.place, step)
            if len(around.place) == 2 and step in NAMES and isinstance(event, yaml.ScalarEvent):
                self.named.setdefault(event.value, around.line)
                if step == "name":
                    self.listed.setdefault((around.place[0], event.value), around.line)
        if around is None or not around.is_mapping:
            self._mark(place, line)
        if isinstance(event, yaml.CollectionStartEvent):
            within.append(_Open(place, line, isinstance(event, yaml.MappingStartEvent)))

    def _mark(self, place: Place, line: int) -> None:
        if place in self.wanted:
            self.at.setdefault(place, line)
