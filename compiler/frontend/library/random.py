"""Random numbers: the counter-based generator Philox (Salmon et al., SC 2011), and distributions."""

import triton.language as tl

KEY_A_32 = 0x9E3779B9
KEY_B_32 = 0xBB67AE85
ROUND_A_32 = 0xD2511F53
ROUND_B_32 = 0xCD9E8D57
KEY_A_64 = 0x9E3779B97F4A7C15
KEY_B_64 = 0xBB67AE8584CAA73B
ROUND_A_64 = 0xD2E7470EE14C6C93
ROUND_B_64 = 0xCA5A826395121157


@jit
def _product_32(a, b):
    # One multiplication gives both words; each by itself takes two.
    product = a.to(tl.uint64) * b.to(tl.uint64)
    return (product >> 32).to(tl.uint32), product.to(tl.uint32)


@jit
def _product_64(a, b):
    return tl.umulhi(a, b), a * b


@jit
def _rounds(c0, c1, c2, c3, k0, k1, key_a, key_b, round_a, round_b, product, n_rounds):
    for _ in tl.static_range(n_rounds):
        high_a, low_a = product(round_a, c0)
        high_b, low_b = product(round_b, c2)
        c0 = high_b ^ c1 ^ k0
        c1 = low_b
        c2 = high_a ^ c3 ^ k1
        c3 = low_a
        k0 = k0 + key_a
        k1 = k1 + key_b
    return c0, c1, c2, c3


@jit
def philox_impl(c0: tensor, c1: tensor, c2: tensor, c3: tensor, k0: Value, k1: Value, n_rounds: Rounds = 10) -> Four:
    """`n_rounds` rounds of Philox over four counters with the key (k0, k1), all of 32 or all of 64 bits."""
    if tl.to_tensor(c0).dtype.primitive_bitwidth == 64:
        return _rounds(c0, c1, c2, c3, k0, k1,
                       tl.full([], KEY_A_64, tl.uint64), tl.full([], KEY_B_64, tl.uint64),
                       tl.full([], ROUND_A_64, tl.uint64), tl.full([], ROUND_B_64, tl.uint64), _product_64,
                       n_rounds)
    return _rounds(c0, c1, c2, c3, k0, k1,
                   tl.full([], KEY_A_32, tl.uint32), tl.full([], KEY_B_32, tl.uint32),
                   tl.full([], ROUND_A_32, tl.uint32), tl.full([], ROUND_B_32, tl.uint32), _product_32,
                   n_rounds)


@jit
def philox(seed: Value, c0: Value, c1: Value, c2: Value, c3: Value, n_rounds: Rounds = 10) -> Four:
    """Four random numbers for each counter (c0, c1, c2, c3) of 32 or 64 bits, without a sign."""
    if not tl.to_tensor(seed).dtype.is_int():
        return tl.static_assert(False, f"`tl.philox`: expected an integer as the seed, found {tl.to_tensor(seed).dtype}")
    seed = tl.cast(seed, tl.uint64)
    c0 = tl.to_tensor(c0)
    c1 = tl.to_tensor(c1)
    c2 = tl.to_tensor(c2)
    c3 = tl.to_tensor(c3)
    if c0.dtype.primitive_bitwidth == 32:
        low = (seed & 0xFFFFFFFF).to(tl.uint32)
        high = ((seed >> 32) & 0xFFFFFFFF).to(tl.uint32)
        return philox_impl(c0.to(tl.uint32, bitcast=True), c1.to(tl.uint32, bitcast=True),
                           c2.to(tl.uint32, bitcast=True), c3.to(tl.uint32, bitcast=True), low, high, n_rounds)
    tl.static_assert(c0.dtype.primitive_bitwidth == 64, "`tl.philox`: expected counters of 32 or 64 bits")
    return philox_impl(c0.to(tl.uint64, bitcast=True), c1.to(tl.uint64, bitcast=True),
                       c2.to(tl.uint64, bitcast=True), c3.to(tl.uint64, bitcast=True), seed,
                       tl.full([], 0, tl.uint64), n_rounds)


@jit
def randint4x(seed: Value, offset: Value, n_rounds: Rounds = 10) -> Four:
    """Four random integers of 32 bits for each offset."""
    offset = tl.to_tensor(offset)
    low = offset.to(tl.uint32)
    zero = low * 0
    high = (offset >> 32).to(tl.uint32) if offset.dtype.primitive_bitwidth > 32 else zero
    return philox(seed, low, high, zero, zero, n_rounds)


@jit
def randint(seed: Value, offset: Value, n_rounds: Rounds = 10) -> tensor:
    """A random integer of 32 bits for each offset. `randint4x` gives four for the price of one."""
    first, _, _, _ = randint4x(seed, offset, n_rounds)
    return first


@jit
@tensor_method
def uint_to_uniform_float(x: tensor) -> tensor:
    """Integers that are evenly distributed, as floats in [0, 1)."""
    # Negative numbers are mirrored, so that the largest magnitude never rounds up to 1.
    if x.dtype.primitive_bitwidth == 64:
        x = x.to(tl.int64, bitcast=True)
        scale = 1.0842020432385337e-19
    else:
        x = x.to(tl.int32, bitcast=True)
        scale = 4.6566127342e-10
    if tl._language_fact("random_reflects_by_complement"):
        x = tl.where(x < 0, ~x, x)
    else:
        x = tl.where(x < 0, -x - 1, x)
    return x * scale


@jit
def rand(seed: Value, offset: Value, n_rounds: Rounds = 10) -> tensor:
    """A random float32 in [0, 1) for each offset."""
    return uint_to_uniform_float(randint(seed, offset, n_rounds))


@jit
def rand4x(seed: Value, offsets: Value, n_rounds: Rounds = 10) -> Four:
    """Four random float32s in [0, 1) for each offset."""
    i0, i1, i2, i3 = randint4x(seed, offsets, n_rounds)
    return uint_to_uniform_float(i0), uint_to_uniform_float(i1), uint_to_uniform_float(i2), uint_to_uniform_float(i3)


@jit
def pair_uniform_to_normal(u1: Value, u2: Value) -> tuple[tensor, tensor]:
    """Two normally distributed numbers from two evenly distributed ones in [0, 1)."""
    # Box and Muller; the logarithm must not see zero.
    u1 = tl.maximum(1.0e-7, u1)
    angle = 6.283185307179586 * u2
    radius = tl.sqrt(-2.0 * tl.log(u1))
    return radius * tl.cos(angle), radius * tl.sin(angle)


@jit
def randn(seed: Value, offset: Value, n_rounds: Rounds = 10) -> tensor:
    """A float32 from the standard normal distribution for each offset."""
    i0, i1, _, _ = randint4x(seed, offset, n_rounds)
    first, _ = pair_uniform_to_normal(uint_to_uniform_float(i0), uint_to_uniform_float(i1))
    return first


@jit
def randn4x(seed: Value, offset: Value, n_rounds: Rounds = 10) -> Four:
    """Four float32s from the standard normal distribution for each offset."""
    u0, u1, u2, u3 = rand4x(seed, offset, n_rounds)
    n0, n1 = pair_uniform_to_normal(u0, u1)
    n2, n3 = pair_uniform_to_normal(u2, u3)
    return n0, n1, n2, n3
