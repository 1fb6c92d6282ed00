"""The verdict on every function for a flexible link: a correct result, or an error with its code."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import multiloop as ml
from support.cells import OK
from support.items import THROWN, Item

LINKS = (
    "flexible beam",
    "flexible beam with a corner, a taper and shear",
    "flexible solid",
    "modal body",
)
"""Items with flexible links."""


def _driven(mechanism: ml.Mechanism) -> ml.Mechanism:
    """Its crank driven as in the example from which it was made."""
    return mechanism.replace(drives=ml.examples.four_bar().drives)


def _run(mechanism: ml.Mechanism) -> ml.Result:
    return ml.simulate(mechanism, until=0.02, samples=11, **THROWN)


def analyse(mechanism: ml.Mechanism) -> None:
    assert ml.analyse(mechanism).mobility == 1


def assemble(mechanism: ml.Mechanism) -> None:
    assert ml.assemble(mechanism, {"A": 1.0, "coupler.eta": (0.01, 0.0)}).gap < 1e-10


def branches(mechanism: ml.Mechanism) -> None:
    assert len(ml.branches(mechanism, {"A": 1.0})) == 2


def forward(mechanism: ml.Mechanism) -> None:
    """Its accelerations are those of the first instant of a run."""
    found, run = ml.forward(mechanism, THROWN["start"], rates=THROWN["rates"]), _run(mechanism)
    for joint in run:
        np.testing.assert_allclose(found[joint].acceleration[0], run[joint].acceleration[0], rtol=1e-9)


def equilibrium(mechanism: ml.Mechanism) -> None:
    """Released there, it stays there."""
    rest = ml.equilibrium(mechanism, guess={"A": -0.5})
    left = ml.forward(mechanism, rest.state)
    assert max(np.abs(link.eta_acceleration).max() for link in left.links.values()) < 1e-6


def linearise(mechanism: ml.Mechanism) -> None:
    """Its eigenvalues are the poles of the modes."""
    model, modes = (ask(_driven(mechanism), held=True) for ask in (ml.linearise, ml.eigenmodes))
    found = np.linalg.eigvals(model.A)
    swinging = np.sort(np.abs(found[found.imag > 0]))
    np.testing.assert_allclose(swinging, np.sort(modes.frequencies), rtol=1e-8)


def eigenmodes(mechanism: ml.Mechanism) -> None:
    """Displaced slightly from rest, it vibrates in the first of them."""
    held = mechanism.replace(drives=[ml.Motion("A", 1.0)])
    found = ml.eigenmodes(held)
    run = ml.simulate(held, start=found.displaced(0, 1e-4), until=found.periods[0], samples=2)
    rest = found.state.eta["coupler"][0]
    eta = run.link("coupler").eta[:, 0] - rest
    # linear theory, at a finite amplitude
    np.testing.assert_allclose(eta[-1] / eta[0], np.exp(found.poles[0].real * found.periods[0]), atol=2e-2)


def periodic(mechanism: ml.Mechanism) -> None:
    """After a turn of the crank its deformation is the same."""
    found = ml.periodic(_driven(mechanism), rtol=1e-8, samples=5)
    eta = found.result.link("coupler").eta
    np.testing.assert_allclose(eta[-1], eta[0], atol=1e-6 * np.abs(eta).max())


def inverse(mechanism: ml.Mechanism) -> None:
    ml.inverse(_driven(mechanism), t=0.1)


def batch(mechanism: ml.Mechanism) -> None:
    heavy = ml.rod("crank", length=0.3, mass=ml.Parameter("m", 1.0))
    ml.batch(_driven(mechanism).with_body(heavy), {"m": np.array([1.0, 2.0])}, t=0.1)


def compile(mechanism: ml.Mechanism) -> None:
    """Machine code has the accelerations of `forward` for the undriven mechanism at rest."""
    kernels = ml.compile(mechanism, start=THROWN["start"])
    skeleton = kernels.equations.skeleton
    nothing = np.zeros(skeleton.rates)
    found = np.ravel(kernels.forward(kernels.q, nothing, nothing))
    known = ml.forward(mechanism, THROWN["start"])
    for link in skeleton.links:
        expected = np.ravel(known[link.joint.name].acceleration)
        np.testing.assert_allclose(found[link.v], expected, atol=1e-9 * np.abs(found).max())


def files(mechanism: ml.Mechanism) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bending.yaml"
        ml.save(mechanism, path)
        assert ml.load(path).fingerprint == mechanism.fingerprint


def pictures(mechanism: ml.Mechanism) -> None:
    run = _run(mechanism)
    run.final.draw(scale=20.0)
    with TemporaryDirectory() as folder:
        assert run.film(Path(folder) / "bending.html", scale=20.0).stat().st_size > 10_000


FUNCTIONS: Mapping[str, Callable[[ml.Mechanism], None]] = {
    "analyse": analyse,
    "assemble": assemble,
    "branches": branches,
    "forward": forward,
    "equilibrium": equilibrium,
    "linearise": linearise,
    "eigenmodes": eigenmodes,
    "periodic": periodic,
    "compile": compile,
    "inverse": inverse,
    "batch": batch,
    "save, load": files,
    "draw, film": pictures,
}


def function_cells(item: Item, asked: Iterable[str] = FUNCTIONS) -> dict[str, str]:
    """The verdict on every function."""
    return {function: _verdict(FUNCTIONS[function], item.build()) for function in asked}


def _verdict(function: Callable[[ml.Mechanism], None], mechanism: Any) -> str:
    try:
        function(mechanism)
    except ml.MultiloopError as error:
        return error.faults[0].code
    return OK
