"""No advice on the command line contains an argument of Python: every text of the package with such an argument."""

import ast
import re
from pathlib import Path

import pytest

import multiloop as ml
from multiloop.cli.advice import command_line_message

SOURCE = Path(ml.__file__).parent
ROOMS = ("io", "kinematics", "model", "plan", "analyses", "view")

ARGUMENT = re.compile(r"\b[a-z_]+=(?!=)")

OF_PYTHON = (
    "expression 7 needs the time.",
    "`State.draw(axes=)`",
    "`multiloop.register(7, constraint=…)`",
    "call `inverse(…, state=)`",
    ", action=…",
)
"""Parts of messages about user-defined types, and of functions that no command calls."""


def texts():
    """Every sentence of the package with an argument, its numbers and names replaced by 7."""
    for room in ROOMS:
        for path in sorted((SOURCE / room).rglob("*.py")):
            if path.name == "__init__.py":  # names of the package, no messages
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            nodes = list(ast.walk(tree))
            apart = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}  # docstrings
            apart |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
            for text in (_text(node) for node in nodes if id(node) not in apart):
                if " " in text and ARGUMENT.search(text):
                    yield text


def _text(node):
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "7" for part in node.values)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


@pytest.mark.parametrize("text", sorted(set(texts())))
def test_no_argument_of_python_is_advised(text):
    text = text.replace("{7}", '{"A": 7}')  # a mapping of names to numbers
    for code in ("S09", "M12"):
        said = command_line_message(ml.SolveError("m", [ml.Fault(code, "thing", "is wrong.", text)]))
        said = re.sub(r"--(guess|start|rates) \S+", "", said.split("\n", 2)[2])  # NAME=N on the command line
        assert not ARGUMENT.search(said) or any(words in said for words in OF_PYTHON)
