"""Faults and exceptions: every error of multiloop contains its faults as data, each with code, place and remedy.

Warnings about a result (`ResultWarning`) are data in the same way. Nothing in multiloop reads their texts.

The module also suggests a known name for an unknown one, and converts values, names, counts and coordinates to short
text. Values are converted piece by piece up to a maximum length, so that the cost does not grow with their size.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from itertools import islice
from math import floor, log10
from typing import Any

MAX_SHOWN_FAULTS = 20
"""Maximum number of faults that the text of an error lists; further faults are only counted."""

MAX_FAULTS = 100
"""Number of faults after which the checks stop, since a file may contain many thousand errors."""

MAX_COMPARED_NAMES = 1000
"""Maximum number of known names that are compared with an unknown name for a suggestion."""

ANALYSIS_CODES = ("R", "S")
"""First letters of the codes of faults that lie in a request or an analysis rather than in the description."""

POSSESSIVE = "its "
"""First word of `Fault.where` if the fault concerns a property of the subject of the error; the message then has no
colon after `where`: "its length is …"."""

SHORT_NAME_LENGTH = 4
"""Length of an unknown name up to which names of similarity 0.5 (of 1) are suggested; longer names need 0.65."""


@dataclass(frozen=True)
class Fault:
    """One fault of a description, a request or a solution.

    `code` classifies it (M model, D drives, L loads, P pairs, T topology, K kinematics, S solution, R results, F files,
    V pictures), `where` names the faulty object with the user's name, `what` describes the fault with the value found,
    and `remedy` states what to do. `place` is the path of keys to the object in the plain data from which it was read.
    """

    code: str
    where: str
    what: str
    remedy: str
    place: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        return self.text_under("")

    def text_under(self, subject: str) -> str:
        """The text of the fault under a heading that names `subject`; `where` is omitted if it equals `subject` and
        names a body."""
        colon = "" if self.where.startswith(POSSESSIVE) else ":"  # "its length is …" is one sentence
        named = self.where == subject and subject.startswith("body ")
        where = "" if named else f"{_printable_text(self.where)}{colon} "
        return f"[{self.code}] {where}{_printable_text(self.what)}\n       {_printable_text(self.remedy)}"


@dataclass(frozen=True)
class ResultWarning:
    """One warning about a result, whose values are computed but are not to be used without it.

    `code` classifies it (W01, W02 and so on; docs/messages.md lists the codes with their remedies). `place` is the
    user's name of the joint, body, load, pair, marker, parameter, event or design concerned, or that of the mechanism;
    names of several objects are separated by commas, unless the text lists them. `text` states
    the warning as a sentence. `value` is the number that the warning is about, in the unit `unit`, and `time` the
    instant in s at which it applies, or begins to apply; both are None where there is none.
    """

    code: str
    place: str
    text: str
    value: float | None = None
    unit: str = ""
    time: float | None = None

    def __str__(self) -> str:
        return self.text


def unique_warnings(found: Iterable[ResultWarning]) -> tuple[ResultWarning, ...]:
    """The warnings in their order; of several with the same code and place, the first one."""
    unique = dict[tuple[str, str], ResultWarning]()
    for warning in found:
        unique.setdefault((warning.code, warning.place), warning)
    return tuple(unique.values())


def status_text(found: Iterable[ResultWarning]) -> str:
    """The status that summarises warnings: their texts, or "ok" if there are none."""
    return "; ".join(warning.text for warning in found) or "ok"


class MultiloopError(Exception):
    """Base class of all errors of multiloop; `.faults` holds the details, `.asked` the name of the called function."""

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
            head = f"{request} {_printable_text(self.subject)} failed:"  # the request is invalid, not the description
        rest = [f"… and {count - MAX_SHOWN_FAULTS} more."] if count > MAX_SHOWN_FAULTS else []
        texts = [fault.text_under(self.subject) for fault in self.faults[:MAX_SHOWN_FAULTS]]
        return "\n".join([head, *texts, *rest])

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
    """Error: the description of a mechanism is invalid."""


class TopologyError(MultiloopError):
    """Error: mobility or connections of the bodies do not permit the request; `.mobility` is the mobility if known."""

    def __init__(self, subject: str, faults: Iterable[Fault], *, mobility: int | None = None) -> None:
        super().__init__(subject, faults)
        self.mobility = mobility


class AssemblyError(MultiloopError):
    """Error: the loops cannot be closed as requested.

    `.gap` is the smallest gap that was reached, divided by the size of the mechanism. `.best` maps joint names to their
    coordinates at this gap, and `.choices` lists the assembly modes if there are several.
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
    """Error: the equations cannot be solved; `.time` is the instant in s at which the solution failed."""

    def __init__(self, subject: str, faults: Iterable[Fault], *, time: float | None = None) -> None:
        super().__init__(subject, faults)
        self.time = time


class DrawingError(MultiloopError, ValueError):
    """Error: a picture cannot be drawn as requested; a subclass of ValueError, as in other libraries."""


class UnknownNameError(MultiloopError, KeyError):
    """Error: a name is unknown in a result or mechanism; a subclass of KeyError, as for a mapping."""

    def __init__(
        self, mechanism: str, kind: str, name: str, remedy: str, what: str = "does not exist."
    ) -> None:
        super().__init__(f"mechanism '{mechanism}'", [Fault("R01", f"{kind} '{name}'", what, remedy)])


def first_faults(found: Iterable[Fault]) -> list[Fault]:
    """The first distinct faults among `found`, at most MAX_FAULTS."""
    different: dict[Fault, None] = {}
    for fault in found:
        different[fault] = None
        if len(different) == MAX_FAULTS:
            break
    return list(different)


def suggestion(name: Any, known: Iterable[str]) -> str:
    """A remedy for an unknown name: the most similar known name, otherwise a list of the known names."""
    names = sorted(islice(known, MAX_COMPARED_NAMES))
    by_folded_name = {one.casefold(): one for one in reversed(names)}
    unknown = name_text(name).casefold()
    close = difflib.get_close_matches(
        unknown, by_folded_name, n=1, cutoff=0.5 if len(unknown) <= SHORT_NAME_LENGTH else 0.65
    )
    if close:
        return f"Did you mean '{by_folded_name[close[0]]}'?"
    if not names:
        return "No name is defined."
    return f"Available: {', '.join(names[:12])}{', …' if len(names) > 12 else '.'}"


def _printable_text(text: str, longest: int = 4000) -> str:
    """The text, truncated to `longest` characters, with control characters escaped (names may contain any)."""
    return printable(text if len(text) <= longest else f"{text[: longest - 1]}…")


MAX_VALUE_LENGTH = 60
"""Maximum number of characters of a value in a message."""

MAX_NAME_LENGTH = 200
"""Maximum number of characters of a name in a message."""

BRACKETS: dict[type, tuple[str, str]] = {
    list: ("[", "]"),
    tuple: ("(", ")"),
    set: ("{", "}"),
    frozenset: ("frozenset({", "})"),
}

MAX_PRINTED_INTEGER = 10**MAX_VALUE_LENGTH
"""Integer above which only the magnitude is shown: Python does not convert integers of more than 4,300 digits."""


def short_repr(value: Any, longest: int = MAX_VALUE_LENGTH) -> str:
    """The representation of a value for messages, truncated to `longest` characters; control characters are escaped.

    Lists, mappings and dataclasses are converted piece by piece up to this length, so that the cost does not grow with
    the size of the value, even if it is deeply nested or contains itself.
    """
    text = ""
    for piece in _pieces(value, longest):
        text += piece
        if len(text) > longest:
            return f"{text[: longest - 1]}…"
    return text


def printable(text: str) -> str:
    """The text with all control characters except line breaks escaped, so that a terminal does not execute them."""
    if text.isprintable():
        return text
    return "".join(sign if sign == "\n" or sign.isprintable() else _escaped(sign) for sign in text)


def name_text(name: Any) -> str:
    """A name as text: a string is unchanged unless it is very long, any other object is represented by short text."""
    return (
        name
        if isinstance(name, str) and len(name) <= MAX_NAME_LENGTH
        else short_repr(name, MAX_NAME_LENGTH).strip("'\"")
    )


def _pieces(value: Any, longest: int) -> Iterator[str]:
    """Pieces of text, from left to right, that together are the representation of a value.

    Every nested level yields at least one character, so that a limited text also limits the recursion.
    """
    kind = type(value)
    if kind in BRACKETS and value:
        opening, closing = BRACKETS[kind]
        alone = "," if kind is tuple and len(value) == 1 else ""
        yield from _listed(opening, ((entry,) for entry in value), f"{alone}{closing}", longest)
    elif kind is dict:
        yield from _listed("{", value.items(), "}", longest)
    elif kind is str or kind is bytes:
        yield repr(value[: longest + 1])
    elif kind is int and abs(value) > MAX_PRINTED_INTEGER:
        yield _magnitude_text(value)
    elif _is_dataclass_with_repr(value):
        yield f"{kind.__qualname__}("
        named = [entry.name for entry in fields(value) if entry.repr]
        for place, name in enumerate(named):
            yield f"{', ' if place else ''}{name}="
            yield from _pieces(getattr(value, name), longest)
        yield ")"
    else:
        yield _repr_text(value, longest)


def _listed(opening: str, entries: Iterable[tuple[Any, ...]], closing: str, longest: int) -> Iterator[str]:
    """The representation of entries between the brackets `opening` and `closing`, in pieces of text; an entry is a
    value, or a key and a value."""
    yield opening
    for place, entry in enumerate(entries):
        yield ", " if place else ""
        for part, value in enumerate(entry):
            yield ": " if part else ""
            yield from _pieces(value, longest)
    yield closing


def _is_dataclass_with_repr(value: Any) -> bool:
    """Whether a value is a dataclass whose representation lists its fields."""
    parameters = getattr(type(value), "__dataclass_params__", None)
    return is_dataclass(value) and parameters is not None and parameters.repr


def _magnitude_text(number: int) -> str:
    """Text for an integer with very many digits: its approximate magnitude, "about 1.2e+400"."""
    size = log10(abs(number))
    return f"about {'-' if number < 0 else ''}{10 ** (size - floor(size)):.2g}e+{floor(size)}"


def _repr_text(value: Any, longest: int) -> str:
    """The representation of an object on one line; its class name if `repr` raises an error."""
    from multiloop.model.expressions import Expression
    from multiloop.model.expressions.expression_text import to_text

    try:
        text = to_text(value, longest + 1) if isinstance(value, Expression) else repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return printable(" ".join(text.split()))


def _escaped(sign: str) -> str:
    return sign.encode("unicode_escape").decode("ascii")


SHOWN_AS_ZERO = 1e-12
"""Magnitude, in radians or metres, below which a coordinate is shown as zero."""


def count_text(number: int, one: str, many: str | None = None) -> str:
    """A count with its noun in the singular `one` or plural `many`, such as "1 loop" or "2 loops"; by default the
    plural adds an s."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def coordinate_text(values: Iterable[float], digits: int = 6) -> str:
    """Coordinates as text: one number without brackets, several in brackets, tiny numbers as zero."""
    numbers = [f"{0.0 if abs(value) < SHOWN_AS_ZERO else float(value):.{digits}g}" for value in values]
    return numbers[0] if len(numbers) == 1 else "(" + ", ".join(numbers) + ")"
