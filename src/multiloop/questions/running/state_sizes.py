"""How exact is exact enough? What the absolute tolerance of a run is measured by, entry by entry of its state."""

from __future__ import annotations

import numpy as np

from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.elastic_scale import elastic_frequencies
from multiloop.questions.running.forward_model import ForwardModel


def state_sizes(model: ForwardModel, layout: StateLayout) -> np.ndarray:
    """What 1 means in the state: lengths in characteristic lengths, rates the same per second, work loosely,
    the energies of single items not at all.

    An elastic coordinate of frequency ω counts by what such an acceleration bends it, 1/ω² of that, and its rate by
    1/ω: forces go with ω² η, and are to be as exact as what is seen.
    """
    skeleton, chart = model.skeleton, model.equations.chart
    in_q, in_v = chart.plain
    q, v = np.ones(skeleton.positions), chart.scale.copy()
    q[in_q] = chart.scale[in_v]
    for link in skeleton.links:
        omega = np.maximum(elastic_frequencies(skeleton, link), 1.0)
        q[link.eta] /= omega**2
        v[link.eta_rate] /= omega
    energy = max(float(np.trace(model.inertia(skeleton.neutral))), 1e-12)
    sizes = layout.pack(q=q, v=v, x=1.0, work=np.inf)
    sizes[layout["work"].start] = energy
    return sizes
