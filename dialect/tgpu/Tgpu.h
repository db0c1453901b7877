// The tgpu dialect: shared memory and copies that run on their own. See TgpuBase.td for what it is for.
#pragma once

#include "dialect/layout/UnitMemory.h"
#include "dialect/tile/Tile.h"

namespace tegula::tgpu {

/// The program's shared memory, as far as it is buffers.
struct SharedMemory : mlir::SideEffects::Resource::Base<SharedMemory> {
  llvm::StringRef getName() final { return "<SharedMemory>"; }
};

/// The groups of copies in flight: what starts, groups and awaits them keeps its order.
struct CopyGroups : mlir::SideEffects::Resource::Base<CopyGroups> {
  llvm::StringRef getName() final { return "<CopyGroups>"; }
};

/// The products in flight: what starts and awaits them keeps its order.
struct ProductGroups : mlir::SideEffects::Resource::Base<ProductGroups> {
  llvm::StringRef getName() final { return "<ProductGroups>"; }
};

/// The stores of boxes in flight: what starts and awaits them keeps its order.
struct StoreGroups : mlir::SideEffects::Resource::Base<StoreGroups> {
  llvm::StringRef getName() final { return "<StoreGroups>"; }
};

/// The most slots of one buffer.
inline constexpr uint32_t MaxSlots = 32;

} // namespace tegula::tgpu

#include "dialect/tgpu/TgpuDialect.h.inc"

#include "dialect/tgpu/TgpuEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialect/tgpu/TgpuTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialect/tgpu/TgpuAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialect/tgpu/TgpuOps.h.inc"

namespace tegula::tgpu {

/// One read of a buffer: by a `local_load`, or as an operand of an `mma`.
struct BufferRead {
  mlir::Operation *op;
  mlir::OpOperand *slot; ///< the operand that names the slot
};

/// The reads of `buffer`, all others of whose users write it.
llvm::SmallVector<BufferRead> readsOf(mlir::Value buffer);

/// The accesses of shared memory by an op, as its effects say; by the work that it starts, too.
struct SharedUse {
  llvm::SmallVector<mlir::Value, 2> reads, writes; ///< buffers
  bool allocates = false;                          ///< the memory is for the ops that use the result
};
SharedUse sharedUseOf(mlir::Operation *op);

} // namespace tegula::tgpu
