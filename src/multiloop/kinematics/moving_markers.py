"""Twist and twist rate of a marker or a body as a traced function of (q, v, a, p)."""

from __future__ import annotations

from multiloop.kinematics.motion import Accelerated, Moving, marker_twist_rate
from multiloop.kinematics.spans import marker_motion
from multiloop.kinematics.trace import Trace
from multiloop.symbols import Traced


def traced_motion(trace: Trace, reference: str) -> Traced:
    """(q, v, a, p) → twist [ω; v] and twist rate [α; a] at the origin of a marker "body.marker", in inertial axes.

        v = v_O + ω × r + ṙ_el,    a = a_O + α × r + ω × (ω × r) + 2 ω × ṙ_el + r̈_el

    r runs from the origin of the body's frame to the marker; ṙ_el and r̈_el are the motion of the marker relative to
    this frame on an elastic body. A reference "body" without a marker means the frame of the body. The ground is not
    allowed.

    Source: [chaudhary], eq. (17) and its time derivative; on an elastic body [fattah], ch. 2.
    """
    kept = f"motion of {reference}"
    if kept not in trace.keeps:
        moving, accelerated = (
            _of_marker(trace, reference) if "." in reference else _of_frame(trace, reference)
        )
        trace.keeps[kept] = trace.function(
            "marker_motion", "qva", twist=moving.twist, twist_rate=accelerated.twist_rate
        )
    found: Traced = trace.keeps[kept]
    return found


def _of_marker(trace: Trace, reference: str) -> tuple[Moving, Accelerated]:
    body, _, marker = reference.partition(".")
    k, (pose, moving) = trace.skeleton.index[body], marker_motion(trace, reference)
    r = pose.p - trace.placed[k].pose.p
    own = (trace.moving[k], _accelerated(trace)[k])
    rates = (trace.v, trace.a)
    return moving, marker_twist_rate(trace.skeleton, trace.placed, k, marker, r, own, rates)


def _of_frame(trace: Trace, body: str) -> tuple[Moving, Accelerated]:
    k = trace.skeleton.index[body]
    r = trace.placed[k].pose.R @ trace.skeleton.links[k].reduced.markers["origin"].p
    moving, accelerated = trace.moving[k], _accelerated(trace)[k]
    return (
        Moving(moving.omega, moving.at(r)),
        Accelerated(accelerated.alpha, accelerated.at(r, moving.omega)),
    )


def _accelerated(trace: Trace) -> list[Accelerated]:
    """Twist rates of all bodies, cached with the trace."""
    if "accelerated" not in trace.keeps:
        trace.keeps["accelerated"] = trace.accelerated(trace.a)
    found: list[Accelerated] = trace.keeps["accelerated"]
    return found
