#include "compiler/analysis/integers/AxisInfo.h"

#include "dialect/tile/Tile.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <bit>

using namespace mlir;

namespace tegula {

int64_t powerOfTwoDivisor(int64_t value) {
  if (value == 0)
    return MaxDivisibility;
  return int64_t(1) << std::min(std::countr_zero(uint64_t(value)), 62);
}

AxisInfo AxisInfo::unknown(Type type) {
  AxisInfo info;
  auto tensor = dyn_cast<RankedTensorType>(type);
  info.axes.resize(tensor ? size_t(tensor.getRank()) : 1);
  if (auto pointer = dyn_cast<tile::PtrType>(tile::elementTypeOf(type)))
    info.stepSize = pointer.getPointeeBytes();
  return info;
}

AxisInfo AxisInfo::constantOf(Type type, int64_t value) {
  AxisInfo info = unknown(type);
  info.value = value;
  for (unsigned axis = 0; axis < info.rank(); ++axis) {
    info[axis].divisibility = powerOfTwoDivisor(value);
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      info[axis].constancy = tensor.getDimSize(axis);
  }
  return info;
}

int64_t AxisInfo::divisibilityAt(unsigned axis, int64_t group) const {
  const AxisFacts &facts = axes[axis];
  int64_t along =
      group >= facts.contiguity ? facts.divisibility : std::min(facts.divisibility, group * stepSize);
  return std::max(along, divisibilityOfEach());
}

int64_t AxisInfo::divisibilityOfEach() const {
  int64_t best = 1;
  for (const AxisFacts &facts : axes)
    best =
        std::max(best, facts.contiguity == 1 ? facts.divisibility : std::min(facts.divisibility, stepSize));
  return best;
}

int64_t AxisInfo::alignedRun(unsigned axis) const {
  const AxisFacts &facts = axes[axis];
  return std::max<int64_t>(1, std::min(facts.contiguity, facts.divisibility / stepSize));
}

AxisInfo AxisInfo::join(const AxisInfo &a, const AxisInfo &b) {
  if (!a.isComputed() || !b.isComputed())
    return a.isComputed() ? a : b;
  AxisInfo result = a;
  if (a.value != b.value)
    result.value = std::nullopt;
  for (unsigned axis = 0; axis < a.rank(); ++axis) {
    AxisFacts &facts = result[axis];
    facts.contiguity = std::min(a[axis].contiguity, b[axis].contiguity);
    facts.constancy = std::min(a[axis].constancy, b[axis].constancy);
    facts.divisibility =
        std::min(a.divisibilityAt(axis, facts.contiguity), b.divisibilityAt(axis, facts.contiguity));
  }
  return result;
}

void AxisInfo::print(llvm::raw_ostream &os) const {
  auto list = [&](llvm::StringRef name, int64_t AxisFacts::*member) {
    os << name << " [";
    llvm::interleaveComma(axes, os, [&](const AxisFacts &facts) { os << facts.*member; });
    os << "]";
  };
  list("contiguity", &AxisFacts::contiguity);
  list(" divisibility", &AxisFacts::divisibility);
  list(" constancy", &AxisFacts::constancy);
  if (value)
    os << " value " << *value;
}

} // namespace tegula
