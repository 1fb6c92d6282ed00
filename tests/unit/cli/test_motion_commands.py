"""Commands that move a mechanism: `simulate`, `plot`, `film`, and `check`, which reports errors only."""

import sys
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from texts import unframed
from typer.testing import CliRunner
from zoo import ZOO

import multiloop as ml
from multiloop.analyses.results import interruption_warning
from multiloop.cli.application import application
from multiloop.examples.mechanisms.valve_train import LIFT, MASS, OPEN, PRELOAD, STIFFNESS
from multiloop.model.deprecation import MultiloopDeprecationWarning

GUESS = ("--guess", "coupler.b=0.8,0.7")

STABLE = ("--elastic", "stable", "--until", 0.5, "--cycle", 51)


def run(*arguments):
    """The command line with these arguments."""
    return CliRunner().invoke(application(), [str(argument) for argument in arguments])


@pytest.fixture
def driven(tmp_path):
    return ml.save(ZOO["four-bar"].build(), tmp_path / "driven.yaml")


@pytest.fixture
def free(tmp_path):
    return ml.save(ZOO["four-bar"].build().without_drives(), tmp_path / "free.yaml")


def test_simulate_prints_the_final_state_and_the_energy(free, texts):
    done = run("simulate", free, "--until", 0.5, "--start", "A=1.0", *GUESS)
    assert done.exit_code == 0
    mechanism = ZOO["four-bar"].build().without_drives()
    expected = ml.simulate(mechanism, until=0.5, start={"A": 1.0}, guess={"coupler.b": (0.8, 0.7)})
    assert str(expected.extremes()) in done.stdout
    assert repr(expected.final) in done.stdout
    texts.lines(done.stdout, "energy")


def test_simulate_takes_rates_methods_and_integrators(free):
    asked = ("--until", 0.1, "--start", "A=1.0", "--rates", "A=2.0", *GUESS, "--samples", 7)
    ends = [
        next(line for line in run("simulate", free, *asked, *how).stdout.splitlines() if "t = 0.1 s" in line)
        for how in ((), ("--method", "slm"), ("--integrator", "rk45", "--rtol", "1e-12"))
    ]
    assert ends[0]
    assert ends[0] == ends[1] == ends[2]


def test_simulate_takes_a_step_of_its_own(free, texts):
    asked = ("--until", 0.1, "--start", "A=1.0", *GUESS, "--samples", 7, "--integrator", "rk4")
    texts(" ".join(run("simulate", free, *asked).stderr.split()), "--step 1e-3")
    assert run("simulate", free, *asked, "--step", 1e-3).exit_code == 0


def test_inverse_and_simulate_write_tables(driven, free, tmp_path):
    table = tmp_path / "a.csv"
    done = run("inverse", driven, "--cycle", 13, "--csv", table)
    assert str(table) in done.stdout
    assert len(pd.read_csv(table)) == 13
    done = run("simulate", free, "--until", 0.1, "--start", "A=1.0", *GUESS, "--samples", 5, "--csv", table)
    assert done.exit_code == 0
    assert len(pd.read_csv(table)) == 5


def test_the_number_of_samples_by_its_earlier_option(free, tmp_path):
    table = tmp_path / "a.csv"
    asked = ("simulate", free, "--until", 0.1, "--start", "A=1.0", *GUESS, "--outputs", 5, "--csv", table)
    with pytest.warns(MultiloopDeprecationWarning, match="--samples"):
        done = run(*asked)
    assert (done.exit_code, len(pd.read_csv(table))) == (0, 5)
    assert "--samples" in done.stderr
    assert "--outputs" not in run("simulate", "--help").stdout


def test_plot_and_film_follow_the_drives(driven, tmp_path, texts):
    assert run("plot", driven, tmp_path / "a.png", "--cycle", 13).exit_code == 0
    assert run("plot", driven, tmp_path / "b.png", "--cycle", 13, "--show", "speeds").exit_code == 0
    done = run("film", driven, tmp_path / "a.html", "--cycle", 25, "--trace", "coupler.b")
    assert done.exit_code == 0
    texts.lines(done.stdout, tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html>")


def test_plot_takes_names_units_and_what_to_run_over(driven, tmp_path, monkeypatch):
    asked = {}
    monkeypatch.setattr("multiloop.analyses.Result.plot", lambda _, **given: asked.update(given))
    out = tmp_path / "a.png"
    wishes = (
        "--show",
        "speeds",
        "--of",
        "B",
        "--of",
        "C",
        "--over",
        "time",
        "--units",
        "rpm",
        "--units",
        "ms",
    )
    assert run("plot", driven, out, "--cycle", 5, *wishes).exit_code == 0
    assert asked == {
        "show": ["speeds"],
        "of": ["B", "C"],
        "over": "time",
        "units": ["rpm", "ms"],
        "path": out,
    }


def test_plot_names_every_kind_that_it_can_show():
    from multiloop.cli.plot import PLOT_NAMES
    from multiloop.view.plots.result_plot import PLOT_KINDS

    assert tuple(PLOT_KINDS) == PLOT_NAMES


def test_draw_takes_a_start(free, tmp_path):
    pictures = [tmp_path / f"{number}.svg" for number in range(3)]
    for picture, start in zip(pictures, ("A=1.0", "A=1.0", "A=2.0"), strict=True):
        assert run("draw", free, picture, "--start", start).exit_code == 0
    first, again, other = (
        picture.read_text(encoding="utf-8").partition("</metadata>")[2] for picture in pictures
    )
    assert len(first) == len(again)
    assert first != other


def test_plot_and_film_simulate_a_free_mechanism(free, tmp_path, texts):
    asked = ("--until", 0.2, "--start", "A=1.0", *GUESS, "--cycle", 21)
    for command, name in (("plot", "a.png"), ("film", "a.html")):
        assert run(command, free, tmp_path / name, *asked).exit_code == 0
        done = run(command, free, tmp_path / name, "--start", "A=1.0")
        assert done.exit_code == 2
        texts(unframed(done.stderr), "'four-bar'")


@pytest.fixture
def bending(tmp_path):
    strip = ml.beam("coupler", length=0.9, E=70e9, density=2700, section=ml.rectangle(0.02, 0.006), modes=1)
    return ml.save(ml.examples.four_bar().with_body(strip), tmp_path / "bending.yaml")


def test_plot_and_film_show_driven_flexible_links(bending, tmp_path):
    """Drives do not determine elastic coordinates: the motion is simulated, over a cycle or to an end time."""
    for asked in (("--until", 0.1), ("--turns", 0.1)):
        done = run("plot", bending, tmp_path / "a.png", "--show", "stress", "--cycle", 11, *asked)
        assert done.exit_code == 0, done.stderr
    done = run("film", bending, tmp_path / "a.html", "--cycle", 11, "--until", 0.1, "--scale", 20)
    assert done.exit_code == 0, done.stderr
    assert "× 20" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_drawing_shows_links_bent_by_their_start_and_exaggerated(bending, tmp_path):
    pictures = []
    for scale in (1, 5):
        picture = tmp_path / f"{scale}.svg"
        asked = ("--start", "coupler.eta=0.02", "--scale", scale)
        assert run("draw", bending, picture, *asked).exit_code == 0
        pictures.append(picture.read_text(encoding="utf-8").partition("</metadata>")[2])
    assert pictures[0] != pictures[1]
    assert run("draw", bending, tmp_path / "relaxed.png", "--scale", 5, "--start", "relaxed").exit_code == 0


def test_links_may_begin_relaxed(bending):
    ends = []
    for start in ((), ("--start", "relaxed"), ("--start", "coupler.eta=relaxed")):
        done = run("simulate", bending, "--until", 0.01, "--samples", 2, *start)
        assert done.exit_code == 0, done.stderr
        ends.append(done.stdout.partition("Link 'coupler'")[2].splitlines()[0])
    assert ends[0] != ends[1]
    assert ends[1] == ends[2]


def test_simulate_prints_the_deflection_of_links(bending, texts):
    done = run("simulate", bending, "--until", 0.1, "--samples", 11)
    texts.lines(done.stdout, "'coupler'", hide=[r"\d+\.?\d*(?= (?:mm|N m|%|m,|m;|m ))"])


def test_simulate_covers_a_cycle_of_the_drives_by_default(driven, free, texts):
    """As `plot` and `film` do; a free motion has no cycle."""
    done = run("simulate", driven, "--samples", 3)
    assert done.exit_code == 0, done.stderr
    cycle = ml.inverse(ZOO["four-bar"].build(), cycle=3)
    texts.lines(done.stdout, f"{cycle.time[-1]:.6g} s")
    done = run("simulate", free, "--start", "A=1.0")
    assert done.exit_code == 2
    texts(unframed(done.stderr), "'four-bar'")


def test_inverse_accepts_flexible_links(bending, tmp_path, texts):
    refused = run("inverse", bending, "--cycle", 11)
    texts(refused.stderr, "[S14]", "'coupler'", "--elastic stable")
    done = run("inverse", ml.save(ml.examples.flexible_arm(), tmp_path / "arm.yaml"), *STABLE)
    assert done.exit_code == 0, done.stderr
    texts.lines(done.stdout, "motor ")


def test_what_cannot_be_shown_is_refused_by_name(driven, tmp_path):
    done = run("plot", driven, tmp_path / "a.png", "--cycle", 5, "--show", "speed")
    assert done.exit_code == 1
    assert "'speed'" in done.stderr
    assert "speeds" in done.stderr
    done = run("film", driven, tmp_path / "a.html", "--cycle", 5, "--trace", "coupler.q")
    assert done.exit_code == 1
    assert "'coupler.q'" in done.stderr or "'q'" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("film", "FILE", "a.avi"),
        ("film", "FILE", "a.html", "--turns", "1", "--until", "1"),
        ("plot", "FILE", "a.txt"),
        ("simulate", "FILE", "--until", "0"),
        ("inverse", "FILE", "--csv", "a.xlsx"),
        ("check",),
    ],
)
def test_wrong_usage_has_exit_code_two(driven, arguments):
    assert run(*(driven if word == "FILE" else word for word in arguments)).exit_code == 2


def test_check_reports_success_and_all_errors(driven, free, tmp_path, texts):
    broken = tmp_path / "broken.yaml"
    broken.write_text(driven.read_text(encoding="utf-8").replace("crank.b", "crnk.b"), encoding="utf-8")
    done = run("check", driven, broken, tmp_path / "none.yaml", free)
    assert done.exit_code == 1
    texts(done.stdout, driven, "'four-bar'", "1")
    assert "crnk" in done.stderr
    assert "none.yaml" in done.stderr
    assert run("check", driven).exit_code == 0


def test_examples_are_listed_and_run(tmp_path):
    listed = run("examples")
    assert listed.exit_code == 0
    assert [line.split()[0] for line in listed.stdout.splitlines()] == list(ml.examples.names())
    file = tmp_path / "bar.yaml"
    done = run("examples", "four_bar", "--save", file)
    assert done.exit_code == 0
    assert ml.examples.question("four_bar") in done.stdout
    assert ml.load(file) == ml.examples.four_bar()


def test_an_example_prints_the_answer_to_its_question(texts):
    """The speed at which the spring cannot decelerate the valve, m (g + ω² l″) + F₀ + k l = 0, by hand."""
    u = np.linspace(0.0, 1.0, 200_001)
    lift, sine, cosine = LIFT * np.sin(np.pi * u) ** 4, np.sin(np.pi * u), np.cos(np.pi * u)
    bend = LIFT * (np.pi / OPEN) ** 2 * (12 * sine**2 * cosine**2 - 4 * sine**4)
    slows = bend < 0
    square = (MASS * 9.81 + PRELOAD + STIFFNESS * lift)[slows] / (-MASS * bend[slows])
    done = run("examples", "valve_train")
    assert done.exit_code == 0
    question, answer, *_ = done.stdout.split("\n\n")
    assert question == ml.examples.question("valve_train")
    texts(answer, f"{np.sqrt(square.min()) * 30 / np.pi:.0f}", "2500")


@pytest.mark.slow
def test_the_governor_prints_its_opening(texts):
    done = run("examples", "governor")
    opened = np.degrees(np.arccos(6.0 * 9.81 / (18.0**2 * 0.3)))  # (m + M) g / (m Ω² l)
    texts(done.stdout.split("\n\n")[1], "18 rad/s", f"{opened:.1f}°")


def test_an_example_without_its_package_names_the_package_to_install(monkeypatch, texts):
    monkeypatch.setitem(sys.modules, "skfem", None)
    done = run("examples", "bell_crank")
    assert done.exit_code == 1
    texts(unframed(done.stderr), "'scikit-fem'")
    assert "multiloop-dynamics[flexible]" in done.stderr
    assert "Traceback" not in done.output


def test_an_unknown_example_is_reported_with_the_nearest():
    done = run("examples", "for_bar")
    assert done.exit_code == 1
    assert "four_bar" in done.stderr
    assert run("examples", "--save", "a.yaml").exit_code == 2


def test_an_interrupted_analysis_ends_the_command_as_interrupted(driven, monkeypatch):
    whole = ml.inverse

    def interrupted(*asked, **how):
        result = whole(*asked, **how)
        warning = interruption_warning(result.mechanism, "interrupted after 5 of 13 instants", 0.1)
        return replace(result, reported=(warning,))

    monkeypatch.setattr("multiloop.analyses.inverse", interrupted)
    assert run("inverse", driven, "--cycle", 13).exit_code == 130


def test_the_list_marks_examples_that_need_an_extra(monkeypatch):
    """Those that cannot be built without scikit-fem, and no others, name the command that installs it."""
    monkeypatch.setitem(sys.modules, "skfem", None)
    refused = set()
    for name in ml.examples.names():
        try:
            ml.examples.build(name)
        except ml.MultiloopError as error:
            refused |= {name} if "scikit-fem" in str(error) else set()
    lines = run("examples").stdout.splitlines()
    command = '`pip install "multiloop-dynamics[flexible]"`'
    assert refused == {line.split()[0] for line in lines if line.endswith(f"? (needs {command})")}
    assert refused == {name for name in ml.examples.names() if ml.examples.extra(name) == "flexible"}
    assert refused
