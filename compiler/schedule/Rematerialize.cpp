#include "compiler/schedule/Passes.h"
#include "compiler/schedule/RegisterCount.h"
#include "dialect/tile/LayoutInference.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace tegula {
#define GEN_PASS_DEF_REMATERIALIZEPASS
#include "compiler/schedule/Passes.h.inc"
} // namespace tegula

using namespace mlir;

namespace tegula {

namespace {

/// 32-bit registers of a multiprocessor, on every target of ours.
constexpr uint32_t RegistersOfMultiprocessor = 65536;
/// What a thread needs beside the values that live: addresses, loop counters, what is being computed.
constexpr uint32_t OtherRegisters = 24;
/// Registers are given out in steps of so many a thread.
constexpr uint32_t RegisterStep = 8;
/// So many threads of a multiprocessor hide each other's waiting; more residents are not worth arithmetic.
constexpr uint32_t EnoughThreads = 1024;
/// Ops that one value may take to compute anew: beyond, arithmetic costs more than a full multiprocessor brings.
constexpr unsigned MaxRecipe = 16;
/// Of these so many may go to the special function unit, a quarter as fast as the rest.
constexpr unsigned MaxSpecial = 1;

bool isSpecial(Operation *op) { return isa<math::ExpOp, math::Exp2Op, math::RsqrtOp, arith::DivFOp>(op); }

/// Ops that cost a thread one or two instructions an element, or one of the special function unit.
bool isCheap(Operation *op) {
  if (!isMemoryEffectFree(op) || op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  if (isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ArangeOp, arith::ConstantOp>(op))
    return true;
  if (isSpecial(op) || isa<math::AbsFOp, math::FmaOp>(op))
    return true;
  return isa<arith::ArithDialect>(op->getDialect()) && tile::isElementwise(op) &&
         !isa<arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op);
}

/// What lives across one reduction, and how it could live in less.
class Crossing {
public:
  explicit Crossing(tile::ReduceOp reduce) : reduce(reduce) {
    for (Operation &op : *reduce->getBlock()) {
      if (&op == reduce)
        break;
      for (Value result : op.getResults())
        if (registersOf(result) && hasLaterUse(result) && !isIndexing(result))
          consider(result);
    }
    for (Value value : kept)
      after += registersOf(value);
    for (Value root : roots)
      if (!kept.contains(root))
        after += registersOf(root);
  }

  uint32_t registersBefore() const { return before; }
  uint32_t registersAfter() const { return after; }
  bool hasRecipes() const { return !anew.empty(); }

  /// Repeats the recipes after the reduction for all uses there.
  void apply() {
    OpBuilder builder(reduce->getContext());
    builder.setInsertionPointAfter(reduce);
    IRMapping again;
    for (Value root : roots) {
      Value barrier = tile::OptBarrierOp::create(builder, root.getLoc(), root, reduce.getResults().front());
      replaceLaterUses(root, barrier);
      again.map(root, barrier);
    }
    // The ops in their order: what a recipe takes is mapped before it.
    for (Operation &op : llvm::make_early_inc_range(*reduce->getBlock())) {
      if (&op == reduce)
        break;
      if (repeated.contains(&op))
        builder.clone(op, again);
    }
    for (Value value : anew)
      replaceLaterUses(value, again.lookup(value));
  }

private:
  bool isLater(Operation *user) const {
    Operation *inBlock = reduce->getBlock()->findAncestorOpInBlock(*user);
    return inBlock && reduce->isBeforeInBlock(inBlock);
  }
  bool hasLaterUse(Value value) const {
    return llvm::any_of(value.getUsers(), [&](Operation *user) { return isLater(user); });
  }
  void replaceLaterUses(Value from, Value to) {
    from.replaceUsesWithIf(to, [&](OpOperand &use) { return isLater(use.getOwner()) && use.getOwner() != to.getDefiningOp(); });
  }

  /// True for what follows from constants, scalars and the thread's place: it lives in a few registers,
  /// whatever its layout says, and the backend computes it where it is used.
  static bool isIndexing(Value value) {
    llvm::SmallSetVector<Operation *, 16> ops;
    auto add = [&](Value operand) {
      if (isa<RankedTensorType>(operand.getType()))
        ops.insert(operand.getDefiningOp());
    };
    add(value);
    for (unsigned i = 0; i < ops.size(); ++i) {
      if (!ops[i] || ops.size() > 4 * MaxRecipe || !(isCheap(ops[i]) || isa<tile::AddPtrOp, tile::HintOp>(ops[i])))
        return false;
      for (Value operand : ops[i]->getOperands())
        add(operand);
    }
    return true;
  }

  /// The ops that compute `value` from `from`, in no order; false where there are too many or dear ones.
  bool findRecipe(Value value, llvm::SmallSetVector<Operation *, 16> &ops, llvm::SmallSetVector<Value, 4> &from) {
    unsigned special = 0;
    llvm::SmallSetVector<Value, 16> values;
    values.insert(value);
    for (unsigned i = 0; i < values.size(); ++i) {
      Operation *op = values[i].getDefiningOp();
      bool isHere = op && op->getBlock() == reduce->getBlock();
      if (!isHere || isIndexing(values[i]) || !isCheap(op)) {
        // What stands outside a loop lives anyway, and so does what follows from the thread's place.
        if (isHere && !isIndexing(values[i]))
          from.insert(values[i]);
        continue;
      }
      ops.insert(op);
      special += isSpecial(op);
      if (ops.size() > MaxRecipe || special > MaxSpecial)
        return false;
      for (Value operand : op->getOperands())
        if (isa<RankedTensorType>(operand.getType()))
          values.insert(operand);
    }
    return !ops.empty();
  }

  void consider(Value value) {
    before += registersOf(value);
    llvm::SmallSetVector<Operation *, 16> ops;
    llvm::SmallSetVector<Value, 4> from;
    uint32_t needed = 0;
    if (findRecipe(value, ops, from))
      for (Value root : from)
        needed += roots.contains(root) ? 0 : registersOf(root);
    if (ops.empty() || needed >= registersOf(value) || from.empty()) {
      kept.insert(value);
      return;
    }
    anew.push_back(value);
    roots.insert(from.begin(), from.end());
    repeated.insert(ops.begin(), ops.end());
  }

  tile::ReduceOp reduce;
  uint32_t before = 0, after = 0; ///< registers of a thread
  SmallVector<Value> anew;        ///< values to compute again
  llvm::SmallSetVector<Value, 8> kept, roots;
  llvm::SmallPtrSet<Operation *, 32> repeated; ///< the recipes of all `anew`
};

/// Blocks that the registers of a multiprocessor hold.
uint32_t residentBlocks(uint32_t threads, uint32_t live) {
  uint32_t each = llvm::alignTo(live + OtherRegisters, RegisterStep);
  return RegistersOfMultiprocessor / (each * threads);
}

class Rematerializer {
public:
  Rematerializer(func::FuncOp function, tile::KernelAttr kernel)
      : function(function), threads(32 * kernel.getWarps() * kernel.getPrograms()) {}

  void run() {
    SmallVector<tile::ReduceOp> reductions;
    function.walk([&](tile::ReduceOp reduce) { reductions.push_back(reduce); });
    uint32_t before = 0, after = 0;
    for (tile::ReduceOp reduce : reductions) {
      Crossing crossing(reduce);
      before = std::max(before, crossing.registersBefore());
      after = std::max(after, crossing.registersAfter());
    }
    uint32_t blocksBefore = residentBlocks(threads, before), blocksAfter = residentBlocks(threads, after);
    if (blocksBefore * threads >= EnoughThreads || blocksAfter <= blocksBefore)
      return;
    // One after the other: what is computed anew after the first is what lives across the second.
    for (tile::ReduceOp reduce : reductions)
      if (Crossing crossing(reduce); crossing.hasRecipes()) {
        crossing.apply();
        report(reduce, crossing);
      }
    function->setAttr("tile.residency", tile::ResidencyAttr::get(function.getContext(), blocksAfter));
  }

private:
  void report(tile::ReduceOp reduce, const Crossing &crossing) {
    auto options =
        remark::RemarkOpts::name("rematerialize").category("rematerialize").function(function.getName());
    remark::passed(reduce.getLoc(), options)
        << remark::add("{0} registers a thread live across the reduction instead of {1}",
                       crossing.registersAfter(), crossing.registersBefore())
        << remark::metric("Registers", crossing.registersAfter());
  }

  func::FuncOp function;
  uint32_t threads;
};

class Rematerialize : public impl::RematerializePassBase<Rematerialize> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (auto kernel = function->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        Rematerializer(function, kernel).run();
  }
};

} // namespace

} // namespace tegula
