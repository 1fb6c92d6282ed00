"""The methods of beams and solids call the functions registered for their type, wherever they are imported from."""

import inspect
import pickle
import subprocess
import sys
from dataclasses import dataclass, fields

import pytest

import multiloop as ml
from multiloop.model import flexible_body
from multiloop.model.flexible_body import REDUCTIONS, FlexibleBody, reduction_of

STRIP = {"length": 0.9, "E": 70e9, "density": 2700, "section": ml.rectangle(0.02, 0.005)}


def result_of(code: str, given: bytes = b"") -> str:
    """What a fresh interpreter prints."""
    done = subprocess.run([sys.executable, "-c", code], input=given, capture_output=True, check=True)
    return done.stdout.decode().strip()


@pytest.mark.parametrize("kind", [ml.Beam, ml.Solid])
def test_methods_have_the_arguments_of_the_registered_functions(kind):
    record = REDUCTIONS[kind]()
    methods = [entry.name for entry in fields(record) if entry.name != "mass_properties"]
    for name in methods:
        own = list(inspect.signature(getattr(kind, name)).parameters.values())
        theirs = list(inspect.signature(getattr(record, name)).parameters.values())
        assert [one.name for one in own[1:]] == [one.name for one in theirs[1:]], name


def test_a_subclass_is_reduced_as_its_base_class():
    @dataclass(frozen=True)
    class Spar(ml.Beam):
        """A beam by another name."""

    plain, spar = (kind("spar", **STRIP, modes=2) for kind in (ml.Beam, Spar))
    assert reduction_of(spar) is reduction_of(plain)
    assert spar.frequencies().tolist() == plain.frequencies().tolist()


def test_a_type_that_is_not_registered_is_an_error_that_names_the_import(monkeypatch, texts):
    link = ml.beam("link", **STRIP)
    monkeypatch.setattr(flexible_body, "REDUCTIONS", {})
    for method in (link.shapes, link.frequencies, link.describe_modes, link.centreline):
        with pytest.raises(ml.ModelError) as caught:
            method()
        (fault,) = caught.value.faults
        assert (fault.code, fault.where) == ("M17", "body 'link'")
    texts(caught.value, "M17", "'link'", "Beam", "multiloop.flexible")


def test_a_flexible_body_of_ones_own_without_functions_is_an_error():
    @dataclass(frozen=True)
    class Membrane(FlexibleBody):
        """A type without functions."""

    with pytest.raises(ml.ModelError) as caught:
        Membrane("skin").reduced("origin", float, True)
    assert caught.value.faults[0].code == "M17"


def test_unknown_keywords_are_errors_that_name_the_known_ones(texts):
    with pytest.raises(TypeError) as caught:
        ml.beam("link", **STRIP).shapes(planer=True)
    texts(caught.value, "shapes", "'planer'", "'planar'")


def test_the_model_alone_describes_beams_and_names_the_import_for_their_modes():
    code = (
        "from multiloop.model import ModelError, beam, rectangle\n"
        "link = beam('link', length=0.9, E=70e9, density=2700, section=rectangle(0.02, 0.005))\n"
        "try:\n    link.frequencies()\n"
        "except ModelError as error:\n    print(error.faults[0].code)\n"
        "import multiloop.flexible\n"
        "print(*link.frequencies().round(3))\n"
    )
    code_of_fault, found = result_of(code).splitlines()
    assert code_of_fault == "M17"
    assert [float(one) for one in found.split()] == pytest.approx(
        ml.beam("link", **STRIP).frequencies(), abs=1e-3
    )  # printed with three decimals


def test_a_process_that_imports_the_plan_alone_reduces_beams():
    ends = {"A": ml.marker((0, 0))}
    arm = ml.Mechanism(
        "arm",
        planar=True,
        bodies=[ml.ground(**ends), ml.beam("arm", **STRIP, frame="a")],
        joints=[ml.Revolute("A", "ground.A", "arm.a")],
    )
    code = (
        "import pickle, sys\n"
        "analyse, arm = pickle.load(sys.stdin.buffer)\n"
        "print('multiloop.analyses' in sys.modules, analyse(arm).mobility)\n"
    )
    assert result_of(code, pickle.dumps((ml.analyse, arm))) == f"False {ml.analyse(arm).mobility}"


def test_the_packages_of_meshes_and_scipy_are_imported_when_they_are_used():
    code = (
        "import sys, multiloop as ml; ml.Beam, ml.Solid, ml.beam\n"
        "print([name for name in ('scipy', 'skfem', 'meshio') if name in sys.modules])"
    )
    assert result_of(code) == "[]"
