"""Saving a mechanism and reading it back: YAML for people, JSON for programs, the same content in both."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from multiloop.model import Fault, Mechanism, ModelError, from_data, to_data

YAML = (".yaml", ".yml")
JSON = (".json",)


def save(mechanism: Mechanism, path: str | Path) -> Path:
    """Write a mechanism to a .yaml, .yml or .json file; `load` gives an equal one back."""
    path = Path(path)
    kind = _kind(path)
    data = to_data(mechanism)
    if kind == "yaml":
        text = yaml.safe_dump(data, sort_keys=False, allow_unicode=True, default_flow_style=None, width=100)
    else:
        text = json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    path.write_text(text, encoding="utf-8")
    return path


def load(path: str | Path) -> Mechanism:
    """Read a mechanism from a file; whatever is wrong with it is named together with its place."""
    path = Path(path)
    kind = _kind(path)
    try:
        text = path.read_text(encoding="utf-8")
        data = yaml.safe_load(text) if kind == "yaml" else json.loads(text)
    except OSError as problem:
        raise _unreadable(path, f"cannot be read: {problem.strerror}", "Check the path.") from None
    except (yaml.YAMLError, json.JSONDecodeError, UnicodeDecodeError) as problem:
        first = str(problem).splitlines()[0]
        raise _unreadable(path, f"is no valid {kind.upper()}: {first}", "Check the place named.") from None
    if not isinstance(data, dict) or data.get("kind") != "Mechanism":
        raise _unreadable(path, "holds no mechanism", "It must be a mapping with `kind: Mechanism`.")
    return from_data(data)


def _kind(path: Path) -> str:
    if path.suffix.lower() in YAML:
        return "yaml"
    if path.suffix.lower() in JSON:
        return "json"
    raise _unreadable(path, f"ends in '{path.suffix}'", f"Use one of {', '.join((*YAML, *JSON))}.")


def _unreadable(path: Path, what: str, remedy: str) -> Any:
    return ModelError("the file", [Fault("M92", f"'{path.name}'", f"{what}.", remedy)])
