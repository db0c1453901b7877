#include "compiler/insight/Tensors.h"

#include "compiler/analysis/resources/RegisterCount.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/Tile.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace tegula::insight {

std::string dtypeOf(Type type) {
  if (auto pointer = dyn_cast<tile::PtrType>(type))
    return "*" + dtypeOf(pointer.getPointee());
  if (type.isBF16())
    return "bf16";
  if (type.isF16() || type.isF32() || type.isF64())
    return "fp" + std::to_string(type.getIntOrFloatBitWidth());
  if (type.isInteger())
    return "i" + std::to_string(type.getIntOrFloatBitWidth());
  return llvm::formatv("{0}", type);
}

RankedTensorType tensorOf(Type type) {
  if (auto inFlight = dyn_cast<tgpu::InFlightType>(type))
    return inFlight.getTensor();
  return dyn_cast<RankedTensorType>(type);
}

uint32_t registersOf(RankedTensorType tensor) {
  const tile::LayoutAttr layout = tile::layoutOf(tensor);
  if (!layout)
    return 0;
  const LinearLayout &map = layout.getLayout();
  const uint64_t distinct =
      uint64_t(map.inSize(Dim::Register)) >> llvm::popcount(uint32_t(map.freeVariableMask(Dim::Register)));
  return uint32_t(llvm::divideCeil(distinct * bitsOfElement(tensor.getElementType()), 32));
}

} // namespace tegula::insight
