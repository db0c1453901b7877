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
def gather(desc, x_offsets, y_offset):
    pointers, inside = _rows(desc, x_offsets, y_offset, "gather")
    return tl.load(pointers, inside, tl._descriptor_padding(desc))


@jit
def scatter(desc, value, x_offsets, y_offset):
    pointers, inside = _rows(desc, x_offsets, y_offset, "scatter")
    if value.shape != inside.shape:
        return tl.static_assert(False, f"`scatter`: expected a value of shape {inside.shape}, found {value.shape}")
    tl.store(pointers, value, inside)


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
def atomic_add(desc, offsets, value):
    _update(desc, offsets, value, tl.atomic_add, "atomic_add")


@jit
def atomic_min(desc, offsets, value):
    _update(desc, offsets, value, tl.atomic_min, "atomic_min")


@jit
def atomic_max(desc, offsets, value):
    _update(desc, offsets, value, tl.atomic_max, "atomic_max")


@jit
def atomic_and(desc, offsets, value):
    _update(desc, offsets, value, tl.atomic_and, "atomic_and")


@jit
def atomic_or(desc, offsets, value):
    _update(desc, offsets, value, tl.atomic_or, "atomic_or")


@jit
def atomic_xor(desc, offsets, value):
    _update(desc, offsets, value, tl.atomic_xor, "atomic_xor")
