"""The commands of the README, run as they are printed: torque, bearing loads, a table and a film from a file."""

import re
import shlex
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner

import multiloop as ml
from multiloop.cli.application import application

README = (Path(__file__).resolve().parents[3] / "README.md").read_text(encoding="utf-8")
SECTION = re.search(r"^## The carpet scraper in three commands$(.*?)^## ", README, re.MULTILINE | re.DOTALL)[
    1
]
COMMANDS = [
    shlex.split(line, comments=True)[1:]
    for line in re.findall(r"^    (multiloop .*)$", SECTION, re.MULTILINE)
]


def test_three_commands_give_torque_bearing_loads_table_and_film(tmp_path, monkeypatch):
    assert len(COMMANDS) == 3
    monkeypatch.chdir(tmp_path)
    saved, asked, filmed = (CliRunner().invoke(application(), command) for command in COMMANDS)
    assert [one.exit_code for one in (saved, asked, filmed)] == [0, 0, 0], asked.output
    assert ml.load("scraper.yaml") == ml.examples.carpet_scraper()
    loads = ml.inverse(ml.examples.carpet_scraper(), cycle=361)
    table = pd.read_csv("loads.csv", index_col=0, float_precision="round_trip")
    assert len(table) == 361
    for column, values in (
        ("crank pivot.effort [N m]", loads["crank pivot"].effort),
        ("rocker pivot.load [N]", loads["rocker pivot"].load),
    ):
        assert table[column].to_numpy() == pytest.approx(values)
    largest = f"{abs(loads['crank pivot'].effort).max():.6g} N m"
    assert largest in asked.output
    assert Path("loads.png").read_bytes().startswith(b"\x89PNG")
    assert Path("scraper.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
