#include "compiler/analysis/access/PointerRoot.h"
#include "compiler/analysis/access/ForwardedValues.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "dialect/tile/Tile.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {
namespace {

using Values = llvm::SmallSetVector<Value, 8>;

/// Adds what `value` is computed from, as far as it is a pointer or a view; false where that is not known.
bool addSources(Value value, Values &values) {
  SmallVector<Value> sources;
  Operation *op = value.getDefiningOp();
  if (isa_and_nonnull<tile::AddPtrOp, tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp,
                      tile::TransOp, tile::HintOp, tile::ConvertLayoutOp, tile::ViewOp, tile::ViewBaseOp>(op))
    sources = {op->getOperand(0)};
  else if (auto select = dyn_cast_or_null<arith::SelectOp>(op))
    sources = {select.getTrueValue(), select.getFalseValue()};
  else if (!addForwarded(value, sources))
    return false;
  values.insert_range(sources);
  return true;
}

} // namespace

/// Returns whether branches yield all of `values` except `choice` as others of them, and nothing else uses
/// them.
static bool isReachedThrough(Value choice, const Values &values) {
  auto isHandedOn = [&](OpOperand &use) {
    if (auto select = dyn_cast<arith::SelectOp>(use.getOwner()))
      return values.contains(select.getResult());
    auto branch = dyn_cast<scf::IfOp>(use.getOwner()->getParentOp());
    return branch && isa<scf::YieldOp>(use.getOwner()) &&
           values.contains(branch.getResult(use.getOperandNumber()));
  };
  return llvm::all_of(
      values, [&](Value value) { return value == choice || llvm::all_of(value.getUses(), isHandedOn); });
}

Value baseOfPointer(Value pointer) {
  Values reached;
  reached.insert(pointer);
  Value base, choice;
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value value = reached[i];
    auto result = dyn_cast<OpResult>(value);
    // All values found so far come from here.
    if (i + 1 == reached.size() && !base && !choice && result && isa<scf::IfOp>(result.getOwner()))
      choice = value;
    if (addSources(value, reached))
      continue;
    if (!isParameter(value))
      return {};
    if (base && base != value && !choice)
      return {};
    base = base && base != value ? choice : value;
  }
  if (base != choice || !choice)
    return base;
  Values chosen;
  chosen.insert(choice);
  for (unsigned i = 0; i < chosen.size(); ++i)
    if (isa<OpResult>(chosen[i]))
      addSources(chosen[i], chosen);
  return isReachedThrough(choice, chosen) ? choice : Value();
}

bool isConstantData(Value base) {
  tile::ParamAttr param = paramOf(base);
  return param && param.getConstant();
}

} // namespace tegula
