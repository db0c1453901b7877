#include "compiler/analysis/plans/CombineRegion.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/target/Target.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {

bool isSymmetric(Block &block) {
  // An assertion or a print tells the sides apart.
  if (!llvm::all_of(block, [](Operation &op) { return isMemoryEffectFree(&op); }))
    return false;
  size_t count = block.getTerminator()->getNumOperands();
  for (auto [index, value] : llvm::enumerate(block.getTerminator()->getOperands())) {
    Operation *made = value.getDefiningOp();
    if (!made || !made->hasTrait<OpTrait::IsCommutative>() || made->getNumOperands() != 2)
      return false;
    Value a = made->getOperand(0), b = made->getOperand(1);
    Value first = block.getArgument(unsigned(index)), second = block.getArgument(unsigned(index + count));
    if (!(a == first && b == second) && !(a == second && b == first))
      return false;
  }
  return true;
}

std::optional<NVVM::ReduxKind> reduxOf(tile::ReduceOp op) {
  const Target *target = targetOf(op);
  if (!target || op.getNumResults() != 1 || !isSymmetric(op.getCombine().front()))
    return std::nullopt;
  Operation *combine = op.getCombine().front().getTerminator()->getOperand(0).getDefiningOp();
  using Kind = NVVM::ReduxKind;
  using Found = std::optional<Kind>;
  Type type = combine->getResult(0).getType();
  if (type.isF32() && target->floatRedux)
    return llvm::TypeSwitch<Operation *, Found>(combine)
        .Case([](arith::MinNumFOp) { return Kind::FMIN; })
        .Case([](arith::MaxNumFOp) { return Kind::FMAX; })
        .Default([](Operation *) { return std::nullopt; });
  if (!type.isInteger() || type.getIntOrFloatBitWidth() > 32 || !target->integerRedux)
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Found>(combine)
      .Case([](arith::AddIOp) { return Kind::ADD; })
      .Case([](arith::AndIOp) { return Kind::AND; })
      .Case([](arith::OrIOp) { return Kind::OR; })
      .Case([](arith::XOrIOp) { return Kind::XOR; })
      .Case([](arith::MinSIOp) { return Kind::MIN; })
      .Case([](arith::MaxSIOp) { return Kind::MAX; })
      .Case([](arith::MinUIOp) { return Kind::UMIN; })
      .Case([](arith::MaxUIOp) { return Kind::UMAX; })
      .Default([](Operation *) { return std::nullopt; });
}

CombineTraits combineTraitsOf(tile::ReduceOp op) {
  return {isSymmetric(op.getCombine().front()), reduxOf(op).has_value()};
}

} // namespace tegula
