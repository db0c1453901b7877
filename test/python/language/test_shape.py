"""Shapes: the same elements in another arrangement."""

import numpy as np
import pytest
from harness import array, empty, launch, numbers, same

import tegula as triton
import tegula.language as tl


@triton.jit
def place2(A: tl.constexpr, B: tl.constexpr):
    return tl.arange(0, A)[:, None] * B + tl.arange(0, B)[None, :]


@triton.jit
def place3(A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    return (tl.arange(0, A)[:, None, None] * B + tl.arange(0, B)[None, :, None]) * C + tl.arange(0, C)[None, None, :]


def filled(shape, name="int32"):
    return array(name, np.arange(np.prod(shape)).reshape(shape))


@triton.jit
def reshaped(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, D: tl.constexpr, HOW: tl.constexpr):
    value = tl.load(x + place2(A, B))
    if HOW == "tuple":
        value = tl.reshape(value, (C, D))
    elif HOW == "list":
        value = tl.reshape(value, [C, D])
    elif HOW == "arguments":
        value = tl.reshape(value, C, D)
    elif HOW == "member":
        value = value.reshape(C, D)
    else:
        value = tl.view(value, (C, D))
    tl.static_assert(value.shape[0] == C and value.shape[1] == D)
    tl.store(out + place2(C, D), value)


@pytest.mark.parametrize("how", ["tuple", "list", "arguments", "member", "view"])
@pytest.mark.parametrize("of, to", [((8, 16), (16, 8)), ((8, 16), (2, 64)), ((1, 32), (32, 1)), ((4, 4), (4, 4))])
def test_reshape(of, to, how):
    x, out = filled(of), empty("int32", to)
    launch(reshaped, x, out, A=of[0], B=of[1], C=to[0], D=to[1], HOW=how)
    if how == "view":  # may reorder
        assert sorted(out.values.ravel()) == list(range(x.values.size))
    else:
        same(out, x.values.reshape(to))


@triton.jit
def reordered(x, out, A: tl.constexpr, B: tl.constexpr):
    value = tl.reshape(tl.load(x + place2(A, B)), [A * B], can_reorder=True)
    tl.store(out + tl.arange(0, A * B), value)


def test_reshape_in_any_order():
    x, out = filled((8, 16)), empty("int32", 128)
    launch(reordered, x, out, A=8, B=16)
    assert sorted(out.values) == list(range(128))


@triton.jit
def ravelled(x, out, A: tl.constexpr, B: tl.constexpr):
    value = tl.load(x + place2(A, B))
    tl.store(out + tl.arange(0, A * B), tl.ravel(value))
    tl.store(out + A * B + tl.arange(0, A * B), value.ravel())


def test_ravel():
    x, out = filled((4, 16)), empty("int32", 128)
    launch(ravelled, x, out, A=4, B=16)
    same(out, list(range(64)) * 2)


@triton.jit
def transposed(x, out, A: tl.constexpr, B: tl.constexpr, HOW: tl.constexpr):
    value = tl.load(x + place2(A, B))
    if HOW == "trans":
        value = tl.trans(value)
    elif HOW == "T":
        value = value.T
    elif HOW == "member":
        value = value.trans()
    elif HOW == "dims":
        value = tl.trans(value, 1, 0)
    else:
        value = tl.permute(value, (1, 0))
    tl.store(out + place2(B, A), value)


@pytest.mark.parametrize("how", ["trans", "T", "member", "dims", "permute"])
@pytest.mark.parametrize("shape", [(8, 16), (32, 4), (1, 64), (64, 64)])
def test_transpose(shape, how):
    x, out = filled(shape), empty("int32", shape[::-1])
    launch(transposed, x, out, A=shape[0], B=shape[1], HOW=how)
    same(out, x.values.T)


@triton.jit
def permuted(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr, I: tl.constexpr, J: tl.constexpr,
             K: tl.constexpr):
    value = tl.permute(tl.load(x + place3(A, B, C)), I, J, K)
    tl.store(out + place3(value.shape[0], value.shape[1], value.shape[2]), value)


@pytest.mark.parametrize("order", [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)])
def test_permute(order):
    x, out = filled((4, 8, 2)), empty("int32", 64)
    launch(permuted, x, out, A=4, B=8, C=2, I=order[0], J=order[1], K=order[2])
    same(out, x.values.transpose(order).ravel())


@triton.jit
def last_two(x, out, A: tl.constexpr, B: tl.constexpr, C: tl.constexpr):
    tl.store(out + place3(A, C, B), tl.trans(tl.load(x + place3(A, B, C))))


def test_trans_of_three_dimensions_swaps_the_last_two():
    x, out = filled((2, 4, 8)), empty("int32", (2, 8, 4))
    launch(last_two, x, out, A=2, B=4, C=8)
    same(out, x.values.transpose(0, 2, 1))


@triton.jit
def expanded(x, out, N: tl.constexpr, HOW: tl.constexpr):
    value = tl.load(x + tl.arange(0, N))
    if HOW == "function":
        column, row = tl.expand_dims(value, 1), tl.expand_dims(value, 0)
    elif HOW == "negative":
        column, row = tl.expand_dims(value, -1), tl.expand_dims(value, -2)
    elif HOW == "member":
        column, row = value.expand_dims(1), value.expand_dims(0)
    elif HOW == "unsqueeze":
        column, row = tl.unsqueeze(value, 1), value.unsqueeze(0)
    else:
        column, row = value[:, None], value[None, :]
    tl.static_assert(column.shape[1] == 1 and row.shape[0] == 1)
    tl.store(out + place2(N, N), column * 100 + row)


@pytest.mark.parametrize("how", ["function", "negative", "member", "unsqueeze", "index"])
def test_expand_dims(how):
    x, out = filled(16), empty("int32", (16, 16))
    launch(expanded, x, out, N=16, HOW=how)
    same(out, np.arange(16)[:, None] * 100 + np.arange(16))


@triton.jit
def expanded_twice(x, out, N: tl.constexpr):
    value = tl.expand_dims(tl.load(x + tl.arange(0, N)), [0, 2])
    tl.static_assert(len(value.shape) == 3 and value.shape[1] == N)
    tl.store(out + tl.arange(0, N), tl.squeeze(tl.squeeze(value, 2), 0))


def test_expand_dims_of_a_list_and_squeeze():
    x, out = filled(16), empty("int32", 16)
    launch(expanded_twice, x, out, N=16)
    same(out, x.values)


@triton.jit
def widened(x, out, A: tl.constexpr, B: tl.constexpr, HOW: tl.constexpr):
    value = tl.load(x + tl.arange(0, A))[:, None]
    if HOW == "tuple":
        value = tl.broadcast_to(value, (A, B))
    elif HOW == "arguments":
        value = tl.broadcast_to(value, A, B)
    elif HOW == "member":
        value = value.broadcast_to(A, B)
    else:
        value, other = tl.broadcast(value, tl.zeros([1, B], tl.int32))
        tl.static_assert(other.shape[0] == A)
    tl.store(out + place2(A, B), value)
    tl.store(out + A * B + tl.arange(0, B), tl.broadcast_to(tl.load(x + 1), [B]))


@pytest.mark.parametrize("how", ["tuple", "arguments", "member", "broadcast"])
def test_broadcast(how):
    x, out = filled(8), empty("int32", 8 * 16 + 16)
    launch(widened, x, out, A=8, B=16, HOW=how)
    same(out, np.concatenate([np.repeat(np.arange(8), 16), [1] * 16]))


@triton.jit
def only(x, out, N: tl.constexpr):
    line = tl.load(x + tl.arange(0, N))
    table = tl.load(x + 1 + tl.zeros([1, 1], tl.int32))
    tl.static_assert(len(table.item().shape) == 0 and line.dtype == table.item().dtype)
    tl.store(out, line.item() + table.item())
    tl.store(out + table.item(), tl.sum(line).item())


def test_the_only_element():
    x, out = filled(4), empty("int32", 2)
    launch(only, x, out, N=1)
    same(out, np.array([x.values[0] + x.values[1], x.values[0]]))
    with pytest.raises(triton.CompilationError, match=r"expected a tensor of one element, found \[2\]"):
        launch(only, x, out, N=2)


@triton.jit
def indexed(x, out, A: tl.constexpr, B: tl.constexpr):
    value = tl.load(x + place2(A, B))[:, None, :]
    tl.static_assert(value.shape[0] == A and value.shape[1] == 1 and value.shape[2] == B)
    tl.store(out + place3(A, 2, B), tl.broadcast_to(value, A, 2, B))


def test_none_between_dimensions():
    x, out = filled((4, 8)), empty("int32", (4, 2, 8))
    launch(indexed, x, out, A=4, B=8)
    same(out, np.repeat(x.values[:, None, :], 2, axis=1))


@triton.jit
def shapes_known(x, out, A: tl.constexpr, B: tl.constexpr):
    value = tl.load(x + place2(A, B))
    tl.static_assert(value.numel == A * B)
    tl.static_assert(len(value.shape) == 2)
    rows: tl.constexpr = value.shape[0]
    columns: tl.constexpr = value.shape[1]
    tl.static_assert(value.type.element_ty == tl.float16)
    tl.static_assert(value.type.scalar == tl.float16)
    tl.static_assert(value.dtype.primitive_bitwidth == 16)
    tl.store(out, rows * 1000 + columns)


def test_shapes_and_types_are_known():
    x, out = numbers("float16", (4, 8)), empty("int32", 1)
    launch(shapes_known, x, out, A=4, B=8)
    same(out, [4008])


@triton.jit
def takes_the_only_element(x, out, N: tl.constexpr):
    one = tl.sum(tl.load(x + tl.arange(0, N)), 0, keep_dims=True)
    tl.static_assert(len(one.shape) == 1 and len(one.item().shape) == 0)
    tl.store(out, one.item())


def test_item():
    x, out = numbers("int32", 32), empty("int32", 1)
    launch(takes_the_only_element, x, out, N=32)
    same(out, [x.values.sum()])


@triton.jit
def sorted_as_a_cube(x, out, N: tl.constexpr, BITS: tl.constexpr):
    i = tl.arange(0, N)
    cube = tl.reshape(tl.load(x + i), [2] * BITS)
    tl.store(out + i, tl.reshape(tl.permute(cube, [BITS - 1 - axis for axis in tl.static_range(BITS)]), [N]))


@pytest.mark.parametrize("bits", [9, 12])
def test_a_tensor_has_as_many_sides_of_two_as_it_has_elements_for(bits):
    x, out = array("int32", np.arange(1 << bits)), empty("int32", 1 << bits)
    launch(sorted_as_a_cube, x, out, N=1 << bits, BITS=bits)
    same(out, x.values.reshape([2] * bits).transpose(range(bits)[::-1]).reshape(-1))
