"""How does the opened mechanism hang together: who carries whom, which loops do the cuts close?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from multiloop.topology.graph import Coupling, Edge, Graph
from multiloop.topology.problem import TopologyProblem, nearest_name
from multiloop.topology.splits import Split, opened


@dataclass(frozen=True)
class Branch:
    """One body of the tree with the joint that carries it.

    `forward` says that the parent is the joint's first body: the coordinate then runs outward.
    """

    body: str
    parent: str
    joint: str
    forward: bool


@dataclass(frozen=True)
class Loop:
    """Independent loop closed by one cut.

    joints       all joints around it: the cut, then from its second body round to its first body
    bodies       all bodies around it, from the cut's second body to its first; `bodies[k]` stands
                 between `joints[k]` and the joint after it
    tree_joints  the tree joints between each end and the lowest common ancestor, in outward order:
                 the columns of J this loop's rows can fill
    """

    cut: str
    joints: tuple[str, ...]
    bodies: tuple[str, ...]
    tree_joints: tuple[str, ...]


@dataclass(frozen=True)
class Subsystem:
    """One branch of the spanning tree standing on the ground, with a Roman numeral for a name.

    Bodies stand in outward order; `joints` and `parents` say, in the same order, what carries them.

    Source: [chaudhary], §2.
    """

    name: str
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    parents: tuple[str, ...]

    @property
    def kind(self) -> str:
        """Serial when every body carries at most one other, else tree-type."""
        return "serial" if self.parents[1:] == self.bodies[:-1] else "tree-type"


@dataclass(frozen=True)
class Tree:
    """A mechanism with its loops opened.

    graph       as the user gave it
    branches    the bodies outward, parent before child: subsystem after subsystem, each depth first,
                children in the order of their joints
    cuts        joints opened, in the order in which the user named them, else in that of the joints
    loops       one for each cut, same order
    subsystems  in the order of their ground joints
    splits      bodies split because kept joints alone closed a loop; each adds a leaf and a cut
    """

    graph: Graph
    branches: tuple[Branch, ...]
    cuts: tuple[str, ...]
    loops: tuple[Loop, ...]
    subsystems: tuple[Subsystem, ...]
    splits: tuple[Split, ...] = ()

    @cached_property
    def closures(self) -> tuple[Coupling, ...]:
        """Everything that adds rows, in the order of these: the loops by their cuts, then the couplings."""
        loops = [Coupling(loop.cut, loop.tree_joints, self.edge(loop.cut).rows) for loop in self.loops]
        return (*loops, *self.graph.couplings)

    @cached_property
    def opened(self) -> Graph:
        """The graph with twins and closing cuts in it: every joint and every cut is an edge here."""
        return opened(self.graph, self.splits)

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
        """The branch that carries `body`."""
        self._require(body, moving=True)
        return self._branch_of[body]

    def children(self, body: str) -> tuple[str, ...]:
        """The bodies that `body` carries; the ground carries the first body of every subsystem."""
        self._require(body)
        return self._children_of[body]

    def path(self, body: str) -> tuple[str, ...]:
        """The joints from the ground outward to `body`; none for the ground itself."""
        self._require(body)
        joints = []
        while body != self.graph.ground:
            branch = self._branch_of[body]
            joints.append(branch.joint)
            body = branch.parent
        return tuple(reversed(joints))

    def subsystem_of(self, body: str) -> Subsystem:
        """The subsystem that holds `body`."""
        self._require(body, moving=True)
        return self._subsystem_of[body]

    def edge(self, joint: str) -> Edge:
        """A joint or closing cut as the opened graph has it: a split joint ends on its twin."""
        if joint not in self.opened.edge_named:
            remedy = nearest_name(joint, self.opened.edge_named, among="joints")
            raise TopologyProblem("T19", f"joint '{joint}'", "the tree has no such joint.", remedy)
        return self.opened.edge_named[joint]

    def _require(self, body: str, *, moving: bool = False) -> None:
        """Raise unless `body` is in the tree (and is carried by something, when `moving`)."""
        if body in self._branch_of or (body == self.graph.ground and not moving):
            return
        if body == self.graph.ground:
            what = "it is the ground, which nothing carries and which is in no subsystem."
            remedy = "Ask for one of the moving bodies."
        else:
            what = "the tree has no such body."
            remedy = nearest_name(body, self._branch_of, among="moving bodies")
        raise TopologyProblem("T19", f"body '{body}'", what, remedy)
