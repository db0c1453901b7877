#include "compiler/schedule/pipeline/SeparateAddresses.h"

#include "compiler/schedule/pipeline/CarriedStates.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tegula {

namespace {

/// True if other ops than `own` need the carried value at `position`, in their own time, or what is after
/// the loop does.
bool isShared(scf::ForOp loop, unsigned position, function_ref<bool(Operation *)> isOwn) {
  return !loop.getResult(position).use_empty() ||
         !llvm::all_of(loop.getRegionIterArg(position).getUsers(), isOwn);
}

} // namespace

void separateAddresses(RewriterBase &rewriter, scf::ForOp &loop, const LoopSchedule &schedule,
                       StageAssignment &stages, unsigned stage) {
  llvm::SmallSetVector<Operation *, 16> addresses;
  llvm::SmallSetVector<unsigned, 4> carried;
  llvm::SmallPtrSet<Operation *, 8> loads;
  for (const ScheduledLoad &scheduled : schedule.loads)
    if (auto load =
            scheduled.stage == stage ? dyn_cast_or_null<tile::LoadOp>(scheduled.load) : tile::LoadOp()) {
      const LoadAddresses of = *addressesOf(load, loop);
      addresses.insert_range(of.ops);
      carried.insert_range(of.carried);
      loads.insert(load);
      stages.set(load, stage);
    }
  SmallVector<std::pair<unsigned, unsigned>> positions; // as written, and for these loads
  for (unsigned position : carried) {
    unsigned ahead = position;
    if (isShared(loop, position,
                 [&](Operation *user) { return addresses.contains(user) || loads.contains(user); })) {
      ahead = loop.getNumRegionIterArgs();
      carryValue(rewriter, loop, loop.getInitArgs()[position],
                 [&](OpBuilder &, BlockArgument) { return loop.getYieldedValues()[position]; });
    }
    positions.emplace_back(position, ahead);
  }
  IRMapping own;
  for (auto [position, ahead] : positions)
    own.map(loop.getRegionIterArg(position), loop.getRegionIterArg(ahead));
  OpBuilder builder(loop.getContext());
  SmallVector<Operation *> originals;
  for (Operation &op : llvm::make_early_inc_range(loop.getBody()->without_terminator())) {
    if (addresses.contains(&op)) {
      builder.setInsertionPoint(&op);
      stages.set(builder.clone(op, own), stage);
      originals.push_back(&op);
    } else if (loads.contains(&op)) {
      for (OpOperand &operand : op.getOpOperands())
        operand.set(own.lookupOrDefault(operand.get()));
    }
  }
  Operation *yield = loop.getBody()->getTerminator();
  SmallVector<Value> moved;
  for (auto [position, ahead] : positions)
    moved.push_back(own.lookupOrDefault(yield->getOperand(position)));
  for (auto [position, value] : llvm::zip_equal(positions, moved))
    yield->setOperand(position.second, value);
  for (Operation *op : llvm::reverse(originals))
    if (op->use_empty())
      op->erase();
}

} // namespace tegula
