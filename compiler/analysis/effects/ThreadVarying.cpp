#include "compiler/analysis/effects/ThreadVarying.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/access/ForwardedValues.h"
#include "dialect/tile/ops/ExternCall.h"

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

/// Returns whether the scalar results of `op` may differ between threads by themselves, whatever its operands
/// are: PTX that names a register of the thread, PTX that reads memory or a clock and is not pure, a function
/// of LLVM for such a register.
bool differsByThread(Operation *op) {
  if (auto assembly = dyn_cast<tile::InlineAsmOp>(op))
    return names(assembly.getText(), OfThread) ||
           (!assembly.getIsPure() && names(assembly.getText(), OfTime));
  // Others would have to be read: most functions of libraries give all threads the same, as the rank.
  auto call = dyn_cast<tile::ExternCallOp>(op);
  return call && names(call.getSymbol(), OfThreadByName);
}

} // namespace

ThreadVarying::ThreadVarying(func::FuncOp kernel) {
  if (!anyOp(kernel, differsByThread))
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
  const auto hand = [&](Value value) {
    SmallVector<Value> from;
    addForwarded(value, from);
    isNew |= add(value, causeAmong(from));
  };
  llvm::for_each(op->getResults(), hand);
  for (Region &region : op->getRegions())
    llvm::for_each(region.getArguments(), hand);
  // Threads that take another way or make another number of rounds come out with other values.
  Operation *cause = op->getNumRegions()   ? causeOfBranch(op)
                     : differsByThread(op) ? op
                                           : causeAmong(op->getOperands());
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
