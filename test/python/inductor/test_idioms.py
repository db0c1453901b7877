"""Kernels in the way Inductor writes them and its helpers: what they ask of the language beyond what people write."""

import numpy as np
import pytest

import tegula as triton
import tegula.language as tl
from tegula.compiler import ASTSource

if triton.get_device().properties()["kind"] == "cuda":
    pytest.skip("needs arrays on the GPU", allow_module_level=True)

TYPES = {"float32": "*fp32", "float64": "*fp64", "int32": "*i32", "int64": "*i64", "uint32": "*u32", "uint64": "*u64",
         "uint8": "*u8", "bool": "*i1"}


def launch(kernel, grid, *arguments, num_warps=4, **constants):
    """Compiles and launches as Inductor does: types by name, every assertion live."""
    signature, values = {}, []
    for param, value in zip(kernel.params, arguments):
        signature[param.name] = TYPES[value.dtype.name] if isinstance(value, np.ndarray) else "i64"
        values.append(value)
    signature.update({name: "constexpr" for name in constants})
    compiled = triton.compile(ASTSource(kernel, signature, constants, {}), options={"num_warps": num_warps, "debug": True})
    compiled[grid](*values, *constants.values())


@triton.jit
def promoted(x):
    return x + tl.zeros((1,), tl.int1)


@triton.jit
def is_floating(x):
    return promoted(x).dtype.is_floating()


@triton.jit
def larger_with_place(a_value, a_place, b_value, b_place):
    mask = a_value > b_value
    equal = a_value == b_value
    if is_floating(a_value):
        a_absent = a_value != a_value
        b_absent = b_value != b_value
        mask |= a_absent & (not b_absent)
        equal |= a_absent & b_absent
    mask |= equal & (a_place < b_place)
    return tl.where(mask, a_value, b_value), tl.where(mask, a_place, b_place)


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_the_first_largest_of_each_row(dtype):
    @triton.jit
    def kernel(x, out, where, xnumel, XBLOCK: tl.constexpr, R0_BLOCK: tl.constexpr):
        xnumel = 5
        xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
        xmask = xindex < xnumel
        r0_index = tl.arange(0, R0_BLOCK)[None, :]
        value = tl.load(x + (r0_index + R0_BLOCK * xindex), xmask, other=0)
        place = tl.broadcast_to(r0_index, [XBLOCK, R0_BLOCK])
        value, place = tl.reduce((value, place), 1, larger_with_place)
        tl.store(out + (xindex), value[:, None], xmask)
        tl.store(where + (xindex), place[:, None], xmask)

    x = np.random.default_rng(0).integers(0, 9, (5, 64)).astype(dtype)
    if dtype == "float32":
        x[1, 40] = x[1, 50] = np.nan
    out, where = np.zeros(5, dtype), np.zeros(5, np.int32)
    launch(kernel, (3,), x, out, where, 5, XBLOCK=2, R0_BLOCK=64)
    np.testing.assert_array_equal(where, x.argmax(1))
    np.testing.assert_array_equal(out, x.max(1))


def test_powers_by_squaring():
    @triton.jit
    def power(base, exponent):
        unsigned: tl.constexpr = tl.core.get_int_dtype(exponent.dtype.primitive_bitwidth, signed=False)
        left = exponent.to(unsigned)
        result = tl.full(base.shape, 1, base.dtype)
        for _ in tl.static_range(unsigned.primitive_bitwidth):
            result = tl.where((left & 1) != 0, result * base, result)
            left = left >> 1
            base = base * base
        return result

    @triton.jit
    def kernel(x, y, out, N: tl.constexpr):
        i = tl.arange(0, N)[:]
        tl.store(out + i, power(tl.load(x + i), tl.load(y + i)))

    x, y = np.arange(-16, 16, dtype=np.int64), np.arange(32, dtype=np.int64) % 9
    out = np.zeros_like(x)
    launch(kernel, (1,), x, y, out, N=32)
    np.testing.assert_array_equal(out, x**y)


@triton.jit
def added(a, b):
    return a + b


@triton.jit
def packed(value, flag, BITS: tl.constexpr, PACK: tl.constexpr):
    BITS = tl.core._unwrap_if_constexpr(BITS)
    width = BITS.primitive_bitwidth
    return flag.to(PACK) | (value.to(BITS, bitcast=True).to(PACK) << width)


@triton.jit
def of_blocks_before(scratch, own, index, combine, BITS: tl.constexpr, PACK: tl.constexpr):
    """What the blocks before have in all: each tells its own sum, then that of all up to it."""
    KIND = own.dtype
    pack = packed(own, tl.full(own.shape, 1, BITS), BITS, PACK)
    if index > 0:
        tl.atomic_xchg(scratch + index, pack, sem="relaxed")
    before = tl.zeros([], KIND)
    is_valid = False
    at = index - 1
    while at >= 0:
        flag = tl.full([], 0, BITS)
        while flag == 0:
            pack = tl.atomic_add(scratch + at, 0, sem="relaxed")
            flag = pack.to(BITS)
        bits = tl.core._unwrap_if_constexpr(BITS)
        value = (pack >> bits.primitive_bitwidth).to(BITS).to(KIND, bitcast=True)
        if is_valid:
            before = combine(value, before)
        else:
            before = value
            is_valid = True
        if flag == 2:
            at = -1
        else:
            at = at - 1
    if is_valid:
        here = combine(before, own)
    else:
        here = own
    tl.atomic_xchg(scratch + index, packed(here, tl.full([], 2, BITS), BITS, PACK), sem="relaxed")
    return before


def test_a_scan_over_many_blocks():
    @triton.jit
    def kernel(x, out, scratch, xnumel, XBLOCK: tl.constexpr):
        xoffset = tl.program_id(0) * XBLOCK
        xindex = xoffset + tl.arange(0, XBLOCK)[:]
        xmask = xindex < xnumel
        value = tl.load(x + (xindex), xmask, other=0.0).to(tl.float32)
        value = tl.broadcast_to(value, [XBLOCK])
        before = of_blocks_before(scratch.to(tl.pointer_type(tl.uint64)), tl.reduce(value, 0, added), tl.program_id(0), added,
                                  BITS=tl.uint32, PACK=tl.uint64)
        tl.store(out + (xindex), added(before, tl.associative_scan(value, 0, added)), xmask)

    x = np.random.default_rng(1).integers(-9, 9, 1000).astype(np.float32)
    out, scratch = np.zeros_like(x), np.zeros(8 * 8, np.uint8)
    launch(kernel, (8,), x, out, scratch, 1000, XBLOCK=128)
    np.testing.assert_array_equal(out, x.cumsum())


@pytest.mark.skipif(triton.get_device().properties()["kind"] == "interpret", reason="runs one program after the other")
def test_blocks_that_wait_for_each_other():
    @triton.jit
    def all_here(sem):
        tl.debug_barrier()
        one = 1
        one_unsigned = one.to(tl.uint32)
        expected = tl.num_programs(0).to(tl.uint32)
        if tl.program_id(0) == 0:
            mine = 0x80000000 - (expected - one_unsigned)
        else:
            mine = one_unsigned
        before = tl.atomic_add(sem, mine, sem="release")
        has_flipped = False
        while not has_flipped:
            now = tl.atomic_add(sem, 0, sem="acquire")
            has_flipped = ((before ^ now) & 0x80000000) != 0
        tl.debug_barrier()

    @triton.jit
    def kernel(sem, x, out):
        program = tl.program_id(0)
        tl.store(x + program, program)
        all_here(sem)
        tl.store(out + program, tl.load(x + (program + 1) % tl.num_programs(0)))

    x, out = np.full(6, -1, np.int32), np.zeros(6, np.int32)
    launch(kernel, (6,), np.zeros(1, np.uint32), x, out)
    np.testing.assert_array_equal(out, [1, 2, 3, 4, 5, 0])


def test_a_value_of_run_time_that_is_called_constexpr():
    @triton.jit
    def kernel(x, out, n, N: tl.constexpr):
        TILES: tl.constexpr = (tl.load(x) // N)
        last = TILES * N + n
        for i in range(2):
            STEP: tl.constexpr = last - i
            tl.store(out + i, STEP)

    out = np.zeros(2, np.int32)
    launch(kernel, (1,), np.array([70], np.int32), out, 5, N=16)
    np.testing.assert_array_equal(out, [69, 68])


@triton.jit
def exchanged(x, places, flip, i: tl.constexpr, n_dims: tl.constexpr):
    n_outer: tl.constexpr = x.numel >> n_dims
    shape: tl.constexpr = [n_outer * 2**i, 2, 2**(n_dims - i - 1)]
    idtype = tl.core.get_int_dtype(bitwidth=x.dtype.primitive_bitwidth, signed=True)
    y = tl.reshape(x, shape)
    iy = y.to(idtype, bitcast=True)
    right_mask = tl.arange(0, 2)[None, :, None].to(idtype)
    left_mask = (1 - right_mask).to(idtype)
    ileft = tl.reshape(tl.broadcast_to(tl.sum(iy * left_mask, 1).to(idtype)[:, None, :], shape), x.shape)
    iright = tl.reshape(tl.broadcast_to(tl.sum(iy * right_mask, 1).to(idtype)[:, None, :], shape), x.shape)
    left, right = ileft.to(x.dtype, bitcast=True), iright.to(x.dtype, bitcast=True)
    y_places = tl.reshape(places, shape)
    left_place = tl.broadcast_to(tl.sum(y_places * left_mask.to(y_places.dtype), 1)[:, None, :], shape)
    right_place = tl.broadcast_to(tl.sum(y_places * right_mask.to(y_places.dtype), 1)[:, None, :], shape)
    left_place, right_place = tl.reshape(left_place, x.shape), tl.reshape(right_place, x.shape)
    swap = left > right
    if is_floating(left):
        swap = swap | ((left != left) & ~(right != right))
    swap = swap | ((left == right) & (left_place > right_place))
    swap = (swap ^ flip).to(tl.int1)
    ix = x.to(idtype, bitcast=True)
    result = ix ^ tl.where(swap, ileft ^ iright, tl.zeros_like(ix))
    places = places ^ tl.where(swap, left_place ^ right_place, tl.zeros_like(places))
    return result.to(x.dtype, bitcast=True), places


@triton.jit
def sorted_with_places(x, places, dim: tl.constexpr = None):
    x, places = tl.broadcast(x, places)
    _dim: tl.constexpr = len(x.shape) - 1 if dim is None else dim
    n_dims: tl.constexpr = tl.standard._log2(x.shape[_dim])
    for stage in tl.static_range(1, n_dims + 1):
        if stage < n_dims:
            shape: tl.constexpr = [(x.numel >> n_dims) * 2**(n_dims - 1 - stage), 2, 2**stage]
            flip = tl.reshape(tl.broadcast_to(tl.arange(0, 2)[None, :, None], shape), x.shape)
        else:
            flip = False
        for i in tl.static_range(stage):
            x, places = exchanged(x, places, flip, i + (n_dims - stage), n_dims)
    return x, places


@triton.jit
def sort_kernel(x, out, where, XBLOCK: tl.constexpr, R0_BLOCK: tl.constexpr):
    xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
    r0_index = tl.arange(0, R0_BLOCK)[None, :]
    place = tl.broadcast_to(r0_index.to(tl.int16), [XBLOCK, R0_BLOCK])
    value, place = sorted_with_places(tl.load(x + (r0_index + R0_BLOCK * xindex)), place, 1)
    tl.store(out + (r0_index + R0_BLOCK * xindex), value)
    tl.store(where + (r0_index + R0_BLOCK * xindex), place.to(tl.int64))


@pytest.mark.parametrize("dtype", ["float32", "int64"])
def test_rows_in_order(dtype):
    x = np.random.default_rng(2).integers(-9, 9, (4, 32)).astype(dtype)
    out, where = np.zeros_like(x), np.zeros(x.shape, np.int64)
    launch(sort_kernel, (2,), x, out, where, XBLOCK=2, R0_BLOCK=32)
    np.testing.assert_array_equal(where, np.argsort(x, 1, kind="stable"))
    np.testing.assert_array_equal(out, np.sort(x, 1))


def test_code_that_is_too_long_is_a_reason_to_try_another_config():
    x, where = np.zeros((1024, 256), np.int64), np.zeros((1024, 256), np.int64)
    with pytest.raises(triton.OutOfResources, match="out of resource: values of a thread, Required: .* 262144"):
        launch(sort_kernel, (1,), x, x.copy(), where, num_warps=1, XBLOCK=1024, R0_BLOCK=256)


def test_descriptors_of_the_host():
    @triton.jit
    def kernel(x, out, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK
        out.store([at, 0], x.load([at, 0]) * 3)

    from tegula.tools.tensor_descriptor import TensorDescriptor

    x, out = np.random.default_rng(3).random((60, 32), np.float32), np.zeros((60, 32), np.float32)
    kind = "tensordesc<fp32[16, 32]>"
    compiled = triton.compile(ASTSource(kernel, {"x": kind, "out": kind, "BLOCK": "constexpr"}, {"BLOCK": 16}, {}))
    assert compiled.src.signature["x"] == kind
    compiled[(4,)](TensorDescriptor.from_tensor(x, [16, 32]), TensorDescriptor.from_tensor(out, [16, 32]), 16)
    np.testing.assert_array_equal(out, x * 3)


@triton.jit
def updated(pid, weight, gradient, moment, xnumel, XBLOCK: tl.constexpr):
    xindex = pid * XBLOCK + tl.arange(0, XBLOCK)
    xmask = xindex < xnumel
    g = tl.load(gradient + xindex, xmask)
    m = tl.load(moment + xindex, xmask) * 0.9 + g * 0.1
    tl.store(moment + xindex, m, xmask)
    tl.store(weight + xindex, tl.load(weight + xindex, xmask) - m / (tl.sqrt_rn(m * m + 1) + 1e-3), xmask)


@triton.jit
def many_updates(w0, g0, m0, w1, g1, m1, w2, g2, m2, w3, g3, m3, x, y, XBLOCK: tl.constexpr):
    pid = tl.program_id(0)
    if pid < 2:
        updated(pid, w0, g0, m0, 250, XBLOCK)
    elif pid < 3:
        updated(pid - 2, w1, g1, m1, 126, XBLOCK)
    elif pid < 4:  # something else
        tl.store(y + tl.arange(0, XBLOCK), tl.load(x + tl.arange(0, XBLOCK)) * 3)
    elif pid < 6:
        updated(pid - 4, w2, g2, m2, 130, XBLOCK)
    elif pid < 7:
        updated(pid - 6, w3, g3, m3, 62, XBLOCK)
    else:
        pass


def test_updates_of_many_arrays_share_their_code():
    generator = np.random.default_rng(0)
    sizes = (250, 126, 130, 62)  # divided by the same powers of two, as far as widths of accesses depend on it
    arrays = [[generator.normal(size=size).astype(np.float32) for _ in range(3)] for size in sizes]
    x, y = generator.normal(size=128).astype(np.float32), np.zeros(128, np.float32)
    expected = []
    for w, g, m in arrays:
        after = m.astype(np.float64) * 0.9 + g * 0.1
        expected.append((w - after / (np.sqrt(after * after + 1) + 1e-3), after))
    flat = [array for row in arrays for array in row]
    launch(many_updates, (9,), *flat, x, y, XBLOCK=128)
    for (w, _, m), (expected_w, expected_m) in zip(arrays, expected):
        np.testing.assert_allclose(w, expected_w, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(m, expected_m, rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(y, x * 3)
    signature = {param.name: "constexpr" if param.is_constexpr else "*fp32" for param in many_updates.params}
    compiled = triton.compile(ASTSource(many_updates, signature, {"XBLOCK": 128}, {}), options={"num_warps": 4})
    # One of a kind, a square root for one element of each thread. Arrays that one branch chose are different ones.
    assert compiled.asm["ptx"].count("sqrt.rn") == 1 and "bar.sync" not in compiled.asm["ptx"]


def test_rows_of_a_power_of_two_are_reached_from_one_address():
    @triton.jit
    def kernel(x, out, xnumel, XBLOCK: tl.constexpr):
        xindex = tl.program_id(0) * XBLOCK + tl.arange(0, XBLOCK)[:, None]
        r = tl.arange(0, 128)[None, :]
        value = tl.load(x + (r + 128 * xindex), xindex < xnumel, other=0.0)
        tl.store(out + (r + 128 * xindex), value + 1, xindex < xnumel)

    x, out = np.random.default_rng(1).normal(size=(50, 128)).astype(np.float32), np.zeros((50, 128), np.float32)
    launch(kernel, (2,), x, out, 50, num_warps=2, XBLOCK=32)
    np.testing.assert_array_equal(out, x + 1)
    signature = {"x": "*fp32", "out": "*fp32", "xnumel": "i32", "XBLOCK": "constexpr"}
    facts = {(0,): [["tt.divisibility", 16]], (1,): [["tt.divisibility", 16]]}
    ptx = triton.compile(ASTSource(kernel, signature, {"XBLOCK": 32}, facts), options={"num_warps": 2}).asm["ptx"]
    assert ptx.count("ld.global") == 16 and ptx.count("mul.wide") == 1, ptx


def test_quotients_by_a_number_are_as_close_as_quotients():
    @triton.jit
    def kernel(x, out, by, NUMBER: tl.constexpr, XBLOCK: tl.constexpr):
        place = tl.arange(0, XBLOCK)
        value = tl.load(x + place)
        tl.store(out + place, value / NUMBER)
        tl.store(by + place, value / tl.load(x + place + XBLOCK))

    generator = np.random.default_rng(4)
    for number in (3.0, 7.0, 1024.0, 50176.0, 0.1, 1e-30, 1.5e38, -41.0):
        x = generator.normal(size=1024).astype(np.float32) * 1000
        x[512:] = number
        out, by = np.zeros(512, np.float32), np.zeros(512, np.float32)
        launch(kernel, (1,), x, out, by, NUMBER=number, XBLOCK=512)
        exact = x[:512].astype(np.float64) / np.float32(number)
        unit = np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            inside = np.isfinite(exact.astype(np.float32)) & (np.abs(exact) > 2.0**-125)
        assert np.all(np.abs(out - exact)[inside] <= 1.5 * unit[inside]), number
        assert np.all(np.abs(by - exact)[inside] <= 2 * unit[inside]), number
