"""Methods of tensor descriptors that do not move a block as it lies: rows by their numbers, and atomic updates."""

import triton.language as tl


@jit
def _along(line, axis, rank):
    for _ in tl.static_range(axis):
        line = tl.expand_dims(line, 0)
    for _ in tl.static_range(rank - 1 - axis):
        line = tl.expand_dims(line, -1)
    return line


@jit
def _pointers(desc, places):
    # To the elements at all coordinates `places`, a line of int32 for each dimension; and which lie inside.
    rank: tl.constexpr = len(desc.block_shape)
    pointers = tl._descriptor_base(desc) + _along(places[0].to(tl.int64) * desc.strides[0], 0, rank)
    inside = _along((places[0] >= 0) & (places[0] < desc.shape[0]), 0, rank)
    for axis in tl.static_range(1, rank):
        pointers += _along(places[axis].to(tl.int64) * desc.strides[axis], axis, rank)
        inside &= _along((places[axis] >= 0) & (places[axis] < desc.shape[axis]), axis, rank)
    return pointers, inside


@jit
def _rows(desc, x_offsets, y_offset, name):
    if len(desc.block_shape) != 2 or desc.block_shape[0] != 1:
        return tl.static_assert(
            False, f"`{name}`: expected a descriptor whose blocks are one row, found blocks of {desc.block_shape}")
    if len(x_offsets.shape) != 1:
        return tl.static_assert(False, f"`{name}`: expected the numbers of rows in one dimension, found "
                                f"{len(x_offsets.shape)} dimensions")
    if x_offsets.dtype != tl.int32 and x_offsets.dtype != tl.int16:
        return tl.static_assert(False, f"`{name}`: expected the numbers of rows as int32 or int16, found {x_offsets.dtype}")
    return _pointers(desc, (x_offsets, y_offset + tl.arange(0, desc.block_shape[1])))


@jit
def gather(desc: tensor_descriptor, x_offsets: tensor, y_offset: Value) -> tensor:
    """The rows `x_offsets` of a matrix, from column `y_offset` on."""
    pointers, inside = _rows(desc, x_offsets, y_offset, "gather")
    return tl._descriptor_rounded(desc, tl.load(pointers, inside, tl._descriptor_padding(desc)))


@jit
def scatter(desc: tensor_descriptor, value: tensor, x_offsets: tensor, y_offset: Value) -> None:
    """Writes rows that `gather` would read."""
    pointers, inside = _rows(desc, x_offsets, y_offset, "scatter")
    if value.shape != inside.shape:
        return tl.static_assert(False, f"`scatter`: expected a value of shape {inside.shape}, found {value.shape}")
    tl.store(pointers, value, inside)


@jit
def _swap_until_taken(pointers, value, inside, choose):
    # Extrema of 16 bits, which memory has no atomics for: each element is swapped for the better of the two until no
    # other thread comes between. Elements outside, and those done, swap a number for itself, the former at one inside.
    addresses = pointers.to(tl.int64)
    own = tl.min(tl.where(inside, addresses, 0x7FFFFFFFFFFFFFFF))
    places = tl.where(inside, addresses, own).to(tl.pointer_type(tl.int16))
    held = tl.load(pointers, inside, 0.0).to(tl.int16, bitcast=True)
    while tl.max(inside.to(tl.int32)) != 0:
        better = choose(held.to(value.dtype, bitcast=True), value).to(value.dtype).to(tl.int16, bitcast=True)
        found = tl.atomic_cas(places, held, tl.where(inside, better, held), sem="relaxed")
        inside &= found != held
        held = tl.where(inside, found, held)


@jit
def _update(desc, offsets, value, update, name):
    rank: tl.constexpr = len(desc.block_shape)
    if len(offsets) != rank:
        return tl.static_assert(
            False, f"`{name}`: expected {rank} offsets, one for each dimension, found {len(offsets)}")
    if value.shape != desc.block_shape:
        return tl.static_assert(
            False, f"`{name}`: expected a value of the block's shape {desc.block_shape}, found {value.shape}")
    places = [offsets[axis] + tl.arange(0, desc.block_shape[axis]) for axis in tl.static_range(rank)]
    pointers, inside = _pointers(desc, places)
    update(pointers, value, inside, sem="relaxed")


@jit
def _extremum(pointers, value, inside, sem, update, choose):
    if pointers.dtype.element_ty.primitive_bitwidth == 16:
        _swap_until_taken(pointers, value.to(pointers.dtype.element_ty), inside, choose)
    else:
        update(pointers, value, inside, sem=sem)


@jit
def _least(pointers, value, inside, sem):
    _extremum(pointers, value, inside, sem, tl.atomic_min, tl.minimum)


@jit
def _greatest(pointers, value, inside, sem):
    _extremum(pointers, value, inside, sem, tl.atomic_max, tl.maximum)


@jit
def _update_extremum(desc, offsets, value, update, name):
    # The types that TMA reduces: floats of 16 bits, integers of 32 and 64.
    is_half = desc.dtype == tl.float16 or desc.dtype == tl.bfloat16
    if not is_half and (desc.dtype.is_floating() or desc.dtype.primitive_bitwidth < 32):
        return tl.static_assert(False, f"`{name}`: expected a descriptor of int32, uint32, int64, uint64, fp16 or bf16, "
                                f"found one of {desc.dtype}")
    _update(desc, offsets, value, update, name)


@jit
def _update_bits(desc, offsets, value, update, name):
    if not desc.dtype.is_int():
        return tl.static_assert(False, f"`{name}`: expected an array of integers, found one of {desc.dtype}")
    _update(desc, offsets, value, update, name)


@jit
def atomic_add(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """Adds the block to what lies there, as the other `atomic_` methods do: each element by itself, and nothing is returned."""
    _update(desc, offsets, value, tl.atomic_add, "atomic_add")


@jit
def atomic_min(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """Replaces what lies there by the smaller of it and the block."""
    _update_extremum(desc, offsets, value, _least, "atomic_min")


@jit
def atomic_max(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """Replaces what lies there by the larger of it and the block."""
    _update_extremum(desc, offsets, value, _greatest, "atomic_max")


@jit
def atomic_and(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """Replaces what lies there by the bits that it shares with the block."""
    _update_bits(desc, offsets, value, tl.atomic_and, "atomic_and")


@jit
def atomic_or(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """Sets the bits of the block in what lies there."""
    _update_bits(desc, offsets, value, tl.atomic_or, "atomic_or")


@jit
def atomic_xor(desc: tensor_descriptor, offsets: Sequence[Value], value: tensor) -> None:
    """Flips the bits of the block in what lies there."""
    _update_bits(desc, offsets, value, tl.atomic_xor, "atomic_xor")
