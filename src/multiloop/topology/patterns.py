"""Which blocks of the constraint matrices can differ from zero, whatever the numbers are?"""

from __future__ import annotations

from multiloop.topology.tree import Tree


def loop_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the constraint Jacobian J: a row for each loop, a column for each subsystem.

        J_{i,j} ≡ O   where no moving joint of subsystem j lies in loop i

    Source: [koul], eqs. (12)–(13), (15).
    Differs: the papers ask for a shared link, we ask for a shared tree joint with freedom: a body where
    the two ways of a loop meet moves the loop as a whole and gives no column.
    """
    columns = range(len(tree.subsystems))
    return tuple(tuple(column in touched for column in columns) for touched in _touched_subsystems(tree))


def gicm_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the generalized inertia constraint matrix Ī: loops by loops.

        Ī_{r,s} = Σ_j J_{r,j} I_j⁻¹ J_{s,j}ᵀ ≡ O   where loops r and s share no subsystem

    The inertia I_j of a subsystem couples all its joints, so two loops are coupled as soon as both
    have a moving tree joint in it, the same one or not.

    Source: [koul], eqs. (23)–(24), (30).
    """
    touched = _touched_subsystems(tree)
    return tuple(tuple(not row.isdisjoint(column) for column in touched) for row in touched)


def _touched_subsystems(tree: Tree) -> list[frozenset[int]]:
    """For each loop the numbers of the subsystems in which one of its tree joints moves."""
    home = {
        joint: number
        for number, subsystem in enumerate(tree.subsystems)
        for joint in subsystem.joints
        if tree.edge(joint).freedom
    }
    return [frozenset(home[joint] for joint in loop.tree_joints if joint in home) for loop in tree.loops]
