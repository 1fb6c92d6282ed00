"""The two walks along a tree, written once: outward from the ground, and inward from the leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from multiloop.kinematics.skeleton import Link

Carried = TypeVar("Carried")


def outward(
    links: Sequence[Link], base: Carried, step: Callable[[int, Link, Carried], Carried]
) -> list[Carried]:
    """What each body has, computed from what its parent has; `base` is what the ground has."""
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
    """What each body hands to its parent, from what it has itself and what its children handed to it.

    `step` turns the total of body k (its own and its children's) into what its parent receives; the totals
    are returned.
    """
    totals = list(own)
    for k in reversed(range(len(links))):
        if links[k].parent >= 0:
            received = step(k, links[k], totals[k])
            totals[links[k].parent] = add(totals[links[k].parent], received)
    return totals
