#include "compiler/lower/SharedTrip.h"
#include "compiler/lower/AccessCode.h"
#include "compiler/lower/Symbols.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// The address of access `index` of one side.
Value address(OpBuilder &builder, Location loc, Value buffer, const SharedAccess &access, size_t index,
              ThreadIndex &threads) {
  uint32_t threadBits = 0;
  for (uint32_t offset : access.threadOffsets)
    threadBits |= offset;
  Value thread = threads.linear(builder, access.threadOffsets);
  // What meets the thread's bits is xored with them; the rest becomes the immediate of the instruction.
  uint32_t crossing = access.offsets[index] & threadBits, apart = access.offsets[index] & ~threadBits;
  Value base = buffer;
  if (thread)
    base = LLVM::GEPOp::create(
        builder, loc, buffer.getType(), builder.getI8Type(), buffer,
        ArrayRef<LLVM::GEPArg>{combine(builder, loc, thread, access.threadOffsets, crossing)});
  return addBytes(builder, loc, base, apart);
}

AccessShape shapeOf(const SharedAccess &access, unsigned elementBits) {
  AccessShape shape;
  unsigned bits = access.elements * elementBits;
  shape.wordBits = std::max(elementBits, std::min(bits, 32u));
  shape.words = bits / shape.wordBits;
  shape.addressSpace = SharedAddressSpace;
  return shape;
}

/// A truth value takes a byte.
Type storedType(Type element) {
  return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8)) : element;
}

} // namespace

Value addBytes(OpBuilder &builder, Location loc, Value buffer, uint32_t bytes) {
  if (!bytes)
    return buffer;
  return LLVM::GEPOp::create(builder, loc, buffer.getType(), builder.getI8Type(), buffer,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}

void storeToShared(OpBuilder &builder, Location loc, const SharedPlan &plan, Value buffer, ValueRange source,
                   ThreadIndex &threads) {
  Type element = source.front().getType(), stored = storedType(element);
  AccessShape shape = shapeOf(plan.store, elementBitsOf(stored));
  Value owner = threads.noneOf(builder, plan.store.copyBits);
  for (auto [index, vector] : llvm::enumerate(plan.store.vectors)) {
    Registers values;
    for (uint32_t reg : vector)
      values.push_back(stored == element ? source[reg]
                                         : Value(arith::ExtUIOp::create(builder, loc, stored, source[reg])));
    emitStore(builder, loc, address(builder, loc, buffer, plan.store, index, threads), shape, owner,
              packWords(builder, loc, values, shape.wordBits));
  }
}

Registers loadFromShared(OpBuilder &builder, Location loc, const SharedPlan &plan, Value buffer, Type element,
                         ThreadIndex &threads) {
  Type stored = storedType(element);
  AccessShape shape = shapeOf(plan.load, elementBitsOf(stored));
  Registers loaded(plan.original.size());
  for (auto [index, vector] : llvm::enumerate(plan.load.vectors)) {
    Registers words =
        emitLoad(builder, loc, address(builder, loc, buffer, plan.load, index, threads), shape, Value(), {});
    for (auto [reg, value] : llvm::zip(vector, unpackWords(builder, loc, words, stored)))
      loaded[reg] = stored == element ? value : Value(arith::TruncIOp::create(builder, loc, element, value));
  }
  Registers result;
  for (uint32_t original : plan.original)
    result.push_back(loaded[original]);
  return result;
}

} // namespace tegula
