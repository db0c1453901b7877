#include "compiler/analysis/access/MemoryAccess.h"

#include "dialect/Counted.h"
#include "dialect/layout/Places.h"
#include "dialect/tgpu/Tgpu.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <utility>

using namespace mlir;

namespace tegula {

namespace {

/// Enough for the address arithmetic of real kernels; the bound keeps shared sums from being walked
/// exponentially often.
constexpr unsigned MaxVisits = 64;

/// Finds by how many elements (pointers) or how much (integers) a value at one position along an axis differs
/// from that at the position before, if the program adds and multiplies known numbers to that end. For
/// remarks: it proves nothing about wrap-around.
struct StrideWalk {
  const AxisInfoAnalysis &facts;
  unsigned visits = 0;

  std::optional<int64_t> of(Value value, unsigned axis) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || axis >= unsigned(type.getRank()) || ++visits > MaxVisits)
      return std::nullopt;
    AxisInfo info = facts.of(value);
    if (info[axis].constancy == type.getDimSize(axis))
      return 0;
    if (info[axis].contiguity == type.getDimSize(axis))
      return 1;
    Operation *op = value.getDefiningOp();
    return op ? through(op, axis) : std::nullopt;
  }

  std::optional<int64_t> through(Operation *op, unsigned axis) {
    if (isa<tile::AddPtrOp, arith::AddIOp>(op)) {
      std::optional<int64_t> a = of(op->getOperand(0), axis), b = of(op->getOperand(1), axis);
      int64_t sum;
      if (!a || !b || llvm::AddOverflow(*a, *b, sum))
        return std::nullopt;
      return sum;
    }
    if (isa<arith::MulIOp, arith::ShLIOp>(op)) {
      std::optional<int64_t> factor = facts.of(op->getOperand(1)).constant();
      unsigned scaled = 0;
      if (!factor && isa<arith::MulIOp>(op)) {
        factor = facts.of(op->getOperand(0)).constant();
        scaled = 1;
      }
      if (factor && isa<arith::ShLIOp>(op))
        factor = *factor >= 0 && *factor < 62 ? std::optional(int64_t(1) << *factor) : std::nullopt;
      std::optional<int64_t> stride = factor ? of(op->getOperand(scaled), axis) : std::nullopt;
      int64_t product;
      if (!stride || llvm::MulOverflow(*factor, *stride, product))
        return std::nullopt;
      return product;
    }
    if (isa<arith::ExtSIOp, arith::ExtUIOp, tile::ConvertLayoutOp, tile::HintOp, tile::BroadcastOp>(op))
      return of(op->getOperand(0), axis); // a repeated axis was seen to be constant before
    if (auto expand = dyn_cast<tile::ExpandDimsOp>(op))
      return of(expand.getSource(), axis > unsigned(expand.getAxis()) ? axis - 1 : axis);
    if (auto trans = dyn_cast<tile::TransOp>(op))
      return of(trans.getSource(), unsigned(trans.getOrder()[axis]));
    return std::nullopt;
  }
};

} // namespace

/// Returns why neighbours along `axis` are not known to be adjacent.
static std::string whyNotContiguous(Value pointer, unsigned axis, const AxisInfoAnalysis &facts) {
  std::optional<int64_t> stride = StrideWalk{facts}.of(pointer, axis);
  if (!stride)
    return llvm::formatv("neighbours along dim {0} are not known to be adjacent", axis);
  if (*stride == 0)
    return llvm::formatv("one address along dim {0}", axis);
  return llvm::formatv("stride {0} along dim {1}", *stride, axis);
}

StringRef nameOfAccess(Operation *op) {
  if (tile::asyncStepOf(op).starts())
    return "copy";
  tile::GlobalAccess access = tile::globalAccessOf(op);
  return access.isAtomic() ? "atomic" : access.writes ? "store" : "load";
}

std::optional<MemoryAccess> analyzeAccess(Operation *op, const AxisInfoAnalysis &facts) {
  const tile::GlobalAccess accessed = tile::globalAccessOf(op);
  const Value pointer = accessed.address, mask = accessed.mask;
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
  access.adjacent = info[fastest].contiguity;

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
      access.limitTo(MemoryAccess::Limit::Mask, aligned) = llvm::formatv(
          "the mask may change after every {0} along dim {1}", counted(uint64_t(masked), "element"), axis);
    else if (aligned < adjacent)
      access.limitTo(MemoryAccess::Limit::Alignment, adjacent) =
          llvm::formatv("addresses are known to be multiples of {0} only",
                        counted(uint64_t(aligned) * access.elementBytes, "byte"));
    else if (adjacent < widest)
      access.limitTo(MemoryAccess::Limit::Adjacency, widest) = whyNotContiguous(pointer, axis, facts);
  }
  return access;
}

bool isZero(Value value) {
  if (auto splat = value.getDefiningOp<tile::SplatOp>())
    value = splat.getSource();
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

bool isCopyable(tile::LoadOp load) {
  return !load.getIsVolatile() && (!load.getOther() || isZero(load.getOther()));
}

CopyRun copyRunOf(Operation *op, const AxisInfoAnalysis &facts) {
  Value pointers;
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    if (!isCopyable(load))
      return {};
    pointers = load.getPointer();
  } else if (auto copy = dyn_cast<tgpu::AsyncCopyOp>(op)) {
    pointers = copy.getPointers();
  }
  tile::LayoutAttr layout = pointers ? tile::layoutOf(pointers.getType()) : tile::LayoutAttr();
  if (!layout || !tile::pointeeOf(pointers.getType()).isIntOrFloat())
    return {};
  std::optional<MemoryAccess> access = analyzeAccess(op, facts);
  CopyRun best;
  for (unsigned axis = 0; access && axis < access->runs.size(); ++axis) {
    unsigned limit = std::min(access->runs[axis] * access->elementBytes, MaxCopyBytes);
    size_t steps = runOfRegisters(layout.getLayout(), axis, access->elementBytes, limit).size();
    if (unsigned bytes = access->elementBytes << steps; bytes >= MinCopyBytes && bytes > best.bytes)
      best = {axis, bytes};
  }
  return best;
}

SmallVector<unsigned, 4> equalGroups(Value tensor, const AxisInfoAnalysis &facts) {
  const AxisInfo info = facts.of(tensor);
  auto type = dyn_cast<RankedTensorType>(tensor.getType());
  SmallVector<unsigned, 4> groups;
  for (unsigned axis = 0; type && axis < info.rank(); ++axis)
    groups.push_back(unsigned(std::min(info[axis].constancy, type.getDimSize(axis))));
  return groups;
}

SmallVector<unsigned, 4> oneAddressGroups(tile::LoadOp load, const AxisInfoAnalysis &facts) {
  SmallVector<unsigned, 4> groups = equalGroups(load.getPointer(), facts);
  if (!load.getMask() || groups.empty())
    return groups;
  const SmallVector<unsigned, 4> ofMask = equalGroups(load.getMask(), facts);
  if (ofMask.empty())
    return {};
  for (auto [group, most] : llvm::zip_equal(groups, ofMask))
    group = std::min(group, most);
  return groups;
}

} // namespace tegula
