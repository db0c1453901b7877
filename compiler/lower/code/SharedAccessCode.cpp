#include "compiler/lower/code/SharedAccessCode.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"

using namespace mlir;

namespace tegula {
namespace {

using Registers = SmallVector<Value>;

/// All bits that `columns` have.
uint32_t bitsOf(ArrayRef<uint32_t> columns) {
  uint32_t bits = 0;
  for (uint32_t column : columns)
    bits |= column;
  return bits;
}

/// The sum of two parts of an address that have no bit in common.
Value added(OpBuilder &builder, Location loc, Value a, Value b) {
  return arith::AddIOp::create(builder, loc, a, b,
                               arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
}

/// The address as one value: the backend puts the number back into the instruction.
Value wholeAddress(OpBuilder &builder, Location loc, Value buffer, const SharedAccess &access, size_t index,
                   ThreadIndex &threads, Value position = {}) {
  SharedAddress address = addressOf(builder, loc, buffer, access, index, threads, position);
  return addBytes(builder, loc, address.base, int32_t(address.bytes));
}

AccessShape shapeOf(const SharedAccess &access, unsigned elementBits) {
  const unsigned bits = access.elements * elementBits, wordBits = std::max(elementBits, std::min(bits, 32u));
  return {.wordBits = wordBits, .words = bits / wordBits, .addressSpace = SharedAddressSpace};
}

/// A truth value takes a byte.
Type storedType(Type element) {
  return element.isInteger(1) ? Type(IntegerType::get(element.getContext(), 8)) : element;
}

/// Returns a loaded value as an element of type `element`.
Value asElement(OpBuilder &builder, Location loc, Value stored, Type element) {
  return stored.getType() == element ? stored : Value(arith::TruncIOp::create(builder, loc, element, stored));
}

NVVM::MMALayout orderOf(const SharedAccess &access) {
  return access.kind == SharedAccess::Matrices ? NVVM::MMALayout::row : NVVM::MMALayout::col;
}

NVVM::LdStMatrixShapeAttr matrixShape(OpBuilder &builder) {
  return NVVM::LdStMatrixShapeAttr::get(builder.getContext(), 8, 8);
}

Registers loadMatrices(OpBuilder &builder, Location loc, Value address, const SharedAccess &access,
                       unsigned words) {
  Type word = builder.getI32Type();
  Type result =
      words == 1
          ? word
          : Type(LLVM::LLVMStructType::getLiteral(builder.getContext(), SmallVector<Type>(words, word)));
  Value loaded = NVVM::LdMatrixOp::create(builder, loc, result, address, words, orderOf(access),
                                          matrixShape(builder), NVVM::LdStMatrixEltType::B16);
  if (words == 1)
    return {loaded};
  Registers all;
  for (unsigned i = 0; i < words; ++i)
    all.push_back(LLVM::ExtractValueOp::create(builder, loc, loaded, ArrayRef<int64_t>{i}));
  return all;
}

void storeMatrices(OpBuilder &builder, Location loc, Value address, const SharedAccess &access,
                   ValueRange words) {
  MLIRContext *context = builder.getContext();
  NVVM::StMatrixOp::create(builder, loc, address, words, NVVM::MMALayoutAttr::get(context, orderOf(access)),
                           matrixShape(builder),
                           NVVM::LdStMatrixEltTypeAttr::get(context, NVVM::LdStMatrixEltType::B16));
}

} // namespace

SharedAddress addressOf(OpBuilder &builder, Location loc, Value buffer, const SharedAccess &access,
                        size_t index, ThreadIndex &threads, Value position) {
  const uint32_t threadBits = bitsOf(access.threadOffsets), positionBits = bitsOf(access.positionOffsets);
  // A bit that unknown bits may have, too, is xored with them; the rest becomes the immediate of the
  // instruction.
  const uint32_t unknown = threadBits | positionBits;
  uint32_t crossing = access.offsets[index] & unknown, apart = access.offsets[index] & ~unknown;
  Value part = threads.linear(builder, access.threadOffsets);
  if (positionBits) {
    const uint32_t bits = (1u << access.positionOffsets.size()) - 1;
    Value moved = linearOf(builder, loc, position, bits, access.positionOffsets);
    part = !part                       ? moved
           : threadBits & positionBits ? Value(arith::XOrIOp::create(builder, loc, part, moved))
                                       : added(builder, loc, part, moved);
  }
  if (!part)
    return {buffer, apart};
  return {addBytes(builder, loc, buffer, combine(builder, loc, part, {unknown}, crossing)), apart};
}

Value addBytes(OpBuilder &builder, Location loc, Value pointer, LLVM::GEPArg bytes) {
  if (bytes == LLVM::GEPArg(0))
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(), builder.getI8Type(), pointer, bytes);
}

Value slotAddress(OpBuilder &builder, Location loc, Value buffer, Value slot, tgpu::BufferType type) {
  if (type.getSlots() == 1)
    return buffer;
  Value step = constant(builder, loc, uint32_t(type.getSlotBytes()));
  auto small = arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw;
  return addBytes(builder, loc, buffer, Value(arith::MulIOp::create(builder, loc, slot, step, small)));
}

void storeToShared(OpBuilder &builder, Location loc, const SharedAccess &access, Value buffer,
                   ValueRange source, ThreadIndex &threads) {
  Type element = source.front().getType(), stored = storedType(element);
  AccessShape shape = shapeOf(access, elementBitsOf(stored));
  Value owner = threads.noneOf(builder, access.copyBits);
  for (auto [index, vector] : llvm::enumerate(access.vectors)) {
    Registers values = picked(source, vector);
    if (stored != element)
      for (Value &value : values)
        value = arith::ExtUIOp::create(builder, loc, stored, value);
    Value address = wholeAddress(builder, loc, buffer, access, index, threads);
    if (access.kind == SharedAccess::Vectors)
      emitStore(builder, loc, address, shape, owner, packWords(builder, loc, values, shape.wordBits));
    else
      storeMatrices(builder, loc, address, access, packWords(builder, loc, values, 32));
  }
}

Registers loadFromShared(OpBuilder &builder, Location loc, const SharedAccess &access, Value buffer,
                         Type element, ThreadIndex &threads, Value position) {
  Type stored = storedType(element);
  AccessShape shape = shapeOf(access, elementBitsOf(stored));
  Registers loaded(access.original.size());
  for (auto [index, vector] : llvm::enumerate(access.vectors)) {
    Value address = wholeAddress(builder, loc, buffer, access, index, threads, position);
    Registers words =
        access.kind == SharedAccess::Vectors
            ? emitLoad(builder, loc, address, shape, Value(), {})
            : loadMatrices(builder, loc, address, access, access.elements * elementBitsOf(stored) / 32);
    for (auto [reg, value] : llvm::zip(vector, unpackWords(builder, loc, words, stored)))
      loaded[reg] = asElement(builder, loc, value, element);
  }
  return picked(loaded, access.original);
}

Value loadElement(OpBuilder &builder, Location loc, Value buffer, Value offset, Type element) {
  Type stored = storedType(element);
  const AccessShape shape{.wordBits = elementBitsOf(stored), .addressSpace = SharedAddressSpace};
  Registers words = emitLoad(builder, loc, addBytes(builder, loc, buffer, offset), shape, Value(), {});
  return asElement(builder, loc, unpackWords(builder, loc, words, stored).front(), element);
}

} // namespace tegula
