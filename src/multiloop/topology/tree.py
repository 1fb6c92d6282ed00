"""The spanning tree of a mechanism: branches, loops and subsystems, and block patterns of the constraint matrices.

Source: [chaudhary], §2, for the subsystems; [koul], eqs. (12)–(15), (23)–(24) and (30), for the block patterns.
Theory: docs/theory/02-kinematics.md, eq. (2.1); docs/theory/06-forward-dynamics.md, eq. (6.5).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from multiloop.topology.graph import Edge, Graph, RowGroup, Split, TopologyProblem, apply_splits, suggest_name


@dataclass(frozen=True)
class Branch:
    """One body of the tree with the joint that connects it to its parent.

    `forward` is True if the parent is the joint's first body; the joint coordinate is then directed outward.
    """

    body: str
    parent: str
    joint: str
    forward: bool


@dataclass(frozen=True)
class Loop:
    """Independent loop closed by one cut joint.

    joints       all joints of the loop: the cut joint, then those from its second body around to its first
    bodies       all bodies of the loop, from the second body of the cut joint to its first; `bodies[k]` lies between
                 `joints[k]` and the next joint
    tree_joints  the tree joints between either end and the lowest common ancestor, in outward order: the columns of
                 J in which the rows of this loop can be nonzero
    """

    cut: str
    joints: tuple[str, ...]
    bodies: tuple[str, ...]
    tree_joints: tuple[str, ...]


@dataclass(frozen=True)
class Subsystem:
    """One branch of the spanning tree that starts at the ground, named by a Roman numeral.

    Bodies are listed in outward order; `joints` and `parents` list their inboard joints and parent bodies likewise.

    Source: [chaudhary], §2.
    """

    name: str
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    parents: tuple[str, ...]

    @property
    def kind(self) -> str:
        """'serial' if every body has at most one child, else 'tree-type'."""
        return "serial" if self.parents[1:] == self.bodies[:-1] else "tree-type"


@dataclass(frozen=True)
class Tree:
    """A mechanism whose loops are opened at cut joints.

    graph       the graph of the mechanism before bodies are split
    branches    the bodies in outward order, parent before child: subsystem after subsystem, each depth first,
                children in the order of their joints
    cuts        the cut joints, in the order in which the user named them, otherwise in that of the joints
    loops       one for each cut joint, in the same order
    subsystems  in the order of their ground joints
    splits      bodies split because a loop consisted of kept joints only; each adds a leaf and a cut joint
    """

    graph: Graph
    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    loops: tuple[Loop, ...]
    subsystems: tuple[Subsystem, ...]
    splits: tuple[Split, ...] = ()

    @cached_property
    def row_groups(self) -> tuple[RowGroup, ...]:
        """The loops, each named by its cut joint, then the couplings: all that adds constraint rows, in row order."""
        loops = [RowGroup(loop.cut, loop.tree_joints, self.edge(loop.cut).rows) for loop in self.loops]
        return (*loops, *self.graph.couplings)

    @cached_property
    def split_graph(self) -> Graph:
        """The graph after bodies are split, with the twins and their closing joints as additional nodes and edges."""
        return apply_splits(self.graph, self.splits)

    @cached_property
    def _branch_of(self) -> dict[str, Branch]:
        return {branch.body: branch for branch in self.branches}

    @cached_property
    def _children_of(self) -> dict[str, tuple[str, ...]]:
        children: dict[str, list[str]] = {self.graph.ground: []}
        for branch in self.branches:
            children[branch.body] = []
            children[branch.parent].append(branch.body)
        return {body: tuple(names) for body, names in children.items()}

    @cached_property
    def _subsystem_of(self) -> dict[str, Subsystem]:
        return {body: subsystem for subsystem in self.subsystems for body in subsystem.bodies}

    def branch(self, body: str) -> Branch:
        """The branch whose outer body is `body`."""
        self._require(body, moving=True)
        return self._branch_of[body]

    def children(self, body: str) -> tuple[str, ...]:
        """The child bodies of `body`; the child bodies of the ground are the first bodies of the subsystems."""
        self._require(body)
        return self._children_of[body]

    def path(self, body: str) -> tuple[str, ...]:
        """The joints from the ground outward to `body`; empty for the ground itself."""
        self._require(body)
        joints = []
        while body != self.graph.ground:
            branch = self._branch_of[body]
            joints.append(branch.joint)
            body = branch.parent
        return tuple(reversed(joints))

    def subsystem_of(self, body: str) -> Subsystem:
        """The subsystem that contains `body`."""
        self._require(body, moving=True)
        return self._subsystem_of[body]

    def edge(self, joint: str) -> Edge:
        """The edge of a joint or closing joint in the graph after splitting: a split joint ends at the twin body."""
        if joint not in self.split_graph.edges_by_name:
            remedy = suggest_name(joint, self.split_graph.edges_by_name, among="joints")
            raise TopologyProblem("T19", f"joint '{joint}'", "the tree has no such joint.", remedy)
        return self.split_graph.edges_by_name[joint]

    def _require(self, body: str, *, moving: bool = False) -> None:
        """Raise `TopologyProblem` unless `body` is in the tree, and is not the ground if `moving`."""
        if body in self._branch_of or (body == self.graph.ground and not moving):
            return
        if body == self.graph.ground:
            what = "it is the ground, which has no parent body and is in no subsystem."
            remedy = "Name one of the moving bodies."
        else:
            what = "the tree has no such body."
            remedy = suggest_name(body, self._branch_of, among="moving bodies")
        raise TopologyProblem("T19", f"body '{body}'", what, remedy)


def jacobian_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the constraint Jacobian J: a row for each loop, a column for each subsystem.

        J_{i,j} ≡ O   where no moving joint of subsystem j lies in loop i

    Source: [koul], eqs. (12)–(13), (15).
    Differs: in the papers a block is nonzero where loop and subsystem share a link; here, where they share a tree
    joint with degrees of freedom. The body at which the two paths of a loop meet moves the whole loop and gives no
    column.
    """
    columns = range(len(tree.subsystems))
    return tuple(tuple(column in touched for column in columns) for touched in _subsystems_of_loops(tree))


def gicm_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the generalized inertia constraint matrix Ī: loops by loops.

        Ī_{r,s} = Σ_j J_{r,j} I_j⁻¹ J_{s,j}ᵀ ≡ O   where loops r and s share no subsystem

    The inertia I_j of a subsystem couples all its joints. Two loops are therefore coupled if each has a moving tree
    joint in the same subsystem, even if these joints differ.

    Source: [koul], eqs. (23)–(24), (30).
    """
    touched = _subsystems_of_loops(tree)
    return tuple(tuple(not row.isdisjoint(column) for column in touched) for row in touched)


def _subsystems_of_loops(tree: Tree) -> list[frozenset[int]]:
    """For each loop, the numbers of the subsystems that contain one of its tree joints with degrees of freedom."""
    home = {
        joint: number
        for number, subsystem in enumerate(tree.subsystems)
        for joint in subsystem.joints
        if tree.edge(joint).degrees_of_freedom
    }
    return [frozenset(home[joint] for joint in loop.tree_joints if joint in home) for loop in tree.loops]
