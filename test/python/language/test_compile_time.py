"""Functions that the compiler evaluates itself, compared with CPython: random ones (`python_programs`)."""

import importlib.util

import pytest
from python_programs import Program

import tegula as triton
from tegula.backends.compiler import GPUTarget
from tegula.compiler import ASTSource
from tegula.errors import TritonError

HEADER = "import math\nimport tegula as triton\nimport tegula.language as tl\n\n\n@triton.constexpr_function\n"


def loaded(source, path):
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answers(program, path, capsys):
    """What CPython says and what the compiler says, None where one refuses."""
    kernel = f"\n\n@triton.jit\ndef kernel():\n    tl.static_print(f({program.arguments}))\n"
    module = loaded(HEADER + program.source + kernel, path)
    try:
        expected = str(eval(f"f({program.arguments})", vars(module)))
    except (ArithmeticError, ValueError, IndexError, TypeError):
        expected = None
    capsys.readouterr()
    try:
        triton.compile(ASTSource(module.kernel, {}), target=GPUTarget("cuda", 80, 32)).asm["tile"]
    except TritonError:
        return expected, None
    return expected, capsys.readouterr().out.rstrip("\n")


@pytest.mark.parametrize("first", range(0, 2000, 100))
def test_it_says_what_python_says(first, tmp_path, capsys):
    agreed = 0
    for seed in range(first, first + 100):
        program = Program(seed)
        expected, found = answers(program, tmp_path / f"program_{seed}.py", capsys)
        if expected is not None and len(expected) > 2**20:
            continue  # longer texts are shown in part
        # Integers of more than 127 bits are refused, and little else is.
        assert found is None or found == expected, program.source + program.arguments
        agreed += found is not None
    assert agreed >= 40
