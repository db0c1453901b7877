"""Functions of `triton.language` that are compositions of others."""

import triton.language as tl


found_in("tl", section="Compiler hints")


@jit
@since("3.8")
def expect_zero(x: Value, mask: Value) -> tensor:
    """Promises that `x` is zero where `mask` is false; returns `x`."""
    if tl._language_fact("asserts_expected_zeros"):
        tl.device_assert(x == 0, "`tl.expect_zero`: expected 0 where the mask is true", mask=mask)
    return x


found_in("tl", section="Atomics")


@jit
@tensor_method
@since("3.9")
def atomic_poll(pointer: tensor, expected_value: Value, sem: str | None = None, scope: str | None = None,
                timeout_ns: int | None = None) -> tensor:
    """Waits until `expected_value` lies at `pointer`."""
    tl.static_assert(pointer.type.is_ptr() and pointer.dtype.element_ty.is_int()
                     and pointer.dtype.element_ty.primitive_bitwidth >= 16,
                     f"`tl.atomic_poll`: expected a pointer to one integer of 16, 32 or 64 bits, found {pointer.type}")
    order = "acquire" if sem is None else sem
    tl.static_assert(order == "acquire" or order == "relaxed",
                     f"`tl.atomic_poll`: expected \"acquire\" or \"relaxed\" as `sem`, found {order}")
    expected = tl.cast(expected_value, pointer.dtype.element_ty)
    seen = tl.atomic_load(pointer, sem=order, scope=scope)
    if timeout_ns is None:
        while seen != expected:
            seen = tl.atomic_load(pointer, sem=order, scope=scope)
    else:
        if not isinstance(timeout_ns, tl.tensor):
            tl.static_assert(timeout_ns >= 0,
                             f"`tl.atomic_poll`: expected a `timeout_ns` of at least 0, found {timeout_ns}")
        begin = tl.extra.cuda.globaltimer()
        while (seen != expected) & (tl.extra.cuda.globaltimer() - begin < timeout_ns):
            seen = tl.atomic_load(pointer, sem=order, scope=scope)
    return seen == expected


found_in("tl.standard", section="Creation")


@jit
def zeros(shape: Sequence[int], dtype: Type) -> tensor:
    """A block of `shape` of zeros."""
    return tl.full(shape, 0, dtype)


@jit
def zeros_like(input: tensor) -> tensor:
    """Zeros in the shape and type of `input`."""
    return tl.full(input.shape, 0, input.dtype)


found_in("tl.standard", section="Mathematics")


@jit
@tensor_method
def cdiv(x: Value, div: Value) -> tensor:
    """`x / div` rounded up: how many steps of `div` cover `x`. For integers that are not negative."""
    return (x + (div - 1)) // div


@jit
@tensor_method
def sigmoid(x: Value) -> tensor:
    """`1 / (1 + exp(-x))`."""
    return 1 / (1 + tl.exp(-x))


found_in("tl.standard", section="Indexing")


@jit
def swizzle2d(i: Value, j: Value, size_i: Value, size_j: Value, size_g: Value) -> tuple[tensor, tensor]:
    """Coordinates for tile (i, j) of `size_i * size_j` tiles such that consecutive tiles walk down groups of
    `size_g` rows, which share more of what they read. Plain arithmetic of integers."""
    # Programs walk down groups of `size_g` rows; the last group may be shorter.
    ij = i * size_j + j
    size_gj = size_g * size_j
    group = ij // size_gj
    first = group * size_g
    rows = min(size_i - first, size_g)
    within = ij % size_gj
    return first + within % rows, within // rows
