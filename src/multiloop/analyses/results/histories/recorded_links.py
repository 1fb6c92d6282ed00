"""Time histories of flexible links by name, from the evaluated instants."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

import casadi as ca
import numpy as np

from multiloop.analyses.results.histories.beam_history import BeamHistory
from multiloop.analyses.results.histories.link_history import LinkHistory
from multiloop.dynamics.outputs import Readouts, section_loads_of
from multiloop.flexible.beams.section_forces import Loading
from multiloop.model import Mechanism


def link_histories(
    readouts: Readouts,
    p: np.ndarray,
    found: Mapping[str, np.ndarray],
    poses: Mapping[str, np.ndarray],
    at: Callable[[], Mapping[str, Any]],
) -> dict[str, LinkHistory]:
    """Every flexible link, from its elastic coordinates, rates and accelerations.

    `at` gives the instants as inputs of traced functions: the loads on a link are evaluated when they are first needed.
    """
    skeleton = readouts.equations.skeleton
    histories: dict[str, LinkHistory] = {}
    mechanism = skeleton.mechanism
    if not np.array_equal(p, skeleton.parameter_values):
        mechanism = mechanism.with_parameters(dict(zip(skeleton.parameter_names, map(float, p), strict=True)))
    held = cache(partial(_loadings, readouts, at))
    for link in skeleton.links:
        if link.reduced.modes is not None:
            damping = ca.Function(
                "damping", [skeleton.parameter_symbols], [ca.SX(link.reduced.modes.damping)]
            )
            D, rate = np.array(damping(p)), found["v"][:, link.eta_rate]
            loss = np.einsum("ti,ij,tj->t", rate, D, rate)
            told = {
                "name": link.body,
                "eta": found["q"][:, link.eta],
                "eta_rate": rate,
                "eta_acceleration": found["a"][:, link.eta_rate],
                "loss": loss,
                "mechanism": mechanism.name,
                "planar": mechanism.planar,
                "poses": poses[link.body],
                "time": found["t"],
            }
            histories[link.body] = _link_history(mechanism, told, held)
    return histories


def _link_history(
    mechanism: Mechanism, told: Mapping[str, Any], held: Callable[[], Mapping[str, Loading]]
) -> LinkHistory:
    """The history of a link with a mesh, with a centreline, or with markers only."""
    body = mechanism.body(told["name"])
    mesh = body.deformed_mesh(mechanism.planar)
    if mesh is not None:
        from multiloop.analyses.results.histories.solid_history import SolidHistory

        return SolidHistory(**told, mesh=mesh)
    line = body.centreline()
    if line is None:
        return LinkHistory(**told)
    return BeamHistory(**told, line=line, compute_loading=lambda: held()[body.name])


def _loadings(readouts: Readouts, at: Callable[[], Mapping[str, Any]]) -> dict[str, Loading]:
    """Loads on the links at their markers and motion of their frames, by name."""
    links, place = section_loads_of(readouts), 0
    frames, acting = links.function.evaluate_many(**at())
    found: dict[str, Loading] = {}
    for k, link in enumerate(links.links):
        omega, alpha, a = np.moveaxis(frames[:, :, 3 * k : 3 * k + 3], 2, 0)
        names = links.markers(link)
        found[link.body] = Loading(
            omega, alpha, a, {name: acting[:, :, place + j] for j, name in enumerate(names)}
        )
        place += len(names)
    return found
