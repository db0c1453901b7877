"""Functions of `triton.language` that put the elements of the last dimension into another order."""

import triton.language as tl


@jit
def _last(x, dim, name):
    last: tl.constexpr = len(x.shape) - 1
    if last < 0:
        return tl.static_assert(False, f"`tl.{name}`: expected a tensor, found a scalar")
    if dim is not None and dim != last and dim != -1:
        return tl.static_assert(False, f"`tl.{name}`: expected the last dimension, {last}, found {dim}")
    return last


@constexpr_function
def _bits(side):
    bits = 0
    while (1 << bits) < side:
        bits += 1
    return bits


found_in("tl.standard", section="Indexing")


@jit
@tensor_method
def flip(x: tensor, dim: int | None = None) -> tensor:
    """`x` in reverse order along `dim`, by default the last dimension."""
    return tl._butterfly(x, -1 if dim is None else dim)


@jit
def _swap(x, axis, place, bit, downwards):
    # The partner is as far away as `bit` says; of the two the smaller goes down, or up. What is neither larger
    # nor smaller, as a NaN, stays with the place or changes it, on both sides alike.
    other = tl._butterfly(x, axis, 1 << bit)
    is_upper = (place & (1 << bit)) != 0
    is_larger = tl.where(is_upper, other, x) > tl.where(is_upper, x, other)
    return tl.where(is_larger != downwards, other, x)


@jit
def _merge(x, axis, place, bits, downwards):
    for i in tl.static_range(bits):
        x = _swap(x, axis, place, bits - 1 - i, downwards)
    return x


found_in("tl.standard", section="Sorting")


@jit
@tensor_method
def sort(x: tensor, dim: int | None = None, descending: bool = False) -> tensor:
    """`x` sorted along its last dimension."""
    axis: tl.constexpr = _last(x, dim, "sort")
    bits: tl.constexpr = _bits(x.shape[axis])
    place = tl._axis_index(x, axis)
    # Blocks of growing size, every second of them downwards: two neighbours together rise and fall.
    for i in tl.static_range(1, bits):
        x = _merge(x, axis, place, i, (place & (1 << i)) != 0)
    return _merge(x, axis, place, bits, descending)


@constexpr_function
def _count(shape):
    count = 1
    for side in shape:
        count *= side
    return count


@constexpr_function
def _half(shape):
    return shape[:-1] + [shape[-1] // 2]


@jit
@tensor_method
def topk(x: tensor, k: int, dim: int | None = None, descending: bool = True) -> tensor:
    """The `k` largest elements along the last dimension, the largest first, or the smallest; `k` is a power of two."""
    axis: tl.constexpr = _last(x, dim, "topk")
    is_exact = k >= 1 and (k & (k - 1)) == 0
    if k > x.shape[axis] or (tl._language_fact("checks_counts_of_topk") and not is_exact):
        return tl.static_assert(False, f"`tl.topk`: expected a power of two from 1 to {x.shape[axis]}, found {k}")
    return _topk(x, axis, _power_below(k), descending)


@constexpr_function
def _power_below(k):
    power = 1
    while 2 * power <= k:
        power *= 2
    return power


@jit
def _topk(x, axis, k, descending):
    if k == x.shape[axis]:
        return tl.sort(x, axis, descending)
    bits: tl.constexpr = _bits(k)
    rounds: tl.constexpr = _bits(x.shape[axis]) - bits
    place = tl._axis_index(x, axis)
    # Blocks of k, every second of them downwards.
    for i in tl.static_range(1, bits + 1):
        x = _merge(x, axis, place, i, (place & (1 << i)) != 0)
    # From a rising and a falling sequence the larger at each place are the k largest of both, and rise and fall. Here
    # they get the type of `tl.max`.
    for i in tl.static_range(rounds):
        half: tl.constexpr = _half(x.shape)
        pairs = tl.reshape(x, [_count(half) // k, 2, k])
        x = tl.reshape(tl.max(pairs, 1) if descending else tl.min(pairs, 1), half)
        place = tl._axis_index(x, axis)
        x = _merge(x, axis, place, bits, descending if i == rounds - 1 else (place & k) != 0)
    return x


@jit
def bitonic_merge(x: tensor, dim: int | None = None, descending: bool = False) -> tensor:
    """Sorts along the last dimension what rises and then falls, or the other way round."""
    axis: tl.constexpr = _last(x, dim, "bitonic_merge")
    return _merge(x, axis, tl._axis_index(x, axis), _bits(x.shape[axis]), descending)
