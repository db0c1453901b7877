"""What tensors and types are asked by name: operators as methods, the methods of types."""

import numpy as np
import pytest
from harness import array, close, empty, launch, numbers, same, type_of

import tegula as triton
import tegula.language as tl

_BINARY = ["add", "sub", "mul", "truediv", "floordiv", "mod", "lshift", "rshift", "and", "or", "xor", "lt", "le", "gt",
           "ge", "eq", "ne"]


@triton.jit
def methods(a, out, NAME: tl.constexpr, N: tl.constexpr):
    i = tl.arange(0, N)
    x = tl.load(a + i)
    y = x * 2 + 1
    tl.store(out + i, getattr(x, f"__{NAME}__")(y))
    tl.store(out + N + i, getattr(x, f"__r{NAME}__")(y))
    tl.store(out + 2 * N + i, getattr(x, f"__{NAME}__")(3))


@pytest.mark.parametrize("name", _BINARY)
def test_operators_are_methods_and_reflected_ones_too(name):
    # Division and shifts of small positive numbers mean the same everywhere.
    x = array("int32", [1, 2, 3, 4])
    out = empty("float32" if name == "truediv" else "int32", 12)
    launch(methods, x, out, NAME=name, N=4)
    own, other = x.values, x.values * 2 + 1
    compute = getattr(np.ndarray, f"__{name}__")
    close(out, np.concatenate([compute(own, other), compute(other, own), compute(own, np.full(4, 3, np.int32))]))


@triton.jit
def shifted(x, out):
    i = tl.arange(0, 8)
    v = tl.load(x + i).to(tl.int8)
    tl.store(out + i, v.__rshift__(4))
    tl.store(out + 8 + i, v.__neg__())
    tl.store(out + 16 + i, v.__invert__())
    tl.store(out + tl.arange(0, 1)[:, None] + 24, v.__getitem__(None).shape[0] + tl.zeros((1, 1), tl.int8))
    known: tl.constexpr = 5
    tl.static_assert(known.__add__(2) == 7 and known.__rsub__(2) == -3 and known.__eq__(5))
    tl.static_assert((1, 2).__add__((3,)).__getitem__(2) == 3)


def test_operators_of_one_operand_and_of_constants_are_methods():
    x, out = array("int32", [-128, -16, -1, 0, 1, 16, 64, 127]), empty("int8", 25)
    launch(shifted, x, out)
    bytes_ = x.values.astype(np.int8)
    same(out, np.concatenate([bytes_ >> 4, -bytes_, ~bytes_, np.array([1], np.int8)]))


@triton.jit
def described(out, T: tl.constexpr, F: tl.constexpr):
    block = tl.zeros((4, 8), T).type
    shapes = block.get_block_shapes()
    tl.store(out + 0, shapes[0] * 100 + shapes[1])
    tl.store(out + 1, block.nbytes)
    tl.static_assert(block.with_element_ty(tl.int8) == tl.block_type(tl.int8, [4, 8]))
    tl.static_assert(T.with_element_ty(tl.int8) == tl.int8)
    tl.static_assert(not hasattr(T, "get_block_shapes"))
    tl.store(out + 2, T.get_int_max_value())
    tl.store(out + 3, T.get_int_min_value())
    tl.store(out + 4, F.fp_mantissa_width * 10000 + F.exponent_bias)
    tl.store(out + 5, T.int_signedness)
    tl.static_assert(T.kind() == tl.dtype.KIND.INTEGRAL and F.kind() == tl.dtype.KIND.FLOATING)
    tl.static_assert(tl.int1.kind() == tl.dtype.KIND.BOOLEAN and T.kind().value == 1)
    tl.static_assert(T.name in tl.dtype.SINT_TYPES + tl.dtype.UINT_TYPES and F.name in tl.dtype.FP_TYPES)
    tl.static_assert(F.codegen_name() == "float16" or F.codegen_name() == "bfloat16" or F.codegen_name() == "float8e5")
    tl.static_assert(block.mangle() == T.mangle() + "S4_8S")
    tl.static_assert(tl.pointer_type(T).mangle() == "P" + T.mangle() and tl.pointer_type(T).address_space == 1)


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "uint8", "uint16"])
@pytest.mark.parametrize("real", ["float16", "bfloat16", "float8e5"])
def test_types_have_triton_s_methods(name, real):
    t, f = type_of(name), type_of(real)
    out = empty("int64", 6)
    launch(described, out, T=t, F=f)
    limits = np.iinfo(name)
    same(out, [408, 32 * limits.bits // 8, limits.max, limits.min, f.fp_mantissa_width * 10000 + f.exponent_bias,
               0 if limits.min else 1])


@triton.jit
def literal(input_literal: tl.constexpr, tensor_type: tl.constexpr):
    patched: tl.constexpr = input_literal
    tl.static_assert(patched.type == tl.constexpr_type(input_literal))
    tl.static_assert(patched.type != tl.constexpr_type((0, 1)) and patched.type != tl.constexpr_type(7))
    if tensor_type is not None:
        assigned = input_literal
        tl.static_assert(assigned.type == tensor_type)


@pytest.mark.parametrize("value, tensor_type", [(10, tl.int32), (32.1, tl.float32), ((5, 6, 7), None)])
def test_the_type_of_a_constant_tells_its_value(value, tensor_type):
    launch(literal, value, tensor_type)


def chosen(kind):
    """A function of Python that nothing decorates."""
    return tl.int64 if kind.is_int() else kind


accumulator = tl.constexpr(chosen)


@triton.jit
def through_a_constexpr(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    v = tl.load(x + i)
    tl.static_assert(accumulator(tl.int8) == tl.int64)
    tl.store(out + i, v.to(accumulator(v.dtype)) * 100)


def test_a_function_of_python_in_a_constexpr_is_called():
    x, out = numbers("int8", 16), empty("int64", 16)
    launch(through_a_constexpr, x, out, N=16)
    same(out, x.values.astype(np.int64) * 100)


@triton.jit
def unpacks(out):
    i, j = tl.program_id(0), 5, 7
    (k, m), n = (i + 1, 2, 3), 4, 9
    tl.store(out + i, j * 1000 + k * 100 + m * 10 + n)


def test_values_without_a_name_are_left():
    out = empty("int32", 1)
    launch(unpacks, out)
    same(out, [5124])


@triton.jit
def one_element(x, out, N: tl.constexpr):
    v = tl.load(x + tl.arange(0, 1))
    if v > 3:
        tl.store(out, 1)
    elif v[None, :] == 3:
        tl.store(out, 2)
    else:
        tl.store(out, 3)
    n = tl.zeros((1,), tl.int32)
    while n < v:
        n += 1
    tl.store(out + 1 + tl.arange(0, 1), n)


@pytest.mark.parametrize("value, branch", [(5, 1), (3, 2), (1, 3)])
def test_a_condition_may_be_a_tensor_of_one_element(value, branch):
    x, out = array("int32", [value]), empty("int32", 2)
    launch(one_element, x, out, N=1)
    same(out, [branch, value])


@tl.core.builtin
def listed(*values, _semantic=None):
    return list(values)


@triton.constexpr_function
def second_of(values):
    return values[1]


@triton.jit
def by_a_builtin_of_the_program(out):
    known: tl.constexpr = second_of(listed(4, 8, 16))
    tl.store(out + tl.arange(0, known), 1)


def test_a_builtin_of_the_program_computes_constants():
    out = array("int32", np.zeros(16))
    launch(by_a_builtin_of_the_program, out)
    same(out, [1] * 8 + [0] * 8)
