"""Topology of a mechanism: its graph, the spanning tree, the cut joints and the independent loops that these close.

Only bodies and the joints between them are considered here, without geometry or mass. `spanning_tree` opens the
loops at cut joints, `candidate_trees` lists other choices of cut joints, and `loop_pattern` and `gicm_pattern` give
the blocks of J and of Ī = J I⁻¹ Jᵀ that can differ from zero for any numerical values.

    joints = moving bodies + independent loops        (connected graph; a split adds one body and one cut joint)

Source: [chaudhary], §2 (spanning tree, subsystems); [koul], §§2–3 (cuts, block patterns).
"""

from multiloop.topology.candidates import candidate_trees
from multiloop.topology.described import count_mobility, graph_of, tree_of
from multiloop.topology.graph import Edge, Graph, components
from multiloop.topology.patterns import gicm_pattern, loop_pattern
from multiloop.topology.problem import TopologyProblem
from multiloop.topology.spanning import spanning_tree
from multiloop.topology.splits import Split
from multiloop.topology.tree import Branch, Loop, Subsystem, Tree

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
    "components",
    "count_mobility",
    "gicm_pattern",
    "graph_of",
    "loop_pattern",
    "spanning_tree",
    "tree_of",
]
