"""The spanning tree of a mechanism: branches, loops and subsystems, and block patterns of the constraint matrices.

`grow_tree` selects the joints of the tree by our own criteria. Once the cut joints are known, `build_tree` orders the
bodies outward, finds the joints around each independent loop and numbers the subsystems.

Source: [chaudhary], §2, for the subsystems; [koul], eqs. (12)–(15), (23)–(24) and (30), for the block patterns.
Theory: docs/theory/02-kinematics.md, eq. (2.1); docs/theory/06-forward-dynamics.md, eq. (6.5).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise

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

    joints       all joints of the loop: the cut joint, then the tree joints from its second body to its first
    bodies       all bodies of the loop, from the second body of the cut joint to its first; `bodies[k]` lies between
                 `joints[k]` and the next joint
    tree_joints  the tree joints between the two bodies of the cut joint and their lowest common ancestor, in outward
                 order; only their columns of the constraint Jacobian can be nonzero in the rows of this loop
    """

    cut: str
    joints: tuple[str, ...]
    bodies: tuple[str, ...]
    tree_joints: tuple[str, ...]


@dataclass(frozen=True)
class Subsystem:
    """A part of the spanning tree: one of the bodies joined to the ground, and all bodies outward of this body. Its
    name is a Roman numeral.

    `bodies` are in outward order; `joints` and `parents` are the inboard joints and the parents of these bodies, in the
    same order.

    Source: [chaudhary], §2.
    """

    name: str
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    parents: tuple[str, ...]

    @property
    def kind(self) -> str:
        """'serial' if every body of the subsystem has at most one child in the tree, else 'tree-type'."""
        return "serial" if self.parents[1:] == self.bodies[:-1] else "tree-type"


@dataclass(frozen=True)
class Tree:
    """A mechanism whose loops are opened at cut joints.

    graph       the graph of the mechanism before bodies are split
    branches    the bodies in outward order, parent before child: subsystem after subsystem, each depth first,
                children in the order of their joints
    cuts        the cut joints, in the order in which the user named them, otherwise in the user's order of joints
    loops       the loop closed by each cut joint, in the order of `cuts`
    subsystems  the subsystems, in the order of their joints at the ground
    splits      bodies split because all joints of a loop must stay in the tree; each adds a body and a cut joint
    """

    graph: Graph
    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    loops: tuple[Loop, ...]
    subsystems: tuple[Subsystem, ...]
    splits: tuple[Split, ...] = ()

    @cached_property
    def row_groups(self) -> tuple[RowGroup, ...]:
        """The groups of constraint rows, in the order of the rows: one for every loop, with the name of its cut joint,
        then one for every coupling."""
        loops = [RowGroup(loop.cut, loop.tree_joints, self.edge(loop.cut).rows) for loop in self.loops]
        return (*loops, *self.graph.couplings)

    @cached_property
    def split_graph(self) -> Graph:
        """The graph after bodies are split: the second part (twin) of every split body is an additional node, and the
        closing joint between the two parts an additional edge."""
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
        """The edge of a joint, or of the closing joint of a split body, in the graph after splitting."""
        if joint not in self.split_graph.edges_by_name:
            remedy = suggest_name(joint, self.split_graph.edges_by_name, among="joints")
            raise TopologyProblem("T19", f"joint '{joint}'", "the tree has no such joint.", remedy)
        return self.split_graph.edges_by_name[joint]

    def _require(self, body: str, *, moving: bool = False) -> None:
        """Raise `TopologyProblem` if `body` is not in the tree, or if `moving` is True and `body` is the ground."""
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

    J_{i,j} is the block with the rows of loop i and the columns of subsystem j.

    Source: [koul], eqs. (12)–(13), (15).
    Differs: in the papers a block is nonzero where loop and subsystem share a link; here, where they share a tree joint
    with degrees of freedom. The joints inward of the body at which the two paths of a loop meet move the whole loop and
    give no nonzero column.
    """
    columns = range(len(tree.subsystems))
    return tuple(tuple(column in touched for column in columns) for touched in _subsystems_of_loops(tree))


def gicm_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the generalized inertia constraint matrix Ī, with a block row and a block column for each loop.

        Ī_{r,s} = Σ_j J_{r,j} I_j⁻¹ J_{s,j}ᵀ ≡ O   where loops r and s share no subsystem

    J_{r,j} is the block of the constraint Jacobian with the rows of loop r and the columns of subsystem j. The inertia
    I_j of a subsystem couples all its joints. Two loops are therefore coupled if each has a moving tree joint in the
    same subsystem, even if these joints differ.

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


@dataclass(frozen=True)
class GrownTree:
    """The joints of a tree grown from the ground, and the bodies that cannot be reached from the ground."""

    joints: frozenset[str]
    unreached: tuple[str, ...]


def grow_tree(graph: Graph, *, without: Collection[str] = ()) -> GrownTree:
    """Grow a spanning tree from the ground by adding in each step the joint that the following criteria prefer.

    Criteria, in this order:

    1. joints that must stay in the tree (kept joints) are in the tree: a body is added together with all bodies
       connected to it by kept joints;
    2. joints without constraint rows (Free joints) are used only where no other joint reaches the body;
    3. the path from the ground to a body has few joints with degrees of freedom (a Fixed joint adds no length), so that
       the legs of a parallel mechanism become separate subsystems and the blocks of the inertia matrix and of the
       constraint Jacobian stay small;
    4. at equal length the joint with fewer degrees of freedom enters the tree, so that the joint with more degrees of
       freedom, which adds fewer constraint rows, is cut;
    5. otherwise the user's order of joints decides, so that the same graph always gives the same tree.

    Kept joints must not form a loop by themselves (`split_bodies` ensures that). Where criteria 1 and 2 do not apply,
    the result is Dijkstra's shortest-path tree from the ground; a group of bodies connected by kept joints is entered
    at the body that is reached first.

    Source: ours; [chaudhary], §2, leaves the choice of cut joints to graph theory.

    Cost: O(E log E) for E joints, without recursion. Joints named in `without` are not used.
    """
    arrived: set[str] = set()
    joints: set[str] = set()
    # Heap of candidates: (whether the joint, if cut, has no constraint rows; path length from the ground; degrees of
    # freedom; index of the joint in the user's order; body to be added; joint).
    waiting: list[tuple[bool, int, int, int, str, str]] = [(False, 0, 0, -1, graph.ground, "")]
    while waiting:
        _, length, _, _, body, joint = heappop(waiting)
        group = [] if body in arrived else [(body, joint, length)]
        while group:
            body, joint, length = group.pop()
            arrived.add(body)
            joints.add(joint)
            for index, edge in graph.incident[body]:
                far = edge.other_body(body)
                if far in arrived or edge.name in without or not edge.carries:
                    continue
                reach = length + _path_length(edge)
                if edge.keep:
                    group.append((far, edge.name, reach))
                else:
                    heappush(waiting, (edge.rows == 0, reach, edge.degrees_of_freedom, index, far, edge.name))
    unreached = tuple(body for body in graph.bodies if body not in arrived)
    return GrownTree(frozenset(joints - {""}), unreached)


def _path_length(edge: Edge) -> int:
    """Length that a joint adds to a path: 0 for a joint without degrees of freedom, otherwise 1."""
    return 1 if edge.degrees_of_freedom else 0


ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)


def build_tree(graph: Graph, splits: tuple[Split, ...], opened: Graph, cuts: Sequence[str]) -> Tree:
    """The tree that remains if the joints in `cuts` are removed from the graph `opened`, in which bodies are already
    split; `graph` is the graph before splitting.

    The remaining joints must form a spanning tree. Cost: O(bodies + joints + total length of the loops).
    """
    branches = outward_branches(opened, frozenset(cuts))
    return Tree(
        graph=graph,
        branches=branches,
        cuts=tuple(cuts),
        loops=find_loops([opened.edges_by_name[cut] for cut in cuts], branches),
        subsystems=ground_subsystems(graph.ground, branches),
        splits=splits,
    )


def outward_branches(opened: Graph, cuts: Collection[str]) -> tuple[Branch, ...]:
    """All bodies of the tree, each with its inboard joint and parent, from the ground outward and depth first; the
    children of a body are in the order of their joints."""
    branches: list[Branch] = []
    waiting: list[Branch] = []

    def wait_around(body: str, carrier: str) -> None:
        # The stack is last in, first out: the joint that the user named first must be pushed last.
        for _, edge in reversed(opened.incident[body]):
            if edge.name != carrier and edge.name not in cuts:
                waiting.append(Branch(edge.other_body(body), body, edge.name, forward=edge.first == body))

    wait_around(opened.ground, "")
    while waiting:
        branch = waiting.pop()
        branches.append(branch)
        wait_around(branch.body, branch.joint)
    return tuple(branches)


def find_loops(cuts: Sequence[Edge], branches: Sequence[Branch]) -> tuple[Loop, ...]:
    """The loop that each cut joint closes, found by following the tree inward from its two bodies until the paths meet.

    A joint inward of the body at which the paths meet moves both ends of the cut joint alike. In the rows of this loop
    the constraint Jacobian is therefore zero for such joints; it can be nonzero only for the `tree_joints` of the loop.

    Source: [koul], §3, before eq. (13).
    """
    place = {branch.body: index for index, branch in enumerate(branches)}  # the ground has index -1
    loops = []
    for cut in cuts:
        from_second, from_first = [], []
        inner_second, inner_first = place.get(cut.second, -1), place.get(cut.first, -1)
        while inner_second != inner_first:
            # A parent precedes its child in the list, hence the later of the two bodies is not an ancestor of the
            # other.
            if inner_second > inner_first:
                from_second.append(inner_second)
                inner_second = place.get(branches[inner_second].parent, -1)
            else:
                from_first.append(inner_first)
                inner_first = place.get(branches[inner_first].parent, -1)
        walked = [*from_second, *reversed(from_first)]
        # The paths meet at the parent of the last body of either path.
        meeting = branches[(from_second or from_first)[-1]].parent
        loops.append(
            Loop(
                cut=cut.name,
                joints=(cut.name, *(branches[index].joint for index in walked)),
                bodies=(
                    *(branches[index].body for index in from_second),
                    meeting,
                    *(branches[index].body for index in reversed(from_first)),
                ),
                tree_joints=tuple(branches[index].joint for index in sorted(walked)),
            )
        )
    return tuple(loops)


def ground_subsystems(ground: str, branches: Sequence[Branch]) -> tuple[Subsystem, ...]:
    """The subsystems, which are the branches that start at the ground, numbered I, II, III, …

    Source: [chaudhary], §2.
    Differs: bodies are numbered depth first; in the source the main chain of a branch is numbered first.
    """
    starts = [index for index, branch in enumerate(branches) if branch.parent == ground]
    subsystems = []
    for number, (start, stop) in enumerate(pairwise([*starts, len(branches)]), start=1):
        group = branches[start:stop]
        subsystems.append(
            Subsystem(
                name=roman_numeral(number),
                bodies=tuple(branch.body for branch in group),
                joints=tuple(branch.joint for branch in group),
                parents=tuple(branch.parent for branch in group),
            )
        )
    return tuple(subsystems)


def roman_numeral(number: int) -> str:
    """A positive integer as a Roman numeral: 4 is IV, 19 is XIX."""
    letters = ""
    for value, sign in ROMAN:
        count, number = divmod(number, value)
        letters += sign * count
    return letters
