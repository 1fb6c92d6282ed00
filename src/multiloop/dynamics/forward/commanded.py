"""Efforts that give coordinates or markers wanted accelerations: inverse dynamics on the factors of forward dynamics.

The rows of what is desired, Φ = 0 on the desired motion, get the acceleration J a = w by efforts through B:

    (J R) τ = w − J a₀

a₀ are the accelerations without these efforts and R the response to B, as for a `Servo`; loops, loads and massless
links enter by forward dynamics alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import casadi as ca

from multiloop.dynamics.forward.servo import least_efforts
from multiloop.dynamics.forward.traced import ForwardFunctions
from multiloop.kinematics.constraints import Prescribed
from multiloop.kinematics.equations import Equations
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


def commanded_efforts(
    functions: ForwardFunctions, desired: Equations, acting: Sequence[int], terms: Sequence[str]
) -> Traced:
    """Inputs of forward dynamics, desired values, and gains of all rows → efforts along the rates `acting`.

        "command"    w = γ_d − K_d Φ̇ − K_p Φ, so that Φ̈ + K_d Φ̇ + K_p Φ = 0
        "inertia"    (J R)⁻¹ s̈_d: what the desired accelerations take by themselves
        "velocity"   what the actual rates need beyond a rest at the same place
        "gravity"    what holds the mechanism at rest where it is

    Args:
        functions: forward dynamics of the model that the controller has.
        desired: the equations of the same model along the same tree, whose targets are what is desired.
        acting: places of the efforts among the rates.
        terms: which of these are added up.
    """
    rows, eq = desired.drives, desired
    given = functions.accelerations
    wanted = Prescribed(*(ca.SX.sym(name, rows.values) for name in ("want", "want_rate", "want_second")))
    kp, kd = (ca.SX.sym(name, rows.count) for name in ("kp", "kd"))
    J, B = rows.jacobian(eq), ca.DM.eye(eq.skeleton.rates)[:, list(acting)]
    G = J @ ca.jtimes(given.outputs["a"], given.inputs["tau"], B)

    def drift(**changes: Matrix) -> Matrix:
        """J a without the efforts that are sought."""
        return J @ given.on(**(given.inputs | changes))["a"]

    quiet = {name: 0 * given.inputs[name] for name in ("v", "tau", "s_rate", "s_second")}
    right = ca.DM(rows.count, 1)
    if "command" in terms:
        slip = J @ eq.v - rows.bias(eq, wanted)
        right += rows.gamma(eq, wanted) - kd * slip - kp * rows.position(eq, wanted.s) - drift()
    if "inertia" in terms:
        right += rows.gamma(eq, wanted)
    if "velocity" in terms:
        right += drift(**quiet) - drift(tau=quiet["tau"])
    if "gravity" in terms:
        right -= drift(**quiet)
    inputs = given.inputs | {"want": wanted.s, "want_rate": wanted.rate, "want_second": wanted.second}
    return Traced("commanded", inputs | {"kp": kp, "kd": kd}, {"efforts": least_efforts(G, right)})
