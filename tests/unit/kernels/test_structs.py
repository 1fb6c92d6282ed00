"""The structs that Python and C share, and the table of integrators."""

import subprocess

import pytest

from multiloop.kernels.codegen.build import required_compiler
from multiloop.kernels.runtime import COMPILED_LOOP, INTEGRATORS, Status
from multiloop.kernels.runtime.structs import (
    STRUCTS,
    LoopStruct,
    Method,
    Move,
    StepStruct,
    TableauStruct,
    TableStruct,
    structs_header,
)

PYTHON = {"Table": TableStruct, "Tableau": TableauStruct, "Step": StepStruct, "Loop": LoopStruct}

PROGRAM = """
#include <stddef.h>
#include <stdio.h>
typedef void (*Kernel)(double **addresses);
typedef int (*Outside)(double t, const double *y, double *found);
{header}
int main(void) {{ {body} return 0; }}
"""


def _printed(body: str, tmp_path) -> list[str]:
    source, program = tmp_path / "show.c", tmp_path / "show"
    source.write_text(PROGRAM.format(header=structs_header(), body=body))
    subprocess.run([*required_compiler().command, str(source), "-o", str(program)], check=True)
    return subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("struct", STRUCTS)
def test_every_field_lies_where_python_puts_it(struct: str, tmp_path) -> None:
    names = [name for fields in STRUCTS[struct] for name in fields.names.split()]
    assert len(set(names)) == len(names)
    found = _printed("".join(f'printf("%zu ", offsetof({struct}, {name}));' for name in names), tmp_path)
    assert [int(word) for word in found] == [getattr(PYTHON[struct], name).offset for name in names]


def test_statuses_and_methods_have_their_numbers_in_c(tmp_path) -> None:
    entries = [*Status, *Method, *Move]
    found = _printed("".join(f'printf("%d ", {entry.name});' for entry in entries), tmp_path)
    assert [int(word) for word in found] == [entry.value for entry in entries]


def test_another_layout_does_not_compile(tmp_path) -> None:
    source = tmp_path / "other.c"
    longer = structs_header().replace("long steps,", "long one_more, steps,")
    assert longer != structs_header()
    source.write_text(PROGRAM.format(header=longer, body=""))
    command = [*required_compiler().command, "-c", str(source), "-o", str(tmp_path / "other")]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode != 0
    assert "Loop" in ran.stderr


def test_every_integrator_is_carried_and_every_method_used() -> None:
    assert all(integrator.backends for integrator in INTEGRATORS.values())
    assert {integrator.method for integrator in INTEGRATORS.values()} - {None} == set(Method)
    assert {name for name, one in INTEGRATORS.items() if one.backends == (COMPILED_LOOP,)} == {"rk4"}
