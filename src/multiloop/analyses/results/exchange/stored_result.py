"""The data from which a Result can be made again in another process, without solving the equations of motion.

They are the trajectory along the spanning tree, the descriptions of the mechanism, the cut joints and the assembled
position of its plan, and everything that an analysis adds to the trajectory: warnings, events, impacts, work and
admissible forces. All outputs are evaluated again from the trajectory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from multiloop.analyses.errors import analysis_error
from multiloop.analyses.results.energies import item_energies, item_powers
from multiloop.analyses.results.histories import BeamHistory, KnownTruncation
from multiloop.analyses.results.recorded_motion import TRAJECTORY
from multiloop.analyses.results.recorder import Recorder
from multiloop.analyses.results.result import Result
from multiloop.dynamics.outputs import EnergyItem
from multiloop.kinematics import Equations, equations_of
from multiloop.kinematics.assembly import Assembly, Request
from multiloop.kinematics.constraints import Target
from multiloop.model import Mechanism
from multiloop.plan import Plan, plan_at
from multiloop.topology import tree_of

STORED_FIELDS = (
    "method",
    "rule",
    "singularities",
    "work",
    "events",
    "impacts",
    "counts",
    "integrals",
    "desired",
    "item_work",
    "whole_drift",
)
"""Attributes of a Result that are stored as they are, because the trajectory does not determine them."""

RECORDED = (*TRAJECTORY, "dependent_forces")
"""Names of the stored arrays with one row per instant."""


class NotRestorableError(ValueError):
    """Error: stored data do not fit this version; the message completes a sentence that begins with "it …"."""


@dataclass(frozen=True, eq=False)
class StoredResult:
    """The stored data of a Result.

    `described` is the mechanism of the result; `planned` is the one of its plan, which differs from it if the analysis
    added integrals or changed parameter values. `arrays` are the recorded arrays, one row per instant. `facts` contains
    all other data by name: texts, numbers, arrays, mappings, and objects such as impacts.
    """

    described: Mechanism
    planned: Mechanism
    arrays: Mapping[str, np.ndarray]
    facts: Mapping[str, Any]


def stored_form(result: Result) -> StoredResult:
    """The data of a result that are written to a file.

    The energies of all items are computed if the motion is prescribed, because they may require further instants.
    """
    recorded, plan = result.recorded, result.plan
    if recorded is None:
        what, remedy = "has no recorded motion.", "Store a result that an analysis returned."
        raise analysis_error(result.mechanism, "R10", "the result", what, remedy)
    equations, joints = recorded.equations, result.joints
    cuts = {cut.joint.name for cut in equations.skeleton.cuts}
    facts = {
        "p": recorded.p,
        "layout": _layout(equations),
        "plan": _plan_facts(plan),
        "warnings": _stored_warnings(result),
        "fields": {name: getattr(result, name) for name in STORED_FIELDS},
        "item_energies": _energies(result),
        "cut_positions": {name: joint.position for name, joint in joints.items() if name in cuts},
        "undetermined": {name: (one.undetermined, one.least) for name, one in joints.items()},
        "holding": {name: one.holding for name, one in joints.items() if one.holding is not None},
        "truncations": {
            name: KnownTruncation(link.truncation)
            for name, link in result.links.items()
            if isinstance(link, BeamHistory) and link.full_run is not None
        },
        "shared": next((list(joint.shared) for joint in joints.values()), []),
    }
    return StoredResult(result.mechanism, plan.mechanism, recorded.arrays, facts)


def restored_result(stored: StoredResult) -> Result:
    """The Result made again from stored data; all outputs are evaluated from the stored trajectory."""
    facts, arrays = stored.facts, stored.arrays
    plan = _restored_plan(stored.planned, facts["plan"])
    equations = equations_of(plan.mechanism, plan.tree)
    _require_layout(equations, facts, arrays)
    recorder = Recorder(equations, plan, facts["p"])
    forces = arrays["dependent_forces"]
    rows = np.concatenate([forces[:, :, None], np.zeros((*forces.shape, forces.shape[1] + 1))], axis=2)
    motion = {name: arrays[name] for name in TRAJECTORY}
    recorder.add_many(**motion, dependent_force_rows=rows)
    recorder.cut_positions = facts["cut_positions"]
    recorder.shared = {k: one for k, one in enumerate(facts["shared"]) if one is not None}
    fields = facts["fields"]
    result = recorder.result(fields["method"], rule=fields["rule"])
    joints = dict(result.joints)
    for name, (undetermined, least) in facts["undetermined"].items():
        own = {"undetermined": undetermined, "determined": not undetermined, "least": least}
        joints[name] = replace(joints[name], **own)
    for name, holding in facts["holding"].items():
        joints[name] = replace(joints[name], holding=holding)
    links: dict[str, Any] = dict(result.links)
    for name, truncation in facts["truncations"].items():
        links[name] = links[name].part_of_run(truncation)
    given = {name: fields[name] for name in STORED_FIELDS}
    given |= {"mechanism": stored.described, "joints": joints, "links": links}
    given |= {"item_energies": facts["item_energies"], **facts["warnings"]}
    return replace(result, **given)


def _energies(result: Result) -> Mapping[EnergyItem, float]:
    """Energies of the items of a prescribed motion, for which the motion may be evaluated at further instants; those of
    a simulation follow from the stored work."""
    if result.followed is None:
        return result.item_energies
    return item_energies(result, item_powers(result))


# warnings -------------------------------------------------------------------------------------------------------------


def _stored_warnings(result: Result) -> dict[str, Any]:
    """The attributes of a Result that contain its warnings; one about a start-up transient is computed, as for
    pickling."""
    state = result.__getstate__()
    return {name: state[name] for name in ("reported", "whole_warnings")}


# plan -----------------------------------------------------------------------------------------------------------------


def _plan_facts(plan: Plan) -> dict[str, Any]:
    """The data from which the plan is made again: cut joints, assembled position, and unique reactions."""
    assembly = plan.assembly
    return {
        "cuts": plan.tree.cuts,
        "coordinates": assembly.coordinates(),
        "p": assembly.p,
        "t": assembly.t,
        "gap": assembly.gap,
        "held": [(one.target.of, one.target.components, one.values) for one in assembly.held],
        "unique": plan.unique,
        "values": plan.values,
    }


def _restored_plan(mechanism: Mechanism, facts: Mapping[str, Any]) -> Plan:
    """The plan made again at the stored position, with the stored cut joints."""
    tree = tree_of(mechanism, facts["cuts"])
    equations = equations_of(mechanism, tree)
    q = equations.skeleton.neutral_position.copy()
    for name, own in equations.skeleton.coordinates.items():
        q[own.q] = facts["coordinates"][name]
    assembly = Assembly(
        mechanism=mechanism,
        equations=equations,
        q=q,
        s=equations.time_values(facts["t"]),
        p=facts["p"],
        t=facts["t"],
        gap=facts["gap"],
        distance=0.0,
        held=tuple(Request(Target(of, components), values) for of, components, values in facts["held"]),
        guessed_coordinates=facts["coordinates"],
    )
    return replace(plan_at(assembly, facts["cuts"]), unique=facts["unique"], values=facts["values"])


def _layout(equations: Equations) -> dict[str, Any]:
    """Names and sizes of the entries in the rows of the recorded arrays."""
    skeleton = equations.skeleton
    return {
        "q": [[name, own.q.stop - own.q.start] for name, own in skeleton.coordinates.items()],
        "v": [[name, own.v.stop - own.v.start] for name, own in skeleton.coordinates.items()],
        "x": list(skeleton.states),
        "lam": equations.loop_constraints.count,
        "dependent_forces": equations.reaction_dependent_forces.shape[0],
        "p": len(skeleton.parameter_names),
    }


def _require_layout(equations: Equations, facts: Mapping[str, Any], arrays: Mapping[str, np.ndarray]) -> None:
    """Raise an error if the rows of the stored arrays have other entries than the equations of this version."""
    skeleton, expected, count = equations.skeleton, _layout(equations), len(arrays["t"])
    sizes = {
        "q": len(skeleton.neutral_position),
        "v": skeleton.rates,
        "a": skeleton.rates,
        "tau": skeleton.rates,
        "lam": expected["lam"],
        "x": len(skeleton.states),
        "dependent_forces": expected["dependent_forces"],
    }
    if facts["layout"] != expected or any(arrays[one].shape != (count, n) for one, n in sizes.items()):
        raise NotRestorableError(
            "contains a motion whose coordinates, states or reactions are not those of its mechanism"
        )
