"""Types and compile-time values as host code uses them."""

import copy
import pickle

import pytest

import tegula.language as tl

SCALARS = [tl.int1, tl.int8, tl.int16, tl.int32, tl.int64, tl.uint8, tl.uint16, tl.uint32, tl.uint64, tl.float16,
           tl.bfloat16, tl.float32, tl.float64, tl.float8e4nv, tl.float8e5, tl.float8e4b15, tl.float8e4b8,
           tl.float8e5b16, tl.void]


def test_names_and_widths():
    assert str(tl.float32) == tl.float32.name == "fp32"
    assert repr(tl.float32) == "triton.language.float32"
    assert repr(tl.bfloat16) == "triton.language.bfloat16"
    assert [t.primitive_bitwidth for t in (tl.int1, tl.uint8, tl.bfloat16, tl.int32, tl.float64)] == [1, 8, 16, 32, 64]
    assert [t.itemsize for t in (tl.int1, tl.uint8, tl.bfloat16, tl.int32, tl.float64)] == [1, 1, 2, 4, 8]
    assert tl.int32.cache_key_part == "i32" and tl.uint8.cache_key_part == "u8" and tl.int1.cache_key_part == "i1"
    assert tl.float32.fp_mantissa_width == 23 and tl.bfloat16.exponent_bias == 127


def test_predicates():
    assert tl.float16.is_floating() and tl.float16.is_fp16() and not tl.float16.is_int()
    assert tl.uint32.is_int() and tl.uint32.is_int_unsigned() and not tl.uint32.is_int_signed()
    assert tl.int1.is_bool() and tl.int1.is_int1()
    assert tl.float8e4nv.is_fp8() and tl.float8e4nv.is_fp8e4nv() and not tl.float8e4nv.is_standard_floating()
    assert tl.void.is_void() and not tl.void.is_floating()
    assert tl.dtype.is_dtype("bf16") and not tl.dtype.is_dtype("bf17")
    assert tl.float32.kind() == tl.dtype.KIND.FLOATING and tl.int1.kind() == tl.dtype.KIND.BOOLEAN


def test_limits_of_integers():
    assert (tl.int8.get_int_min_value(), tl.int8.get_int_max_value()) == (-128, 127)
    assert (tl.uint16.get_int_min_value(), tl.uint16.get_int_max_value()) == (0, 65535)
    with pytest.raises(ValueError, match="expected a type of integers, found fp32"):
        tl.float32.get_int_max_value()


def test_an_unknown_name_is_an_error():
    with pytest.raises(ValueError, match="no type of the language is called 'float'"):
        tl.dtype("float")


def test_equality_and_hash():
    assert tl.dtype("fp32") == tl.float32 and hash(tl.dtype("fp32")) == hash(tl.float32)
    assert tl.int32 != tl.uint32 and tl.int32 != "int32"
    assert {tl.float16: 1}[tl.dtype("fp16")] == 1


@pytest.mark.parametrize("value", [*SCALARS, tl.pi32_t, tl.pointer_type(tl.float16, const=True),
                                   tl.block_type(tl.float32, [4, 8]), tl.constexpr((1, "a"))], ids=str)
def test_copies_are_equal(value):
    for twin in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value), copy.copy(value)):
        assert twin == value and hash(twin) == hash(value)


def test_pickled_scalars_are_the_same_objects():
    assert pickle.loads(pickle.dumps(tl.float32)) is tl.float32


def test_pointers():
    pointer = tl.pointer_type(tl.bfloat16)
    assert pointer.is_ptr() and pointer.element_ty == tl.bfloat16 and not pointer.is_const()
    assert pointer.cache_key_part == "*bf16" and tl.pointer_type(tl.int8, const=True).cache_key_part == "*ki8"
    assert pointer.scalar is pointer and str(pointer) == "pointer<bf16>"
    assert pointer != tl.pointer_type(tl.bfloat16, const=True) and pointer != tl.bfloat16
    with pytest.raises(TypeError, match="expected a type of the language to point to, found str"):
        tl.pointer_type("fp32")


def test_blocks():
    block = tl.block_type(tl.float32, [tl.constexpr(4), 8])
    assert block.is_block() and block.shape == (4, 8) and block.numel == 32 and block.nbytes == 128
    assert block.scalar == tl.float32 and block.get_block_shapes() == (4, 8)
    assert block.with_element_ty(tl.int8) == tl.block_type(tl.int8, [4, 8])
    with pytest.raises(ValueError, match="Shape element . must be a power of 2, found 6"):
        tl.block_type(tl.float32, [6])
    with pytest.raises(ValueError, match="at most 1048576 elements, found 2097152"):
        tl.block_type(tl.float32, [2**21])
    with pytest.raises(TypeError, match="a scalar has the type of its elements"):
        tl.block_type(tl.float32, [])


def test_get_int_dtype():
    assert tl.core.get_int_dtype(32, True) == tl.int32 and tl.core.get_int_dtype(8, False) == tl.uint8
    assert tl.core.get_int_dtype(1, True) == tl.int1
    with pytest.raises(ValueError, match="no integers of the language have 24 bits"):
        tl.core.get_int_dtype(24, True)


def test_types_as_signatures_spell_them():
    from tegula.language import str_to_ty

    for scalar in SCALARS:
        assert str_to_ty(scalar.cache_key_part) == scalar
    assert str_to_ty("*kbf16") == tl.pointer_type(tl.bfloat16, const=True)
    with pytest.raises(ValueError, match="no type of the language is spelled 'x7'"):
        str_to_ty("x7")


def test_constexpr_computes_as_python():
    five, two = tl.constexpr(5), tl.constexpr(2)
    results = [five + two, five - 2, 10 - five, five * two, five // two, five % 2, five**two, 2**five, five << 1,
               five >> two, five & 4, five | 2, five ^ 1, -five, ~five, five / two, abs(-five)]
    assert [result.value for result in results] == [7, 3, 5, 10, 2, 1, 25, 32, 10, 1, 4, 7, 4, -5, -6, 2.5, 5]
    assert all(isinstance(result, tl.constexpr) for result in results)
    comparisons = [five > two, five >= 5, five < 2, five <= two, five == 5, five != 5]
    assert [bool(result) for result in comparisons] == [True, True, False, False, True, False]


def test_constexpr_is_used_as_its_value():
    assert [10, 20, 30][tl.constexpr(1)] == 20
    assert list(range(tl.constexpr(3))) == [0, 1, 2]
    assert tl.constexpr((4, 5))[1].value == 5
    assert tl.constexpr(max)(1, 2) == 2
    assert tl.constexpr(tl.constexpr(3)).value == 3
    assert tl.constexpr(0).logical_or(tl.constexpr(4)).value == 4
    assert not tl.constexpr(0) and str(tl.constexpr(3)) == "constexpr[3]"
    assert hash(tl.constexpr(3)) == hash(tl.constexpr(3))


def test_unwrapping():
    from tegula.language.core import _unwrap_if_constexpr, _unwrap_shape

    assert _unwrap_if_constexpr(tl.constexpr(3)) == 3 and _unwrap_if_constexpr(3) == 3
    assert _unwrap_if_constexpr([tl.constexpr(3), 4]) == [3, 4]
    assert _unwrap_shape(tl.constexpr((2, 4))) == [2, 4]


def test_names_by_which_the_compiler_knows_things():
    from tegula.language import language_name

    assert language_name(tl.load) == "triton.language.load"
    assert language_name(tl.math.exp) == "triton.language.math.exp"
    assert language_name(tl.extra.libdevice.tanh) == "triton.language.extra.libdevice.tanh"
    assert language_name(tl.extra.cuda.smid) == "triton.language.extra.cuda.smid"
    assert language_name(tl.target_info.is_cuda) == "triton.language.target_info.is_cuda"
    assert language_name(tl.range) == "triton.language.range"
    assert language_name(tl) == "triton.language"
    assert language_name(tl.PropagateNan.ALL) == "triton.language.PropagateNan.ALL"
    for other in (tl.float32, tl.constexpr(3), 3, "x", max, object(), tl.pi32_t):
        assert language_name(other) is None
