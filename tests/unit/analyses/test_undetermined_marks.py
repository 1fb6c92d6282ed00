"""Undetermined forces are marked alike in the table, the representation and the commands."""

from pathlib import Path

import pytest
from texts import Texts
from typer.testing import CliRunner
from zoo.plain import sliding_body

import multiloop as ml
from multiloop.cli.application import application


def pressed_slide() -> ml.Mechanism:
    """A slide that 30 N press against its stop, with stiction of 5 N: the stop carries 25 to 35 N."""
    return sliding_body(
        ml.Body("ram", mass=2.0, inertia=0.01),
        "press",
        gravity=(0.0, 0.0),
        actuators=[ml.Actuator("slide", effort=30.0)],
        loads=[
            ml.Friction("rub", "slide", effort=5.0, stiction="exact"),
            ml.Stop("sheet", "slide", high=0.1, restitution=0.0),
        ],
    )


@pytest.fixture(scope="module")
def result() -> ml.Result:
    return ml.simulate(pressed_slide(), until=0.02, start={"slide": 0.1}, samples=3, progress=False)


def rows_of(text: str, name: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(f"{name} ")]


def test_rows_of_loads_are_marked(result: ml.Result, texts: Texts) -> None:
    found = {(row.joint, row.what): row.determined for row in result.extremes()}
    assert found == {("slide", "effort"): True, ("slide", "load"): True, ("sheet", "force"): False}
    (marked,) = rows_of(str(result.extremes()), "sheet")
    texts(marked)
    texts("\n".join(rows_of(str(result.extremes()), "slide")))


def test_the_ranges_of_all_loads_are_in_every_text(result: ml.Result, texts: Texts) -> None:
    """Equilibrium: 30 N − friction within ±5 N = force of the stop."""
    assert result["sheet"].range("effort")[-1] == pytest.approx([-35.0, -25.0])
    for text in (str(result.extremes()), repr(result), result.summary()):
        unwrapped = " ".join(text.split())
        hidden = [r"(?<= at t = )[\d.]+", r"(?<= 30 N )-?\S+ W .*? W(?= )"]
        texts(unwrapped, "sheet (", "-35 to -25 N", "rub (", "-5 to 5 N", hide=hidden)


def test_determined_loads_are_not_marked(texts: Texts) -> None:
    alone = ml.simulate(
        pressed_slide().replace(loads=[ml.Stop("sheet", "slide", high=0.1, restitution=0.0)]),
        until=0.02,
        start={"slide": 0.1},
        samples=3,
        progress=False,
    )
    assert all(row.determined for row in alone.extremes())
    for text in (str(alone.extremes()), repr(alone), alone.summary()):
        texts(text)


def test_simulate_marks_them_once(tmp_path: Path, texts: Texts) -> None:
    path = tmp_path / "press.yaml"
    ml.save(pressed_slide(), path)
    arguments = ["simulate", str(path), "--until", "0.02", "--start", "slide=0.1", "--samples", "3"]
    done = CliRunner().invoke(application(), arguments)
    assert done.exit_code == 0, done.output
    (marked,) = rows_of(done.stdout, "sheet")
    texts(marked)
    assert done.stdout.count("-35 to -25 N") == 1


def test_a_status_is_printed_once(tmp_path: Path) -> None:
    path = tmp_path / "weak.yaml"
    weak = pressed_slide().replace(
        loads=[], actuators=[ml.Actuator("slide", limit=0.001)], drives=[ml.Motion("slide", 0.1 * ml.time**2)]
    )
    ml.save(weak, path)
    status = ml.inverse(weak, t=[0.0, 0.5, 1.0]).status
    assert status != "ok"
    done = CliRunner().invoke(application(), ["inverse", str(path), "--until", "1", "--cycle", "3"])
    assert done.stdout.count(status) == 1
