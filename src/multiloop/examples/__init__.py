"""Example mechanisms, each with a question, a computation and an answer.

    ml.examples.four_bar()              the Mechanism; nothing is computed
    ml.examples.names()                 the names of all examples
    ml.examples.question("four_bar")    the question that it answers
    ml.examples.extra("bell_crank")     the optional dependency that it needs, or None
    ml.examples.ask("four_bar")         the computed Result
    ml.examples.answer("four_bar")      the answer in a sentence

A new example is one module in `mechanisms` and one line in `QUESTIONS`.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiloop.analyses import Result
    from multiloop.model import Mechanism

QUESTIONS = {
    "four_bar": "What torque drives a four-bar, and what do its bearings carry?",
    "four_bar_in_space": "Which bearing loads of a four-bar in space does equilibrium not determine?",
    "sprung_four_bar": "At which frequency does a four-bar with a spring at its coupler point oscillate?",
    "coupling_rod": "How far does the coupling rod of a locomotive deflect, and what is its stress?",
    "bell_crank": "How far does a bell crank deflect, and what is the stress in its arms?",
    "flexible_arm": "When must the motor of a flexible arm start, so that its tip follows a prescribed motion?",
    "slider_crank": "What torque turns a slider-crank, and how hard does its piston press on the bore?",
    "four_stroke_engine": "How heavy a flywheel does a four-stroke engine need?",
    "engine_with_friction": "How much of its work does friction cost an engine?",
    "piston_pump": "How efficient is a piston pump, what does its motor give, and how long does its wrist pin last?",
    "shaper": "How much faster does the ram of a shaper return than it cuts?",
    "valve_train": "How fast may a valve train run before its valve leaves the cam?",
    "rocker_cam": "Which cam profile gives a rocker a prescribed swing, and what is the pressure angle?",
    "toggle_press": "How hard does a toggle press push near its dead point?",
    "toggle_clamp": "At which load does a toggle clamp snap through?",
    "over_centre_clamp": "How hard does an over-centre clamp hold, and what opens it again?",
    "governor": "How far does a fly-ball governor open, and at which frequency does it oscillate?",
    "scissor_lift": "What force does the cylinder of a scissor lift need?",
    "excavator": "What forces do the cylinders of an excavator exert while it digs?",
    "face_shovel": "What forces do the three cylinders of a face shovel exert?",
    "carpet_scraper": "What torque drives the carpet scraper, and what do its bearings carry?",
    "andrews_squeezer": (
        "How does Andrews' squeezing mechanism run: seven bodies, three loops, a spring, "
        "and a motor of constant torque?"
    ),
    "planetary_gearbox": "What torque does a planetary gearbox take, and what do its teeth and pins carry?",
    "differential": "How does a differential share torque and speed between two wheels in a bend?",
    "belt_drive": "When does a belt slip that accelerates a fan?",
    "three_rrr": "How does the 3-RRR manipulator fall when its motors are switched off?",
    "light_manipulator": "How far does a light manipulator deviate if its controller neglects its flexibility?",
    "spatial_manipulator": "How far does a spatial manipulator with flexible legs deviate, and does it come to rest?",
    "rssr": "What torque drives an RSSR linkage with skew axes?",
    "rsur": "How far does the universal joint of an RSUR linkage swing?",
    "rssr_of_revolutes": "Do seven revolutes replace the spherical joints of an RSSR linkage?",
    "rolling_disc": "At which rate must an inclined disc roll around a circle, so that its inclination is constant?",
    "bicycle": "At which speeds does a bicycle stay up by itself?",
    "automatic_guided_vehicle": "What torques take a vehicle on two driven wheels and a castor along a lane change?",
    "hexapod": "What forces do the legs of a hexapod exert along a path with changing orientation?",
    "dado_robot": "How far from its line is Dado's robot under PD control?",
    "stewart_platform": "How does computed-torque control return a hexapod to its path?",
}
"""Question of each example, by its name. The module of the same name in `mechanisms` has a function of the same name,
which builds the mechanism, and the functions `ask` and `answer`."""

EXTRAS = {"bell_crank": "flexible"}
"""Name of the set of optional dependencies ("extra") that an example needs, by the name of the example."""


def names() -> tuple[str, ...]:
    """Names of all examples; each is also the name of a function of this module, which builds the mechanism."""
    return tuple(QUESTIONS)


def question(name: str) -> str:
    """The question that an example answers."""
    return QUESTIONS[_require_known(name)]


def extra(name: str) -> str | None:
    """Name of the optional dependencies ("extra") that an example needs; None if it needs none."""
    return EXTRAS.get(_require_known(name))


def build(name: str) -> Mechanism:
    """Build the mechanism of an example by its name: `build("four_bar")` is `four_bar()`."""
    mechanism: Mechanism = _builder(_require_known(name))()
    return mechanism


def ask(name: str) -> Result:
    """Compute the result that answers the question of an example, by inverse dynamics or a simulation."""
    result: Result = _module_of(_require_known(name)).ask(build(name))
    return result


def answer(name: str, result: Result | None = None) -> str:
    """Answer to the question of an example in a sentence, from the result of `ask`; without `result`, it is
    computed."""
    found: str = _module_of(_require_known(name)).answer(ask(name) if result is None else result)
    return found


def _require_known(name: str) -> str:
    if not isinstance(name, str) or name not in QUESTIONS:
        from multiloop.model import Fault, MultiloopError, short_repr, suggestion

        fault = Fault("R01", f"example {short_repr(name)}", "does not exist.", suggestion(name, QUESTIONS))
        raise MultiloopError("multiloop.examples", [fault])
    return name


def _module_of(name: str) -> Any:
    return import_module(f"multiloop.examples.mechanisms.{name}")


def _builder(name: str) -> Callable[[], Mechanism]:
    found: Callable[[], Mechanism] = getattr(_module_of(name), name)
    return found


def __getattr__(name: str) -> Any:
    """Import the function that builds an example on its first use."""
    if name not in QUESTIONS:
        from multiloop.model import suggestion

        advice = "" if name.startswith("_") else f". {suggestion(name, QUESTIONS)}"
        raise AttributeError(f"multiloop.examples has no '{name}'{advice}")
    return _builder(name)


def __dir__() -> list[str]:
    return sorted([*QUESTIONS, "answer", "ask", "build", "extra", "names", "question"])
