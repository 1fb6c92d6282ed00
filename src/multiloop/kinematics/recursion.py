"""The two recursions along a tree: outward from the ground, and inward from the leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from multiloop.kinematics.skeleton import Link

Carried = TypeVar("Carried")


def outward(
    links: Sequence[Link], base: Carried, step: Callable[[int, Link, Carried], Carried]
) -> list[Carried]:
    """A quantity of every body, computed by `step` from that of its parent; `base` is the quantity of the ground."""
    found: list[Carried] = []
    for k, link in enumerate(links):
        found.append(step(k, link, base if link.parent < 0 else found[link.parent]))
    return found


def inward(
    links: Sequence[Link],
    own: Sequence[Carried],
    step: Callable[[int, Link, Carried], Carried],
    add: Callable[[Carried, Carried], Carried],
) -> list[Carried]:
    """Totals of a quantity of every body and of all bodies that it carries, summed from the leaves inward.

    `own` are the quantities of the bodies by themselves. `step` transforms the total of body k to its parent, and `add`
    adds it there.
    """
    totals = list(own)
    for k in reversed(range(len(links))):
        if links[k].parent >= 0:
            received = step(k, links[k], totals[k])
            totals[links[k].parent] = add(totals[links[k].parent], received)
    return totals
