// The shared memory that a kernel will need while a loop runs, before anything is rewritten.
#pragma once

#include "compiler/schedule/plan/SharedReserve.h"
#include "compiler/schedule/plan/StorePlan.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <cstdint>

namespace tegula {

/// The buffers of a loop, whose bytes are counted apart.
using OwnBuffers = llvm::SmallPtrSet<mlir::Operation *, 8>;

/// Returns the bytes that all but `own` takes while `loop` runs, or a loop that it stands in. Where the
/// kernel is to be persistent (`isPersistent`) all of it stands in one.
uint64_t sharedBytesExcept(mlir::scf::ForOp loop, const OwnBuffers &own,
                           bool isPersistent);

/// Returns the bytes that all but `own` takes from the kernel's start to the end of what `loop` stands in,
/// the op of the kernel's body.
uint64_t sharedBytesFromStart(mlir::scf::ForOp loop, const OwnBuffers &own);

} // namespace tegula
