"""Does the page of messages list every code of the package, and no others, and are commands on pages correct?"""

import re
from pathlib import Path

import pytest
import typer

from multiloop.cli.application import application

ROOT = Path(__file__).resolve().parents[3]
CODE = re.compile(r'"([A-Z]\d\d)"')
SHOWN = re.compile(r"`multiloop ([a-z]+)((?: [^`]*)?)`")
"""A command with its arguments, within a sentence."""


def test_the_page_lists_every_code_once():
    sources = (ROOT / "src" / "multiloop").rglob("*.py")
    used = {code for path in sources for code in CODE.findall(path.read_text(encoding="utf-8"))}
    page = (ROOT / "docs" / "messages.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| ([A-Z]\d\d) \|", page, re.MULTILINE)
    assert {"M01", "D01", "T02", "K01", "S01", "R01", "F01"} <= used
    assert listed == sorted(set(listed), key=listed.index)
    assert set(listed) == used


PAGES = ("README.md", "docs/describing.md", "docs/kernels.md")


def shown_on(page):
    """Commands on a page, with their arguments."""
    return SHOWN.findall((ROOT / page).read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES)
def test_commands_are_shown_with_all_that_they_need(page):
    commands = typer.main.get_command(application()).commands
    for name, arguments in shown_on(page):
        needed = [p for p in commands[name].params if p.param_type_name == "argument" and p.required]
        given = arguments.partition("--")[0].split()
        assert len(given) == len(needed), f"multiloop {name} {arguments}"


def test_all_commands_are_shown():
    commands = set(typer.main.get_command(application()).commands)
    assert {name for page in PAGES for name, _ in shown_on(page)} == commands
    for page in ("README.md", "docs/describing.md"):
        assert {name for name, _ in shown_on(page)} >= commands - {"cache"}
