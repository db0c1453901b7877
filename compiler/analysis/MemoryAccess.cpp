#include "compiler/analysis/MemoryAccess.h"

#include "compiler/analysis/AccessStride.h"
#include "dialect/tile/Tile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <utility>

using namespace mlir;

namespace tegula {

/// Why neighbours along `axis` are not known to be adjacent.
static std::string whyNotContiguous(Value pointer, unsigned axis, const AxisInfoAnalysis &facts) {
  std::optional<int64_t> stride = knownStride(pointer, axis, facts);
  if (!stride)
    return llvm::formatv("neighbours along dim {0} are not known to be adjacent", axis);
  if (*stride == 0)
    return llvm::formatv("one address along dim {0}", axis);
  return llvm::formatv("stride {0} along dim {1}", *stride, axis);
}

static std::string counted(int64_t number, const char *noun) {
  return llvm::formatv("{0} {1}{2}", number, noun, number == 1 ? "" : "s");
}

std::optional<MemoryAccess> analyzeAccess(Operation *op, const AxisInfoAnalysis &facts) {
  Value pointer, mask;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    pointer = load.getPointer();
    mask = load.getMask();
  } else if (auto store = dyn_cast<tile::StoreOp>(op)) {
    pointer = store.getPointer();
    mask = store.getMask();
  } else if (auto atomic = dyn_cast<tile::AtomicRMWOp>(op)) {
    pointer = atomic.getPointer();
    mask = atomic.getMask();
  } else if (auto exchange = dyn_cast<tile::AtomicCASOp>(op)) {
    pointer = exchange.getPointer();
  }
  auto type = pointer ? dyn_cast<RankedTensorType>(pointer.getType()) : RankedTensorType();
  if (!type)
    return std::nullopt;

  AxisInfo info = facts.of(pointer);
  AxisInfo maskInfo = mask ? facts.of(mask) : AxisInfo();
  MemoryAccess access;
  access.elementBytes = unsigned(info.step());
  for (unsigned axis = 0; axis < info.rank(); ++axis)
    access.order.push_back(axis);
  llvm::sort(access.order, [&](unsigned x, unsigned y) {
    return std::pair(info[x].contiguity, x) > std::pair(info[y].contiguity, y);
  });
  unsigned fastest = access.order.front();
  access.hasOrder = info[fastest].contiguity > 1;

  for (unsigned axis = 0; axis < info.rank(); ++axis) {
    int64_t widest = std::max<int64_t>(1, MaxAccessBytes / access.elementBytes);
    widest = std::min(widest, type.getDimSize(axis));
    int64_t adjacent = std::min(widest, info[axis].contiguity);
    int64_t aligned = std::min(adjacent, info.alignedRun(axis));
    int64_t masked = mask ? std::min(aligned, maskInfo[axis].constancy) : aligned;
    access.runs.push_back(unsigned(masked));
    if (axis != fastest)
      continue;
    if (masked < aligned)
      access.limit = llvm::formatv("the mask may change after every {0} along dim {1}",
                                   counted(masked, "element"), axis);
    else if (aligned < adjacent)
      access.limit = llvm::formatv("addresses are known to be multiples of {0} only",
                                   counted(aligned * access.elementBytes, "byte"));
    else if (adjacent < widest)
      access.limit = whyNotContiguous(pointer, axis, facts);
  }
  return access;
}

} // namespace tegula
