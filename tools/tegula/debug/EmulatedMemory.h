// Memory of a launch on the emulator, as readers. What is not written is undefined.
#pragma once

#include "compiler/debug/Arrays.h"
#include "runtime/emulator/memory/GlobalMemory.h"
#include "runtime/emulator/warp/BlockState.h"

namespace tegula::cli {

/// Reads global memory, as it is when it is called; `memory` may be null, which has none.
debug::ReadMemory globalReader(runtime::ptx::GlobalMemory *memory);
/// Reads the shared memory of a block, by its own addresses.
debug::ReadMemory sharedReader(runtime::ptx::BlockState &block);

} // namespace tegula::cli
