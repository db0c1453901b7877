"""How source and the names in it reach the compiler."""

import contextlib
import math
import types
from typing import NamedTuple

import numpy as np
import pytest

import helpers_elsewhere
import tegula
import tegula as triton
import tegula.language as tl
from arrays import numbers, zeros
from helpers_elsewhere import halved
from tegula.compiler.errors import CompilationError
from test_launch import from_text


class Pair(NamedTuple):
    first: int
    second: float


SCALE = tl.constexpr(3)
PAIR = tl.constexpr(Pair(2, 0.5))
TYPES = tl.constexpr((tl.float32, tl.int32))
PLAIN = 7
CONFIG = types.SimpleNamespace(width=tl.constexpr(11))


def result(kernel, *args, dtype="float32", **kwargs):
    out = zeros(1, dtype)
    kernel[(1,)](out, *args, **kwargs)
    return numbers(out)[0]


def test_constexpr_globals():
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, SCALE * PAIR.first + PAIR.second + tl.full((), 1, TYPES[0]))

    assert result(kernel) == 7.5


def test_globals_that_are_no_constexpr_are_refused():
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, PLAIN)

    with pytest.raises(CompilationError, match="PLAIN"):
        result(kernel)


def test_plain_globals_where_they_are_allowed(monkeypatch):
    monkeypatch.setenv("TRITON_ALLOW_NON_CONSTEXPR_GLOBALS", "1")

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, PLAIN)

    assert result(kernel) == 7


def test_attributes_of_objects_and_modules():
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, helpers_elsewhere.doubled(CONFIG.width))

    assert result(kernel) == 22


def test_functions_have_their_own_globals():
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, halved(9.0))  # its DIVISOR is that of its module

    assert result(kernel) == 4.5


DIVISOR = tl.constexpr(1000)


def test_closures():
    def kernel_for(value):
        captured = tl.constexpr(value)

        @triton.jit
        def inner(x):
            return x + captured

        @triton.jit
        def kernel(out_ptr):
            tl.store(out_ptr, inner(captured))

        return kernel

    assert result(kernel_for(2)) == 4
    assert result(kernel_for(5)) == 10


def test_constexpr_functions_are_called_while_compiling():
    calls = []

    @triton.constexpr_function
    def largest(a, b=1):
        calls.append((a, b))
        return max(a, b)

    @triton.jit
    def kernel(out_ptr, A: tl.constexpr):
        tl.store(out_ptr, largest(A, b=4) + triton.next_power_of_2(A))

    assert result(kernel, A=3) == 8
    assert (3, 4) in calls


STEP, OTHER_STEP, real = 1, 10, 0


@triton.constexpr_function
def other_step(x):
    return x + OTHER_STEP


@triton.constexpr_function
def stepped(x):
    return [other_step(each.real) + STEP for each in (x,)][0]


@pytest.mark.parametrize("name", ["STEP", "OTHER_STEP"])
def test_globals_of_constexpr_functions_are_compiled_in(monkeypatch, name):
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, stepped(1))

    assert result(kernel) == 12
    monkeypatch.setitem(globals(), "real", 5)  # an attribute has this name
    assert result(kernel) == 12
    monkeypatch.setitem(globals(), name, 5)
    with pytest.raises(RuntimeError, match=f"Global variable {name} has changed since we compiled this kernel"):
        result(kernel)


def test_constexpr_functions_are_part_of_the_key():
    def key(pick):
        @triton.jit
        def kernel(out_ptr):
            tl.store(out_ptr, pick())

        return kernel.cache_key

    def one():
        return 1

    def two():
        return 2

    keys = [key(triton.constexpr_function(function)) for function in (one, two, one)]
    assert keys[0] != keys[1] and keys[0] == keys[2]


def test_marked_functions_are_called():
    @triton.must_use_result("it computes nothing else")
    @triton.jit
    def twice(x):
        return 2 * x

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, twice(4))

    assert result(kernel) == 8 and twice._must_use_result == "it computes nothing else"
    assert tl.core.must_use_result(twice)._must_use_result is True


def test_constexpr_functions_are_methods_of_the_host():
    class Layout:
        size = 3

        @triton.constexpr_function
        def scaled(self, by):
            return self.size * by

    assert Layout().scaled(tl.constexpr(4)) == 12


def test_constexpr_functions_of_the_host_take_the_module_math():
    @triton.constexpr_function
    def root(module, x):
        with contextlib.suppress(ValueError):
            return module.sqrt(x)

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, root(math, 9.0))

    assert result(kernel) == 3


def test_constexpr_functions_that_raise():
    @triton.constexpr_function
    def wrong(a):
        raise ValueError(f"not {a}")

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, wrong(3))

    with pytest.raises(CompilationError, match="not 3"):
        result(kernel)


def test_unknown_objects_are_named():
    table = {1: 2}

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, table[1])

    with pytest.raises(CompilationError, match="table"):
        result(kernel)


def test_names_of_other_libraries_and_aliases():
    import tegula.language as other_name

    @tegula.jit
    def kernel(out_ptr, x):
        other_name.store(out_ptr, other_name.math.exp2(x.to(other_name.float32)) + math.inf * 0 if False else x)

    assert result(kernel, 3) == 3


def test_functions_that_call_each_other_are_found_once():
    kernels = triton.compiled_kernels()

    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, halved(halved(8.0)) + helpers_elsewhere.doubled(1))

    assert result(kernel) == 4
    assert triton.compiled_kernels() == kernels + 1


def test_a_changed_global_is_an_error():
    scope = {"VALUE": tl.constexpr(2)}
    kernel = from_text("def kernel(out_ptr):\n    tl.store(out_ptr, VALUE)\n", "kernel")
    kernel.__globals__.update(scope)
    assert result(kernel) == 2
    kernel.__globals__["VALUE"] = tl.constexpr(2)  # the same by value
    assert result(kernel) == 2
    kernel.__globals__["VALUE"] = tl.constexpr(3)
    with pytest.raises(RuntimeError, match="Global variable VALUE has changed since we compiled this kernel, from .*2.* to .*3"):
        result(kernel)


def test_code_of_exec_is_found_in_the_line_cache():
    assert result(from_text("\n\ndef in_exec(out_ptr):\n    tl.store(out_ptr, 5)\n", "in_exec")) == 5


def test_source_that_cannot_be_had():
    scope = {}
    exec("def nowhere(out_ptr):\n    pass\n", scope)
    with pytest.raises(ValueError, match="@jit functions should be defined in a Python file: the source of `nowhere`"):
        triton.jit(scope["nowhere"])


def test_what_is_no_function():
    with pytest.raises(TypeError, match="expected a function to decorate with `@jit`, found int"):
        triton.jit(3)


def test_diagnostics_have_the_line_of_the_file():
    @triton.jit
    def kernel(out_ptr):
        tl.store(out_ptr, undefined_name)  # noqa: F821

    with pytest.raises(CompilationError) as caught:
        result(kernel)
    found = caught.value.diagnostics[0]
    line = kernel.fn.__code__.co_firstlineno + 2
    assert found.file == __file__ and found.line == line and found.severity == "error"
    assert "undefined_name" in found.message and "undefined_name" in found.source_line
    assert found.source_line[found.column - 1:found.end_column - 1] == "undefined_name"
    assert f"{__file__}:{line}" in str(caught.value)


def test_decorators_in_any_form():
    @(lambda function: triton.jit(do_not_specialize=["n"])(function))
    def kernel(
        out_ptr,  # a comment with def in it
        n,
    ):
        tl.store(out_ptr, n)

    assert result(kernel, 1) == 1
    assert kernel.params[1].do_not_specialize


def test_do_not_specialize_makes_no_more_variants():
    @triton.jit(do_not_specialize=["n"])
    def kernel(out_ptr, n):
        tl.store(out_ptr, n)

    out = zeros(1, "int32")
    assert kernel[(1,)](out, 1) is kernel[(1,)](out, 7) is kernel[(1,)](out, 16)


def test_do_not_specialize_may_name_what_is_no_parameter():
    @triton.jit(do_not_specialize=["m", "n", 7], do_not_specialize_on_alignment=["seqlen_q"])
    def put(out_ptr, n):
        tl.store(out_ptr, n)

    out = zeros(1, "int32")
    assert put[(1,)](out, 16) is put[(1,)](out, 1)
    assert [param.do_not_specialize for param in put.params] == [False, True]


def test_a_kernel_is_never_executed():
    ran = []

    @triton.jit
    def kernel(out_ptr, FLAG: tl.constexpr):
        if FLAG:
            ran.append(1)
        tl.store(out_ptr, 1)

    assert result(kernel, FLAG=False) == 1 and not ran


def text_of(source):
    """What a kernel of a file with this text has as its source."""
    import linecache

    linecache.cache["<text>"] = (len(source), None, source.splitlines(keepends=True), "<text>")
    scope = {"tl": tl, "triton": triton}
    exec(compile(source, "<text>", "exec"), scope)
    return scope["kernel"] if isinstance(scope["kernel"], triton.JITFunction) else triton.jit(scope["kernel"])


AFTER = "\n\n# between\n\nOTHER = 1\n"


@pytest.mark.parametrize("text", [
    "def kernel(x): tl.store(x, 1)\n",
    "def kernel(x):\n    tl.store(x, 1)\n",
    "def kernel(\n    x,\n    N: tl.constexpr = 2,\n):\n    tl.store(\n        x,\n        N\n    )\n",
    "def kernel(x):\n    tl.store(x,\n1\n)\n",
    'def kernel(x):\n    """of\nlines"""\n    tl.store(x, 1)\n',
    'def kernel(x):\n    tl.store(x, 1)\n    """ends\nso"""\n',
    "def kernel(x):\n    if x:\n        tl.store(x, 1)\n    # says why\n    else:\n        pass\n",
    "def kernel(x):\n    for i in range(3):\n        for j in range(3):\n            tl.store(x, i)\n\n\n        continue\n",
    "def kernel(x):\n    f = lambda y: (y +\n                   1)\n    tl.store(x, f(1))\n",
    "def kernel(x):\n    return\n    tl.store(x, 1)\n",
])
@pytest.mark.parametrize("after", [AFTER, ""])
@pytest.mark.parametrize("before", ["", "@triton.jit\n", "@triton.jit(\n    debug=(\n        False),\n)\n"])
def test_a_source_ends_where_its_function_does(text, after, before):
    for missing_newline in (0, 1) if not after else (0,):
        kernel = text_of(before + text[:len(text) - missing_newline] + after)
        assert kernel.src == text, kernel.src
        assert kernel.starting_line_number == before.count("\n") + 1


def test_the_source_of_a_method():
    kernel = text_of("if True:\n    def kernel(x):\n        tl.store(x,\n    1)\n    y = 1\n")
    assert kernel.src == "def kernel(x):\n    tl.store(x,\n1)\n"


def test_a_file_that_has_changed_since_is_read_again(tmp_path, monkeypatch):
    import importlib
    import sys

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "edited_kernels.py"
    head = "import tegula as triton\nimport tegula.language as tl\n\n"
    path.write_text(head + "@triton.jit\ndef kernel(x):\n    tl.store(x, 1)\n")
    module = importlib.import_module("edited_kernels")
    assert result(module.kernel) == 1
    path.write_text(head + "\n\n@triton.jit\ndef kernel(x):\n    tl.store(x, 2.5)\n")
    assert result(importlib.reload(module).kernel) == 2.5


def test_names_that_only_annotations_have():
    @triton.jit
    def plain(out_ptr, n: helpers_elsewhere.tl.int64):
        return

    @triton.jit
    def quoted(out_ptr, N: "helpers_elsewhere.tl.constexpr"):
        tl_ = helpers_elsewhere.tl
        tl_.store(out_ptr, N)

    assert "helpers_elsewhere" in plain.names() and quoted.names() is None
    assert result(quoted, 3) == 3


def test_names_of_nested_functions_and_of_code_that_never_runs():
    @triton.jit
    def kernel(out_ptr, N: tl.constexpr):
        if False:
            tl.store(out_ptr, math.nothing)
        values = [SCALE * i for i in (1, 2)]
        tl.store(out_ptr, values[1] + N)

    assert {"SCALE", "math", "tl"} <= kernel.names() and not {"i", "N", "values"} & kernel.names()


def test_a_function_within_a_function_that_wraps_it():
    import functools

    factor = tl.constexpr(4)

    def inside(out_ptr, value):
        tl.store(out_ptr, value * factor)

    @functools.wraps(inside)
    def around(*args):
        return inside(*args)

    kernel = triton.jit(around)
    assert kernel.src.startswith("def inside(out_ptr, value):") and result(kernel, 2.5) == 10
