"""Outputs of markers on flexible bodies: deflection and its rate, relative to the undeformed body.

    u = p(η) − p(0),      u̇ = ∂p/∂η η̇

p is the position of the marker in the frame of the body and η are the elastic coordinates. Both are given along the
axes of the frame of the body.

Theory: docs/theory/10-flexible-bodies.md, eq. (10.4).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import casadi as ca

from multiloop.dynamics.outputs.output import AXES, Output, refused
from multiloop.dynamics.outputs.traced_instant import TracedInstant
from multiloop.spatial import Matrix


def deflection_outputs(at: TracedInstant, reference: str) -> Iterator[Output]:
    """Deflection of a marker "body.marker" and its rate; not defined for rigid bodies."""
    body, _, marker = reference.partition(".")
    skeleton = at.equations.skeleton
    words = {"deflection": ("m", "displacement"), "deflection_rate": ("m/s", "rate of the displacement")}
    for word, (unit, what) in words.items():
        if not skeleton.body_of(skeleton.index[body]).moves(marker):
            yield refused(
                reference, word, "the body is rigid, or the marker does not move relative to its frame."
            )
            continue
        yield Output(
            reference,
            word,
            unit,
            f"{what} of the marker by the deformation of the body, along the axes of the body",
            partial(_deflection, reference=reference, rate=word.endswith("rate")),
            AXES[: 2 if at.planar else 3],
            recorded=False,
            tabulated=False,
        )


def _deflection(at: TracedInstant, reference: str, rate: bool) -> Matrix:
    body, _, marker = reference.partition(".")
    eq = at.equations
    link = eq.skeleton.links[eq.skeleton.index[body]]
    eta, reduced = eq.q[link.eta], link.reduced
    u = reduced.marker_pose(marker, eta).p - reduced.markers[marker].p
    if rate:
        u = ca.jtimes(ca.SX(u), eta, eq.v[link.eta_rate])
    return (reduced.markers["origin"].R.T @ u)[: 2 if at.planar else 3]
