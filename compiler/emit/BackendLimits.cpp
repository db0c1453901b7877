#include "compiler/emit/BackendLimits.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <optional>

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

/// Returns the part of a sum of a constant and a multiple that others like it may share: the constant, and
/// the multiplier. Nothing for every other instruction.
std::optional<std::pair<const Value *, const Value *>> addedMultiple(const Instruction &instruction) {
  if (instruction.getOpcode() != Instruction::Add || !isa<Constant>(instruction.getOperand(1)))
    return std::nullopt;
  const auto *multiple = dyn_cast<BinaryOperator>(instruction.getOperand(0));
  if (!multiple || !isa<Constant>(multiple->getOperand(1)) ||
      (multiple->getOpcode() != Instruction::Mul && multiple->getOpcode() != Instruction::Shl))
    return std::nullopt;
  return std::pair<const Value *, const Value *>(instruction.getOperand(1), multiple->getOperand(1));
}

} // namespace

uint64_t strengthReductionWork(const Function &function) {
  struct Users {
    uint64_t count = 0, work = 0;
  };
  DenseMap<const Value *, uint64_t> depths;
  DenseMap<const Value *, Users> users;
  DenseMap<std::pair<const Value *, const Value *>, Users> multiples;
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
      // The multiplicand may come from floats, through which LLVM looks too.
      if (const auto shared = addedMultiple(instruction)) {
        Users &entry = multiples[*shared];
        ++entry.count;
        entry.work += MaxDepth * MaxDepth;
      }
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
  for (const auto &[shared, entry] : multiples)
    work += entry.count * entry.work;
  return work;
}

bool multipliesUnknowns(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    return instruction.getOpcode() == Instruction::Mul && !isa<Constant>(instruction.getOperand(0)) &&
           !isa<Constant>(instruction.getOperand(1));
  });
}

BackendLimits::BackendLimits(const Module &module)
    : module(module), before(module.getContext().getOptPassGate()) {
  module.getContext().setOptPassGate(*this);
}

BackendLimits::~BackendLimits() { module.getContext().setOptPassGate(before); }

bool BackendLimits::shouldRunPass(StringRef pass, StringRef unit) const {
  const bool isThorough = pass == "codegenprepare" || pass == "load-store-vectorizer";
  // LLVM tells the unit as `function (name)`.
  if ((!isThorough && pass != "slsr" && pass != "nary-reassociate") || !unit.consume_front("function (") ||
      !unit.consume_back(")"))
    return true;
  const Function *function = module.getFunction(unit);
  if (!function)
    return true;
  if (isThorough)
    return function->getInstructionCount() <= MaxThoroughInstructions;
  return multipliesUnknowns(*function) &&
         strengthReductionWork(*function) <=
             std::min(StrengthReductionWorkPerInstruction * function->getInstructionCount(),
                      MaxStrengthReductionWork);
}

} // namespace tegula
