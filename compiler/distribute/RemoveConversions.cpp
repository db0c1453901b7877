#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/ConversionPlacer.h"
#include "compiler/distribute/Passes.h"

#include "mlir/IR/Remarks.h"

namespace tegula {
#define GEN_PASS_DEF_REMOVECONVERSIONSPASS
#include "compiler/distribute/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

int64_t bytesOf(RankedTensorType type) {
  Type element = type.getElementType();
  return type.getNumElements() * (element.isIntOrFloat() ? (element.getIntOrFloatBitWidth() + 7) / 8 : 8);
}

class RemoveConversions : public impl::RemoveConversionsPassBase<RemoveConversions> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!warpsOf(function))
        continue;
      if (failed(requireLayouts(function)))
        return signalPassFailure();
      ConversionPlacer(function).run();
      function.walk([&](tile::ConvertLayoutOp conversion) {
        RankedTensorType type = conversion.getType();
        remark::missed(conversion.getLoc(), remark::RemarkOpts::name("conversion")
                                                .category("remove-conversions")
                                                .function(function.getName()))
            << remark::add("a tensor changes its layout here")
            << remark::reason("what makes it and what uses it need different layouts")
            << remark::metric("Bytes", bytesOf(type));
      });
    }
  }
};

} // namespace

} // namespace tegula
