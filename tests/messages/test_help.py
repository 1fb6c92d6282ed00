"""Help texts as users read them: their words, without the frame of the option parser."""

import re

import pytest
from typer.testing import CliRunner

from multiloop.cli.application import application

TEXTS = "cli"

COMMANDS = ["", "explain", "inverse", "draw", "check", "simulate", "plot", "film", "examples", "cache"]


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command, texts):
    shown = CliRunner().invoke(
        application(), [*command.split(), "--help"], terminal_width=80, prog_name="multiloop"
    )
    assert shown.exit_code == 0
    texts(_words(shown.stdout))


SECTIONS = ("Arguments:", "Options:", "Commands:")


def _words(text):
    """One line for each paragraph, argument or option: line breaks and column widths depend on the option parser."""
    found, section = [""], False
    for line in re.sub(r"[{}]| <path>", "", text).splitlines():
        words = " ".join(line.split())
        if words in SECTIONS:
            section = True
        if section and re.match(r"  \S", line):
            found.append(f"  {words}")
        elif words in ("", *SECTIONS) or not found[-1]:
            found.append(words)
        else:
            found[-1] += f" {words}"
    return re.sub(r"\n\n+", "\n\n", "\n".join(found).strip())
