"""Topology of a mechanism: its graph, the spanning tree, cut joints, and the independent loops that these joints close.

Only bodies and the joints between them are considered here, without geometry or mass. `spanning_tree` opens the loops
at cut joints, `candidate_trees` lists other choices of cut joints, and `jacobian_pattern` and `gicm_pattern` give the
blocks of the constraint Jacobian J and of the matrix Ī = J I⁻¹ Jᵀ (I is the generalized inertia of the tree) that can
be nonzero; all other blocks are zero whatever the dimensions.

    independent loops = joints + higher pairs − moving bodies

This holds for a connected graph, also after a body is split, which adds one body and one cut joint.

Source: [chaudhary], §2 (spanning tree, subsystems); [koul], §§2–3 (cuts, block patterns).
"""

from multiloop.topology.cut_joints import candidate_trees, count_mobility, graph_of, spanning_tree, tree_of
from multiloop.topology.graph import Edge, Graph, Split, TopologyProblem, connected_components
from multiloop.topology.tree import Branch, Loop, Subsystem, Tree, gicm_pattern, jacobian_pattern

__all__ = [
    "Branch",
    "Edge",
    "Graph",
    "Loop",
    "Split",
    "Subsystem",
    "TopologyProblem",
    "Tree",
    "candidate_trees",
    "connected_components",
    "count_mobility",
    "gicm_pattern",
    "graph_of",
    "jacobian_pattern",
    "spanning_tree",
    "tree_of",
]
