"""The graph alone: which joints carry the bodies, which are cut, and which loops the cuts close.

A mechanism is seen here as bodies and the joints between them, nothing else: no geometry, no mass.
`spanning_tree` opens the loops, `candidate_trees` offers other places to cut, and the two patterns
say which blocks of J and of Ī = J I⁻¹ Jᵀ can differ from zero before any number is known.

    joints = moving bodies + independent loops        (connected graph; a split adds one body, one cut)

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
