// Named constructors: the layouts that programs meet by name. Each is an ordinary LinearLayout.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <span>

namespace tegula {

/// Threads in rectangular blocks: each thread holds a box of `sizePerThread`, a warp is a box of
/// `threadsPerWarp` threads, a block of programs a box of `warpsPerBlock` warps; inside each box axis
/// `order[0]` runs fastest. Inputs register, lane, warp, block; outputs dim0, dim1, ... of `shape`.
///
///     blocked({4, 8}, {1, 2}, {2, 4}, {2, 1}, {1, 0}), 8 lanes to a warp:
///
///           T0:0 T0:1 T1:0 T1:1 T2:0 T2:1 T3:0 T3:1
///           T4:0 T4:1 ...                      T7:1
///           T8:0 ...                                   (second warp)
///
/// A box smaller than `shape` is repeated: further registers, the fastest axis first. A box larger than
/// `shape` wraps round: threads beyond the end hold what is there already (zero bases), while
/// registers beyond the end are left out, since a thread gains nothing from holding a value twice.
/// Requires powers of two, equal ranks of 1 to `MaxTensorRank`, and `order` a permutation.
/// \post surjective; the lanes and warps have the product of their boxes as sizes.
LinearLayout blocked(std::span<const int32_t> shape, std::span<const int32_t> sizePerThread,
                     std::span<const int32_t> threadsPerWarp, std::span<const int32_t> warpsPerBlock,
                     std::span<const unsigned> order);

/// Returns the layout in which a tensor must be so that inserting `axis` and broadcasting along it gives
/// `parent` without moving anything: axis `axis` of `parent` is forgotten and later axes move down by one.
/// Lanes, warps and blocks that differed along it now hold the same (zero bases); registers that did are left
/// out. Requires outputs dim0, dim1, ... and `axis` among them.
/// \post `slice(parent, a)(x) == parent(x')` without coordinate a, for the x' with x's registers.
LinearLayout slice(const LinearLayout &parent, unsigned axis);

/// `layout` with an axis of size 1 inserted before axis `axis`. Requires outputs dim0, dim1, ... and
/// `axis` at most their number. \post `slice(expandDims(l, a), a) == l` where l has no zero register basis.
LinearLayout expandDims(const LinearLayout &layout, unsigned axis);

/// A transposed tensor: axis i of the result is axis `permutation[i]` of `layout`.
/// Requires outputs dim0, dim1, ... and a permutation of them.
LinearLayout permuteDims(const LinearLayout &layout, std::span<const unsigned> permutation);

/// A reshaped tensor: the same elements in row-major order under another shape.
/// Requires outputs dim0, dim1, ... and powers of two with the same product.
LinearLayout reshapeDims(const LinearLayout &layout, std::span<const int32_t> shape);

} // namespace tegula
