"""Kernels whose source a program has written: a function without one is given it, and says where it is from."""

import inspect
import types

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from arrays import ON_GPU, numbers, zeros
from tegula.compiler.errors import CompilationError
from tegula.runtime.jit import get_jit_fn_file_line


@triton.jit
def twice(x):
    return x * 2


@triton.jit
def template(out_ptr,
             value,
             fn: tl.constexpr):
    tl.store(out_ptr, fn(value))


def written(source, kernel, **names):
    """A function of this source that means by its names what `kernel` does, or `names`."""
    def empty():
        pass

    space = {**empty.__globals__, **kernel.get_capture_scope(), **names}
    exec(source, space)
    function = types.FunctionType(empty.__code__, space)
    function.__signature__ = inspect.signature(space["made"])
    function.__name__ = "made"
    parameters = list(inspect.signature(triton.JITFunction.__init__).parameters.values())[2:]
    made = triton.JITFunction(function, **{one.name: getattr(kernel, one.name, one.default) for one in parameters})
    made._unsafe_update_src(source)
    return made


SOURCE = "def made(out_ptr, value):\n    fn: tl.constexpr = twice\n    tl.store(out_ptr, fn(value))\n"


def test_a_written_kernel_runs():
    out = zeros(1, "float32")
    written(SOURCE, template, twice=twice)[(1,)](out, 3.0)
    assert numbers(out)[0] == 6.0


def test_a_written_kernel_says_where_it_is_from():
    made = written(SOURCE.replace("fn(value)", "fn(valeu)"), template)
    made.raw_src = list(template.raw_src)
    made.starting_line_number = template.starting_line_number + 1  # its head has a line less
    code = template.fn.__code__
    made.fn.__code__ = made.fn.__code__.replace(co_filename=code.co_filename)
    assert made.raw_src[0].startswith("def template") and get_jit_fn_file_line(made) == (__file__, made.starting_line_number)
    with pytest.raises(CompilationError) as raised:
        made.warmup(zeros(1, "float32"), 3.0, grid=(1,))
    first = raised.value.diagnostics[0]
    assert (first.file, first.line) == (__file__, template.starting_line_number + 3)


def test_a_written_kernel_has_the_name_that_it_is_given():
    made = written(SOURCE, template)
    assert made._fn_name.endswith("empty")
    made._fn_name = "module.other"
    assert made._fn_name == "module.other" and "module.other" in repr(made)


def test_what_a_function_may_mean_by_its_names():
    captured = 5

    @triton.jit
    def inner(out_ptr):
        tl.store(out_ptr, captured)

    scope = inner.get_capture_scope()
    assert scope["captured"] == 5 and scope["twice"] is twice and scope["tl"] is tl


def test_a_name_by_repr_is_what_stands_behind_its_last_dot():
    @triton.jit(repr=lambda specialization: "some.module.nice")
    def kernel(out_ptr):
        tl.store(out_ptr, 1)

    assert kernel[(1,)](zeros(1, "int32")).name == "nice"
