"""Block patterns of the constraint Jacobian J and the generalized inertia constraint matrix Ī, from topology alone."""

from __future__ import annotations

from multiloop.topology.tree import Tree


def loop_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the constraint Jacobian J: a row for each loop, a column for each subsystem.

        J_{i,j} ≡ O   where no moving joint of subsystem j lies in loop i

    Source: [koul], eqs. (12)–(13), (15).
    Differs: in the papers a block is nonzero where loop and subsystem share a link; here, where they share a tree
    joint with degrees of freedom. The body at which the two paths of a loop meet moves the whole loop and gives no
    column.
    """
    columns = range(len(tree.subsystems))
    return tuple(tuple(column in touched for column in columns) for touched in _touched_subsystems(tree))


def gicm_pattern(tree: Tree) -> tuple[tuple[bool, ...], ...]:
    """Block pattern of the generalized inertia constraint matrix Ī: loops by loops.

        Ī_{r,s} = Σ_j J_{r,j} I_j⁻¹ J_{s,j}ᵀ ≡ O   where loops r and s share no subsystem

    The inertia I_j of a subsystem couples all its joints. Two loops are therefore coupled if each has a moving tree
    joint in the same subsystem, even if these joints differ.

    Source: [koul], eqs. (23)–(24), (30).
    """
    touched = _touched_subsystems(tree)
    return tuple(tuple(not row.isdisjoint(column) for column in touched) for row in touched)


def _touched_subsystems(tree: Tree) -> list[frozenset[int]]:
    """For each loop, the numbers of the subsystems that contain one of its tree joints with degrees of freedom."""
    home = {
        joint: number
        for number, subsystem in enumerate(tree.subsystems)
        for joint in subsystem.joints
        if tree.edge(joint).freedom
    }
    return [frozenset(home[joint] for joint in loop.tree_joints if joint in home) for loop in tree.loops]
