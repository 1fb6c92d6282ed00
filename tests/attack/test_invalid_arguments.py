"""Invalid values for every argument of every function: it returns a result or raises a MultiloopError, and nothing
else."""

import inspect
from math import inf, nan

import numpy as np
import pytest

import multiloop as ml

JUNK = {
    "nothing": None,
    "text": "x",
    "bytes": b"x",
    "minus": -1.5,
    "nan": nan,
    "inf": inf,
    "huge": 10**400,
    "complex": 3j,
    "lists": [[1, [2]]],
    "a mapping": {"A": {}},
    "a huge value": {"A": 10**400},
    "no value": {"A": nan},
    "a number for a name": {3: 1},
    "a thing": object(),
    "a function": len,
    "an expression": ml.time,
    "words": np.array([["a"]]),
    "a hole": np.array([1.0, nan]),
}


def pendulum(*drives):
    rod = ml.rod("rod", length=1.0, mass=ml.Parameter("m", 1.0))
    joint = ml.Revolute("A", "ground.A", "rod.a")
    bodies = [ml.ground(A=(0, 0)), rod]
    return ml.Mechanism("pendulum", planar=True, bodies=bodies, joints=[joint], drives=drives)


LED, FREE = pendulum(ml.Motion("A", ml.motion_laws.constant_speed(1.0))), pendulum()
ASKED = {
    ml.assemble: {"mechanism": FREE, "start": {"A": 0.3}},
    ml.branches: {"mechanism": LED},
    ml.analyse: {"mechanism": LED},
    ml.inverse: {"mechanism": LED, "t": [0.0]},
    ml.forward: {"mechanism": FREE, "state": {"A": 0.3}},
    ml.simulate: {
        "mechanism": FREE,
        "start": {"A": 0.3},
        "until": 0.01,
        "samples": 3,
        "target": "interpreter",
    },
    ml.batch: {"mechanism": LED, "parameters": {"m": [1.0, 2.0]}, "t": [0.0]},
}
SWITCHES = ("progress", "exact", "every")
"""Arguments of which only the truth value is used."""

PLACES = [
    (function, name)
    for function in ASKED
    for name in inspect.signature(function).parameters
    if name not in (*SWITCHES, "asked")
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(("function", "name"), PLACES, ids=lambda part: getattr(part, "__name__", part))
def test_invalid_arguments_are_accepted_or_refused(function, name):
    for junk in JUNK.values():
        message = ""
        try:
            function(**(ASKED[function] | {name: junk}))
        except ml.MultiloopError as error:
            message = str(error)
        assert message.replace("\n", " ").isprintable()
