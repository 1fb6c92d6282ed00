"""Named blocks of the state."""

import numpy as np
import pytest

from multiloop.kernels.runtime import StateLayout


def test_blocks_lie_one_after_another() -> None:
    layout = StateLayout(q=4, v=3, x=2)
    assert layout.size == 10
    assert [layout[name] for name in ("q", "v", "x", "work")] == [
        slice(0, 4),
        slice(4, 7),
        slice(7, 9),
        slice(9, 10),
    ]
    with pytest.raises(KeyError):
        layout["modes"]


def test_what_is_packed_is_found_again_in_one_state_and_in_many() -> None:
    layout = StateLayout(q=2, v=2, x=1)
    y = layout.pack(q=[1.0, 2.0], x=5.0)
    assert y.tolist() == [1.0, 2.0, 0.0, 0.0, 5.0, 0.0]
    many = np.stack([y, 2 * y])
    assert layout.blocks(many)["x"].tolist() == [[5.0], [10.0]]
    layout.blocks(y)["v"][:] = 3.0
    assert y[layout["v"]].tolist() == [3.0, 3.0]
