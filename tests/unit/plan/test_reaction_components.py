"""Components of reactions: packing inverts unpacking, at one instant and at many, in any unit of length."""

import numpy as np
import pytest

from multiloop.plan import ReactionComponents


def bases(count, length, seed=1):
    """Wrenches of a bearing, a ball and a screw in random axes, moments divided by the characteristic length."""
    generator, found = np.random.default_rng(seed), []
    for size in (5, 3, 5):
        R = np.linalg.qr(generator.normal(size=(count, 3, 3)))[0]
        local = np.zeros((count, 6, size))
        local[:, 3:, :3] = R
        if size == 5:
            local[:, :3, 3:] = R[:, :, :2]
            local[:, :3, 2] = 0.1 * R[:, :, 2] / length
        found.append(local)
    return found


def test_components_return_from_the_reactions_that_they_make():
    W = [one[0] for one in bases(1, 0.5)]
    components = ReactionComponents(W, 0.5)
    r = np.random.default_rng(2).normal(size=components.count)
    assert components.unpack(r).shape == (6, 3)
    assert components.pack(components.unpack(r)) == pytest.approx(r, abs=1e-14)
    assert [r[place].size for place in components.joints] == [5, 3, 5]


def test_many_instants_at_once_are_those_one_by_one():
    W = bases(4, 0.5)
    wrenches = np.random.default_rng(3).normal(size=(4, 6, 3))
    many = ReactionComponents(W, 0.5)
    packed = many.pack(wrenches)
    for k in range(4):
        alone = ReactionComponents([one[k] for one in W], 0.5)
        np.testing.assert_array_equal(alone.pack(wrenches[k]), packed[k])
        np.testing.assert_array_equal(alone.unpack(packed[k]), many.unpack(packed)[k])


def test_the_norm_does_not_depend_on_the_unit_of_length():
    """In millimetres moments and lengths are 1000 times larger, forces are the same."""
    metres, millimetres = (ReactionComponents([x[0] for x in bases(1, 0.5)], L) for L in (0.5, 500.0))
    wrenches = np.random.default_rng(4).normal(size=(6, 3))
    larger = np.repeat([1000.0, 1.0], 3)[:, None] * wrenches
    assert millimetres.pack(larger) == pytest.approx(metres.pack(wrenches), rel=1e-14, abs=1e-14)
