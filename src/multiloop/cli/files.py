"""Which mechanism does a file describe, and which endings may pictures and data have?"""

from __future__ import annotations

import json
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from multiloop.model import Mechanism, ModelError

PICTURES = (".png", ".pdf", ".svg", ".jpg")
DATA = (".nc",)


def mechanism_in(path: Path) -> Mechanism:
    """The mechanism that a JSON or YAML file describes; what is wrong with the file is named with its line."""
    from multiloop.model import Mechanism, from_data

    readers: dict[str, Callable[[Path], Any]] = {".json": _json, ".yaml": _yaml, ".yml": _yaml}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise _refused(path, f"its ending '{path.suffix}' is not known.", "Give a .json, .yaml or .yml file.")
    found = from_data(reader(path))
    if not isinstance(found, Mechanism):
        kind = type(found).__name__
        raise _refused(
            path, f"it describes a {kind}, not a Mechanism.", "Give the file of a whole mechanism."
        )
    return found


def write_mechanism(mechanism: Mechanism, path: Path) -> None:
    """Write a mechanism as YAML that `mechanism_in` reads."""
    import yaml

    from multiloop.model import to_data

    data = to_data(mechanism)
    path.write_text(yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=110), encoding="utf-8")


def ending(*allowed: str) -> Callable[[Path | None], Path | None]:
    """A check that a file to be written has one of the endings that can be written."""

    def checked(path: Path | None) -> Path | None:
        if path is not None and path.suffix.lower() not in allowed:
            raise typer.BadParameter(f"'{path.name}' must end in {', '.join(allowed)}.")
        return path

    return checked


MechanismFile = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="The mechanism, a .json, .yaml or .yml file.", show_default=False),
]


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path), object_pairs_hook=lambda pairs: _once(path, pairs))
    except json.JSONDecodeError as error:
        raise _refused(
            path, f"line {error.lineno}, column {error.colno}: {error.msg}.", "Mend the JSON."
        ) from None


def _yaml(path: Path) -> Any:
    import yaml

    class Loader(yaml.SafeLoader):
        """The safe loader, which also refuses a key that comes twice."""

        def construct_mapping(self, node: Any, deep: bool = False) -> dict[Hashable, Any]:
            _once(path, [(self.construct_object(key, deep=True), None) for key, _ in node.value])
            return super().construct_mapping(node, deep)

    try:
        return yaml.load(_text(path), Loader=Loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        where = f"line {mark.line + 1}, column {mark.column + 1}: " if mark else ""
        raise _refused(path, f"{where}{error.problem}.", "Mend the YAML.") from None
    except yaml.YAMLError as error:
        raise _refused(path, f"{str(error).splitlines()[0]}.", "Mend the YAML.") from None


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise _refused(path, "it does not exist.", "Check its name.") from None
    except UnicodeDecodeError as error:
        raise _refused(path, f"byte {error.start} is no UTF-8 text.", "Give a text file.") from None
    except OSError as error:
        raise _refused(path, f"it cannot be read: {error.strerror}.", "Check the file.") from None


def _once(path: Path, pairs: list[tuple[Any, Any]]) -> dict[Any, Any]:
    """The pairs as a mapping; a key that comes twice is refused rather than overwritten in silence."""
    found: dict[Any, Any] = {}
    for key, value in pairs:
        if isinstance(key, Hashable) and key in found:
            raise _refused(path, f"the key '{key}' comes twice in one mapping.", "Give every name once.")
        found[key] = value
    return found


def _refused(path: Path, what: str, remedy: str) -> ModelError:
    from multiloop.model import Fault, ModelError

    return ModelError(f"file '{path}'", [Fault("F01", path.name, what, remedy)])
