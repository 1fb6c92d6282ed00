"""Kernels are correct with every C compiler and every option in $CC, or the compiler is refused with the reason."""

from __future__ import annotations

import platform
import re
import shutil
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from texts import Texts
from unit.kernels.test_compilers import forget_compilers, script
from unit.kernels.test_kernel_calls import every_operation
from zoo import ZOO

import multiloop as ml
from multiloop.kernels import InterpretedKernel, Kernel, Recipe, UnbuiltError, library_cache as cache
from multiloop.kernels.codegen import build as compiler_search, compiler_trial
from multiloop.kernels.codegen.build import compiler, library_key, vector_width
from multiloop.kernels.codegen.dialects import VECTOR_MACROS, scalar_forms, vector_dialect, vector_functions
from multiloop.kernels.codegen.recipe import dense_tape
from multiloop.kernels.runtime import runtime_library

DROPPING = """
for word; do
    shift
    case "$word" in -march=*) ;; *) set -- "$@" "$word" ;; esac
done
exec gcc "$@"
"""


def processor_width() -> int:
    """Doubles in the widest vector register of this processor, by the system's own list of its features."""
    features = Path("/proc/cpuinfo").read_text().split() if Path("/proc/cpuinfo").exists() else []
    return 8 if "avx512f" in features else 4 if "avx2" in features else 1


@pytest.fixture(autouse=True)
def _forgotten(here: Path) -> Iterator[None]:
    """No compiler is cached, and no kernel is kept."""
    forget_compilers()
    yield
    forget_compilers()


@pytest.fixture(params=["gcc", "gcc -mno-avx512f", "gcc -mno-avx2", "dropped -march", "zig"])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> int:
    """Selects a compiler by $CC; the widest vectors that it may use on this processor."""
    named = request.param
    if named == "zig" and not find_spec("ziglang"):
        pytest.skip("no ziglang: install the extra 'compiler'")
    if named != "zig":
        require_gcc()
    if " " in named and platform.machine() != "x86_64":
        pytest.skip("options of x86-64 compilers")
    dropping = script(tmp_path / "dropping", DROPPING)
    chosen = {"dropped -march": str(dropping), "zig": f"{sys.executable} -m ziglang cc"}
    monkeypatch.setenv("CC", chosen.get(named, named))
    allowed = {"gcc -mno-avx512f": 4, "gcc -mno-avx2": 1, "dropped -march": 1}
    return min(processor_width(), allowed.get(named, 8))


def require_gcc() -> None:
    if not shutil.which("gcc"):
        pytest.skip("no gcc")


def test_kernels_are_right_under_every_compiler(width: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # no other compiler is used instead
        assert compiler_search.compiler_available()
    assert vector_width() == width
    recipe = Recipe(every_operation)
    defaults = {"y": np.array([0.5, 2.0])}
    kernel, plain = Kernel(recipe, defaults), InterpretedKernel(recipe, defaults)
    rng = np.random.default_rng(1)
    x, B = rng.normal(size=(4, 37)), rng.normal(size=(2, 3, 37))
    for one, other in zip(kernel.batch(x, B=B), plain.batch(x, B=B), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-14, atol=1e-14)
    mechanism = ZOO["four-bar"].build()
    compiled, interpreted = ml.compile(mechanism), ml.compile(mechanism, target="interpreter")
    for name in ("energy", "closure"):
        assert isinstance(getattr(compiled, name), Kernel)
        found, expected = (getattr(kernels, name)(compiled.q) for kernels in (compiled, interpreted))
        for one, other in zip(np.atleast_2d(found), np.atleast_2d(expected), strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-13, atol=1e-13)


@pytest.mark.slow
def test_runs_are_right_under_every_compiler(width: int) -> None:
    """The compiled time loop and batches of all kernels, compared with the interpreter and SciPy's integrator."""
    mechanism = ZOO["four-bar"].build().without_drives()
    kernels, plain = ml.compile(mechanism), ml.compile(mechanism, target="interpreter")
    start = {joint: tuple(q) for joint, q in kernels.plan.assembly.coordinates().items()}
    found, expected = (
        ml.simulate(mechanism, until=0.5, samples=6, start=start, rtol=1e-11, target=target)
        for target in ("c", "interpreter")
    )
    for joint in kernels.joints:
        np.testing.assert_allclose(found[joint].position, expected[joint].position, rtol=0, atol=1e-9)
    rng = np.random.default_rng(width)
    q = kernels.q[:, None] + 0.1 * rng.normal(size=(len(kernels.q), 19))
    v, f = rng.normal(size=(2, kernels.equations.skeleton.rates, 19))
    for name, given in (("forward", (q, v, f)), ("energy", (q, v)), ("jacobian", (q,)), ("positions", (q,))):
        answers = [np.asarray(getattr(each, name).batch(*given)) for each in (kernels, plain)]
        np.testing.assert_allclose(*answers, rtol=1e-9, atol=1e-11)
    assert kernels.forward.width == width


def test_libraries_of_other_macros_are_not_used_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A wrapper of the same name, version and options that begins to drop -march gets other keys."""
    require_gcc()
    keys = []
    for text in ('exec gcc "$@"\n', DROPPING):
        monkeypatch.setenv("CC", str(script(tmp_path / "wrapper", text)))
        forget_compilers()
        keys.append(library_key("the same text"))
    assert (keys[0] != keys[1]) is (processor_width() > 1)


def test_a_compiler_that_changes_its_mind_between_question_and_kernel_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    """The macros are those of the processor, the code is not: a check in the source makes the compilation fail."""
    require_gcc()
    if processor_width() == 1:
        pytest.skip("no vectors on this processor")
    wrapper = script(tmp_path / "wrapper", f'case "$*" in *-E*) exec gcc "$@";; esac\n{DROPPING}')
    why = refused(monkeypatch, str(wrapper))
    texts(why, VECTOR_MACROS[processor_width()], hide=[r"(?s)(?<=TMP/wrapper ).*(?=\)\. )"])


# refused ----------------------------------------------------------------------------------------------------


def refused(monkeypatch: pytest.MonkeyPatch, named: str) -> str:
    """The reason for which a compiler is refused."""
    monkeypatch.setattr(compiler_search, "find_spec", lambda name: None)
    monkeypatch.setenv("CC", named)
    forget_compilers()
    assert compiler() is None
    with pytest.warns(UserWarning, match=r"multiloop-dynamics\[compiler\]") as said:
        compiler_search.compiler_available()
    (warning,) = said
    return str(warning.message)


@pytest.mark.parametrize(
    "option",
    ["-ffast-math", "-Ofast", "-funsafe-math-optimizations", "-ffinite-math-only", "-fno-signed-zeros"],
)
def test_options_that_give_up_ieee_arithmetic_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, option: str, texts: Texts
) -> None:
    require_gcc()
    why = refused(monkeypatch, f"gcc {option}")
    texts(why, f"gcc {option}", f"({option})")
    wrapper = script(tmp_path / "wrapper", f'exec gcc "$@" {option}\n')  # the macros show it too
    texts(refused(monkeypatch, str(wrapper)), wrapper, hide=[r"(?<=\()__.*?(?=\))"])


def test_an_option_that_changes_the_precision_of_the_process_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With -mpc32 gcc links code that sets the x87 unit to 24 bits: np.longdouble(1) / 3 would have seven digits."""
    require_gcc()
    assert "-mpc32" in refused(monkeypatch, "gcc -mpc32")


def test_a_linker_that_flushes_small_numbers_to_zero_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Linked with -ffast-math by gcc 12, a library changes the arithmetic of its process; no macro shows it."""
    require_gcc()
    if platform.machine() != "x86_64":
        pytest.skip("gcc does so on x86-64")
    text = (
        'case "$*" in *-shared*) set -- "$@" "$(gcc -print-file-name=crtfastmath.o)";; esac\nexec gcc "$@"\n'
    )
    why = refused(monkeypatch, str(script(tmp_path / "wrapper", text)))
    assert re.search(r" / b is -?0 ", why)
    assert 2.0**-1060 / 2 > 0  # this process has not loaded it


def test_options_of_cc_come_last(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    require_gcc()
    log = tmp_path / "log"
    wrapper = script(tmp_path / "wrapper", f'echo "$*" >> {log}\nexec gcc "$@"\n')
    monkeypatch.setenv("CC", f"{wrapper} -g0 -O1 -ffp-contract=off")
    assert compiler() is not None
    compiled = [line for line in log.read_text().splitlines() if " -c " in line or " -E " in line]
    assert len(compiled) > 2
    for line in compiled:
        assert line.rindex(" -O1 ") > line.index(" -O2 ")
        assert line.rindex("-ffp-contract=off") > line.index("-ffp-contract=fast")


def test_the_trial_uses_every_operation_in_every_form() -> None:
    _, tape = dense_tape(compiler_trial.traced_trial(), as_written=True)
    used = {operation.name for operation in tape.operations} | {"assign"}  # a copy is no operation of CasADi
    assert used >= scalar_forms().keys()
    for width in VECTOR_MACROS:
        assert used >= vector_dialect(width).forms.keys()
        text = "".join(compiler_trial.trial_text(width))
        for name in vector_functions(width).values():
            assert text.count(f"{name}(x)") == 1  # side by side, for one instance
            assert text.count(f"{name}(") > 4  # and for many


MISCOMPILED = {
    "vector cosine": (r"s/\(= _ZGV[de]N[48]v_\)cos(/\1sin(/", "cos"),
    "one lane of tanh": (
        r"s/r\[i\] = tanh(x\[i\])/r[i] = tanh(x[i]) + (i == 3 \&\& x[i] > 0) * 1e-12/",
        "tanh(a)",
    ),
    "maximum of NaN": (r"s/(x > y) | (y != y)/(x > y)/", "fmax(c, d)"),
    "scalar division": (r"s,= \(x[0-9]*\) / \(x[0-9]*\);,= \1 * (1.0 / \2);,", " / b"),
}


@pytest.mark.parametrize("what", MISCOMPILED)
def test_a_compiler_that_miscompiles_one_function_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, what: str, texts: Texts
) -> None:
    require_gcc()
    if processor_width() == 1 and what != "scalar division":
        pytest.skip("no vectors on this processor")
    edit, operation = MISCOMPILED[what]
    wrapper = script(
        tmp_path / "wrapper",
        f"""for word; do case $word in *.c) sed -i '{edit}' "$word";; esac; done\nexec gcc "$@"\n""",
    )
    why = refused(monkeypatch, str(wrapper))
    texts(why, wrapper, hide=[r"(?<=numbers: ).*?(?=\)\. )"])
    assert operation in re.sub(r".*numbers: ", "", why).split(" is ")[0]
    assert not list(cache.cache_folder().glob(".making-*"))


def test_a_runtime_with_a_miscompiled_operation_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    """Its operations over strips of instances are compiled separately from those of kernels."""
    require_gcc()
    edit = r"s/\(OPERATION([0-9]*, \)atan2(\(.*\)))/\1atan2(\2) * (1 + 1e-14))/"
    text = f"""
for word; do
    case $word in */strips.c) sed -i '{edit}' "$(dirname "$word")/operations.h";; esac
done
exec gcc "$@"
"""
    monkeypatch.setenv("CC", str(script(tmp_path / "wrapper", text)))
    assert compiler() is not None
    with pytest.raises(UnbuiltError) as caught:
        runtime_library.load_runtime()
    texts(caught.value, "wrapper", "atan2(a, b)", hide=[r"(?<= is )-?[\d.e-]+ .*"])
    assert not list(cache.cache_folder().glob(".making-*"))


def test_a_library_that_ends_its_process_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, texts: Texts
) -> None:
    require_gcc()
    edit = "s/^void ml_trial_at.*/& __attribute__((constructor)) static void end(void) { __builtin_trap(); }/"
    wrapper = script(
        tmp_path / "wrapper",
        f"""for word; do case $word in *.c) sed -i '{edit}' "$word";; esac; done\nexec gcc "$@"\n""",
    )
    why = refused(monkeypatch, str(wrapper))
    texts(why, wrapper, "Illegal instruction")


def test_python_inside_of_another_program_makes_the_same_trial(monkeypatch: pytest.MonkeyPatch) -> None:
    require_gcc()
    monkeypatch.setenv("CC", "gcc")
    monkeypatch.setattr(sys, "executable", "/opt/application")
    assert compiler() is not None
