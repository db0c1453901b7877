"""Types as values in kernels: predicates, pointers made of numbers, annotations."""

import pytest
from harness import array, empty, launch, numbers, same, type_of

import tegula as triton
import tegula.language as tl


@triton.jit
def predicates(out, T: tl.constexpr):
    tl.store(out + 0, T.is_int())
    tl.store(out + 1, T.is_int_signed())
    tl.store(out + 2, T.is_int_unsigned())
    tl.store(out + 3, T.is_floating())
    tl.store(out + 4, T.is_standard_floating())
    tl.store(out + 5, T.is_fp8())
    tl.store(out + 6, T.is_bool())
    tl.store(out + 7, T.is_block())
    tl.store(out + 8, T.is_ptr())
    tl.store(out + 9, T.is_void())
    tl.store(out + 10, T.is_const())
    tl.store(out + 11, T.is_int1())
    tl.store(out + 12, T.is_int8())
    tl.store(out + 13, T.is_int16())
    tl.store(out + 14, T.is_int32())
    tl.store(out + 15, T.is_int64())
    tl.store(out + 16, T.is_uint8())
    tl.store(out + 17, T.is_uint16())
    tl.store(out + 18, T.is_uint32())
    tl.store(out + 19, T.is_uint64())
    tl.store(out + 20, T.is_fp16())
    tl.store(out + 21, T.is_bf16())
    tl.store(out + 22, T.is_fp32())
    tl.store(out + 23, T.is_fp64())
    tl.store(out + 24, T.is_fp8e4nv())
    tl.store(out + 25, T.is_fp8e5())
    tl.store(out + 26, T.is_fp8e4b15())
    tl.store(out + 27, T.is_fp8e4b8())
    tl.store(out + 28, T.is_fp8e5b16())


_ASKED = ["is_int", "is_int_signed", "is_int_unsigned", "is_floating", "is_standard_floating", "is_fp8", "is_bool",
          "is_block", "is_ptr", "is_void", "is_const", "is_int1", "is_int8", "is_int16", "is_int32", "is_int64",
          "is_uint8", "is_uint16", "is_uint32", "is_uint64", "is_fp16", "is_bf16", "is_fp32", "is_fp64", "is_fp8e4nv",
          "is_fp8e5", "is_fp8e4b15", "is_fp8e4b8", "is_fp8e5b16"]


@pytest.mark.parametrize("name", ["int1", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                                  "float16", "bfloat16", "float32", "float64", "float8e4nv", "float8e5"])
def test_kernels_and_hosts_agree_on_predicates(name):
    out = empty("int32", len(_ASKED))
    launch(predicates, out, T=type_of(name))
    same(out, [getattr(type_of(name), asked)() for asked in _ASKED])


@triton.jit
def types_made_of_types(x, out):
    tl.static_assert(x.dtype == tl.pointer_type(tl.float32))
    tl.static_assert(tl.arange(0, 8).type == tl.block_type(tl.int32, [8]))
    bits = x.to(tl.int64)
    again = bits.to(tl.pointer_type(tl.int32))
    tl.store(out, tl.load(again + 1))


def test_pointers_are_numbers():
    x, out = array("float32", [1.0, 2.0]), empty("int32", 1)
    launch(types_made_of_types, x, out)
    same(out, [0x40000000])


@triton.jit
def annotated(x: tl.const, out, n: tl.int64, scale: tl.float32, N: "tl.constexpr"):
    tl.static_assert(n.dtype == tl.int64)
    tl.static_assert(scale.dtype == tl.float32)
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i, mask=i < n, other=0) * scale)


def test_annotations():
    x, out = numbers("float32", 16), empty("float32", 16)
    launch(annotated, x, out, 16, 2, N=16)
    same(out, x.values * 2)


@triton.jit
def writes_what_is_const(x: tl.const):
    tl.store(x, 1)


def test_what_is_const_is_not_written():
    with pytest.raises(triton.CompilationError, match="const"):
        launch(writes_what_is_const, numbers("float32", 1))


@triton.jit
def by_width(out):
    tl.static_assert(tl.core.get_int_dtype(1, True) == tl.int1 and tl.core.get_int_dtype(1, False) == tl.int1)
    tl.static_assert(tl.core.get_int_dtype(bitwidth=16, signed=True) == tl.int16)
    tl.static_assert(tl.core._unwrap_if_constexpr(tl.core.get_int_dtype(64, False)) == tl.uint64)
    wrapped: tl.constexpr = 8
    tl.store(out, tl.full([], 255, tl.get_int_dtype(tl.core._unwrap_if_constexpr(wrapped), signed=False)).to(tl.int32))


def test_types_of_integers_by_their_width():
    out = empty("int32", 1)
    launch(by_width, out)
    same(out, [255])


def annotated_as(kind):
    def decorator(function):
        function.__annotations__ = {"value": kind}
        return function
    return decorator


@pytest.mark.parametrize("name", ["float16", "bfloat16", "float32", "float64", "int8", "uint16", "int64"])
def test_annotations_that_are_set_at_run_time_decide(name):
    T = type_of(name)

    @triton.jit
    @annotated_as(T)
    def kernel(out, value):
        tl.static_assert(value.dtype == T)
        tl.store(out, value)

    out = empty("float32", 1)
    launch(kernel, out, 42 if "int" in name else 42.0)
    same(out, [42])


ALIAS = tl.float64


@triton.jit
def by_an_alias(out, value: ALIAS):
    tl.static_assert(value.dtype == tl.float64)
    tl.store(out, value)


def test_an_annotation_may_be_a_name_of_a_type():
    out = empty("float64", 1)
    launch(by_an_alias, out, 0.1)
    same(out, [0.1])


@triton.jit
def sign_and_value(n):
    if n < 0:
        return -1, n.to(tl.int64)
    return 1, n.to(tl.int64)


@triton.jit
def asks_for_the_type_of_a_tuple(out, n):
    pair = sign_and_value(n)
    tl.static_assert(pair.type == tl.tuple_type([tl.int32, tl.int64]))
    tl.static_assert(pair.type != tl.tuple_type([tl.int32, tl.int32]))
    x: tl.constexpr
    if (x := 10) == 10:
        tl.static_assert(isinstance(x.type, tl.constexpr_type))
        tl.store(out + tl.arange(0, 2), tl.arange(x, 12))


def test_the_type_of_a_tuple_is_those_of_its_items():
    out = empty("int32", 2)
    launch(asks_for_the_type_of_a_tuple, out, 5)
    assert out.values.tolist() == [10, 11]
    pair, named = tl.tuple_type([tl.int32, tl.int64]), tl.tuple_type([tl.int32, tl.int64], ["a", "b"])
    assert pair == tl.tuple_type([tl.int32, tl.int64]) != named and pair[1] == tl.int64 and len(list(named)) == 2
    assert len({pair, tl.tuple_type([tl.int32, tl.int64])}) == 1 and str(named) == "[a:int32,b:int64]"
