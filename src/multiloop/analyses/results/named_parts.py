"""Parts of a result by name: histories of joints, couplings, loads and flexible bodies, poses, and efforts.

Unknown names raise an UnknownNameError that suggests a known one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from multiloop.model import UnknownNameError, suggestion
from multiloop.plan import unknown_efforts

if TYPE_CHECKING:
    from multiloop.analyses.results.histories import LinkHistory
    from multiloop.analyses.results.result import Result


def history_of(result: Result, name: str) -> Any:
    """Time history of a joint, pair, coupling or load."""
    known: dict[str, Any] = {**result.joints, **result.couplings, **result.loads}
    if name in known:
        return known[name]
    kind = "joint or load" if result.loads else "joint"
    of_pin = [f'"{joint}"' for joint in result.joints if joint.startswith(f"{name}/")]
    remedy = (
        f"It is a pin of several joints: use {' or '.join(of_pin)}." if of_pin else suggestion(name, known)
    )
    if name in result.poses:
        asked = "a flexible body: use `link" if name in result.links else "a body: use `body"
        remedy = f"'{name}' is {asked}(\"{name}\")`."
    raise UnknownNameError(result.mechanism.name, kind, name, remedy)


def link_of(result: Result, name: str) -> LinkHistory:
    """Time history of a flexible body."""
    if name in result.links:
        return result.links[name]
    remedy = suggestion(name, result.links)
    if name in result.poses:
        remedy = f"'{name}' is a rigid body: use `body(\"{name}\")` for its poses."
    raise UnknownNameError(result.mechanism.name, "flexible body", name, remedy)


def poses_of(result: Result, name: str) -> np.ndarray:
    """Poses of a body's own frame, instants × 3 × 4."""
    if name in result.poses:
        return result.poses[name]
    raise UnknownNameError(result.mechanism.name, "body", name, suggestion(name, result.poses))


def effort_along(result: Result, name: str) -> np.ndarray:
    """Effort over time along a coordinate, given by "joint" or "joint.component"."""
    joint, _, component = name.partition(".")
    effort: np.ndarray = result[joint].effort
    parts = result.mechanism.connection(joint).components(result.mechanism.planar)
    if component in parts or (not component and len(parts) == 1):
        return effort if effort.ndim == 1 else effort[:, parts.index(component)]
    known = [f"{joint}.{part}" for part in parts]
    raise UnknownNameError(result.mechanism.name, "effort along", name, suggestion(name, known))


def results_by_effort(result: Result) -> dict[str, Result]:
    """A dictionary that maps the name of every unknown effort to the result."""
    mechanism, names = result.mechanism, list[str]()
    for joint, component in unknown_efforts(mechanism):
        several = len(mechanism.connection(joint).components(mechanism.planar)) > 1
        names.append(f"{joint}.{component}" if several else joint)
    return dict.fromkeys(names, result)
