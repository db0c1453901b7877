#include "compiler/lower/code/LaneShuffle.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"

using namespace mlir;

namespace tegula {

LaneShuffle::LaneShuffle(OpBuilder &builder, Location loc)
    : builder(builder), loc(loc), everyLane(constant(builder, loc, 0xffffffffu)),
      clamp(constant(builder, loc, 31)) {}

Value LaneShuffle::butterfly(Value value, uint32_t lanes) {
  return butterfly(value, constant(builder, loc, lanes));
}

Value LaneShuffle::butterfly(Value value, Value lanes) { return shuffle(value, NVVM::ShflKind::bfly, lanes); }

Value LaneShuffle::from(Value value, Value lane) { return shuffle(value, NVVM::ShflKind::idx, lane); }

Value LaneShuffle::shuffleWord(Value word, NVVM::ShflKind kind, Value lane) {
  return NVVM::ShflOp::create(builder, loc, builder.getI32Type(), everyLane, word, lane, clamp, kind,
                              UnitAttr());
}

Value LaneShuffle::shuffle(Value value, NVVM::ShflKind kind, Value lane) {
  Type type = value.getType(), i32 = builder.getI32Type();
  unsigned bits = elementBitsOf(type);
  Value word = bits >= 8 ? packWords(builder, loc, {value}, bits).front() : value;
  if (bits == 64) {
    Type pair = VectorType::get({2}, i32);
    Value halves = LLVM::BitcastOp::create(builder, loc, pair, word);
    Value joined = LLVM::UndefOp::create(builder, loc, pair);
    for (uint32_t half : {0u, 1u}) {
      Value index = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(half)));
      Value part = shuffleWord(LLVM::ExtractElementOp::create(builder, loc, halves, index), kind, lane);
      joined = LLVM::InsertElementOp::create(builder, loc, joined, part, index);
    }
    word = LLVM::BitcastOp::create(builder, loc, builder.getI64Type(), joined);
  } else if (bits == 32) {
    word = shuffleWord(word, kind, lane);
  } else {
    Value wide = LLVM::ZExtOp::create(builder, loc, i32, word);
    word = LLVM::TruncOp::create(builder, loc, builder.getIntegerType(bits), shuffleWord(wide, kind, lane));
  }
  return bits >= 8 ? unpackWords(builder, loc, {word}, type).front() : word;
}

} // namespace tegula
