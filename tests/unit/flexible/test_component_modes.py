"""Component modes of a chain of masses and springs, which has closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from multiloop.flexible.component_modes import (
    Component,
    ConstrainedComponent,
    TooFewModesError,
    diagonalise,
    free_modes,
    interface_modes,
    natural_modes,
)

N = 9


def chain() -> Component:
    """Unit masses and springs in a row, which move along it only."""
    K = sp.diags([[-1.0] * (N - 1), [1.0, *[2.0] * (N - 2), 1.0], [-1.0] * (N - 1)], [-1, 0, 1]).tocsr()
    rigid = np.zeros((N, 6))
    rigid[:, 3] = 1.0
    return Component(sp.identity(N, format="csr"), K, rigid, sp.csr_matrix((0, N)))


def row(k: int) -> sp.csr_matrix:
    return sp.csr_matrix(([1.0], ([0], [k])), shape=(1, N))


def squares(component: Component, shapes: np.ndarray) -> np.ndarray:
    """ω² of the modes."""
    return np.einsum("ni,ni->i", shapes, component.K @ shapes) / np.einsum(
        "ni,ni->i", shapes, component.M @ shapes
    )


def test_a_chain_that_is_held_at_one_end() -> None:
    """ω = 2 sin((2i − 1) π/(4n + 2)), n masses that are free."""
    component = chain()
    found = natural_modes(component.constrained_by(row(0)), 4)
    known = 2 * np.sin((2 * np.arange(1, 5) - 1) * np.pi / (4 * (N - 1) + 2))
    assert np.sqrt(squares(component, found)) == pytest.approx(known, rel=1e-10)
    assert np.abs(found[0]).max() < 1e-14


class OneWay(Component):
    """A structure with one rigid-body motion."""

    @property
    def free_rigid_motions(self) -> np.ndarray:
        return self.rigid[:, [3]]


def test_a_free_chain_seen_from_its_end() -> None:
    """ω = 2 sin(i π/2n); relative to one end, which is fixed."""
    component = OneWay(*vars(chain()).values())
    found = free_modes(ConstrainedComponent(component, row(0)), row(0), 3)
    assert np.abs(found[0]).max() < 1e-14
    swung = found - found.mean(axis=0)
    assert np.sqrt(squares(component, swung)) == pytest.approx(
        2 * np.sin(np.arange(1, 4) * np.pi / (2 * N)), rel=1e-10
    )


def test_constraint_modes_and_all_fixed_interface_modes_are_complete() -> None:
    """With every mode the chain is complete: all of its frequencies with one end fixed."""
    component = chain()
    held = component.constrained_by(row(0))
    found = diagonalise(component, interface_modes(held, row(N - 1), N - 1))
    assert squares(component, found) == pytest.approx(
        squares(component, natural_modes(held, N - 1)), rel=1e-9
    )
    static = interface_modes(held, row(N - 1), 1)[:, 0]
    assert static == pytest.approx(np.arange(N) / (N - 1), abs=1e-14)


def test_what_has_too_few() -> None:
    with pytest.raises(TooFewModesError) as error:
        natural_modes(chain().constrained_by(row(0)), N)
    assert error.value.available == N - 1
