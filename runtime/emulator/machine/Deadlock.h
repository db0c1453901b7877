// The messages about warps that wait for what never comes.
#pragma once

#include "runtime/emulator/machine/Block.h"

#include <span>

namespace tegula::runtime::ptx {

/// Sets the launch's fault: all warps of `block` that have not ended stand and nothing will wake them.
void reportDeadlock(Block &block);

/// Sets the launch's fault: none of `blocks`, which are all that is resident, gets anywhere any more, while
/// `notBegun` others wait for their places.
void reportStuck(LaunchContext &launch, std::span<Block *const> blocks, uint64_t notBegun);

} // namespace tegula::runtime::ptx
