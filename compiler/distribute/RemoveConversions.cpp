#include "compiler/analysis/Decision.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/ConversionPlacer.h"
#include "compiler/distribute/Passes.h"

#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_REMOVECONVERSIONSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

int64_t bytesOf(RankedTensorType type) {
  Type element = type.getElementType();
  return type.getNumElements() * (element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8);
}

/// Returns how many of `dim` share the work along axis `axis`.
int64_t spanOf(tile::LayoutAttr layout, Dim dim, unsigned axis) {
  return int64_t(1) << layout.getLayout().sublayout({{dim}}, {{tensorDim(axis)}}).rank();
}

/// Says how many steps of which kind a reduction takes.
void reportReduction(tile::ReduceOp reduce) {
  tile::LayoutAttr layout = tile::layoutOf(reduce.getOperands().front().getType());
  unsigned axis = reduce.getAxis();
  int64_t warps = spanOf(layout, Dim::Warp, axis);
  auto options = remarkOptions("remove-conversions", "reduce", reduce);
  auto text =
      remark::add("{0} elements: {1} in each thread, {2} lanes, {3} warps", reduce.getSourceShape()[axis],
                  spanOf(layout, Dim::Register, axis), spanOf(layout, Dim::Lane, axis), warps);
  if (warps == 1)
    remark::passed(reduce.getLoc(), options) << text << remark::metric("Warps", warps);
  else
    remark::missed(reduce.getLoc(), options)
        << text << because("the warps meet in shared memory").fixedBy("use fewer warps, if the axis is short")
        << remark::metric("Warps", warps);
}

/// Returns why a tensor moves: by what makes it and by what first uses it.
Reason whyConverted(tile::ConvertLayoutOp conversion) {
  Reason reason = because("what makes it and what uses it need different layouts");
  const bool isInLoop = conversion->getParentOfType<LoopLikeOpInterface>() != nullptr;
  reason = isInLoop ? std::move(reason).fixedBy(
                          "compute it in the layout of its user, where there is a `tl.trans` or "
                          "`tl.reshape`, or move it out of the loop")
                    : std::move(reason).nothingToDo();
  if (Operation *made = conversion.getSource().getDefiningOp())
    reason = std::move(reason).causedBy({"it is made here", made->getLoc()});
  if (!conversion->use_empty())
    reason = std::move(reason).causedBy({"it is used here", (*conversion->getUsers().begin())->getLoc()});
  return reason;
}

/// Says that a tensor moves, which is as it should be for what a dot multiplies.
void reportConversion(tile::ConvertLayoutOp conversion) {
  auto options = remarkOptions("remove-conversions", "conversion", conversion);
  auto bytes = remark::metric("Bytes", bytesOf(conversion.getType()));
  bool feedsDots = !conversion->use_empty() && llvm::all_of(conversion->getUsers(), [](Operation *user) {
    return isa<tile::DotOp>(user);
  });
  if (feedsDots)
    remark::passed(conversion.getLoc(), options)
        << remark::add("an operand of a dot changes its layout here") << bytes;
  else
    remark::missed(conversion.getLoc(), options)
        << remark::add("a tensor changes its layout here") << whyConverted(conversion) << bytes;
}

class RemoveConversions : public impl::RemoveConversionsPassBase<RemoveConversions> {
  void runOnOperation() override {
    for (func::FuncOp function : kernelsOf(getOperation())) {
      if (failed(requireLayouts(function)))
        return signalPassFailure();
      placeConversions(function);
      function.walk(reportReduction);
      function.walk(reportConversion);
    }
  }
};

} // namespace

} // namespace tegula
