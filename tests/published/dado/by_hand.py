"""The procedure of [dado] §3 in plain NumPy: D-H matrices, virtual work, coordinates eliminated by C."""

import numpy as np

from multiloop.examples.mechanisms import dado_robot as robot

CHAINS = {1: (0,), 2: (0, 1), 3: (0, 1, 4), 4: (0, 2), 5: (0, 2, 5), 6: (0, 2, 5, 3)}
"""Coordinates (from 0) between the base and each body, table B-1."""

SHAPES = [(0.3, 0, np.pi / 2), (0, 0.3, 0), (0, 0.15, 0), (0, 0.15, 0), (0, 0.3, np.pi / 2), (0, 0.26, 0)]
"""s, a, α that belong to q₁ … q₆."""

BODIES = {
    1: (2.0, (0.0, -0.15, 0.0), (0.044, 0.008, 0.044)),
    2: (3.11, (-0.125, -0.043, 0.0), (0.003, 0.013, 0.016)),
    3: (0.22, (-0.188, 0.0, 0.0), (0.004, 0.02, 0.02)),
    4: (0.15, (-0.1, 0.0, 0.0), (0.01, 0.015, 0.02)),
    5: (0.06, (-0.13, 0.0, 0.0), (0.0, 0.004, 0.004)),
    6: (0.15, (-0.05, 0.0, 0.0), (0.01, 0.015, 0.02)),
}
MASSES = [(k, *BODIES[k]) for k in BODIES] + [(3, robot.LOAD, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))]
KP, KD = np.array([100.0, 25.0, 25.0]), np.array([1.0, 0.5, 0.5])


def constraint_map(divisor=robot.R3, planet=1.0):
    """c₀ and C of q = c₀ + C ψ; `planet` is the 1 of "1 + 1/r", which is absent for angles relative to the carrier."""
    C, c0 = np.zeros((6, 3)), np.zeros(6)
    C[0] = [1 / 8, 0, 0]
    C[1] = np.array([(planet + 1 / 2) / 8, -1 / 2, 0]) / divisor
    C[2] = np.array([(planet + 1 / 2) / 8, 0, -1 / 2]) / 8
    C[3], c0[3] = C[2] - C[1], np.pi + robot.BETA
    C[4], c0[4] = -2 * C[3], robot.Q5_0 - 2 * (c0[3] - robot.GAMMA_0)
    C[5], c0[5] = C[1] - C[2], -robot.BETA
    return c0, C


def dh(theta, s, a, alpha):
    """Eq. (A-1)."""
    c, k, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[c, -k * ca, k * sa, a * c], [k, c * ca, -c * sa, a * k], [0, sa, ca, s], [0, 0, 0, 1]])


def equations(q, q_rate, C):
    """M and h of M ψ̈ + h = τ: Σ δrᵀ m (r̈ − g) + δθᵀ (I α + ω × I ω) over all bodies."""
    M, h, g = np.zeros((3, 3)), np.zeros(3), np.array([0, 0, -9.81])
    for body, mass, com, inertia in MASSES:
        T, axes, places = np.eye(4), [], []
        for j in CHAINS[body]:
            axes.append(T[:3, 2])
            places.append(T[:3, 3])
            T = T @ dh(q[j], *SHAPES[j])
        r, R = T[:3, :3] @ com + T[:3, 3], T[:3, :3]
        I = R @ np.diag(inertia) @ R.T
        D, O = np.zeros((3, 6)), np.zeros((3, 6))
        omega, alpha, a, before = np.zeros(3), np.zeros(3), np.zeros(3), places[0]
        for j, z, o in zip(CHAINS[body], axes, places, strict=True):  # accelerations where q̈ = 0
            step = o - before
            a = a + np.cross(alpha, step) + np.cross(omega, np.cross(omega, step))
            alpha = alpha + np.cross(omega, z * q_rate[j])
            omega, before = omega + z * q_rate[j], o
            D[:, j], O[:, j] = np.cross(z, r - o), z
        step = r - before
        a = a + np.cross(alpha, step) + np.cross(omega, np.cross(omega, step))
        M += C.T @ (mass * D.T @ D + O.T @ I @ O) @ C
        h += C.T @ (D.T @ (mass * (a - g)) + O.T @ (I @ alpha + np.cross(omega, I @ omega)))
    return M, h


def accelerations(psi, rate, wanted, c0, C):
    """ψ̈ and τ under the law (33); `wanted` are ψ_d, its rate and its second rate."""
    M, h = equations(c0 + C @ psi, C @ rate, C)
    tau = KP * (wanted[0] - psi) + KD * (wanted[1] - rate) + M @ wanted[2]
    return np.linalg.solve(M, tau - h), tau
