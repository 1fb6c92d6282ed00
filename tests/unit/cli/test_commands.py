"""The commands: their output and files, and their errors."""

import subprocess
import sys

import pytest
import xarray as xr
from texts import unframed
from typer.testing import CliRunner
from zoo import ZOO

import multiloop as ml
from multiloop.cli.application import COMMANDS, application


def run(*arguments):
    """The command line with these arguments."""
    return CliRunner().invoke(application(), [str(argument) for argument in arguments])


@pytest.fixture
def four_bar(tmp_path):
    path = tmp_path / "four_bar.yaml"
    ml.save(ZOO["four-bar"].build(), path)
    return path


def test_explain_prints_the_plan(four_bar):
    done = run("explain", four_bar)
    assert done.exit_code == 0
    assert done.stdout.strip() == ml.analyse(ZOO["four-bar"].build()).explain().strip()


def test_explain_takes_cuts_and_draws(four_bar, tmp_path, texts):
    done = run("explain", four_bar, "--cuts", "D", "--draw", tmp_path / "plan.png")
    assert done.exit_code == 0
    texts(done.stdout, tmp_path / "plan.png")
    assert (tmp_path / "plan.png").exists()


def test_inverse_prints_the_extremes(four_bar):
    done = run("inverse", four_bar, "--cycle", 13)
    assert done.exit_code == 0
    assert str(ml.inverse(ZOO["four-bar"].build(), cycle=13).extremes()) in done.stdout


def test_inverse_plots_and_saves(four_bar, tmp_path):
    done = run("inverse", four_bar, "--cycle", 13, "--plot", tmp_path / "a.png", "--save", tmp_path / "a.nc")
    assert done.exit_code == 0
    assert (tmp_path / "a.png").exists()
    with xr.open_dataset(tmp_path / "a.nc") as saved:
        expected = ml.inverse(ZOO["four-bar"].build(), cycle=13).dataset
        assert saved.sizes == expected.sizes
        assert abs(saved["load"] - expected["load"]).max() < 1e-9


def test_inverse_goes_up_to_a_time(tmp_path, texts):
    path = tmp_path / "excavator.yaml"
    ml.save(ZOO["excavator"].build(), path)
    done = run("inverse", path, "--cycle", 5, "--until", 2)
    assert done.exit_code == 0
    texts.lines(done.stdout, "2 s")


def test_inverse_names_what_equilibrium_leaves_open(tmp_path, texts):
    path = tmp_path / "bennett.yaml"
    ml.save(ZOO["bennett"].build(), path)
    done = run("inverse", path, "--cycle", 3)
    texts.lines(done.stdout, "B, C, D, A (")


def test_draw_writes_a_picture(four_bar, tmp_path):
    done = run("draw", four_bar, tmp_path / "four_bar.svg")
    assert done.exit_code == 0
    assert (tmp_path / "four_bar.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_version():
    assert run("--version").stdout == f"multiloop {ml.__version__}\n"


def test_a_missing_folder_is_reported_before_anything_is_computed(four_bar, tmp_path, texts):
    for arguments in (("draw", four_bar), ("inverse", four_bar, "--cycle", "3", "--plot")):
        done = run(*arguments, tmp_path / "no folder" / "a.png")
        assert done.exit_code == 2
        texts(unframed(done.stderr), "'")


def test_errors_are_printed_without_a_traceback(four_bar, tmp_path):
    for arguments in (
        ("explain", four_bar, "--cuts", "X"),
        ("explain", four_bar, "--cuts", "A"),
        ("draw", tmp_path / "nothing.yaml", tmp_path / "a.png"),
    ):
        done = run(*arguments)
        assert done.exit_code == 1, arguments
        assert done.stderr
        assert "Traceback" not in done.stderr
        assert done.exception is None or isinstance(done.exception, SystemExit)


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("explain",),
        ("inverse", "--cycle", "1"),
        ("draw", "a.gif"),
        ("inverse", "--save", "a.png"),
    ],
)
def test_wrong_usage_has_exit_code_two(four_bar, arguments):
    command, *options = arguments
    files = [four_bar] if len(arguments) > 1 else []
    assert run(command, *files, *options).exit_code == 2


def test_an_invalid_end_time_is_refused(four_bar, texts):
    done = run("inverse", four_bar, "--until", "-1")
    assert done.exit_code == 2
    texts(unframed(done.stderr), "-1 s")


def test_bug_keeps_its_traceback(four_bar, monkeypatch):
    monkeypatch.setattr("multiloop.plan.analyse", lambda *_, **__: 1 / 0)
    assert isinstance(run("explain", four_bar).exception, ZeroDivisionError)


def test_help_is_quick_because_nothing_heavy_is_imported():
    heavy = ("numpy", "casadi", "matplotlib", "scipy", "xarray", "pydantic")
    code = f"import sys, multiloop.cli; assert not [m for m in {heavy!r} if m in sys.modules]"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_command_has_a_sentence():
    first = [(command.__doc__ or "").partition("\n")[0] for command in COMMANDS.values()]
    assert all(0 < len(sentence) < 75 and sentence.endswith(".") for sentence in first)


def test_simulate_prints_impacts(tmp_path, texts):
    path = tmp_path / "press.yaml"
    bar = (
        ml.examples.four_bar()
        .without_drives()
        .replace(loads=[ml.Stop("wall", "D", low=1.72, restitution=0.4)])
    )
    ml.save(bar, path)
    done = run("simulate", path, "--until", "1", "--start", "A=1.2", "--rates", "A=4")
    texts.lines(done.output, "'wall'", "10.96 N")
    assert all(value in done.output for value in ("6.704 N m", "0.720718 s", "2.865 J"))


def test_it_runs_as_a_module():
    asked = [sys.executable, "-m", "multiloop", "--version"]
    assert ml.__version__ in subprocess.run(asked, capture_output=True, text=True, check=True).stdout


def test_a_closed_pipe_ends_a_command_in_silence():
    """As in `multiloop examples | head -0`: the reader has ended before any output."""
    command = [sys.executable, "-m", "multiloop", "examples"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode == 1
    assert said == ""
