"""`tl.dot_scaled`: products of matrices whose elements share scales, multiplied as floats of 16 bits."""

import triton.language as tl


@constexpr_function
def _found(format, dtype):
    # Returns what is wrong with elements of this type in this format; empty where nothing is.
    expected = {"e2m1": ["uint8"], "e4m3": ["fp8e4nv", "uint8"], "e5m2": ["fp8e5", "uint8"], "bf16": ["bf16"],
                "fp16": ["fp16"]}
    if format not in ["e2m1", "e4m3", "e5m2", "bf16", "fp16"]:
        return f"expected one of the formats e2m1, e4m3, e5m2, bf16 and fp16, found {format!r}"
    types = expected[format]
    if dtype.name not in types:
        named = types[0] if len(types) == 1 else f"{types[0]} or {types[1]}"
        return f"expected elements of type {named} in the format {format}, found {dtype.name}"
    return ""


@constexpr_function
def _order(rank, axis):
    # The new last dimension behind `axis`.
    return [d for d in range(axis + 1)] + [rank] + [d for d in range(axis + 1, rank)]


@constexpr_function
def _doubled(shape, axis):
    return [side * 2 if d == axis else side for d, side in enumerate(shape)]


@constexpr_function
def _with_last(shape, last):
    return [side for side in shape[:-1]] + [last]


@jit
def _numbers(x, format, axis, kind):
    if format == "e2m1":
        # Two numbers a byte, the lower half first. Their bits are the top of an fp16 whose exponent is too small by 14.
        code = tl.permute(tl.join(x & 0xF, x >> 4), _order(len(x.shape), axis)).reshape(_doubled(x.shape, axis))
        code = code.to(tl.uint16)
        return ((((code & 7) << 9) | ((code & 8) << 12)).to(tl.float16, bitcast=True) * 16384.0).to(kind)
    if format == "e4m3":
        return x.to(tl.float8e4nv, bitcast=True).to(kind)
    if format == "e5m2":
        return x.to(tl.float8e5, bitcast=True).to(kind)
    return x.to(kind)


@jit
def _is_for(k, scale, group):
    # Returns true if so many elements along K share a scale. One scale alone tells nothing.
    if scale is None:
        return False
    return scale.numel != 1 and scale.shape[-1] * group == k


@jit
def _scaled(x, scale, kind, fast_math):
    # `x` has the products' dimension last, `scale` an exponent for each group of elements of it.
    groups: tl.constexpr = scale.shape[-1]
    scale = tl.expand_dims(scale, -1)
    scale = tl.broadcast_to(scale, _with_last(scale.shape, x.shape[-1] // groups)).reshape(x.shape)
    if kind == tl.bfloat16:
        factor = (scale.to(tl.uint16) << 7).to(tl.bfloat16, bitcast=True)
    else:
        factor = (scale.to(tl.uint32) << 23).to(tl.float32, bitcast=True).to(kind)
    result = x * factor
    if not fast_math:
        result = tl.where(scale == 0xFF, float("nan"), result)
    return result


@jit
def _operand(x, scale, format, packs_k, is_left, kind, fast_math, side, group):
    rank: tl.constexpr = len(x.shape)
    k: tl.constexpr = rank - 1 if is_left else rank - 2
    other: tl.constexpr = rank - 2 if is_left else rank - 1
    numbers = _numbers(x, format, k if packs_k else other, kind)
    if scale is None:
        return numbers
    rows: tl.constexpr = numbers.shape[other]
    groups: tl.constexpr = numbers.shape[k] // group
    if scale.dtype.primitive_bitwidth != 8 or not scale.dtype.is_int():
        return tl.static_assert(False, f"`tl.dot_scaled`: expected the scales of {side} as uint8, found {scale.dtype}")
    if scale.shape[-1] != groups or scale.shape[-2] != rows or len(scale.shape) != rank:
        return tl.static_assert(False, f"`tl.dot_scaled`: {side}_scale must be a tensor of shape [{rows}, {groups}]. Got "
                                f"{[str(size) for size in scale.shape]}")
    if is_left:
        return _scaled(numbers, scale.to(tl.uint8, bitcast=True), kind, fast_math)
    return _swapped(_scaled(_swapped(numbers), scale.to(tl.uint8, bitcast=True), kind, fast_math))


@jit
def _swapped(x):
    return tl.trans(x)


found_in("tl", section="Linear algebra")


@jit
@differs("always multiplies fp16 or bf16")
def dot_scaled(lhs: tensor, lhs_scale: tensor | None, lhs_format: str, rhs: tensor, rhs_scale: tensor | None,
               rhs_format: str, acc: tensor | None = None, fast_math: bool = False, lhs_k_pack: bool = True,
               rhs_k_pack: bool = True, out_dtype: Type = tl.float32) -> tensor:
    """The product of matrices of narrow floats whose every 32 elements along K share a scale, a power of two of eight
    bits. Formats are "e2m1", "e4m3", "e5m2", "bf16" and "fp16"."""
    left: tl.constexpr = _found(lhs_format, lhs.dtype)
    right: tl.constexpr = _found(rhs_format, rhs.dtype)
    if left != "":
        return tl.static_assert(False, f"`tl.dot_scaled`: {left}")
    if right != "":
        return tl.static_assert(False, f"`tl.dot_scaled`: {right}")
    if len(lhs.shape) < 2 or len(lhs.shape) != len(rhs.shape):
        return tl.static_assert(False, f"`tl.dot_scaled`: expected two matrices, or two batches, found {lhs.shape} and "
                                f"{rhs.shape}")
    kind: tl.constexpr = tl.float16 if lhs_format == "fp16" or rhs_format == "fp16" else tl.bfloat16
    packed: tl.constexpr = 2 if lhs_format == "e2m1" and lhs_k_pack else 1
    k: tl.constexpr = lhs.shape[-1] * packed
    for_16: tl.constexpr = _is_for(k, lhs_scale, 16) or _is_for(k, rhs_scale, 16)
    for_32: tl.constexpr = _is_for(k, lhs_scale, 32) or _is_for(k, rhs_scale, 32)
    group: tl.constexpr = 16 if for_16 and not for_32 else 32
    a = _operand(lhs, lhs_scale, lhs_format, lhs_k_pack, True, kind, fast_math, "lhs", group)
    b = _operand(rhs, rhs_scale, rhs_format, rhs_k_pack, False, kind, fast_math, "rhs", group)
    return tl.dot(a, b, acc, out_dtype=out_dtype)
