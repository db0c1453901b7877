// One memory instruction of one thread: packing elements into the registers it moves, and the PTX where
// LLVM has no instruction for what is wanted.
#pragma once

#include "compiler/plan/AccessPlan.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Builders.h"

#include <optional>

namespace tegula {

/// The kind and size of an access, without its address.
struct AccessShape {
  unsigned wordBits = 32; ///< of one register: 8, 16, 32 or 64
  unsigned words = 1;     ///< registers: 1, 2 or 4
  unsigned addressSpace = 1;
  tile::CacheModifier cache = tile::CacheModifier::None;
  tile::EvictionPolicy evict = tile::EvictionPolicy::Normal;
  bool isVolatile = false;
  /// The order of an atomic access, which takes no hints.
  std::optional<tile::MemoryOrder> order = std::nullopt;
  tile::MemoryScope scope = tile::MemoryScope::Device;
};

/// Reads `shape.words` integers of `shape.wordBits` at `address`, which is aligned to all of them.
///
/// With a `predicate` nothing is read where it is false, and the result is `otherwise`, or zeros if that
/// is empty. Such a load is inline assembly on registers that hold `otherwise` beforehand: a masked load
/// of LLVM would become a branch around each load, and loads would wait for one another.
llvm::SmallVector<mlir::Value> emitLoad(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address,
                                        const AccessShape &shape, mlir::Value predicate,
                                        llvm::ArrayRef<mlir::Value> otherwise);

/// Writes `words` likewise.
void emitStore(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value address, const AccessShape &shape,
               mlir::Value predicate, llvm::ArrayRef<mlir::Value> words);

/// `elements` as integers of `wordBits`, the first element in the lowest bits. An element is an integer of
/// 8 to 64 bits, a float or a pointer, and not wider than a word.
llvm::SmallVector<mlir::Value> packWords(mlir::OpBuilder &builder, mlir::Location loc,
                                         llvm::ArrayRef<mlir::Value> elements, unsigned wordBits);

/// The inverse, for elements of type `element`.
llvm::SmallVector<mlir::Value> unpackWords(mlir::OpBuilder &builder, mlir::Location loc,
                                           llvm::ArrayRef<mlir::Value> words, mlir::Type element);

/// The values of these numbers, in this order.
llvm::SmallVector<mlir::Value> picked(mlir::ValueRange values, llvm::ArrayRef<uint32_t> numbers);

/// Bits of an element in memory: pointers have 64. Requires an element of at least 8 bits.
unsigned elementBitsOf(mlir::Type element);

/// Returns `a and b`, where a null value is true.
mlir::Value bothHold(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value a, mlir::Value b);

} // namespace tegula
