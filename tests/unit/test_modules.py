"""The shape of the source tree: imports of modules, lengths of files and sizes of folders."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import networkx as nx

SRC = Path(__file__).parents[2] / "src"
FILES = {
    ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(SRC.rglob("*.py"))
}
INTERFACES = ("kinematics", "dynamics", "kernels.runtime", "kernels.cuda", "analyses")
"""Packages from which other packages import by the `__init__` of the package, or of its sub-package, alone."""

WITHOUT_CASADI = ("multiloop.kernels.cuda.device", "multiloop.kernels.runtime.tolerances")
"""The one import past an `__init__`: the importing module also runs on machines without CasADi, which the `__init__`
of `multiloop.kernels.runtime` needs."""


def imports(module: str, nodes: list[ast.stmt] | None = None) -> Iterator[str]:
    """Modules and packages of ours that a module imports; of `nodes` only the statements themselves."""
    tree = ast.parse(FILES[module].read_text())
    for node in ast.walk(tree) if nodes is None else nodes:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("multiloop"):
            for name in node.names:
                inner = f"{node.module}.{name.name}"
                yield inner if inner in FILES else node.module


def package_of(module: str) -> str:
    return module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]


def test_no_module_imports_more_than_15_of_ours() -> None:
    modules = [module for module, path in FILES.items() if path.name != "__init__.py"]
    counts = {module: len(set(imports(module)) - {module}) for module in modules}
    assert not {module: count for module, count in counts.items() if count > 15}


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    graph = nx.DiGraph()
    for module, path in FILES.items():
        body = ast.parse(path.read_text()).body
        graph.add_edges_from((module, other) for other in imports(module, body) if other != module)
    assert not [part for part in nx.strongly_connected_components(graph) if len(part) > 1]


def test_other_packages_import_by_the_interface_of_a_package() -> None:
    wrong = []
    for module, path in FILES.items():
        for node in ast.parse(path.read_text()).body:
            if not isinstance(node, ast.ImportFrom) or node.module not in FILES:
                continue
            owner = package_of(node.module)
            inside = f"{module}.".startswith(f"{owner}.")
            guarded = any(f"{owner}.".startswith(f"multiloop.{name}.") for name in INTERFACES)
            if guarded and not inside and owner not in {node.module, "multiloop.analyses"}:
                wrong.append((module, node.module))
    assert wrong == [WITHOUT_CASADI]


def test_files_are_short_and_folders_small() -> None:
    lengths = {module: len(path.read_text().splitlines()) for module, path in FILES.items()}
    assert max(lengths.values()) <= 450
    files = [path for path in SRC.rglob("*") if path.is_file() and not {"__pycache__"} & set(path.parts)]
    files = [path for path in files if ".egg-info" not in str(path)]
    folders = Counter(path.parent for path in files)
    assert not {folder for folder, count in folders.items() if count > 25 and folder.name != "mechanisms"}
    names = Counter(path.name for path in FILES.values() if path.name != "__init__.py")
    assert max(names.values()) <= 3
