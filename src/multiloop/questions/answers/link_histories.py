"""Links that bend, by name, from what was computed of every instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import casadi as ca
import numpy as np

from multiloop.dynamics.held_links import held_links
from multiloop.dynamics.readouts import Readouts
from multiloop.flexible.section_forces import Held
from multiloop.questions.answers.links import LinkHistory


def link_histories(
    readouts: Readouts,
    p: np.ndarray,
    found: Mapping[str, np.ndarray],
    poses: Mapping[str, np.ndarray],
    at: Callable[[], Mapping[str, Any]],
) -> dict[str, LinkHistory]:
    """Every elastic link, from its coordinates, rates and accelerations.

    `at` gives the instants as traced functions take them: what a link carries is read off when it is asked.
    """
    skeleton = readouts.equations.skeleton
    histories: dict[str, LinkHistory] = {}
    mechanism = skeleton.mechanism
    if not np.array_equal(p, skeleton.values):
        mechanism = mechanism.with_parameters(dict(zip(skeleton.names, map(float, p), strict=True)))
    held = cache(partial(_held, readouts, at))
    for link in skeleton.links:
        if link.reduced.modes is not None:
            damping = ca.Function("damping", [skeleton.symbols], [ca.SX(link.reduced.modes.damping)])
            D, rate = np.array(damping(p)), found["v"][:, link.eta_rate]
            loss = np.einsum("ti,ij,tj->t", rate, D, rate)
            motion = (found["q"][:, link.eta], rate, found["a"][:, link.eta_rate])
            told = (link.body, *motion, loss, mechanism.name, mechanism.planar, poses[link.body])
            body = mechanism.body(link.body)
            mesh = body.deformed_mesh(mechanism.planar)
            if mesh is not None:
                from multiloop.questions.answers.solid_links import SolidHistory

                histories[link.body] = SolidHistory(*told, mesh=mesh, time=found["t"])
            else:
                line = body.centreline()
                holding = None if line is None else partial(_holding, held, link.body)
                histories[link.body] = LinkHistory(*told, line, holding)
    return histories


def _holding(held: Callable[[], Mapping[str, Held]], name: str) -> Held:
    return held()[name]


def _held(readouts: Readouts, at: Callable[[], Mapping[str, Any]]) -> dict[str, Held]:
    """What acts on the links at their markers and how their frames move, by name."""
    links, place = held_links(readouts), 0
    frames, acting = links.function.many(**at())
    found: dict[str, Held] = {}
    for k, link in enumerate(links.links):
        omega, alpha, a = np.moveaxis(frames[:, :, 3 * k : 3 * k + 3], 2, 0)
        names = links.markers(link)
        found[link.body] = Held(
            omega, alpha, a, {name: acting[:, :, place + j] for j, name in enumerate(names)}
        )
        place += len(names)
    return found
