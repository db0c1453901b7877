#include "compiler/lower/code/LaneShuffle.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/Constants.h"
#include "compiler/lower/code/PackedShuffle.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <map>

using namespace mlir;

namespace tegula {

using Registers = SmallVector<Value>;

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

Registers LaneShuffle::carryOut(const ShufflePlan &plan, ValueRange source, ThreadIndex &threads) {
  if (std::optional<Registers> packed = shufflePacked(*this, builder, loc, plan, source, threads))
    return std::move(*packed);
  Value lanePart = plan.butterfly ? Value() : threads.linear(builder, plan.threadLanes);
  std::map<std::pair<uint32_t, uint32_t>, Value> fetched; // by register and step of the lane
  auto fetch = [&](uint32_t reg, uint32_t step) {
    Value &value = fetched[{reg, step}];
    if (value)
      return value;
    if (!plan.butterfly)
      value = from(source[reg], combine(builder, loc, lanePart, plan.threadLanes, step));
    else
      value = step ? butterfly(source[reg], step) : source[reg];
    return value;
  };
  // If the register depends on the thread, one comparison for each choice except the first.
  SmallVector<Value> chosen(plan.choices.size());
  Value registerPart = threads.linear(builder, plan.threadRegisters);
  for (size_t i = 1; i < plan.choices.size(); ++i)
    chosen[i] = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, registerPart,
                                      constant(builder, loc, plan.choices[i]));
  Registers result;
  for (size_t reg = 0; reg < plan.registers.size(); ++reg) {
    Value value = fetch(plan.registers[reg] ^ plan.choices.front(), plan.lanes[reg]);
    for (size_t i = 1; i < plan.choices.size(); ++i)
      value = arith::SelectOp::create(builder, loc, chosen[i],
                                      fetch(plan.registers[reg] ^ plan.choices[i], plan.lanes[reg]), value);
    result.push_back(value);
  }
  return result;
}

} // namespace tegula
