#include "compiler/analysis/access/SignTrust.h"

#include "compiler/analysis/access/MemoryAccess.h"
#include "dialect/tile/Tile.h"

#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

namespace {

/// Only tensors have runs that a sign could break.
bool isDivision(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp>(op) && isa<RankedTensorType>(op->getResult(0).getType());
}

/// Adds the sources of a loop's result or argument: what it begins with and what it becomes. Other values
/// that the loop carries are no part of it.
void addSourcesIn(scf::ForOp loop, Value value, llvm::SmallSetVector<Value, 16> &reached) {
  if (value == loop.getInductionVar()) {
    reached.insert(loop.getLowerBound());
    reached.insert(loop.getStep());
    return;
  }
  auto result = dyn_cast<OpResult>(value);
  BlockArgument carried = result ? loop.getTiedLoopRegionIterArg(result) : cast<BlockArgument>(value);
  reached.insert(loop.getTiedLoopInit(carried)->get());
  reached.insert(loop.getTiedLoopYieldedValue(carried)->get());
}

/// The values that `value` may be made of, one step back.
void addSources(Value value, llvm::SmallSetVector<Value, 16> &reached) {
  Operation *op = value.getDefiningOp();
  if (op && op->getNumRegions() == 0) {
    reached.insert(op->operand_begin(), op->operand_end());
    return;
  }
  if (!op)
    op = cast<BlockArgument>(value).getOwner()->getParentOp();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addSourcesIn(loop, value, reached);
  // Another loop, or a branch: all that it is given or hands on, which is more than the value depends on.
  if (!isa<RegionBranchOpInterface>(op))
    return;
  reached.insert(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    for (Block &block : region)
      if (block.mightHaveTerminator())
        for (Value operand : block.getTerminator()->getOperands())
          reached.insert(operand);
}

} // namespace

SignTrust::SignTrust(Operation *top) : withTrust(top, Trust::Signs) {
  bool divides = false, hints = false;
  top->walk([&](Operation *op) {
    divides |= isDivision(op);
    hints |= isa<tile::HintOp>(op);
  });
  if (divides)
    without.emplace(top, Trust::Nothing);
  if (hints)
    withoutHints.emplace(top, Trust::Signs, Hints::Unread);
  if (divides && hints)
    withoutEither.emplace(top, Trust::Nothing, Hints::Unread);
}

std::optional<HintedAccess> SignTrust::hintedOf(Operation *access) const {
  std::optional<MemoryAccess> with = withoutHints ? analyzeAccess(access, withTrust) : std::nullopt;
  if (!with)
    return std::nullopt;
  std::optional<MemoryAccess> plain = analyzeAccess(access, *withoutHints);
  if (with->runs == plain->runs)
    return std::nullopt;
  return HintedAccess{plain->runs[with->order.front()], plain->elementBytes};
}

bool SignTrust::isTrusted(Operation *division) const {
  Value dividend = division->getOperand(0);
  if (proven().isNotNegative(dividend))
    return false;
  AxisInfo info = withTrust.of(dividend);
  for (unsigned axis = 0; axis < info.rank(); ++axis)
    if (info.alignedRun(axis) > 1)
      return true;
  return false;
}

/// Returns the divisions that are trusted and that the address or the mask of `access` comes from.
SmallVector<TrustedDivision, 2> SignTrust::divisionsOf(Operation *access) const {
  SmallVector<TrustedDivision, 2> divisions;
  llvm::SmallSetVector<Value, 16> reached;
  const tile::GlobalAccess operands = tile::globalAccessOf(access);
  reached.insert(operands.address);
  if (operands.mask)
    reached.insert(operands.mask);
  for (unsigned i = 0; i < reached.size(); ++i) {
    Operation *op = reached[i].getDefiningOp();
    if (op && isDivision(op) && isTrusted(op))
      divisions.push_back({op, withTrust.isNotNegative(op->getOperand(0))});
    addSources(reached[i], reached);
  }
  return divisions;
}

const AxisInfoAnalysis &SignTrust::forGroupsOf(ArrayRef<TrustedDivision> divisions) const {
  auto isKept = [](const TrustedDivision &each) { return each.unlessOverflow; };
  return without && llvm::all_of(divisions, isKept) ? unhinted() : provenUnhinted();
}

SmallVector<unsigned, 4> SignTrust::groupsOf(tile::LoadOp load) const {
  return oneAddressGroups(load, forGroupsOf(without ? divisionsOf(load) : SmallVector<TrustedDivision, 2>()));
}

std::optional<TrustedAccess> SignTrust::of(Operation *access) const {
  if (!without)
    return std::nullopt;
  std::optional<MemoryAccess> with = analyzeAccess(access, withTrust);
  if (!with)
    return std::nullopt;
  std::optional<MemoryAccess> exact = analyzeAccess(access, *without);
  TrustedAccess result;
  result.divisions = divisionsOf(access);
  if (auto load = dyn_cast<tile::LoadOp>(access)) {
    result.trustedGroups = oneAddressGroups(load, forGroupsOf(result.divisions));
    result.provenGroups = oneAddressGroups(load, provenUnhinted());
  }
  if (with->runs == exact->runs && result.trustedGroups == result.provenGroups)
    return std::nullopt;
  result.trusted.assign(with->runs.begin(), with->runs.end());
  result.proven.assign(exact->runs.begin(), exact->runs.end());
  return result;
}

} // namespace tegula
