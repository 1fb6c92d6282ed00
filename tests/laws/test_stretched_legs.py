"""Forward dynamics of a platform on many legs, one of which is nearly stretched: all methods agree."""

import numpy as np
import pytest

import multiloop as ml

LEGS = 8
REACH = 0.3


def platform_on_legs(elbow):
    """A planar platform on eight legs of two equal rods each; the fourth leg is bent by `elbow` only."""
    around = 2 * np.pi * np.arange(LEGS) / LEGS
    span = 2 * REACH * np.cos(np.where(np.arange(LEGS) == 3, elbow, 0.9) / 2)
    tips = 0.1 * np.column_stack([np.cos(around), np.sin(around)])
    feet = tips + span[:, None] * np.column_stack([np.cos(around), np.sin(around)])
    bodies = [ml.ground({f"A{k}": tuple(foot) for k, foot in enumerate(feet)})]
    joints, guess = [], {}
    for k in range(LEGS):
        bend = elbow if k == 3 else 0.9
        bodies += [ml.rod(f"lower{k}", length=REACH, mass=0.5), ml.rod(f"upper{k}", length=REACH, mass=0.4)]
        joints += [
            ml.Revolute(f"A{k}", f"ground.A{k}", f"lower{k}.a"),
            ml.Revolute(f"B{k}", f"lower{k}.b", f"upper{k}.a"),
            ml.Revolute(f"C{k}", f"upper{k}.b", f"platform.p{k}"),
        ]
        guess |= {f"A{k}": around[k] + np.pi - bend / 2, f"B{k}": bend}
    corners = {f"p{k}": tuple(tip) for k, tip in enumerate(tips)}
    bodies.append(ml.Body("platform", mass=2.0, inertia=0.03, markers=corners))
    guess["platform.origin"] = (0.0, 0.0)
    return ml.Mechanism("platform on legs", planar=True, bodies=bodies, joints=joints, guess=guess)


@pytest.mark.parametrize("elbow", [1e-3, 1e-5, 1e-7])
def test_methods_agree_where_a_leg_is_nearly_stretched(elbow):
    """`sslm` lost digits as 1/elbow² where it eliminated the loop of a leg before the platform."""
    mechanism = platform_on_legs(elbow)
    start = {name: dict(mechanism.guess)[name] for name in ("A3", "B3", "A5")}
    default, reference = (ml.forward(mechanism, start, method=m) for m in ("sslm", "system"))
    names = [f"{x}{k}" for x in "AB" for k in range(LEGS)]
    found, expected = (np.array([a[n].acceleration for n in names]).ravel() for a in (default, reference))
    # The position is closed to round-off only, which moves a nearly stretched elbow by 1e-16 / elbow.
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9 * np.abs(expected).max())
