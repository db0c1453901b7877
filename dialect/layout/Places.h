// Threads and registers as the machine counts them, and where a layout puts each.
#pragma once

#include "dialect/layout/LinearLayout.h"

#include <cstdint>
#include <vector>

namespace tegula {

/// The bits that name a thread of a block are five for the lane, the rest for the warp.
inline constexpr unsigned LaneBits = 5;

/// Returns for each bit of a thread's number (lanes first, then warps) its packed coordinate under `layout`
/// (see `LinearLayout::column`). Axes that the layout lacks give 0. `threadBits` is `LaneBits` plus the bits
/// of the number of warps.
std::vector<uint64_t> threadColumns(const LinearLayout &layout, unsigned threadBits);

/// The packed coordinate of each register of thread 0.
std::vector<uint64_t> registerPositions(const LinearLayout &layout);

/// The register bits that step by 1, 2, 4 ... elements along `axis` of `layout`, as many as there are and
/// make at most `maxBytes`: what one thread can move at a time, in the order of addresses.
std::vector<unsigned> runOfRegisters(const LinearLayout &layout, unsigned axis, unsigned elementBytes,
                                     unsigned maxBytes);

} // namespace tegula
