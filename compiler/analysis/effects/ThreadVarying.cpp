#include "compiler/analysis/effects/ThreadVarying.h"

#include "dialect/tile/ops/ExternCall.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tegula {
namespace {

bool names(StringRef text, ArrayRef<StringRef> words) {
  return llvm::any_of(words, [&](StringRef word) { return text.contains(word); });
}

/// Registers and instructions that tell threads apart.
constexpr StringRef OfThread[] = {"%tid", "%laneid",    "%lanemask", "%warpid",    "%envreg",
                                  "shfl", "elect.sync", "match.",    "activemask", "vote."};
/// The same registers as functions of LLVM.
constexpr StringRef OfThreadByName[] = {".sreg.tid.", ".sreg.laneid", ".sreg.lanemask", ".sreg.warpid"};
/// Those whose answer depends on when a thread asks.
constexpr StringRef OfTime[] = {"%clock", "%globaltimer", "ld.",  "ld\t",
                                "atom.",  "mbarrier.",    "tex.", "nanosleep"};

} // namespace

bool differsByThread(Operation *op) {
  if (auto assembly = dyn_cast<tile::InlineAsmOp>(op))
    return names(assembly.getText(), OfThread) ||
           (!assembly.getIsPure() && names(assembly.getText(), OfTime));
  // Others would have to be read: most functions of libraries give all threads the same, as the rank.
  auto call = dyn_cast<tile::ExternCallOp>(op);
  return call && names(call.getSymbol(), OfThreadByName);
}

ThreadVarying::ThreadVarying(func::FuncOp kernel) {
  if (!kernel
           .walk([](Operation *op) {
             return differsByThread(op) ? WalkResult::interrupt() : WalkResult::advance();
           })
           .wasInterrupted())
    return;
  // What a loop carries may differ from its second iteration on.
  for (bool isNew = true; isNew;) {
    isNew = false;
    kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { isNew |= visit(op); });
  }
}

Operation *ThreadVarying::causeOfBranch(Operation *op) const {
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return causeOf(branch.getCondition());
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return causeOf(loop.getConditionOp().getCondition());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return causeAmong({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  return nullptr;
}

bool ThreadVarying::visit(Operation *op) {
  bool isNew = false;
  const auto hand = [&](ValueRange from, ValueRange to) {
    for (auto [given, taken] : llvm::zip(from, to))
      isNew |= add(taken, causeOf(given));
  };
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    hand(loop.getInitArgs(), loop.getRegionIterArgs());
  } else if (auto loop = dyn_cast<scf::WhileOp>(op)) {
    hand(loop.getInits(), loop.getBeforeArguments());
  } else if (auto condition = dyn_cast<scf::ConditionOp>(op)) {
    auto loop = cast<scf::WhileOp>(op->getParentOp());
    hand(condition.getArgs(), loop.getAfterArguments());
    hand(condition.getArgs(), loop.getResults());
  } else if (isa<scf::YieldOp>(op)) {
    Operation *parent = op->getParentOp();
    if (auto loop = dyn_cast<scf::WhileOp>(parent))
      hand(op->getOperands(), loop.getBeforeArguments());
    else
      hand(op->getOperands(), parent->getResults());
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      hand(op->getOperands(), loop.getRegionIterArgs());
  } else if (op->getNumRegions() == 0) {
    Operation *cause = differsByThread(op) ? op : causeAmong(op->getOperands());
    for (Value result : op->getResults())
      isNew |= add(result, cause);
  }
  // Threads that take another way or make another number of rounds come out with other values.
  if (Operation *cause = causeOfBranch(op))
    for (Value result : op->getResults())
      isNew |= add(result, cause);
  return isNew;
}

bool ThreadVarying::add(Value value, Operation *cause) {
  // Elements of a tensor are of threads in any case.
  return cause && !isa<RankedTensorType>(value.getType()) && causes.try_emplace(value, cause).second;
}

Operation *ThreadVarying::causeAmong(ValueRange values) const {
  for (Value value : values)
    if (Operation *cause = causeOf(value))
      return cause;
  return nullptr;
}

} // namespace tegula
