// The pass `keep-waits`: Passes.td says what it does and why it is where it is.
#include "compiler/simplify/Passes.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tegula {
#define GEN_PASS_DEF_KEEPWAITSPASS
#include "compiler/simplify/Passes.h.inc"

namespace {

bool isLoad(Operation *op) { return isa<tile::LoadOp, tile::ViewLoadOp>(op); }

/// Makes `op` volatile where it is a load.
void makeVolatile(Operation *op) {
  llvm::TypeSwitch<Operation *>(op).Case<tile::LoadOp, tile::ViewLoadOp>(
      [](auto load) { load.setIsVolatile(true); });
}

/// Adds what the argument `number` of a region of `loop` is in an iteration that follows another.
void addNext(scf::WhileOp loop, BlockArgument argument, llvm::SmallSetVector<Value, 16> &reached) {
  const unsigned number = argument.getArgNumber();
  reached.insert(argument.getOwner() == loop.getBeforeBody() ? loop.getYieldOp().getOperand(number)
                                                             : loop.getConditionOp().getArgs()[number]);
}

/// The values in `loop` that `value` is computed from, itself included; each branch or loop inside hands on
/// all.
llvm::SmallSetVector<Value, 16> sourcesIn(scf::WhileOp loop, Value value) {
  llvm::SmallSetVector<Value, 16> reached;
  reached.insert(value);
  for (unsigned i = 0; i < reached.size(); ++i) {
    Value source = reached[i];
    Operation *op = source.getDefiningOp();
    if (!op)
      op = source.getParentBlock()->getParentOp();
    if (op == loop)
      addNext(loop, cast<BlockArgument>(source), reached);
    if (!loop->isProperAncestor(op))
      continue;
    reached.insert(op->operand_begin(), op->operand_end());
    for (Region &region : op->getRegions())
      for (Block &block : region)
        reached.insert(block.getTerminator()->operand_begin(), block.getTerminator()->operand_end());
  }
  return reached;
}

/// Returns whether each iteration of `loop` computes the same `operands`.
bool areFixed(scf::WhileOp loop, ValueRange operands) {
  return llvm::all_of(operands, [&](Value operand) {
    return llvm::all_of(sourcesIn(loop, operand), [&](Value source) {
      Operation *op = source.getDefiningOp();
      if (!op)
        return !loop->isAncestor(source.getParentBlock()->getParentOp());
      return !loop->isAncestor(op) || isMemoryEffectFree(op);
    });
  });
}

struct KeepWaits : impl::KeepWaitsPassBase<KeepWaits> {
  void runOnOperation() override {
    getOperation().walk([](scf::WhileOp loop) {
      // A loop that does nothing that a program could see but take its time only waits.
      if (isOpTriviallyDead(loop)) {
        loop.walk(makeVolatile);
        return;
      }
      for (Value source : sourcesIn(loop, loop.getConditionOp().getCondition()))
        if (Operation *op = source.getDefiningOp();
            op && isLoad(op) && loop->isProperAncestor(op) && areFixed(loop, op->getOperands()))
          makeVolatile(op);
    });
  }
};

} // namespace
} // namespace tegula
