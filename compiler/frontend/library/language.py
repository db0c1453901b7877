"""Functions of `triton.language` that are compositions of others."""

import triton.language as tl


@jit
def zeros(shape, dtype):
    return tl.full(shape, 0, dtype)


@jit
def zeros_like(input):
    return tl.full(input.shape, 0, input.dtype)


@jit
@tensor_method
def cdiv(x, div):
    return (x + (div - 1)) // div


@jit
@tensor_method
def sigmoid(x):
    return 1 / (1 + tl.exp(-x))


@jit
def swizzle2d(i, j, size_i, size_j, size_g):
    # Programs walk down groups of `size_g` rows; the last group may be shorter.
    ij = i * size_j + j
    size_gj = size_g * size_j
    group = ij // size_gj
    first = group * size_g
    rows = min(size_i - first, size_g)
    within = ij % size_gj
    return first + within % rows, within // rows


@jit
def expect_zero(x, mask):
    return x


@jit
def _observe(pointer, sem, scope):
    # An addition of nothing reads and writes nothing else.
    if pointer.dtype.element_ty.primitive_bitwidth == 16:
        return tl.atomic_cas(pointer, 0, 0, sem=sem, scope=scope)
    return tl.atomic_add(pointer, 0, sem=sem, scope=scope)


@jit
@tensor_method
def atomic_poll(pointer, expected_value, sem=None, scope=None, timeout_ns=None):
    tl.static_assert(pointer.type.is_ptr() and pointer.dtype.element_ty.is_int()
                     and pointer.dtype.element_ty.primitive_bitwidth >= 16,
                     f"`tl.atomic_poll`: expected a pointer to one integer of 16, 32 or 64 bits, found {pointer.type}")
    order = "acquire" if sem is None else sem
    tl.static_assert(order == "acquire" or order == "relaxed",
                     f"`tl.atomic_poll`: expected \"acquire\" or \"relaxed\" as `sem`, found {order}")
    expected = tl.cast(expected_value, pointer.dtype.element_ty)
    seen = _observe(pointer, order, scope)
    if timeout_ns is None:
        while seen != expected:
            seen = _observe(pointer, order, scope)
    else:
        begin = tl.extra.cuda.globaltimer()
        while (seen != expected) & (tl.extra.cuda.globaltimer() - begin < timeout_ns):
            seen = _observe(pointer, order, scope)
    return seen == expected
