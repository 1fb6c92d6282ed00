"""On a machine with a GPU: do the kernels agree with the interpreter, and how many evaluations and steps a second?

python3 -m benchmarks.gpu.on_device [folder of the results]

Needs NumPy and CuPy only: it reads what `python -m benchmarks gpu` wrote to build/gpu/. Kernels are launched by
the library's own classes; their modules are imported without the interfaces of their packages, which need CasADi.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def skip_package_interfaces() -> None:
    """Make modules of `multiloop.kernels` importable one by one, without executing the `__init__` of their packages."""
    for name in ("multiloop", "multiloop.kernels", "multiloop.kernels.cuda", "multiloop.kernels.runtime"):
        package = ModuleType(name)
        package.__path__ = [str(ROOT / "src" / Path(*name.split(".")))]
        sys.modules[name] = package


def main(folder: Path) -> None:
    """Agreement first, then speed; both are printed and kept."""
    skip_package_interfaces()
    from benchmarks.gpu import agreement, speed

    bundle = ROOT / "build" / "gpu"
    rows = json.loads((bundle / "manifest.json").read_text())
    found: dict[str, Any] = {"device": speed.device()}
    found["agreement"] = agreement.measured(bundle, rows)
    print(agreement.table(found["agreement"]), flush=True)
    steps = next(row for row in rows if row["kind"] == "steps")
    forward = next(row for row in rows if row["file"] == steps["file"].replace("_steps", "_forward"))
    found["speed"] = speed.measured(bundle, forward, steps)
    print(speed.table(found["device"], found["speed"]))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "on_gpu.json").write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else ROOT / "build" / "bench")
