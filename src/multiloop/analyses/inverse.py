"""The function `inverse`: drive efforts and joint reactions along a prescribed motion.

    h(q, v, v̇) = Jᵀ λ + B τ

h are the generalized forces that the motion with joint coordinates q, rates v and accelerations v̇ requires, λ the
multipliers of the loop constraints with the Jacobian J, and τ the unknown efforts, which act along the columns of B.
The motion follows from the drives; degrees of freedom that are not driven are integrated forward in time, and
mechanisms with flexible links are solved by stable inversion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from multiloop.analyses.errors import INVERSE_DYNAMICS, analysis_error, require_choice, require_rigid
from multiloop.analyses.prescribed_motion import (
    METHODS,
    DrivenMotion,
    cycle_warnings,
    driven_plan_at_start,
    driven_result,
    inverse_at_state,
    lacks_actuators,
    requested_times,
    require_batch_arguments,
    require_forward_arguments,
    require_stable_arguments,
    require_state,
    requires_stable_inversion,
    under_actuation_error,
    under_actuation_remedy,
    undriven_freedoms,
)
from multiloop.analyses.results import (
    Result,
    guess_warnings,
    over_limit_warnings,
    penetration_warnings,
    with_warnings,
)
from multiloop.analyses.signals import profile_corners
from multiloop.kinematics.assembly import StateValues
from multiloop.model import Mechanism, apply_parameters, public_function

if TYPE_CHECKING:
    from multiloop.analyses.designs import Designs


@overload
def inverse(mechanism: Mechanism, *, parameters: Mapping[str, np.ndarray], **asked: Any) -> Designs: ...


@overload
def inverse(
    mechanism: Mechanism, *, parameters: Mapping[str, float] | None = ..., **asked: Any
) -> Result: ...


@public_function  # type: ignore[misc]  # the overloads state which argument decides the return type
def inverse(
    mechanism: Mechanism,
    *,
    parameters: Mapping[str, Any] | None = None,
    t: float | Sequence[float] | np.ndarray | None = None,
    cycle: int | None = None,
    turns: float | None = None,
    guess: Mapping[str, Any] | None = None,
    start: StateValues | None = None,
    cuts: Sequence[str] | None = None,
    method: str = "subsystem",
    weights: Mapping[str, float] | None = None,
    rates: Mapping[str, Any] | None = None,
    state: StateValues | None = None,
    accelerations: Mapping[str, Any] | None = None,
    exact: bool = False,
    elastic: str | None = None,
    settling: float | Sequence[float] | None = None,
    progress: bool | None = None,
) -> Result | Designs:
    """Efforts of the drives and reactions in all joints along the motion that the drives prescribe.

    Give times `t`, or `cycle`, the number of evenly spaced instants from 0 to the end of one cycle, both included. A
    cycle is the least common period of all drives, known efforts and loads, or lasts for `turns` turns of the first
    drive. A `start` or `guess` given here holds at the first of the times; the guess of the mechanism holds at t = 0.
    With more efforts τ than degrees of freedom, those with the smallest Σ (τ / weight)² are returned; `weights` are
    given by joint and are 1 by default. `cuts` names the joints at which the loops are cut; by default these joints are
    chosen automatically.

    Degrees of freedom that are not driven move freely while the drives follow their motion, as in `simulate`: `start`
    and `rates` then describe the state at t = 0 or at the time of a State, the times `t` increase from this time, and
    neither `method` nor `weights` can be chosen. Without a start, or with exact=True, an error that names the undriven
    degrees of freedom is raised instead. If a pair constrains rates only, as a wheel that rolls without slip does,
    requests for more than one instant are integrated in the same way.

    With a `state`, and `accelerations` of as many joints as there are degrees of freedom, the efforts and reactions at
    this one instant are computed. The drives then do not prescribe the motion; the efforts act at the driven joints.

    `start`, where the motion begins, and `state`, at which the function is evaluated, are a mapping from joints to
    coordinates, a State or an Equilibrium; the time and the rates are those of the State, unless they are given.

    Mechanisms with flexible links take elastic="stable": efforts and deformation such that the outputs follow the
    drives (stable inversion). The motion goes from rest to rest; the result begins before the motion and ends after it,
    by the time in which the links settle or by `settling` seconds. With `cycle` the motion is periodic.

    `parameters` gives other parameter values by name; with arrays all designs are computed, as by `batch`. A value that
    changes the mobility or the number of redundant constraints is reported in `status`, or in the error if the loops do
    not close. Ctrl-C keeps the instants that are solved. A long analysis shows its `progress` on a terminal.
    """
    described = mechanism
    mechanism, designs = apply_parameters(mechanism, parameters)
    if designs is None and mechanism is not described:
        from multiloop.analyses.designs import with_mobility_check  # only other parameter values need it

        own: Any = {
            "t": t,
            "cycle": cycle,
            "turns": turns,
            "cuts": cuts,
            "method": method,
            "weights": weights,
        }
        own |= {"rates": rates, "state": state, "accelerations": accelerations, "exact": exact}
        own |= {"elastic": elastic, "settling": settling, "progress": progress}
        solve: Any = partial(inverse, mechanism, start=start, guess=guess, **own)
        return with_mobility_check(described, mechanism, solve, guess)
    if requires_stable_inversion(mechanism, elastic, settling):
        from multiloop.analyses.stable_inversion import stable_inverse  # only flexible links need it

        choices = {"weights": weights, "rates": rates, "state": state, "accelerations": accelerations}
        require_stable_arguments(mechanism, method, designs, **choices)
        found: Any = {
            "settling": settling,
            "start": start,
            "guess": guess,
            "cuts": cuts,
            "progress": progress,
        }
        when = requested_times(mechanism, t, cycle, turns)
        return stable_inverse(mechanism, when, cycle=cycle is not None, **found)
    require_rigid(mechanism, INVERSE_DYNAMICS)
    if designs is not None:
        from multiloop.analyses.batch import batch  # only parameter sweeps need it

        further = {"state": state, "accelerations": accelerations, "exact": exact or None}
        require_batch_arguments(mechanism, method, weights=weights, rates=rates, cuts=cuts, **further)
        asked_at: Any = {"t": t, "cycle": cycle, "turns": turns, "start": start, "guess": guess}
        return batch(mechanism, designs, **asked_at, keep="all", progress=progress)
    require_choice(mechanism, "inverse method", method, METHODS)
    if state is not None or accelerations is not None:
        known = require_state(mechanism, state, t, cycle=cycle, turns=turns, start=start, exact=exact or None)
        asked: Any = {"guess": guess, "rates": rates, "cuts": cuts, "weights": weights, "t": t}
        result = inverse_at_state(mechanism, known, accelerations or {}, method=method, **asked)
        return with_warnings(result, [*over_limit_warnings(result), *penetration_warnings(result)])
    times, whole = requested_times(mechanism, t, cycle, turns), cycle is not None and turns is None
    own = start is None and guess is None  # the guess of the mechanism describes its position at t = 0
    begin = 0.0 if own else float(times[0])
    plan = driven_plan_at_start(mechanism, start, guess, begin, cuts)
    if undriven_freedoms(plan):
        may_move = bool(mechanism.drives) and not lacks_actuators(mechanism)
        if exact or not start or not may_move:
            raise under_actuation_error(plan, under_actuation_remedy(bool(mechanism.drives), may_move, exact))
        why = "undriven degrees of freedom are integrated forward in time"
        require_forward_arguments(mechanism, times, method, weights, why)
        return _integrated_motion(
            mechanism, times, whole, start=start, guess=guess, rates=rates, cuts=cuts, progress=progress
        )
    if rates:
        what = "every degree of freedom is driven, so that all rates are prescribed."
        raise analysis_error(mechanism, "S02", "rates", what, "Omit `rates`, or remove a drive.")
    if plan.rank.rates_alone and times.tolist() != [begin]:
        why = "a nonholonomic constraint is integrated forward in time"
        require_forward_arguments(mechanism, times, method, weights, why)
        return _integrated_motion(
            mechanism, times, whole, start=start, guess=guess, cuts=cuts, progress=progress
        )
    result = driven_result(DrivenMotion(plan, begin, method, weights), times, whole, progress)
    asked = {"start": start, "guess": guess, "cuts": cuts, "method": method, "weights": weights}
    result = replace(result, followed=PrescribedTrajectory(mechanism, asked))
    return with_warnings(result, guess_warnings(plan.assembly))


@dataclass(frozen=True, eq=False)
class PrescribedTrajectory:
    """A motion that the drives prescribe completely, as a function of time."""

    mechanism: Mechanism
    asked: Mapping[str, Any]

    def __call__(self, times: np.ndarray) -> Result:
        """The Result of inverse dynamics at `times`, which increase from the first time of the original request."""
        found: Result = inverse(self.mechanism, t=times, **self.asked, progress=False)
        if len(found.time) < len(times):
            raise KeyboardInterrupt
        return found

    def corners(self, begin: float, until: float) -> list[float]:
        """Times between `begin` and `until` at which a prescribed position, rate or acceleration is not smooth."""
        found = profile_corners(self.mechanism, begin, until, self.mechanism.parameters)
        return sorted(t for t in found if begin < t < until)


def _integrated_motion(mechanism: Mechanism, times: np.ndarray, whole: bool, **asked: Any) -> Result:
    """The result of `simulate` at the given times, for a motion that is integrated forward from its start.

    `whole` states that the times span a whole cycle; it is then checked whether the motion repeats. `asked` are
    arguments of `simulate`.
    """
    from multiloop.analyses.simulate import simulate  # only motions with undriven degrees of freedom need it

    result = simulate(mechanism, until=float(times[-1]), samples=times.tolist(), **asked)
    return with_warnings(result, cycle_warnings(result, times, whole))
