"""Graph and spanning tree of a described mechanism, and its mobility by the Grübler–Kutzbach criterion."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from networkx.utils import UnionFind

from multiloop.model import GROUND, Fault, Mechanism, TopologyError
from multiloop.topology.graph import Coupling, Edge, Graph
from multiloop.topology.problem import TopologyProblem
from multiloop.topology.spanning import spanning_tree
from multiloop.topology.tree import Tree


def graph_of(mechanism: Mechanism, prefer: Iterable[str] = (), keep: Iterable[str] | None = None) -> Graph:
    """Graph of the bodies, joints and pairs of a mechanism.

    Joints with a drive or an actuator, joints of a coupling, joints that a load acts on or reads, and helical joints
    must stay in the tree. Joints in `prefer` are kept in the tree too, in their order, unless they close a loop with
    joints that are already kept. If `keep` is given, its joints are kept instead of the driven, actuated and loaded
    ones; this suffices when only positions are computed.
    """
    dimension = 3 if mechanism.planar else 6
    needed = {joint for joints in mechanism.tied_joints.values() for joint in joints}
    needed |= {joint.name for joint in mechanism.connections if joint.must_stay}
    needed |= _moved_or_loaded(mechanism) if keep is None else set(keep)
    ends = {joint.name: (_body(joint.first), _body(joint.second)) for joint in mechanism.connections}
    carrying = {joint.name for joint in mechanism.binary_joints}
    joined = UnionFind()
    for name in needed:
        joined.union(*ends[name])
    kept = set(needed)
    for name in prefer:
        if name in carrying and name not in kept and joined[ends[name][0]] != joined[ends[name][1]]:
            joined.union(*ends[name])
            kept.add(name)
    edges = tuple(
        Edge(
            joint.name,
            *ends[joint.name],
            freedom=joint.freedoms(mechanism.planar),
            rows=joint.rows(mechanism.planar),
            keep=joint.name in kept,
            carries=not joint.always_cut,
        )
        for joint in mechanism.connections
    )
    couplings = tuple(
        Coupling(one.name, mechanism.tied_joints[one.name], one.rows) for one in mechanism.couplings
    )
    elastic = tuple((body.name, body.elastic) for body in mechanism.moving if body.elastic)
    moving = tuple(body.name for body in mechanism.moving)
    return Graph(GROUND, moving, edges, dimension, couplings, elastic)


def _moved_or_loaded(mechanism: Mechanism) -> set[str]:
    """Joints with a drive or an actuator, and joints that a load acts on or reads."""
    found = {motion.of for motion in mechanism.drives if not motion.on_marker}
    found |= {actuator.joint for actuator in mechanism.actuators}
    return found | {joint for load in mechanism.all_loads for joint in load.joints}


def tree_of(
    mechanism: Mechanism,
    cuts: Sequence[str] | None = None,
    prefer: Iterable[str] = (),
    keep: Iterable[str] | None = None,
) -> Tree:
    """Spanning tree of a mechanism, with the given cut joints or with those that keep the subsystems small."""
    graph = graph_of(mechanism, prefer, keep)
    try:
        return spanning_tree(graph, cuts)
    except TopologyProblem as problem:
        fault = Fault(problem.code, problem.where, problem.what, problem.remedy)
        raise TopologyError(
            f"mechanism '{mechanism.name}'", [fault], mobility=count_mobility(graph)
        ) from None


def count_mobility(graph: Graph) -> int:
    """Mobility by the Grübler–Kutzbach criterion.

        m = d n − Σ (d − fᵢ)        d = 3 in the plane, 6 in space

    Source: Grübler and Kutzbach. The criterion does not consider the geometry.
    """
    rows = sum(edge.rows for edge in graph.edges) + sum(coupling.rows for coupling in graph.couplings)
    return graph.dimension * len(graph.bodies) - rows


def _body(reference: str) -> str:
    return reference.partition(".")[0]
