"""Results of all kinds for tests of files, what is shown of a result, and a script that shows files in another process.

    python result_files.py FILE… OUT

reads every file with all solvers disabled, and pickles what is shown of the results.
"""

import pickle
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from zoo import ZOO
from zoo.flexible import BENDING
from zoo.plain import free_body, pinned_body

import multiloop as ml
from multiloop.analyses.results import outputs_of_result

CORNERS = {"1": (-1.2, -0.6), "2": (0.8, -0.6), "3": (0.8, 0.4), "4": (-1.2, 0.4)}


def pump():
    """A four-bar with friction and a useful load, whose energies are computed by quadrature between its instants."""
    loads = [
        ml.Torque("impeller", "rocker", -2.0 * ml.rate("D"), useful=True),
        ml.Friction("seal", "D", effort=0.4),
        ml.JointSpring("oil", "B", stiffness=0.0, damping=0.02),
    ]
    return ml.inverse(ml.examples.four_bar().replace(loads=loads), cycle=60)


def flexible():
    """A flexible four-bar with loads, recorded at fewer instants than its warnings are computed from."""
    return ml.simulate(BENDING["bending four-bar"].build(), start={}, until=0.02, samples=4)


def split_body():
    """A four-bar whose joints all have springs and stay in the tree, so that a body is split."""
    springs = [ml.JointSpring(f"spring {name}", name, stiffness=1.0) for name in "ABCD"]
    return ml.inverse(ml.examples.four_bar().replace(loads=springs), t=[0.0, 0.05])


def near_singular():
    """A parallelogram that is driven to within 0.02 rad of its flat position."""
    swing = ml.Motion("A", 1.2 - 1.18 * ml.expr.sin(ml.time))
    return ml.inverse(ZOO["parallelogram"].build().replace(drives=[swing]), t=np.linspace(0.0, np.pi, 25))


def beam():
    """A falling flexible pendulum."""
    arm = ml.beam("arm", length=1.0, E=70e9, density=2700, section=ml.rectangle(0.02, 0.01), modes=2)
    return ml.simulate(pinned_body(arm), start={"A": 0.5}, until=0.2, samples=5)


def guided_weight(**more):
    """A weight that falls along a vertical guide."""
    return ml.Mechanism(
        "lift",
        planar=True,
        gravity=(0, -9.81),
        bodies=[
            ml.ground(foot=ml.marker((0, 0), angle=np.pi / 2)),
            ml.Body("weight", mass=2.0, inertia=0.1, markers={"m": ml.marker((0, 0), angle=np.pi / 2)}),
        ],
        joints=[ml.Prismatic("guide", "ground.foot", "weight.m")],
        **more,
    )


def striking():
    """A weight that falls on a stop in friction, with an event and an integral."""
    loads = [ml.Stop("floor", "guide", low=0.0, restitution=0.5), ml.Friction("rub", "guide", effort=1.0)]
    path = ml.Integral("path", ml.expr.abs(ml.rate("guide")))
    weight = guided_weight(loads=loads, integrals=[path])
    events = {"halfway": ml.position("guide") - 0.1}
    return ml.simulate(weight, start={"guide": 0.2}, until=0.6, samples=13, events=events)


def plate(**more):
    """A plate of 10 kg with a marker at every corner."""
    markers = {k: (*place, 0) for k, place in CORNERS.items()}
    return free_body(ml.Body("plate", mass=10.0, inertia=(1.0, 2.0, 3.0), markers=markers), "plate", **more)


def shared_ropes():
    """A plate that swings on four ropes, which share its weight in an undetermined way."""
    hooks = {f"h{k}": (*place, 1.5) for k, place in CORNERS.items()}
    ropes = [ml.Rope(f"rope {k}", f"ground.h{k}", f"plate.{k}", length=1.5) for k in CORNERS]
    hung = plate(ground=ml.ground(**hooks), loads=ropes)
    rates = {"floats": (0.8, 0.5, 0, 0, 0, 0)}
    return ml.simulate(hung, start={"floats": (0, 0, 0, 1, 0, 0, 0)}, rates=rates, until=0.3, samples=4)


def shared_impulses():
    """A plate that falls on four feet with friction, with shared impulses and forces."""
    feet = [ml.Contact(f"foot {k}", f"plate.{k}", "ground.origin", coefficient=0.3) for k in CORNERS]
    start = {"floats": (0, 0, 0.05, 1, 0, 0, 0)}
    return ml.simulate(plate(loads=feet), start=start, until=0.11, samples=2)


def resting():
    """A motion with a dwell, in which friction at rest leaves a range of efforts open."""
    dwell = ml.motion_laws.cycloidal(0.0, 0.5, begin=0.1, duration=0.3)
    arm = pinned_body(
        ml.rod("arm", length=1.0, mass=1.0),
        drives=[ml.Motion("A", dwell)],
        loads=[ml.Friction("rub", "A", effort=1.0)],
    )
    return ml.inverse(arm, t=np.linspace(0, 0.5, 11))


def controlled():
    """A run under a control law, which adds an integral to the mechanism."""
    arm = pinned_body(ml.rod("arm", length=1.0, mass=1.0), actuators=[ml.Actuator("A")])
    desired = {"A": ml.motion_laws.cycloidal(0.0, 1.0, duration=0.5)}
    law = ml.PID(kp=40.0, ki=20.0, kd=8.0, desired=desired)
    return ml.simulate(arm, until=0.5, samples=6, control=law)


def python_control():
    """A run with a control law that is a Python function, recorded at few instants while a cut joint turns."""
    machine = ml.examples.four_bar().without_drives()
    asked = {"start": {"A": 0.1}, "rates": {"A": 9.0}, "until": 2.0, "samples": 3}
    return ml.simulate(machine, control=lambda t, q, v: {"A": 2.0}, **asked)


def design():
    """One of several designs, with other parameter values than the mechanism of its plan."""
    arm = pinned_body(ml.rod("arm", length=1.0, mass=ml.Parameter("m", 1.0)))
    runs = ml.simulate(arm, parameters={"m": np.array([1.0, 3.0])}, start={"A": 1.0}, until=0.2, samples=3)
    return runs[1]


RESULTS = {
    "four-bar": lambda: ml.inverse(ml.examples.four_bar(), cycle=121),
    "pump": pump,
    "near singular": near_singular,
    "flexible": flexible,
    "beam": beam,
    "striking": striking,
    "redundant": lambda: ml.inverse(ZOO["double-parallelogram"].build(), t=[0.0, 0.05, 0.1]),
    "split body": split_body,
    "shared ropes": shared_ropes,
    "shared impulses": shared_impulses,
    "resting": resting,
    "controlled": controlled,
    "Python control": python_control,
    "design": design,
    "forward": lambda: ml.forward(ml.examples.four_bar().without_drives(), {"A": 0.3}, rates={"A": 2.0}),
    "cam": lambda: ml.inverse(ZOO["cam-roller"].build(), t=[0.0, 0.02, 0.04]),
}
"""Functions that compute results of all kinds."""

FILMED = ("four-bar", "beam", "striking")
"""Results of which a film is compared."""


def shown_of(result, filmed=False):
    """Everything that a result shows: texts, dataset, table, outputs, extremes, energies, a picture and a film."""
    several = len(result.time) > 1
    outputs = [name for name, one in outputs_of_result(result).items() if one.trace is not None]
    shown = {
        "texts": [result.status, repr(result), result.summary(), repr(result.extremes()), result.method],
        "dataset": result.dataset.load(),
        "table": result.to_table(),
        "attributes": result.to_table().attrs,
        "outputs": {name: result.output(name) for name in outputs},
        "marker": {
            name: result.output(f"{name}.origin.velocity") for name in result.poses if name != "ground"
        },
        "impacts": [(repr(one), one.impulses, one.undetermined) for one in result.impacts],
        "impulse ranges": [{name: one.range(name) for name in one.impulses} for one in result.impacts],
        "effort ranges": {name: result[name].effort_range for name in result},
        "singularities": result.singularities,
        "events": dict(result.events),
        "errors": result.errors,
        "plan": result.plan.explain(),
        "final": repr(result.final),
        "links": {name: repr(link) for name, link in result.links.items()},
        "energy": repr(result.energy_balance()) if several else "",
    }
    with TemporaryDirectory() as folder:
        shown["picture"] = _content(lambda path: result.plot(path=path), Path(folder) / "plot.png")
        if filmed:
            page = Path(folder) / "film.html"
            shown["film"] = _content(lambda path: result.film(path, progress=False), page)
    return shown


def _content(write, path):
    write(path)
    return path.read_bytes()


def disable_solvers():
    """Make every analysis fail that would solve the equations of motion or follow a prescribed motion."""
    from multiloop.analyses.prescribed_motion.driven_motion import DrivenMotion
    from multiloop.analyses.prescribed_motion.inverse_solver import InverseSolver
    from multiloop.analyses.run_models import ForwardModel, RunModel

    def refuse(*_, **__):
        raise AssertionError("a solver was used")

    for solver in (DrivenMotion, InverseSolver, ForwardModel, RunModel):
        solver.__init__ = refuse
        solver.__new__ = refuse


if __name__ == "__main__":
    disable_solvers()
    *files, out = map(Path, sys.argv[1:])
    found = {path.stem: shown_of(ml.Result.from_netcdf(path), filmed=path.stem in FILMED) for path in files}
    out.write_bytes(pickle.dumps(found))
