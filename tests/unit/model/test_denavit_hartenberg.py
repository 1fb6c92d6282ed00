"""Chains by their D-H tables: frames are given by the product of the matrices."""

import numpy as np
import pytest

import multiloop as ml

ROWS = [
    {"theta": 0.3, "s": 0.2, "a": 0.1, "alpha": np.pi / 2},
    {"theta": -0.5, "s": 0.0, "a": 0.4, "alpha": -0.7},
    {"theta": 0.9, "s": 0.15, "a": 0.25, "alpha": 0.2, "kind": "prismatic"},
]
Q = (0.4, -1.1, 0.05)


def matrix(theta, s, a, alpha):
    c, k, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[c, -k * ca, k * sa, a * c], [k, c * ca, -c * sa, a * k], [0, sa, ca, s], [0, 0, 0, 1]])


def body(k):
    return ml.Body(f"link {k}", mass=1.0, inertia=(0.1, 0.1, 0.1), markers={"tip": (0.1, 0.0, 0.2)})


def test_frames_are_those_of_the_matrices():
    rows = [ml.DH(f"q{k}", body(k), **row) for k, row in enumerate(ROWS)]
    rows.append(ml.DH("branch", body(3), on="link 0", a=0.3))
    bodies, joints = ml.dh_chain(rows)
    arm = ml.Mechanism("arm", bodies=[ml.ground(), *bodies], joints=joints)
    state = ml.assemble(arm, {**{f"q{k}": q for k, q in enumerate(Q)}, "branch": 0.8})
    T = np.eye(4)
    for k, (row, q) in enumerate(zip(ROWS, Q, strict=True)):
        row = {key: value for key, value in row.items() if key != "kind"}
        name = "s" if k == 2 else "theta"
        moved = {**row, name: row[name] + q}
        T = T @ matrix(**moved)
        if k == 0:
            branch = T @ matrix(0.8, 0.0, 0.3, 0.0)
        assert state.body(f"link {k}") == pytest.approx(T[:3], abs=1e-14)
    assert state.body("link 3") == pytest.approx(branch[:3], abs=1e-14)
    assert state.marker("link 2.tip") == pytest.approx((T @ [0.1, 0.0, 0.2, 1.0])[:3], abs=1e-14)


def test_lengths_may_be_parameters():
    a = ml.Parameter("a", 0.4)
    bodies, joints = ml.dh_chain([ml.DH("q", body(0), a=a, alpha=np.pi / 2)])
    arm = ml.Mechanism("arm", bodies=[ml.ground(), *bodies], joints=joints)
    longer = ml.assemble(arm.with_parameters(a=0.5), {"q": 0.0})
    assert longer.body("link 0")[:, 3] == pytest.approx([0.5, 0.0, 0.0])
    assert ml.from_text(ml.to_text(arm)) == arm
