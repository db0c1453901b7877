#include "compiler/analysis/access/FactCauses.h"

#include "compiler/analysis/access/FactWalk.h"
#include "compiler/analysis/access/PointerRoot.h"
#include "compiler/analysis/integers/KernelParam.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace tegula {

Cause causeAt(Value value, const Twine &fact, Operation *user) {
  if (tile::ParamAttr param = paramOf(value))
    return {("`" + param.getName() + "` " + fact).str(), value.getLoc()};
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return {(Twine(*number) + " " + fact).str(), user ? user->getLoc() : value.getLoc()};
  Operation *op = value.getDefiningOp();
  if (op && tile::globalAccessOf(op).address)
    return {("what is loaded here " + fact).str(), value.getLoc()};
  if (isa_and_nonnull<tile::ProgramIdOp>(op))
    return {("the program's number " + fact).str(), value.getLoc()};
  return {("what is computed here " + fact).str(), value.getLoc()};
}

/// Returns what `found` says; where the walk came to no end, what helps as a rule.
static Reason asReason(std::string text, MaybeBroken found, const char *rule) {
  if (!found)
    return Reason{std::move(text)}.fixedBy(rule);
  Reason reason{std::move(text)};
  reason.causes.push_back(std::move(found->cause));
  reason.advice = std::move(found->advice);
  return reason;
}

/// Returns whether other loads of the kernel are of the same array: a constant offset is that of a neighbour
/// then.
static bool isOfStencil(Operation *op) {
  auto load = dyn_cast<tile::LoadOp>(op);
  const Value base = load ? baseOfPointer(load.getPointer()) : Value();
  bool isOfSeveral = false;
  if (base)
    op->getParentOfType<func::FuncOp>().walk([&](tile::LoadOp other) {
      isOfSeveral |= other != load && baseOfPointer(other.getPointer()) == base;
    });
  return isOfSeveral;
}

Reason reasonOfLimit(Operation *op, const MemoryAccess &access, const AxisInfoAnalysis &facts) {
  const tile::GlobalAccess accessed = tile::globalAccessOf(op);
  const unsigned axis = access.order.front();
  const int64_t length = access.unlimited;
  FactWalk walk(facts);
  switch (access.limitedBy) {
  case MemoryAccess::Limit::None:
    return {};
  case MemoryAccess::Limit::Mask:
    return asReason(access.limit, walk.constant(accessed.mask, axis, length),
                    "compare with a bound that is a multiple of 16");
  case MemoryAccess::Limit::Alignment: {
    MaybeBroken found = walk.multiple(accessed.address, axis, length, length * access.elementBytes, op);
    if (found && found->rank == CauseRank::Constant && isOfStencil(op))
      found->advice = {"", /*isNothingToDo=*/true};
    return asReason(access.limit, std::move(found),
                    "align the pointer, or state what divides a stride by `tl.multiple_of`");
  }
  case MemoryAccess::Limit::Adjacency:
    return asReason(access.limit, walk.contiguous(accessed.address, axis, length),
                    "let the fastest axis of the tile run along contiguous memory");
  }
  return {};
}

std::optional<Reason> reasonOfFacts(Value value, const AxisInfoAnalysis &facts) {
  const auto tensor = dyn_cast<RankedTensorType>(value.getType());
  const AxisInfo info = facts.of(value);
  if (!tensor || !info.isComputed() || info.rank() == 0 || info.constant())
    return std::nullopt;
  unsigned axis = 0;
  for (unsigned i = 1; i < info.rank(); ++i)
    if (info[i].contiguity >= info[axis].contiguity)
      axis = i;
  constexpr int64_t accessBytes = 16, indexBytes = 4;
  const Type element = tensor.getElementType();
  // Of what is read from memory nothing is known but that it was read.
  Operation *made = value.getDefiningOp();
  if (!isa<tile::PtrType, IntegerType>(element) || (made && tile::globalAccessOf(made).address))
    return std::nullopt;
  const bool isPointer = isa<tile::PtrType>(element);
  const int64_t bytes = isPointer ? info.step() : indexBytes;
  const int64_t length = std::min(tensor.getShape()[axis], accessBytes / std::max<int64_t>(bytes, 1));
  FactWalk walk(facts);
  MaybeBroken found;
  if (element.isInteger(1)) {
    if (info[axis].constancy < length)
      found = walk.constant(value, axis, length);
  } else if (info[axis].contiguity < length && info[axis].constancy < length) {
    found = walk.contiguous(value, axis, length);
  } else if (isPointer && info[axis].contiguity >= length && info.alignedRun(axis) < length) {
    found = walk.multiple(value, axis, length, length * bytes, nullptr);
  }
  if (!found)
    return std::nullopt;
  return Reason{}.causedBy(std::move(found->cause)).fixedBy(found->advice.change.c_str());
}

} // namespace tegula
