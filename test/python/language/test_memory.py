"""Loads and stores: types, masks, shapes, hints."""

import numpy as np
import pytest
from harness import INTERPRETED, NARROW, NUMBERS, array, close, empty, launch, numbers, same

import tegula as triton
import tegula.language as tl


@triton.jit
def copy(x, out, n, N: tl.constexpr):
    i = tl.program_id(0) * N + tl.arange(0, N)
    tl.store(out + i, tl.load(x + i, mask=i < n), mask=i < n)


@pytest.mark.parametrize("n", [1, 31, 64, 100])
@pytest.mark.parametrize("name", NUMBERS + NARROW + ["int1"])
def test_copy_with_a_mask(name, n):
    x, out = numbers(name, 128), empty(name, 128)
    before = out.stored.copy()
    launch(copy, x, out, n, grid=(2,), N=64)
    np.testing.assert_array_equal(out.stored[:n], x.stored[:n])
    np.testing.assert_array_equal(out.stored[n:], before[n:])


@triton.jit
def with_other(x, out, n, other, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i, mask=i < n, other=other))


@pytest.mark.parametrize("name", NUMBERS)
def test_other_is_converted(name):
    x, out = numbers(name, 32), empty(name, 32)
    launch(with_other, x, out, 20, 2, N=32)
    close(out, np.where(np.arange(32) < 20, x.values, 2))


@triton.jit
def other_of_a_block(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i, mask=i % 2 == 0, other=i.to(tl.float32)))


def test_other_is_a_block():
    x, out = numbers("float32", 32), empty("float32", 32)
    launch(other_of_a_block, x, out, N=32)
    same(out, np.where(np.arange(32) % 2 == 0, x.values, np.arange(32)))


@triton.jit
def block_2d(x, out, rows, columns, row_stride, column_stride, R: tl.constexpr, C: tl.constexpr):
    i, j = tl.arange(0, R), tl.arange(0, C)
    inside = (i < rows)[:, None] & (j < columns)[None, :]
    block = tl.load(x + i[:, None] * row_stride + j[None, :] * column_stride, mask=inside, other=0)
    tl.store(out + i[:, None] * C + j[None, :], block)


@pytest.mark.parametrize("rows, columns", [(8, 16), (5, 16), (8, 3), (1, 1)])
@pytest.mark.parametrize("transposed", [False, True])
def test_block_2d(rows, columns, transposed):
    x, out = numbers("float32", (8, 16)), empty("float32", (8, 16))
    strides = (1, 8) if transposed else (16, 1)
    launch(block_2d, x, out, rows, columns, *strides, R=8, C=16)
    seen = x.values.reshape(16, 8).T if transposed else x.values
    same(out, np.where((np.arange(8)[:, None] < rows) & (np.arange(16) < columns), seen, 0))


@triton.jit
def scalars(x, out, n):
    value = tl.load(x + 3)
    tl.store(out, value)
    tl.store(out + 1, tl.load(x + 100, mask=n > 100, other=5))
    tl.store(out + 2, 7, mask=n > 100)
    tl.store(out + 3, 8, mask=n <= 100)


@pytest.mark.parametrize("name", ["int32", "float32", "float16", "int64"])
def test_scalars(name):
    x, out = numbers(name, 8), empty(name, 4)
    before = out.values[2]
    launch(scalars, x, out, 8)
    close(out, [x.values[3], 5, before, 8])


@triton.jit
def one_value_everywhere(out, N: tl.constexpr):
    tl.store(out + tl.arange(0, N), 3)
    tl.store(out + N + tl.arange(0, N), tl.program_id(0) + 4)


def test_scalars_are_broadcast_by_stores():
    out = empty("float32", 64)
    launch(one_value_everywhere, out, N=32)
    same(out, [3] * 32 + [4] * 32)


@triton.jit
def hinted(x, out, N: tl.constexpr, READ: tl.constexpr, WRITE: tl.constexpr, EVICT: tl.constexpr,
           VOLATILE: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i, cache_modifier=READ, eviction_policy=EVICT, volatile=VOLATILE)
    tl.store(out + i, value, cache_modifier=WRITE, eviction_policy=EVICT)


@pytest.mark.parametrize("read, write, evict, volatile", [
    (".ca", ".wb", "", False), (".cg", ".cg", "evict_first", False), (".cs", ".cs", "", False),
    (".cv", ".wt", "", False), ("", "", "evict_last", False), ("", "", "", True)])
def test_hints_change_nothing_but_speed(read, write, evict, volatile):
    x, out = numbers("float32", 64), empty("float32", 64)
    launch(hinted, x, out, N=64, READ=read, WRITE=write, EVICT=evict, VOLATILE=volatile)
    same(out, x.values)


@triton.jit
def converts(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i))


@pytest.mark.parametrize("of, to", [("float32", "float16"), ("float32", "bfloat16"), ("int32", "float32"),
                                    ("int64", "int8"), ("float16", "float64"), ("int1", "int32")])
def test_stores_convert(of, to):
    x, out = numbers(of, 32), empty(to, 32)
    launch(converts, x, out, N=32)
    close(out, x.values)


@triton.jit
def moved_pointers(x, out, N: tl.constexpr):
    x += 4
    i = tl.arange(0, N)
    pointers = x + i
    for _ in range(3):
        pointers += 2
    tl.store(out + i, tl.load(pointers) + tl.load(x - 4))
    (out + N + i).store(i)


def test_pointer_arithmetic():
    x, out = numbers("int32", 64), empty("int32", 32)
    launch(moved_pointers, x, out, N=16)
    same(out, np.concatenate([x.values[10:26] + x.values[0], np.arange(16)]))


@triton.jit
def gathered(x, places, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + tl.load(places + i)))


@pytest.mark.parametrize("index", ["int32", "int64", "uint8", "int16"])
def test_indices_of_any_integer_type(index):
    x, out = numbers("float32", 100), empty("float32", 64)
    places = array(index, np.random.default_rng(3).integers(0, 100, 64))
    launch(gathered, x, places, out, N=64)
    same(out, x.values[places.values.astype(int)])


@triton.jit
def none_for_a_pointer(x, bias, out, N: tl.constexpr):
    i = tl.arange(0, N)
    value = tl.load(x + i)
    if bias is not None:
        value += tl.load(bias + i)
    tl.store(out + i, value)


@pytest.mark.parametrize("has_bias", [False, True])
def test_none_for_a_pointer(has_bias):
    x, bias, out = numbers("float32", 16), numbers("float32", 16, seed=1), empty("float32", 16)
    launch(none_for_a_pointer, x, bias if has_bias else None, out, N=16)
    same(out, x.values + bias.values if has_bias else x.values)


@triton.jit
def store_to_truths(x, out, N: tl.constexpr):
    i = tl.arange(0, N)
    tl.store(out + i, tl.load(x + i))


@pytest.mark.parametrize("name", ["int8", "uint8", "int16", "int32", "int64", "float32"])
def test_truths_in_memory_keep_the_low_byte_of_what_is_stored(name):
    x = array(name, [0, 1, 2, 100, 127, 3, 0, 1] if "8" in name or name[0] == "f" else [0, 1, 2, 255, 256, 257, 512, -1])
    out = empty("int1", 8)
    launch(store_to_truths, x, out, N=8)
    np.testing.assert_array_equal(out.stored.view(np.uint8), x.stored.astype(np.uint8))


@triton.jit
def numbers_to_truths(out):
    tl.store(out, 256)
    tl.store(out + 1, 2)
    tl.store(out + 2, True)
    tl.store(out + 3, tl.load(out + 1))


def test_numbers_and_truths_in_an_array_of_truths():
    out = empty("int1", 4)
    launch(numbers_to_truths, out)
    assert out.stored.view(np.uint8).tolist() == [0, 2, 1, 1]


@triton.jit
def shifted(x, start, out, N: tl.constexpr, HINT: tl.constexpr):
    i = tl.load(start) + tl.arange(0, N)
    if HINT:
        tl.max_contiguous(tl.multiple_of(i, N), N)
    tl.store(out + i, tl.load(x + i))


@pytest.mark.skipif(INTERPRETED, reason="there is no PTX")
@pytest.mark.parametrize("hint", [False, True])
def test_a_hint_that_is_a_statement_counts_for_the_value(hint):
    x, start, out = numbers("int32", 1024), array("int32", [512]), array("int32", np.zeros(1024))
    compiled = launch(shifted, x, start, out, N=512, HINT=hint)
    np.testing.assert_array_equal(out.values[512:], x.values[512:])
    assert (".v4." in compiled.asm["ptx"]) == hint
