"""Translation of error messages for the command line: options and file entries instead of Python code."""

from __future__ import annotations

import ast
import re
from dataclasses import MISSING, fields, replace
from math import radians
from typing import Any

from multiloop.model import Fault, MultiloopError

OPTION_SYNTAX = (
    (r"Give the times with t=", "Give the end of the motion with --until"),
    (
        r"Add a Motion, or give t=",
        "Add a Motion to the drives of the file, or let it move with `multiloop simulate`",
    ),
    (r'\b(elastic|method|integrator)="(\w+)"', r"--\1 \2"),
    (r"\b([Uu]se) `simulate`", r"\1 `multiloop simulate`"),
    (r"the turns of ('[^']*') to take with turns=", r"the turns of \1 to take with --turns"),
    (r"in place of `t`", "in place of --until"),
    (r"`cycle`", "--cycle"),
    (r"\bOmit `(rates|step)`", r"Omit --\1"),
    (r"\b(turns|step)=(?=\d)", r"--\1 "),
    (r'\bover="(\w+)"', r"--over \1"),
    (r'such as units=\["(\w+)", "(\w+)"\]', r"such as --units \1 --units \2"),
    (r"(?:with )?`?cuts=`?", "with --cuts "),
    (r"; the error's `\.best` holds the nearest position", ""),
    (r"; the error's `\.choices\[0\]` is a guess for \(1\)", ""),
    (r"give a `start` for a free motion", "give a --start for a free motion"),
    (
        r"; without `exact` the undriven joints move freely from the state `start`",
        "; with a --start they move freely",
    ),
    (r"move freely from the state `start`(?=\.)", "move freely from the state given by --start"),
    (r"; `ml\.save` shows an example", ""),
    (r"`?ml\.load\(path\)`?", "a file"),
)
"""Replacements (pattern, text) of function arguments by command-line options; remedies that are possible only in Python
are removed."""

FILE_SYNTAX = (
    (
        r"`?bodies=\[ground\(A=\(0, 0\)\), rod\(…\), …\]`?",
        "`bodies: [{kind: Body, name: ground, markers: …}, …]`",
    ),
    (r"`?ground\(A=\(0, 0\), …\)`?", "`{kind: Body, name: ground, markers: {A: [0, 0]}}`"),
    (r", made by `Body`, `rod`, `plate` or `ground`", ", e.g. {kind: Body, name: crank, mass: 1.0}"),
    (r'\b([a-z_]+)="([^"]*)"', r"`\1: \2`"),
    (r"\b([a-z_]+)=True", r"\1: true"),
    (r"\b([a-z_]+)=\(([^()]*)\)", r"`\1: [\2]`"),
    (r"`([a-z_]+)=`", r"`\1`"),
    (r"\b([a-z_]+)=(?=[\s,.;]|$)", r"`\1`"),
    (r"through=\[\(0, 0\), \(0\.3, 0\), \(0\.3, 0\.2\)\]", "`through: [[0, 0], [0.3, 0], [0.3, 0.2]]`"),
    (r"\bTrue or False\b", "true or false"),
)
"""Replacements (pattern, text) of Python code for parts and fields of a mechanism by the notation of mechanism
files."""


VALUE_SYNTAX = (
    (r"\b([a-z_]+)='([^']*)'", r"`\1: \2`"),
    (r"\b([a-z_]+)=(-?\d(?:[\d.e+-]*\d)?)", r"`\1: \2`"),
)
"""Replacements (pattern, text) of fields with values by the notation of mechanism files. They are used only in remedies
without command-line options."""


def command_line_message(error: MultiloopError) -> str:
    """Message of an error, with remedies in terms of command-line options and entries of mechanism files."""
    said = MultiloopError(error.subject, [_command_line_fault(fault) for fault in error.faults])
    said.asked = error.asked
    return str(said)


def _command_line_fault(fault: Fault) -> Fault:
    remedy = re.sub(
        r"(?<=write )`ml\.deg\(([-+.\de]+)\)`", lambda m: f"{radians(float(m[1])):.6g}", fault.remedy
    )
    in_file = fault.code.startswith("M")
    if not in_file:
        remedy = re.sub(r"\b(guess|start|rates)=(\{[^{}]*\})", lambda m: _options(m[1], m[2]), remedy)
    remedy = re.sub(r"\b([a-z]+)=(\{[^{}]*\})", lambda m: f"{m[1]}: {_file_value(_parsed(m[2]))}", remedy)
    for pattern, words in OPTION_SYNTAX:
        remedy = re.sub(pattern, words, remedy)
    remedy = _with_file_entries(remedy)
    for pattern, words in FILE_SYNTAX if "--" in remedy else (*FILE_SYNTAX, *VALUE_SYNTAX):
        remedy = re.sub(pattern, words, remedy)
    remedy = re.sub(r"\bNone\b", "null" if in_file else "none", remedy)
    return replace(fault, remedy=re.sub(r" +(?=[.,;](?:\s|$))", "", remedy))


def _options(option: str, text: str) -> str:
    """Convert a dictionary of values to options: {"B": -0.36, "p": (0.8, 0.7)} → --guess B=-0.36 --guess p=0.8,0.7."""
    options, given = [], ast.literal_eval(text)
    if not isinstance(given, dict):  # the literal {...} is a set
        return f"with --{option}"
    for name, value in given.items():
        numbers = value if isinstance(value, tuple | list) else (value,)
        said = f"{name}={','.join('none' if number is None else str(number) for number in numbers)}"
        options.append(f"--{option} '{said}'" if " " in said else f"--{option} {said}")
    return " ".join(options)


def _with_file_entries(text: str) -> str:
    """Replace every Python call in a text that creates a part by the corresponding entry of a mechanism file."""
    from multiloop.model.serialise.kinds import PARTS

    found = ""
    while match := re.search(r"\b([A-Z]\w+)\(", text):
        end = _closing(text, match.end())
        call = text[match.start() : end]
        found += text[: match.start()] + (_file_entry(call, PARTS[match[1]]) if match[1] in PARTS else call)
        text = text[end:]
    return found + text


def _closing(text: str, start: int) -> int:
    """Position after the closing bracket that matches the opening bracket just before `start`."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place + 1
    return len(text)


def _file_entry(call: str, kind: type) -> str:
    """Convert a Python call that creates a part to the entry of a mechanism file.

    Revolute("A", "ground.A", "crank.a") → {kind: Revolute, name: A, first: ground.A, second: crank.a}
    """
    node = _parsed(call)
    if not isinstance(node, ast.Call):
        return call
    names = [entry.name for entry in fields(kind) if entry.init and entry.kw_only in (False, MISSING)]
    given: list[tuple[str, Any]] = [("kind", kind.__name__)]
    given += zip(names, map(_file_value, node.args), strict=False)
    given += [(str(keyword.arg), _file_value(keyword.value)) for keyword in node.keywords]
    return f"{{{', '.join(f'{name}: {value}' for name, value in given)}}}"


def _file_value(node: ast.expr) -> str:
    """Text of a value in the notation of mechanism files: a word, a number, a list, or an expression."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Tuple | ast.List):
        return f"[{', '.join(map(_file_value, node.elts))}]"
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return f"{{{', '.join(f'{_file_value(key)}: {_file_value(value)}' for key, value in pairs if key)}}}"
    text = ast.unparse(node).replace("'", '"')
    return f"'{text}'" if any(letter in text for letter in ',"') else text


def _parsed(text: str) -> ast.expr:
    """Syntax tree of a Python expression; a constant with the text itself if the text is not valid Python."""
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        return ast.Constant(text)
