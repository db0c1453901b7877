#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/InlinePtx.h"

#include "mlir/IR/Matchers.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

using Values = SmallVector<Value>;

/// PTX has no 8-bit registers: a byte travels in a 16-bit one.
unsigned registerBits(const AccessShape &shape) { return std::max(shape.wordBits, 16u); }

/// `.volatile.global.v4.b32` or `.acquire.gpu.global.b32`, with the hints that `cache` and `evict` ask for.
std::string instruction(StringRef name, const AccessShape &shape) {
  std::string text = name.str();
  if (shape.isVolatile)
    text += ".volatile";
  if (shape.order)
    text += "." + stringifyMemoryOrder(*shape.order).str() + "." + stringifyMemoryScope(shape.scope).str();
  text += shape.addressSpace == SharedAddressSpace ? ".shared" : ".global";
  // ptxas takes a cache operator or a priority, not both; the operator says more. Volatile takes neither.
  if (!shape.isVolatile && shape.cache != tile::CacheModifier::None)
    text += "." + stringifyCacheModifier(shape.cache).str();
  else if (!shape.isVolatile && shape.evict != tile::EvictionPolicy::Normal)
    text += ".L1::" + stringifyEvictionPolicy(shape.evict).str();
  if (shape.words > 1)
    text += llvm::formatv(".v{0}", shape.words);
  return text + llvm::formatv(".b{0}", shape.wordBits).str();
}

Value integer(OpBuilder &builder, Location loc, Type type, int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

bool needsAssembly(const AccessShape &shape, Value predicate) {
  return predicate || shape.order || shape.cache != tile::CacheModifier::None ||
         shape.evict != tile::EvictionPolicy::Normal;
}

unsigned alignment(const AccessShape &shape) { return shape.wordBits * shape.words / 8; }

Values elementsOf(OpBuilder &builder, Location loc, Value vector) {
  Values elements;
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getNumElements(); ++i)
    elements.push_back(
        LLVM::ExtractElementOp::create(builder, loc, vector, integer(builder, loc, builder.getI32Type(), i)));
  return elements;
}

Value vectorOf(OpBuilder &builder, Location loc, ArrayRef<Value> elements) {
  Value vector = LLVM::UndefOp::create(
      builder, loc, VectorType::get({int64_t(elements.size())}, elements.front().getType()));
  for (auto [index, element] : llvm::enumerate(elements))
    vector = LLVM::InsertElementOp::create(builder, loc, vector, element,
                                           integer(builder, loc, builder.getI32Type(), int64_t(index)));
  return vector;
}

Values plainLoad(OpBuilder &builder, Location loc, Value address, const AccessShape &shape) {
  Type word = builder.getIntegerType(shape.wordBits);
  Type type = shape.words == 1 ? word : Type(VectorType::get({shape.words}, word));
  Value loaded = LLVM::LoadOp::create(builder, loc, type, address, alignment(shape), shape.isVolatile);
  return shape.words == 1 ? Values{loaded} : elementsOf(builder, loc, loaded);
}

Values resized(OpBuilder &builder, Location loc, ArrayRef<Value> words, unsigned from, unsigned to) {
  Type type = builder.getIntegerType(to);
  Values result;
  for (Value word : words)
    result.push_back(from == to  ? word
                     : from < to ? Value(LLVM::ZExtOp::create(builder, loc, type, word))
                                 : Value(LLVM::TruncOp::create(builder, loc, type, word)));
  return result;
}

/// Two or four bytes as one word. Not as a vector: LLVM would make shuffles of parts of it, and the bytes
/// that a part leaves out would come from registers that nothing has set.
Value joinBytes(OpBuilder &builder, Location loc, ArrayRef<Value> bytes, Type word) {
  SmallVector<Value, 4> wide;
  for (Value byte : bytes)
    wide.push_back(LLVM::ZExtOp::create(builder, loc, word, byte));
  if (bytes.size() == 2)
    return LLVM::OrOp::create(builder, loc, wide[0],
                              LLVM::ShlOp::create(builder, loc, wide[1], integer(builder, loc, word, 8)));
  auto permute = [&](Value low, Value high, int64_t selector) {
    return NVVM::PermuteOp::create(builder, loc, word, low, high, integer(builder, loc, word, selector),
                                   NVVM::PermuteMode::DEFAULT);
  };
  // A selector's digits, the last for the lowest byte, count through the bytes of both words.
  Value first = permute(wide[0], wide[1], 0x0040), second = permute(wide[2], wide[3], 0x0040);
  return permute(first, second, 0x5410);
}

/// The word that `elements` were taken from by `unpackWords`, all of it and in order; null otherwise.
Value wordOf(ArrayRef<Value> elements, Type word) {
  Value vector;
  for (auto [index, element] : llvm::enumerate(elements)) {
    auto taken = element.getDefiningOp<LLVM::ExtractElementOp>();
    APInt position;
    if (!taken || (vector && taken.getVector() != vector) ||
        !matchPattern(taken.getPosition(), m_ConstantInt(&position)) || position != index)
      return {};
    vector = taken.getVector();
  }
  auto cast = vector.getDefiningOp<LLVM::BitcastOp>();
  return cast && cast.getArg().getType() == word ? cast.getArg() : Value();
}

Value joined(OpBuilder &builder, Location loc, ArrayRef<Value> elements, Type word) {
  if (Value whole = wordOf(elements, word))
    return whole;
  // Two 16-bit elements as a vector: such pairs have registers, and conversions, of their own.
  return elements.front().getType().isInteger(8) ? joinBytes(builder, loc, elements, word)
                                                 : vectorOf(builder, loc, elements);
}

} // namespace

Values emitLoad(OpBuilder &builder, Location loc, Value address, const AccessShape &shape, Value predicate,
                ArrayRef<Value> otherwise) {
  if (!needsAssembly(shape, predicate))
    return plainLoad(builder, loc, address, shape);
  unsigned bits = registerBits(shape);
  Type type = builder.getIntegerType(bits);
  InlinePtx ptx(builder, loc);
  std::string loaded = ptx.results(type, shape.words), from = ptx.operand(address);
  if (predicate) {
    Values before = resized(builder, loc, otherwise, shape.wordBits, bits);
    if (before.empty())
      before.assign(shape.words, integer(builder, loc, type, 0));
    ptx.onlyIf(predicate, before);
  }
  Values words = ptx.emit(llvm::formatv("{0} {1}, [{2}];", instruction("ld", shape), loaded, from).str());
  return resized(builder, loc, words, bits, shape.wordBits);
}

void emitStore(OpBuilder &builder, Location loc, Value address, const AccessShape &shape, Value predicate,
               ArrayRef<Value> words) {
  if (!needsAssembly(shape, predicate)) {
    Value value = shape.words > 1 ? vectorOf(builder, loc, words) : words.front();
    LLVM::StoreOp::create(builder, loc, value, address, alignment(shape), shape.isVolatile);
    return;
  }
  InlinePtx ptx(builder, loc);
  std::string to = ptx.operand(address);
  std::string stored = ptx.operands(resized(builder, loc, words, shape.wordBits, registerBits(shape)));
  ptx.onlyIf(predicate);
  ptx.emit(llvm::formatv("{0} [{1}], {2};", instruction("st", shape), to, stored).str());
}

Values packWords(OpBuilder &builder, Location loc, ArrayRef<Value> elements, unsigned wordBits) {
  Type element = elements.front().getType();
  unsigned bits = elementBitsOf(element), each = wordBits / bits;
  Type word = builder.getIntegerType(wordBits);
  Values words;
  for (size_t first = 0; first < elements.size(); first += each) {
    Value value = elements[first];
    if (isa<LLVM::LLVMPointerType>(element))
      value = LLVM::PtrToIntOp::create(builder, loc, word, value);
    else if (each > 1)
      value = joined(builder, loc, elements.slice(first, each), word);
    if (value.getType() != word)
      value = LLVM::BitcastOp::create(builder, loc, word, value);
    words.push_back(value);
  }
  return words;
}

Values unpackWords(OpBuilder &builder, Location loc, ArrayRef<Value> words, Type element) {
  unsigned bits = elementBitsOf(element), each = words.front().getType().getIntOrFloatBitWidth() / bits;
  Values elements;
  for (Value word : words) {
    if (isa<LLVM::LLVMPointerType>(element))
      elements.push_back(LLVM::IntToPtrOp::create(builder, loc, element, word));
    else if (word.getType() == element)
      elements.push_back(word);
    else if (each == 1)
      elements.push_back(LLVM::BitcastOp::create(builder, loc, element, word));
    else
      llvm::append_range(elements, elementsOf(builder, loc,
                                              LLVM::BitcastOp::create(
                                                  builder, loc, VectorType::get({each}, element), word)));
  }
  return elements;
}

Values picked(ValueRange values, ArrayRef<uint32_t> numbers) {
  return llvm::map_to_vector(numbers, [&](uint32_t number) { return values[number]; });
}

unsigned elementBitsOf(Type element) {
  return isa<LLVM::LLVMPointerType>(element) ? 64 : element.getIntOrFloatBitWidth();
}

Value bothHold(OpBuilder &builder, Location loc, Value a, Value b) {
  if (!a || !b)
    return a ? a : b;
  return arith::AndIOp::create(builder, loc, a, b);
}

} // namespace tegula
