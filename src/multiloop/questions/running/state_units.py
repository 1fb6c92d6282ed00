"""Characteristic sizes of the entries of a run's state: lengths, rates, energies and elastic coordinates."""

from __future__ import annotations

import numpy as np

from multiloop.dynamics.actions import actions_of
from multiloop.kernels.absolute_tolerances import UNKNOWN, StateSizes
from multiloop.kernels.state_layout import StateLayout
from multiloop.kinematics.elastic_scale import elastic_frequencies
from multiloop.questions.running.forward_model import ForwardModel

HEAT = "J"
"""The unit that identifies a state of a load as an energy."""


def state_units(model: ForwardModel, layout: StateLayout) -> StateSizes:
    """Lengths have the characteristic length as size, rates that times ν, energies that of all inertia at this rate.

    The dimensions of other states, those of integrals and of user-defined loads, are not known.
    """
    skeleton, chart = model.skeleton, model.equations.chart
    in_q, in_v = chart.plain
    q, v = np.ones(skeleton.positions), chart.scale.copy()
    q[in_q] = chart.scale[in_v]
    q_omega, v_omega = np.zeros(len(q)), np.zeros(len(v))
    for link in skeleton.links:
        q_omega[link.eta] = v_omega[link.eta_rate] = elastic_frequencies(skeleton, link)
    moved = np.diag(model.inertia(skeleton.neutral)) * chart.scale**2
    energy = float(moved.sum()) or 1.0
    heats = _energies(model)
    known = np.array([name in heats for name in skeleton.states], bool)
    work = np.full(layout.work, np.inf)  # the energies of single items are not error-controlled
    work[0] = energy
    return StateSizes(
        layout.pack(q=q, v=v, x=np.where(known, energy, 1.0), work=work),
        layout.pack(q=0.0, v=1.0, x=np.where(known, 2.0, UNKNOWN), work=2.0),
        layout.pack(q=q_omega, v=v_omega, x=0.0, work=0.0),
    )


def _energies(model: ForwardModel) -> set[str]:
    """The states of loads that are energies, as the heat of friction."""
    skeleton = model.skeleton
    return {
        f"{action.name}.{state}"
        for action in actions_of(skeleton)
        for state in action.load.states
        if action.units(skeleton).get(state) == HEAT
    }
