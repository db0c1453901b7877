// One atomic instruction of one thread, as PTX.
//
// LLVM has atomics of its own, but puts a branch around each where there is a mask.
#pragma once

#include "dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"

#include <string>

namespace tegula {

/// The operation of an instruction: `add.noftz.f16x2` on words of 32 bits.
struct AtomicShape {
  std::string operation;  ///< with its type, as PTX spells it
  unsigned wordBits = 32; ///< 16, 32 or 64
  unsigned words = 1;     ///< 2 or 4 where a target has `vectorReductions`: floats
  tile::MemoryOrder order = tile::MemoryOrder::Relaxed;
  tile::MemoryScope scope = tile::MemoryScope::Device;
  bool returns = true; ///< the old value; otherwise nothing is read, and so there is no acquire
  unsigned addressSpace = 1;
};

/// Returns the name by which PTX spells `kind` on elements of type `element`, `count` of them in a word (2
/// for 16-bit floats only), and as many words.
std::string operationOf(tile::AtomicKind kind, mlir::Type element, unsigned count = 1, unsigned words = 1);

/// Returns the shape of an op on one element of the block's shared memory whose old value is not read.
AtomicShape sharedAtomic(tile::AtomicKind kind, mlir::Type element);

/// Changes memory at `address` by `operands`: integers of `shape.wordBits`, `shape.words` of
/// them, or two for `cas`: what is expected and what is written. With a `predicate` nothing happens where it
/// is false, and the result is 0. The result is null unless `shape.returns`, the first word of several.
mlir::Value emitAtomic(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                       const AtomicShape &shape, mlir::Value predicate, llvm::ArrayRef<mlir::Value> operands);

/// Adds `value`, a bf16, at `address` by comparing and swapping until no other thread has come between. The
/// old value as an i16. For architectures whose atomics do not know the type.
mlir::Value emitAddBySwapping(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                              tile::MemoryScope scope, mlir::Value predicate, mlir::Value value);

/// Emits a fence: all in `scope` see what the thread did before it before what it does afterwards, and the
/// reverse.
void emitFence(mlir::OpBuilder &builder, mlir::Location loc, tile::MemoryScope scope);

} // namespace tegula
