"""Computed torque: efforts that produce desired accelerations of coordinates or markers, from forward dynamics.

The desired motion is Φ = 0, with the Jacobian J. Efforts τ, which act along the columns of B, are to produce
accelerations a of the tree with J a = w, where w contains the desired accelerations and feedback:

    (J R) τ = w − J a₀

a₀ are the accelerations without these efforts, and R are the accelerations due to unit efforts along the columns of B,
as for a `Servo`; forward dynamics includes loops, loads and massless links. Friction that depends on joint reactions is
evaluated for the reactions under the same efforts: a₀ and the efforts are linear in the friction forces, so that
friction forces and efforts are computed together.

Theory: docs/theory/06-forward-dynamics.md, eq. (6.24).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import casadi as ca

from multiloop.dynamics.forward.forward_dynamics import ForwardFunctions
from multiloop.dynamics.forward.servo import minimum_norm_efforts
from multiloop.dynamics.reaction_dependent_forces import solve_dependent_forces
from multiloop.kinematics import Equations
from multiloop.kinematics.constraints import Prescribed
from multiloop.spatial import Matrix
from multiloop.symbols import Traced


def computed_torque_efforts(
    functions: ForwardFunctions, desired: Equations, acting: Sequence[int], terms: Sequence[str]
) -> Traced:
    """CasADi function that returns efforts along the rates `acting` for inputs of forward dynamics, desired values and
    gains.

    The efforts τ are the solution of (J R) τ = w − J a₀ (see the module), or a sum of some of its parts. Φ is the
    deviation of the desired coordinates from their desired values s(t), J its Jacobian, K_d and K_p are the gains, v
    the rates, and R the accelerations due to unit efforts. Terms:

        "command"    τ with w = s̈ + γ_s − K_d Φ̇ − K_p Φ and γ_s = −J̇ v, so that Φ̈ + K_d Φ̇ + K_p Φ = 0
        "inertia"    (J R)⁻¹ (s̈ + γ_s): efforts for the desired accelerations
        "velocity"   efforts for the actual rates, beyond those at rest in the same position
        "gravity"    efforts that hold the mechanism at rest in its position

    Args:
        functions: forward dynamics of the controller's model. desired: equations of the same model along the same tree,
        whose targets are the desired coordinates. acting: indices of the rates along which the efforts act. terms:
        names of the terms whose sum is returned.
    """
    rows, eq = desired.drives, desired
    given = functions.given_dependent_forces
    wanted = Prescribed(*(ca.SX.sym(name, rows.value_count) for name in ("want", "want_rate", "want_second")))
    kp, kd = (ca.SX.sym(name, rows.count) for name in ("kp", "kd"))
    J, B = rows.jacobian(eq), ca.DM.eye(eq.skeleton.rates)[:, list(acting)]
    response = {name: ca.jtimes(out, given.inputs["tau"], B) for name, out in given.outputs.items()}

    def drift(**changes: Matrix) -> Matrix:
        """Acceleration J a of the desired coordinates without the unknown efforts, with some inputs replaced by
        `changes`."""
        return J @ given.on(**(given.inputs | changes))["a"]

    quiet = {name: 0 * given.inputs[name] for name in ("v", "tau", "s_rate", "s_second", "dependent_forces")}
    right = ca.DM(rows.count, 1)
    if "command" in terms:
        slip = J @ eq.v - rows.bias(eq, wanted)
        right += rows.gamma(eq, wanted) - kd * slip - kp * rows.position_residual(eq, wanted.s) - drift()
    if "inertia" in terms:
        right += rows.gamma(eq, wanted)
    if "velocity" in terms:
        right += drift(**quiet) - drift(tau=quiet["tau"])
    if "gravity" in terms:
        right -= drift(**quiet)
    efforts = _with_reaction_dependent_forces(
        functions, minimum_norm_efforts(J @ response["a"], right), response
    )
    inputs = {name: symbol for name, symbol in given.inputs.items() if name != "dependent_forces"}
    inputs |= {"want": wanted.s, "want_rate": wanted.rate, "want_second": wanted.second_rate}
    return Traced("commanded", inputs | {"kp": kp, "kd": kd}, {"efforts": efforts})


def _with_reaction_dependent_forces(
    functions: ForwardFunctions, efforts: Matrix, response: Mapping[str, Matrix]
) -> Matrix:
    """The efforts τ, in which the reaction-dependent forces x (such as friction) are replaced by their solution; the
    joint reactions F, on which x depends, are those due to the efforts τ and the forces x.

    x = h(F),      F = F₀ + F_τ τ(x) + F_x x,      (J R) τ(x) = w − J a₀(x)

    h are the force laws, F₀ the reactions without efforts and forces x, F_τ and F_x the reactions per unit effort and
    per unit force, and the third equation is that of the module.

    `efforts` is the expression τ(x); `response` are the derivatives of accelerations, multipliers and forces along the
    rates with respect to the efforts.
    """
    if not functions.equations.reaction_dependent_forces.shape[0]:
        return efforts
    moved = {
        name: out + response[name] @ efforts for name, out in functions.given_dependent_forces.outputs.items()
    }
    found = solve_dependent_forces(
        functions.equations, {"efforts": efforts}, functions.joint_reactions(**moved), moved["a"]
    )
    return found.outputs["efforts"]
