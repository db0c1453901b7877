#include "compiler/emit/StrengthReductionLimit.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <algorithm>

using namespace llvm;

namespace tegula {
namespace {

/// LLVM's limit on what it looks through to learn whether a value can be reused.
constexpr uint64_t MaxDepth = 16;

/// Sums, products and addresses: what the pass rewrites.
bool isCandidate(const Instruction &instruction) {
  switch (instruction.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::Shl:
  case Instruction::GetElementPtr:
    return true;
  case Instruction::Or:
    return cast<PossiblyDisjointInst>(instruction).isDisjoint();
  default:
    return false;
  }
}

bool isArithmetic(const Instruction &instruction) {
  return isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(instruction) &&
         !instruction.getType()->isFPOrFPVectorTy();
}

} // namespace

uint64_t strengthReductionWork(const Function &function) {
  struct Users {
    uint64_t count = 0, work = 0;
  };
  DenseMap<const Value *, uint64_t> depths;
  DenseMap<const Value *, Users> users;
  for (const BasicBlock &block : function)
    for (const Instruction &instruction : block) {
      if (!isArithmetic(instruction))
        continue;
      uint64_t depth = 0;
      for (const Value *operand : instruction.operand_values())
        depth = std::max(depth, depths.lookup(operand));
      depths[&instruction] = depth = std::min(depth + 1, MaxDepth);
      if (!isCandidate(instruction))
        continue;
      SmallPtrSet<const Value *, 4> operands(instruction.value_op_begin(), instruction.value_op_end());
      for (const Value *operand : operands)
        if (!isa<Constant>(operand)) {
          Users &entry = users[operand];
          ++entry.count;
          entry.work += depth * depth;
        }
    }
  uint64_t work = 0;
  for (const auto &[operand, entry] : users)
    work += entry.count * entry.work;
  return work;
}

StrengthReductionLimit::StrengthReductionLimit(const Module &module)
    : module(module), before(module.getContext().getOptPassGate()) {
  module.getContext().setOptPassGate(*this);
}

StrengthReductionLimit::~StrengthReductionLimit() { module.getContext().setOptPassGate(before); }

bool StrengthReductionLimit::shouldRunPass(StringRef pass, StringRef unit) const {
  // LLVM tells the unit as `function (name)`.
  if (pass != "slsr" || !unit.consume_front("function (") || !unit.consume_back(")"))
    return true;
  const Function *function = module.getFunction(unit);
  return !function || strengthReductionWork(*function) <=
                          StrengthReductionWorkPerInstruction * function->getInstructionCount();
}

} // namespace tegula
