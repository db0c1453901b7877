// Computes how many blocks a multiprocessor holds at a time, and what keeps it from holding more.
#pragma once

#include "compiler/target/Target.h"
#include "tools/insight/Document.h"

#include <optional>

namespace tegula::explain {

/// Computes the blocks of `warps` warps that fit on a multiprocessor of `target`, each with `sharedBytes`
/// bytes of shared memory. Where `registers`, of a thread, is nothing they are no limit.
Occupancy occupancyOf(const Target &target, uint32_t warps, std::optional<uint32_t> registers,
                      uint64_t sharedBytes);

} // namespace tegula::explain
