"""Quadratic solid elements: mass, stiffness, second-order internal forces, and stress.

    m_ab = ∫ N_a N_b dV,      K_ai,bj = ∫ λ N_a,i N_b,j + μ (N_a,j N_b,i + δ_ij N_a,k N_b,k) dV

for unit density and unit Young's modulus, with mass matrix m, stiffness matrix K, Lamé constants λ and μ, Kronecker's
δ, N_a the shape function of node a and N_a,i its derivative along axis i. The material is the St Venant–Kirchhoff
material S = λ tr E + 2 μ E with Green's strain E = sym H + ½ HᵀH, H = ∂u/∂r₀, so that a rigid rotation of any size
causes no strain. Unknown 3 a + i is the displacement of node a along axis i.

Source: shape functions, mappings and quadrature are scikit-fem's [gustafsson_mcbain]; the forms are standard.
Theory: docs/theory/10-flexible-bodies.md, eqs. (10.13), (10.14).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from multiloop.flexible.solids.solid_mesh import CELL_BLOCK, SolidMesh, cached_by_size, solid_mesh
from multiloop.model.solids.mesh import Mesh

QUADRATURE_ORDERS = {"hexahedron27": (9, 5), "tetra10": (7, 4)}
"""Polynomial degrees up to which the quadrature is exact, for mass (exact also with curved edges) and for stiffness, by
element type."""


@dataclass(frozen=True, eq=False)
class SolidElements:
    """Integrals over a mesh for a material with Poisson's ratio `nu`, unit Young's modulus and unit density."""

    mesh: SolidMesh
    nu: float

    @cached_property
    def _basis(self) -> Any:
        from skfem import CellBasis

        grid = self.mesh.grid
        return CellBasis(grid, grid.elem(), intorder=QUADRATURE_ORDERS[self.mesh.kind][1])

    @cached_property
    def gradients(self) -> np.ndarray:
        """Gradients N_a,i of the shape functions at the quadrature points, elements × points × nodes × 3."""
        return _gradients(self._basis)

    @cached_property
    def volumes(self) -> np.ndarray:
        """Weights (volumes, m³) of the quadrature points, elements × points."""
        found: np.ndarray = np.asarray(self._basis.dx)
        return found

    @property
    def lame(self) -> tuple[float, float]:
        """Lamé constants λ and μ for unit Young's modulus."""
        nu = self.nu
        return nu / ((1 + nu) * (1 - 2 * nu)), 1 / (2 * (1 + nu))

    # mass and stiffness matrices ------------------------------------------------------------------------------

    @cached_property
    def scalar_mass(self) -> sp.csr_matrix:
        """Mass matrix m of a scalar field on n nodes for unit density, m_ab = ∫ N_a N_b dV, n × n.

        Positions r₀ and all modes are interpolated by the same shape functions. The integral of the product of two such
        fields with the nodal values x and y is xᵀ m y.
        """
        from skfem import CellBasis

        grid, order = self.mesh.grid, QUADRATURE_ORDERS[self.mesh.kind][0]
        found = sp.csr_matrix((len(self.mesh.points),) * 2)
        for begin in range(0, len(self.mesh.nodes), CELL_BLOCK):
            some = np.arange(begin, min(begin + CELL_BLOCK, len(self.mesh.nodes)))
            basis = CellBasis(grid, grid.elem(), elements=some, intorder=order)
            N = np.stack([np.broadcast_to(field[0], basis.dx.shape) for field in basis.basis], axis=-1)
            parts = np.einsum("cqa,cqb,cq->cab", N, N, basis.dx, optimize=True)
            found = found + self._assemble(parts, self.mesh.nodes[some])
        return found.tocsr()

    @cached_property
    def stiffness(self) -> sp.csr_matrix:
        """Stiffness matrix K over the displacements of all n nodes for unit Young's modulus, 3n × 3n."""
        found = sp.csr_matrix((3 * len(self.mesh.points),) * 2)
        for begin in range(0, len(self.mesh.nodes), CELL_BLOCK):
            some = slice(begin, begin + CELL_BLOCK)
            found = found + self._assemble(self._cell_stiffness(some), self._unknowns[some])
        return found.tocsr()

    def _cell_stiffness(self, some: slice) -> np.ndarray:
        (lam, mu), dN = self.lame, self.gradients[some]
        G = np.einsum("cqai,cqbj,cq->caibj", dN, dN, self.volumes[some], optimize=True)
        same = np.einsum("caibi->cab", G)
        K = lam * G + mu * G.transpose(0, 1, 4, 3, 2)
        for i in range(3):
            K[:, :, i, :, i] += mu * same
        size = 3 * dN.shape[2]
        found: np.ndarray = K.reshape(-1, size, size)
        return found

    @cached_property
    def _unknowns(self) -> np.ndarray:
        """Indices of the unknowns of each element, elements × unknowns of an element."""
        nodes = self.mesh.nodes
        found: np.ndarray = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(nodes), -1)
        return found

    def _assemble(self, parts: np.ndarray, places: np.ndarray) -> sp.csr_matrix:
        count = len(self.mesh.points) * (1 if places.shape[1] == self.mesh.nodes.shape[1] else 3)
        rows, columns = np.broadcast_arrays(places[:, :, None], places[:, None, :])
        return sp.csr_matrix((parts.ravel(), (rows.ravel(), columns.ravel())), shape=(count, count))

    # second-order internal forces -----------------------------------------------------------------------------

    def displacement_gradients(self, shapes: np.ndarray) -> np.ndarray:
        """Displacement gradients H of modes at the quadrature points, modes × elements × points × 3 × 3.

        `shapes` are the displacements of all nodes in each mode, nodes × 3 × modes.
        """
        found: np.ndarray = np.einsum(
            "cake,cqal->ecqkl", shapes[self.mesh.nodes], self.gradients, optimize=True
        )
        return found

    def linear_stress(self, strain: np.ndarray) -> np.ndarray:
        """Stress λ tr ε + 2 μ ε of a strain tensor ε, for unit Young's modulus."""
        lam, mu = self.lame
        trace = np.trace(strain, axis1=-2, axis2=-1)
        found: np.ndarray = 2 * mu * strain + lam * trace[..., None, None] * np.eye(3)
        return found

    def second_order_force(self, one: np.ndarray, other: np.ndarray) -> np.ndarray:
        """Second derivatives ∂²f/∂η_i ∂η_j of the internal nodal forces f for the displacements u = φ_i η_i + φ_j η_j,
        nodes × 3.

        η_i and η_j are the elastic coordinates of two modes φ_i and φ_j.

        ∂²f_a/∂η_i ∂η_j = ∫ P ∇N_a dV,      P = σ(sym H_iᵀH_j) + H_j σ(ε_i) + H_i σ(ε_j)

        `one` and `other` are the displacement gradients H_i and H_j of these modes; N_a is the shape function of node
        a, ε_i = sym H_i the strain of a mode, and σ(ε) the stress that is linear in a strain ε.
        """
        P = self.linear_stress(_symmetric(np.swapaxes(one, -1, -2) @ other))
        P = P + other @ self.linear_stress(_symmetric(one)) + one @ self.linear_stress(_symmetric(other))
        parts = np.einsum("cqkl,cqal,cq->cak", P, self.gradients, self.volumes, optimize=True)
        found = np.zeros((len(self.mesh.points), 3))
        np.add.at(found, self.mesh.nodes, parts)
        return found

    # stress ---------------------------------------------------------------------------------------------------

    @cached_property
    def _nodal_gradients(self) -> tuple[np.ndarray, np.ndarray]:
        """Gradients N_a,i of the shape functions at the nodes of each element, and the number of elements per node."""
        from skfem import CellBasis

        grid = self.mesh.grid
        X = np.ascontiguousarray(grid.elem.doflocs.T)
        basis = CellBasis(grid, grid.elem(), quadrature=(X, np.ones(X.shape[1])))
        return _gradients(basis), np.bincount(self.mesh.nodes.ravel(), minlength=len(self.mesh.points))

    def nodal_stress(self, displacement: np.ndarray, linear: bool = False) -> np.ndarray:
        """Stress at the nodes for nodal displacements (nodes × 3) and unit Young's modulus, nodes × 3 × 3.

        At each node the stresses of the adjacent elements are averaged. The strain is Green's strain, or the
        infinitesimal strain if `linear`.
        """
        gradients, shared = self._nodal_gradients
        H = np.einsum("cak,cqal->cqkl", displacement[self.mesh.nodes], gradients, optimize=True)
        strain = _symmetric(H) + (0.0 if linear else np.swapaxes(H, -1, -2) @ H / 2)
        found = np.zeros((len(self.mesh.points), 3, 3))
        np.add.at(found, self.mesh.nodes, self.linear_stress(strain))
        found /= shared[:, None, None]
        return found


def deviator(stress: np.ndarray) -> np.ndarray:
    """Deviatoric stress s = σ − (tr σ / 3) 1, with the unit matrix 1."""
    mean = np.trace(stress, axis1=-2, axis2=-1) / 3
    found: np.ndarray = stress - mean[..., None, None] * np.eye(3)
    return found


def von_mises(stress: np.ndarray) -> np.ndarray:
    """Von Mises stress √(3/2 s : s), with the deviatoric stress s."""
    found: np.ndarray = np.sqrt(1.5 * (deviator(stress) ** 2).sum(axis=(-2, -1)))
    return found


def _gradients(basis: Any) -> np.ndarray:
    found: np.ndarray = np.stack([np.moveaxis(field[0].grad, 0, -1) for field in basis.basis], axis=2)
    return found


def _symmetric(H: np.ndarray) -> np.ndarray:
    found: np.ndarray = (H + np.swapaxes(H, -1, -2)) / 2
    return found


@cached_by_size
def mesh_elements(mesh: Mesh, nu: float) -> SolidElements:
    """Mass and stiffness matrices of a mesh for a Poisson's ratio; results are cached."""
    return SolidElements(solid_mesh(mesh), nu)
