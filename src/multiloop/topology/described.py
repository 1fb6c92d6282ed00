"""The graph of a described mechanism: which joints there are between which bodies, and which must be kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from networkx.utils import UnionFind

from multiloop.model import GROUND, Fault, Mechanism, TopologyError
from multiloop.topology.graph import Coupling, Edge, Graph
from multiloop.topology.problem import TopologyProblem
from multiloop.topology.spanning import spanning_tree
from multiloop.topology.tree import Tree


def graph_of(mechanism: Mechanism, prefer: Iterable[str] = (), keep: Iterable[str] | None = None) -> Graph:
    """Bodies, joints and pairs as the graph sees them.

    Joints that carry a drive or an actuator, that are tied to others, that a load acts at or reads, and screws, must
    stay in the tree. Those in `prefer` stay too, in their order, as long as they close no loop with what stays already.
    With `keep` these stay in place of driven, actuated and loaded joints: positions need no more.
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
    """The joints that carry a drive or an actuator, or that a load acts at or reads."""
    found = {motion.of for motion in mechanism.drives if not motion.on_marker}
    found |= {actuator.joint for actuator in mechanism.actuators}
    return found | {joint for load in mechanism.all_loads for joint in load.joints}


def tree_of(
    mechanism: Mechanism,
    cuts: Sequence[str] | None = None,
    prefer: Iterable[str] = (),
    keep: Iterable[str] | None = None,
) -> Tree:
    """The spanning tree of a mechanism, at the given cuts or at those that keep the subsystems small."""
    graph = graph_of(mechanism, prefer, keep)
    try:
        return spanning_tree(graph, cuts)
    except TopologyProblem as problem:
        fault = Fault(problem.code, problem.where, problem.what, problem.remedy)
        raise TopologyError(
            f"mechanism '{mechanism.name}'", [fault], mobility=count_mobility(graph)
        ) from None


def count_mobility(graph: Graph) -> int:
    """Mobility by counting.

        m = d n − Σ (d − fᵢ)        d = 3 in the plane, 6 in space

    Source: Grübler and Kutzbach; it knows nothing of the geometry.
    """
    rows = sum(edge.rows for edge in graph.edges) + sum(coupling.rows for coupling in graph.couplings)
    return graph.dimension * len(graph.bodies) - rows


def _body(reference: str) -> str:
    return reference.partition(".")[0]
