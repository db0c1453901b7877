#include "compiler/distribute/LoopLayouts.h"

#include "compiler/distribute/BlockedChoice.h"
#include "dialect/tile/LayoutInference.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tegula {

namespace {

/// Users of users are asked so far; farther ones rarely agree with nearer ones.
constexpr unsigned MaxVisits = 128;

/// The layout of a loaded value, also behind conversions.
tile::LayoutAttr loadedLayout(Value value) {
  while (auto convert = value.getDefiningOp<tile::ConvertLayoutOp>())
    value = convert.getSource();
  return value.getDefiningOp<tile::LoadOp>() ? tile::layoutOf(value.getType()) : tile::LayoutAttr();
}

/// The layout of the first access that `value` reaches through elementwise ops, or of a loaded value that
/// it is combined with on the way; null when there is none.
tile::LayoutAttr wishOf(Value value, const OperandTypes &wanted) {
  if (!isa<RankedTensorType>(value.getType()))
    return {};
  llvm::SmallSetVector<Value, 16> reached;
  reached.insert(value);
  tile::LayoutAttr combined;
  for (unsigned i = 0; i < reached.size() && i < MaxVisits; ++i) {
    for (Operation *user : reached[i].getUsers()) {
      bool isConversion = isa<tile::ConvertLayoutOp>(user);
      if (isa<tile::LoadOp, tile::StoreOp>(user))
        return tile::layoutOf(wanted.at(user).front());
      if (!isConversion && !tile::isElementwise(user))
        continue;
      for (Value operand : user->getOperands())
        if (!combined && operand != reached[i])
          combined = loadedLayout(operand);
      reached.insert(user->result_begin(), user->result_end());
    }
  }
  return combined;
}

void chooseLoop(scf::ForOp loop, OperandTypes &wanted) {
  Operation *yield = loop.getBody()->getTerminator();
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    Value inside = loop.getRegionIterArg(i), after = loop.getResult(i);
    tile::LayoutAttr wish = wishOf(inside, wanted);
    if (!wish)
      wish = wishOf(after, wanted);
    if (!wish)
      continue;
    RankedTensorType type = withLayout(inside.getType(), wish);
    inside.setType(type);
    after.setType(type);
    wanted[loop][loop.getNumControlOperands() + i] = type;
    wanted[yield][i] = type;
  }
}

void chooseBranch(scf::IfOp branch, OperandTypes &wanted) {
  for (unsigned i = 0; i < branch.getNumResults(); ++i) {
    Value result = branch.getResult(i);
    tile::LayoutAttr wish = wishOf(result, wanted);
    if (!wish)
      continue;
    RankedTensorType type = withLayout(result.getType(), wish);
    result.setType(type);
    wanted[branch.thenYield()][i] = type;
    wanted[branch.elseYield()][i] = type;
  }
}

} // namespace

void chooseRegionLayouts(func::FuncOp function, OperandTypes &wanted) {
  function.walk([&](Operation *op) {
    if (auto loop = dyn_cast<scf::ForOp>(op))
      chooseLoop(loop, wanted);
    else if (auto branch = dyn_cast<scf::IfOp>(op))
      chooseBranch(branch, wanted);
  });
}

} // namespace tegula
