"""Errors of the graph and of the cut joints, reported with the user's names and a remedy."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST_LIST = 8  # names written out before "and n more"


class TopologyProblem(Exception):  # noqa: N818 - a finding, gathered with others before an error is raised
    """An error because of which the graph has no spanning tree, or not the requested one.

    | code | error |
    |---|---|
    | T10 | a joint connects a body with itself |
    | T11 | a joint names a body that does not exist |
    | T12 | two bodies or two joints have the same name |
    | T13 | bodies are not connected to the ground |
    | T14 | a cut is not a joint |
    | T15 | a cut is named twice |
    | T16 | a cut lies on a joint that must stay in the tree |
    | T17 | too few cuts: a loop is still closed |
    | T18 | too many cuts: a body no longer reaches the ground |
    | T19 | a body or a joint is requested that the tree does not contain |
    | T20 | a body must be split and cannot be |

    `where` names the body, joint or cut concerned, `what` states the error and `remedy` how to correct it.
    """

    def __init__(self, code: str, where: str, what: str, remedy: str) -> None:
        super().__init__(code, where, what, remedy)  # all four in args, so that the exception can be pickled
        self.code = code
        self.where = where
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return f"[{self.code}] {self.where}: {self.what}\n       {self.remedy}"


def listed(names: Iterable[str], *, joining: str = "and") -> str:
    """Quoted names joined as in a sentence: 'A', 'B' and 'C'; a long list is shortened."""
    quoted = [f"'{name}'" for name in names]
    if len(quoted) > LONGEST_LIST:
        return ", ".join(quoted[:LONGEST_LIST]) + f" {joining} {len(quoted) - LONGEST_LIST} more"
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + f" {joining} {quoted[-1]}"


def closed_chain(names: tuple[str, ...]) -> str:
    """The joints of a loop as text, A-B-C-D; the middle of a long loop is omitted."""
    if len(names) > LONGEST_LIST:
        half = LONGEST_LIST // 2
        return "-".join((*names[:half], "…", *names[-half:])) + f" ({len(names)} joints)"
    return "-".join(names)


def counted(number: int, thing: str) -> str:
    """A number with its noun: 1 cut, 2 cuts."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def nearest_name(wrong: str, names: Iterable[str], *, among: str) -> str:
    """Remedy for a name that does not exist: the most similar name, or the list of valid names.

    `among` is the plural noun for the named objects, such as "bodies" or "joints".
    """
    known = list(names)
    close = get_close_matches(wrong, known, n=1)
    if close:
        return f"Did you mean '{close[0]}'?"
    if not known:
        return f"There are no {among} to name."
    return f"Name one of the {among} {listed(known, joining='or')}."
