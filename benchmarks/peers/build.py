"""The peers' loops as shared libraries, compiled against the headers in their packages and kept in build/bench/."""

from __future__ import annotations

import ctypes
import hashlib
import os
import subprocess
import sys
import sysconfig
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
FOLDER = Path("build/bench/peers")

PINOCCHIO_FLAGS = (
    "-std=c++17",
    "-O3",
    "-march=native",
    "-DNDEBUG",
    "-DBOOST_MPL_LIMIT_LIST_SIZE=30",
    "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
    # its templates must not be taken for those of the wheel, which is compiled for any processor
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
    "-fno-gnu-unique",
    "-w",
)


def packages() -> Path:
    """Where this Python keeps its packages."""
    return Path(sysconfig.get_paths()["purelib"])


@cache
def pinocchio_library() -> ctypes.CDLL:
    """Pinocchio's loop; the first build takes some minutes."""
    include = packages() / "cmeel.prefix" / "include"
    source = HERE / "pinocchio_loop.cpp"
    flags = (*PINOCCHIO_FLAGS, f"-I{include}", "-isystem", str(include / "eigen3"))
    return library(source, os.environ.get("CXX", "c++"), flags)


@cache
def mujoco_library() -> ctypes.CDLL:
    """MuJoCo's loop, linked to the library of its wheel."""
    import mujoco

    package = Path(mujoco.__file__).parent
    shared = next(package.glob("libmujoco.so*"))
    flags = ("-O2", f"-I{package / 'include'}", f"-L{package}", f"-l:{shared.name}", f"-Wl,-rpath,{package}")
    return library(HERE / "mujoco_loop.c", os.environ.get("CC", "cc"), flags)


def library(source: Path, compiler: str, flags: tuple[str, ...]) -> ctypes.CDLL:
    """Compile a source, unless the same text was compiled with the same flags before, and load it."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    digest = hashlib.sha256(repr((source.read_text(), compiler, flags, sys.version)).encode()).hexdigest()[
        :16
    ]
    built = FOLDER / f"{source.stem}-{digest}.so"
    if not built.exists():
        print(f"compiling {source.name} …", flush=True)
        making = built.with_suffix(f".{os.getpid()}")
        command = [compiler, "-shared", "-fPIC", str(source), "-o", str(making), *flags]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr[-4000:]}")
        making.rename(built)
    return ctypes.CDLL(str(built.resolve()))


def address(array) -> ctypes.c_void_p:  # type: ignore[no-untyped-def]
    """The memory address of the numbers of a NumPy array."""
    return ctypes.c_void_p(array.ctypes.data)
