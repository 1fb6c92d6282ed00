"""The mechanism that a controller believes in, along the plant's tree, fed by name with what the plant has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import casadi as ca
import numpy as np

from multiloop.dynamics.actions.grip import Mode, is_closed
from multiloop.dynamics.forward import ForwardFunctions
from multiloop.dynamics.projection import Projection
from multiloop.kinematics.equations import equations_of
from multiloop.kinematics.independence import rank_among
from multiloop.kinematics.skeleton import Skeleton
from multiloop.model.control import ControlLaw
from multiloop.model.names import ETA, counted
from multiloop.model.reduced import Modes
from multiloop.model.versions import with_rigid_links
from multiloop.questions.refusal import refusal
from multiloop.questions.running.forward_model import ForwardModel
from multiloop.spatial import Matrix
from multiloop.symbols import Traced

CLOSING = 3
"""Newton steps onto the loops of a model that does not bend: bent by a tenth, its loops are then closed to 1e-8."""

HELD = 1e8
"""How much more a joint weighs that is measured than one that is not, where loops are closed."""

ALIKE = 0.5
"""Part of its largest entry by which a shape of the model may differ from the plant's and still be the same."""


@dataclass(frozen=True, eq=False)
class Believed:
    """Forward dynamics of the controller's model; `q` and `v` are the places of its coordinates among the plant's."""

    plant: ForwardModel
    functions: ForwardFunctions
    q: list[int]
    v: list[int]

    @property
    def skeleton(self) -> Skeleton:
        """Of the model."""
        return self.functions.equations.skeleton

    @property
    def stiffer(self) -> bool:
        """Whether links of the plant bend that do not bend in the model."""
        return len(self.v) < self.plant.skeleton.rates

    def inputs(self, given: Mapping[str, Matrix], measured: Sequence[int]) -> dict[str, Matrix]:
        """Inputs of the plant's forward dynamics as the model has them, with its own parameters.

        Where the model is stiffer, its loops are closed by joints that nobody measures; `measured` are the places among
        its rates of those that stay where the plant has them.
        """
        functions, plant = self.functions, self.plant.skeleton
        found = dict(given) | {"q": given["q"][self.q], "v": given["v"][self.v], "tau": given["tau"][self.v]}
        if self.skeleton.mechanism is not plant.mechanism:
            found["p"] = ca.DM(self.skeleton.values)
        if self.stiffer and functions.equations.rows.count:
            found |= self._closed(found, measured)
        if functions.independent is not None:
            found["basis"] = given["basis"][: functions.independent, : functions.rows]
        if functions.takes != "choice":
            found["choice"] = ca.SX(0, 0)
        return found | {"x": _believed_states(plant, self.skeleton, given["x"])}

    def _closed(self, given: Mapping[str, Matrix], measured: Sequence[int]) -> dict[str, Matrix]:
        """q and v on the model's own constraints, nearest to the plant's."""
        eq, basis = self.functions.equations, ca.SX.sym("basis", *given["basis"].shape)
        weights = eq.chart.scale**-2
        weights[list(measured)] *= HELD
        projection = Projection(
            eq,
            eq.s,
            eq.s_rate,
            basis if self.plant.redundant else None,
            self.plant.closing,
            self.functions.order,
            self.plant.passes_singular,
            ca.diag(ca.DM(weights)),
        )
        inputs = {"q": eq.q, "s": eq.s, "basis": basis, "p": eq.skeleton.symbols}
        close = Traced("model_closed", inputs, {"closed": projection.closed()})
        q = {name: given[name] for name in inputs}
        for _ in range(CLOSING):
            q["q"] = close.on(**q)["closed"]
        inputs |= {"v": eq.v, "s_rate": eq.s_rate}
        straighten = Traced("model_straight", inputs, {"straight": projection.straightened()[0]})
        rates = straighten.on(**q, v=given["v"], s_rate=given["s_rate"])
        return {"q": q["q"], "v": rates["straight"]}

    def require_rank(self, t: float, q: np.ndarray) -> None:
        """Refuse a model whose loops hold fewer ways than the plant's: its rows would be chosen wrongly."""
        if not self.stiffer:
            return
        model, eq = self.plant, self.functions.equations
        J = eq.rate_row_scale[:, None] * eq.rows_jacobian(q[self.q], self.skeleton.values, t) * eq.chart.scale
        rank = rank_among(np.linalg.svd(J[: self.functions.rows], compute_uv=False)) if len(J) else 0
        if rank != model.solved:
            held = counted(rank, "way")
            what = f"the loops of the controller's model hold {held}, those of the plant {model.solved}."
            remedy = "Let the same links bend in the model, or take a linkage that is not overconstrained."
            raise refusal(model.skeleton.mechanism, "S03", "control", what, remedy)


def believed(model: ForwardModel, law: ControlLaw) -> Believed:
    """What the controller of a plant believes; links of its model that do not bend in the plant are rigid there too."""
    plant = model.skeleton
    if law.model is None:
        return Believed(model, model.functions, list(range(plant.positions)), list(range(plant.rates)))
    stiff = [body.name for body in plant.mechanism.bodies if not body.elastic]
    equations = equations_of(with_rigid_links(law.model, stiff), plant.tree, model.equations.targets)
    found = equations.skeleton
    _require_shapes(plant, found)
    q, v = (_places(plant, found, which) for which in ("q", "v"))
    pushing = tuple(v.index(place) for place in model.functions.pushing)
    functions = replace(model.functions, equations=equations, pushing=pushing)
    if len(v) != plant.rates and functions.takes == "choice":  # the coordinates chosen are the plant's
        functions = replace(functions, method="sslm")
    return Believed(model, functions, q, v)


def _places(plant: Skeleton, found: Skeleton, which: str) -> list[int]:
    """Where coordinates of the model, in their order, are among the plant's."""
    ordered = sorted(found.coordinates, key=lambda name: getattr(found.coordinates[name], which).start)
    there: list[slice] = [getattr(plant.coordinates[name], which) for name in ordered]
    return [place for own in there for place in range(own.start, own.stop)]


def _require_shapes(plant: Skeleton, found: Skeleton) -> None:
    """Refuse links that bend in other shapes than the plant's: their coordinates do not mean the same."""
    mine = {link.body: link.reduced.modes for link in plant.links if link.reduced.modes is not None}
    for link in found.links:
        modes = link.reduced.modes
        if modes is None or _alike(_shapes(plant, mine[link.body]), _shapes(found, modes)):
            continue
        what = f"the controller's model bends '{link.body}' in other shapes than the plant does."
        remedy = f"Give '{link.body}' the same modes and frame in both, or make it rigid in the model."
        raise refusal(plant.mechanism, "S03", f"control of '{link.body}.{ETA}'", what, remedy)


def _shapes(skeleton: Skeleton, modes: Modes) -> np.ndarray:
    """How all markers move with each elastic coordinate, 6 markers × e."""
    below = [ca.SX(shape)[:, : modes.count] for _, shape in sorted(modes.shapes.items())]
    shapes = ca.Function(
        "shapes", [skeleton.symbols], [ca.densify(ca.vertcat(ca.SX(0, modes.count), *below))]
    )
    return np.array(shapes(skeleton.values))


def _alike(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether shapes are much the same, column by column."""
    if one.shape != other.shape:
        return False
    return bool(np.all(np.abs(one - other).max(axis=0) <= ALIKE * np.abs(one).max(axis=0)))


def _believed_states(plant: Skeleton, believed: Skeleton, x: Matrix) -> Matrix:
    """States of loads as the controller has them: the plant's by name, else as they start.

    What sticks, stands against a stop or locks a freewheel leaves its joint no acceleration, whatever the effort: there
    is nothing to invert. So the controller counts what acts along a joint as it slides, and not while it holds.
    """
    places = {name: k for k, name in enumerate(plant.states)}
    start = believed.initial(believed.values)
    along = {
        f"{load.name}.{mode}"
        for load in believed.mechanism.all_loads
        for mode in (load.modes if load.coordinates else ())
    }
    found = [ca.SX(0, 1)]
    for name, value in zip(believed.states, start.tolist(), strict=True):
        state = x[places[name]] if name in places else ca.SX(value)
        found.append(ca.if_else(is_closed(state), Mode.OPEN, state) if name in along else state)
    return ca.vertcat(*found)
