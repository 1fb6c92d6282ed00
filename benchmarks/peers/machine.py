"""The environment of the measurements: processor, compiler and the versions of all programs."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

TOOLS = {
    "multiloop": "multiloop",
    "MuJoCo": "mujoco",
    "Pinocchio": "pin",
    "Exudyn": "exudyn",
    "CasADi": "casadi",
}


def described() -> dict[str, Any]:
    """Entries for the head of a report."""
    return {
        "processor": _processor(),
        "cores": os.cpu_count(),
        "load": [round(load, 2) for load in os.getloadavg()],
        "compiler": _compiler(),
        "python": platform.python_version(),
        "versions": {name: _version(package) for name, package in TOOLS.items()},
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    flags = next((line for line in lines if line.startswith("flags")), "")
    wide = "AVX-512" if " avx512f" in flags else "AVX2" if " avx2" in flags else "no AVX2"
    return f"{names[0] if names else platform.processor()}, {wide}"


def _compiler() -> str:
    try:
        printed = subprocess.run(
            [os.environ.get("CC", "cc"), "--version"], capture_output=True, text=True, check=False
        )
    except OSError:
        return "none"
    return printed.stdout.partition("\n")[0]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "in this tree" if package == "multiloop" else "none"
