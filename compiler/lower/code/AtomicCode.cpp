#include "compiler/lower/code/AtomicCode.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula {
namespace {

StringRef constraintOf(unsigned bits) { return bits == 64 ? "l" : bits == 32 ? "r" : "h"; }

Value zeroOf(OpBuilder &builder, Location loc, unsigned bits) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(builder.getIntegerType(bits), 0));
}

/// Side effects keep it where it stands among all accesses.
LLVM::InlineAsmOp assembly(OpBuilder &builder, Location loc, TypeRange results, ValueRange operands,
                           StringRef text, StringRef constraints) {
  return LLVM::InlineAsmOp::create(
      builder, loc, results, operands, text, constraints, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
}

StringRef nameOf(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Add:
  case tile::AtomicKind::FAdd:
    return "add";
  case tile::AtomicKind::And:
    return "and";
  case tile::AtomicKind::Or:
    return "or";
  case tile::AtomicKind::Xor:
    return "xor";
  case tile::AtomicKind::Max:
  case tile::AtomicKind::UMax:
    return "max";
  case tile::AtomicKind::Min:
  case tile::AtomicKind::UMin:
    return "min";
  case tile::AtomicKind::Exchange:
    return "exch";
  }
  llvm_unreachable("a kind of atomic without a name");
}

/// Addition of integers is `u`: PTX has no `s64` there, and the bits are the same.
char letterOf(tile::AtomicKind kind) {
  switch (kind) {
  case tile::AtomicKind::Max:
  case tile::AtomicKind::Min:
    return 's';
  case tile::AtomicKind::Add:
  case tile::AtomicKind::UMax:
  case tile::AtomicKind::UMin:
    return 'u';
  case tile::AtomicKind::FAdd:
    return 'f';
  default:
    return 'b';
  }
}

} // namespace

std::string operationOf(tile::AtomicKind kind, Type element, unsigned count) {
  unsigned bits = element.getIntOrFloatBitWidth();
  if (kind == tile::AtomicKind::FAdd && bits == 16)
    return llvm::formatv("add.noftz.{0}{1}", element.isBF16() ? "bf16" : "f16", count == 2 ? "x2" : "");
  return llvm::formatv("{0}.{1}{2}", nameOf(kind), letterOf(kind), bits);
}

Value emitAtomic(OpBuilder &builder, Location loc, Value address, const AtomicShape &shape, Value predicate,
                 ArrayRef<Value> operands) {
  StringRef word = constraintOf(shape.wordBits);
  unsigned next = 0;
  std::string text =
      llvm::formatv("{0}.{1}.{2}.global.{3} ", shape.returns ? "atom" : "red",
                    stringifyMemoryOrder(shape.order), stringifyMemoryScope(shape.scope), shape.operation);
  std::string constraints;
  if (shape.returns) {
    constraints = "=" + word.str() + ",";
    text += llvm::formatv("${0}, ", next++);
  }
  constraints += "l";
  text += llvm::formatv("[${0}]", next++);
  SmallVector<Value> arguments{address};
  for (Value operand : operands) {
    arguments.push_back(operand);
    constraints += "," + word.str();
    text += llvm::formatv(", ${0}", next++);
  }
  text += ";";
  if (predicate) {
    arguments.push_back(predicate);
    constraints += ",b";
    text = llvm::formatv("@${0} {1}", next++, text);
    if (shape.returns) {
      arguments.push_back(zeroOf(builder, loc, shape.wordBits));
      constraints += ",0"; // the same register as the output
    }
  }
  SmallVector<Type, 1> results;
  if (shape.returns)
    results.push_back(builder.getIntegerType(shape.wordBits));
  LLVM::InlineAsmOp made = assembly(builder, loc, results, arguments, text, constraints);
  return shape.returns ? made.getResult(0) : Value();
}

Value emitAddBySwapping(OpBuilder &builder, Location loc, Value address, tile::MemoryScope scope,
                        Value predicate, Value value) {
  Type i16 = builder.getIntegerType(16), bf16 = value.getType(), f32 = builder.getF32Type();
  AtomicShape swap{"cas.b16", 16, tile::MemoryOrder::Relaxed, scope, true};
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
  std::string text = llvm::formatv("fence.acq_rel.{0};", stringifyMemoryScope(scope));
  assembly(builder, loc, TypeRange(), ValueRange(), text, "");
}

} // namespace tegula
