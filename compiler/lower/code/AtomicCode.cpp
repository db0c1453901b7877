#include "compiler/lower/code/AtomicCode.h"
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/InlinePtx.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

Value zeroOf(OpBuilder &builder, Location loc, unsigned bits) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(builder.getIntegerType(bits), 0));
}

/// Returns PTX's name of an operation, and the letter of its types. Addition of integers is `u`: PTX has no
/// `s64` there, and the bits are the same.
std::pair<StringRef, char> spellingOf(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
    return {"add", 'u'};
  case tile::AtomicKind::FAdd:
    return {"add", 'f'};
  case tile::AtomicKind::And:
    return {"and", 'b'};
  case tile::AtomicKind::Or:
    return {"or", 'b'};
  case tile::AtomicKind::Xor:
    return {"xor", 'b'};
  case tile::AtomicKind::Max:
    return {"max", 's'};
  case tile::AtomicKind::UMax:
    return {"max", 'u'};
  case tile::AtomicKind::Min:
    return {"min", 's'};
  case tile::AtomicKind::UMin:
    return {"min", 'u'};
  case tile::AtomicKind::Exchange:
    return {"exch", 'b'};
  }
  llvm_unreachable("a kind of atomic without a name");
}

} // namespace

std::string operationOf(tile::AtomicKind kind, Type element, unsigned count, unsigned words) {
  unsigned bits = element.getIntOrFloatBitWidth();
  std::string vector = words > 1 ? llvm::formatv("v{0}.", words).str() : "";
  if (kind == tile::AtomicKind::FAdd && bits == 16)
    return llvm::formatv("add.noftz.{0}{1}{2}", vector, element.isBF16() ? "bf16" : "f16",
                         count == 2 ? "x2" : "");
  const auto [name, letter] = spellingOf(kind);
  return llvm::formatv("{0}.{1}{2}{3}", name, vector, letter, bits);
}

AtomicShape sharedAtomic(tile::AtomicKind kind, Type element) {
  return {.operation = operationOf(kind, element),
          .scope = tile::MemoryScope::Block,
          .returns = false,
          .addressSpace = SharedAddressSpace};
}

Value emitAtomic(OpBuilder &builder, Location loc, Value address, const AtomicShape &shape, Value predicate,
                 ArrayRef<Value> operands) {
  InlinePtx ptx(builder, loc);
  Type word = builder.getIntegerType(shape.wordBits);
  // Tests of Triton's programs look for these words as Triton writes them; assemblers take scope and order in
  // either order, and make a reduction of an `atom` whose result is unused. It has a register all the same:
  // by `_` in its place ptxas 13.0 crashes where elements are bf16.
  StringRef scope = stringifyMemoryScope(shape.scope), order = stringifyMemoryOrder(shape.order);
  if (StringRef(shape.operation).starts_with("cas"))
    std::swap(scope, order);
  std::string text =
      llvm::formatv("atom.{0}.{1}.{2}.{3} ", shape.addressSpace == SharedAddressSpace ? "shared" : "global",
                    scope, order, shape.operation);
  text += ptx.results(word, shape.words) + ", [" + ptx.operand(address) + "]";
  if (shape.words > 1)
    text += ", " + ptx.operands(operands);
  else
    for (Value operand : operands)
      text += ", " + ptx.operand(operand);
  if (predicate && shape.returns)
    ptx.onlyIf(predicate, SmallVector<Value>(shape.words, zeroOf(builder, loc, shape.wordBits)));
  else
    ptx.onlyIf(predicate);
  SmallVector<Value> results = ptx.emit(text + ";");
  return shape.returns ? results.front() : Value();
}

Value emitAddBySwapping(OpBuilder &builder, Location loc, Value address, tile::MemoryScope scope,
                        Value predicate, Value value) {
  Type i16 = builder.getIntegerType(16), bf16 = value.getType(), f32 = builder.getF32Type();
  AtomicShape swap{"cas.b16", 16, /*words=*/1, tile::MemoryOrder::Relaxed, scope, true};
  // Memory is guessed to be zero: the first exchange tells what it is.
  auto attempt = [&](OpBuilder &b, Location at, ValueRange guess) {
    Value before = arith::BitcastOp::create(b, at, bf16, guess.front());
    Value wide = arith::ExtFOp::create(b, at, f32, before), added = arith::ExtFOp::create(b, at, f32, value);
    Value sum = arith::AddFOp::create(b, at, wide, added);
    // The sum of two bf16 rounded to f32 and then to bf16 is the one rounded once: 24 bits are more than 2 *
    // 8 + 2.
    Value after = arith::TruncFOp::create(b, at, bf16, sum);
    Value word = arith::BitcastOp::create(b, at, i16, after);
    Value found = emitAtomic(b, at, address, swap, Value(), {guess.front(), word});
    Value again = arith::CmpIOp::create(b, at, arith::CmpIPredicate::ne, found, guess.front());
    scf::ConditionOp::create(b, at, again, found);
  };
  auto next = [](OpBuilder &b, Location at, ValueRange found) { scf::YieldOp::create(b, at, found); };
  auto loop = [&](OpBuilder &b) {
    return scf::WhileOp::create(b, loc, TypeRange(i16), ValueRange(zeroOf(b, loc, 16)), attempt, next)
        .getResult(0);
  };
  if (!predicate)
    return loop(builder);
  auto then = [&](OpBuilder &b, Location at) { scf::YieldOp::create(b, at, loop(b)); };
  auto otherwise = [&](OpBuilder &b, Location at) { scf::YieldOp::create(b, at, zeroOf(b, at, 16)); };
  return scf::IfOp::create(builder, loc, predicate, then, otherwise).getResult(0);
}

void emitFence(OpBuilder &builder, Location loc, tile::MemoryScope scope) {
  InlinePtx(builder, loc).emit(llvm::formatv("fence.acq_rel.{0};", stringifyMemoryScope(scope)).str());
}

} // namespace tegula
