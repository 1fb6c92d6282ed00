"""Faults and exceptions: every error of multiloop carries its faults as data, each with code, place and remedy.

Suggestions of names belong to them.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import wraps
from itertools import islice
from typing import Any, ParamSpec, TypeVar

from multiloop.model.message_formatting import name_text, printable

MAX_SHOWN_FAULTS = 20
"""Maximal number of faults in the text of an error; the others are counted."""

MAX_FAULTS = 100
"""Number of faults after which the checks stop: a file may contain an error in each of many thousand lines."""

MAX_COMPARED_NAMES = 1000
"""Maximal number of known names that are compared with an unknown one."""

ANALYSIS_CODES = ("R", "S")
"""First letters of codes for faults of an analysis or a request, not of the description."""

POSSESSIVE = "its "
"""Beginning of `where` for a property of the subject: "its length is …" continues without a colon."""

SHORT_NAME_LENGTH = 4
"""Length of a name up to which half of its letters must agree for a suggestion."""


@dataclass(frozen=True)
class Fault:
    """One fault of a description, a request or a solution.

    `code` classifies it (M model, D drives, L loads, P pairs, T topology, K kinematics, S solution, R results, F files,
    V pictures), `where` is the user's name of the part, `what` states what was found, with the value, and `remedy` what
    to do. `place` is its path in the plain data from which it was read, key by key.
    """

    code: str
    where: str
    what: str
    remedy: str
    place: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return self.text_under("")

    def text_under(self, subject: str) -> str:
        """The text of the fault under a heading that names the subject; a body named there is not repeated."""
        colon = "" if self.where.startswith(POSSESSIVE) else ":"  # "its length is …"
        named = self.where == subject and subject.startswith("body ")
        where = "" if named else f"{_printable_text(self.where)}{colon} "
        return f"[{self.code}] {where}{_printable_text(self.what)}\n       {_printable_text(self.remedy)}"


class MultiloopError(Exception):
    """Base class of all errors that multiloop raises; `.faults` holds the details, `.asked` the function called."""

    asked: str = ""

    def __init__(self, subject: str, faults: Iterable[Fault]) -> None:
        self.subject = subject
        self.faults = tuple(faults)
        super().__init__(subject, self.faults)

    def __str__(self) -> str:
        count = len(self.faults)
        many = " or more" if count == MAX_FAULTS else ""
        head = f"{_printable_text(self.subject)} has {count} fault{'s' if count != 1 else ''}{many}:"
        request = f"`{self.asked}` of" if self.asked else "the request for"
        if self.asked or all(fault.code.startswith(ANALYSIS_CODES) for fault in self.faults):
            head = f"{request} {_printable_text(self.subject)} failed:"  # the request is invalid
        rest = [f"… and {count - MAX_SHOWN_FAULTS} more."] if count > MAX_SHOWN_FAULTS else []
        told = [fault.text_under(self.subject) for fault in self.faults[:MAX_SHOWN_FAULTS]]
        return "\n".join([head, *told, *rest])

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild_error, (type(self), self.subject, self.faults, dict(vars(self))))


def _rebuild_error(
    kind: type[MultiloopError], subject: str, faults: tuple[Fault, ...], state: dict[str, object]
) -> Exception:
    error = kind.__new__(kind)
    MultiloopError.__init__(error, subject, faults)
    vars(error).update(state)
    return error


class ModelError(MultiloopError):
    """The description is invalid."""


class TopologyError(MultiloopError):
    """The graph of bodies and joints cannot be used as requested; `.mobility` is the mobility if it is known."""

    def __init__(self, subject: str, faults: Iterable[Fault], *, mobility: int | None = None) -> None:
        super().__init__(subject, faults)
        self.mobility = mobility


class AssemblyError(MultiloopError):
    """The loops cannot be closed as requested; `.gap` is the remaining gap relative to the mechanism's size.

    `.best` maps joint names to their coordinates in the best attempt, `.choices` lists the assembly modes if there are
    several.
    """

    def __init__(
        self,
        subject: str,
        faults: Iterable[Fault],
        *,
        gap: float | None = None,
        best: dict[str, tuple[float, ...]] | None = None,
        choices: Sequence[dict[str, tuple[float, ...]]] = (),
    ) -> None:
        super().__init__(subject, faults)
        self.gap = gap
        self.best = best
        self.choices = tuple(choices)


class SolveError(MultiloopError):
    """The equations cannot be solved; `.time` is the instant at which this happened."""

    def __init__(self, subject: str, faults: Iterable[Fault], *, time: float | None = None) -> None:
        super().__init__(subject, faults)
        self.time = time


class DrawingError(MultiloopError, ValueError):
    """A picture cannot be drawn as requested; also a ValueError, as in other libraries."""


class UnknownNameError(MultiloopError, KeyError):
    """A name is unknown in a result or mechanism; also a KeyError, as for a mapping."""

    def __init__(
        self, mechanism: str, kind: str, name: str, remedy: str, what: str = "does not exist."
    ) -> None:
        super().__init__(f"mechanism '{mechanism}'", [Fault("R01", f"{kind} '{name}'", what, remedy)])


def first_faults(found: Iterable[Fault]) -> list[Fault]:
    """The distinct faults among those found, at most MOST_FAULTS."""
    different: dict[Fault, None] = {}
    for fault in found:
        different[fault] = None
        if len(different) == MAX_FAULTS:
            break
    return list(different)


def suggestion(name: Any, known: Iterable[str]) -> str:
    """A remedy for an unknown name: the closest known one, or the list of them."""
    names = sorted(islice(known, MAX_COMPARED_NAMES))
    alike = {one.casefold(): one for one in reversed(names)}
    asked = name_text(name).casefold()
    close = difflib.get_close_matches(
        asked, alike, n=1, cutoff=0.5 if len(asked) <= SHORT_NAME_LENGTH else 0.65
    )
    if close:
        return f"Did you mean '{alike[close[0]]}'?"
    if not names:
        return "None is defined."
    return f"Available: {', '.join(names[:12])}{', …' if len(names) > 12 else '.'}"


def _printable_text(text: str, longest: int = 4000) -> str:
    """The text of an error, truncated and with control characters escaped: names in files may contain anything."""
    return printable(text if len(text) <= longest else f"{text[: longest - 1]}…")


Given = ParamSpec("Given")
Returned = TypeVar("Returned")


def unknown_keyword_error(called: str, name: str, known: Iterable[str]) -> TypeError:
    """The error for an unknown keyword argument."""
    return TypeError(f"{called}() has no argument '{name}'. {suggestion(name, known)}")


def suggest_keywords(function: Callable[Given, Returned]) -> Callable[Given, Returned]:
    """The function with an error for unknown keywords that suggests the nearest known one."""
    known = list(inspect.signature(function).parameters)

    @wraps(function)
    def called(*arguments: Given.args, **options: Given.kwargs) -> Returned:
        for name in options:
            if name not in known:
                raise unknown_keyword_error(function.__name__, name, known)
        return function(*arguments, **options)

    return called
