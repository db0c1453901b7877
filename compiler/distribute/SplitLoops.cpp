// The pass `split-loops`: Passes.td says what it is for.
//
// A loop of T iterations over K, shared out over a cluster of S blocks, of which each runs the part at its
// rank:
//
//     rank            0                 1                 2
//     iterations      0 ... p-1         p ... 2p-1        2p ... T-1          p = ceil(T / S)
//     sums            from zero         from zero         from zero
//
// Then `tgpu.cluster_sum` adds up what all have, and the block of rank 0 goes on alone.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/access/SameEachTime.h"
#include "compiler/analysis/effects/KernelEffects.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/distribute/Passes.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/LoopSharing.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_SPLITLOOPSPASS
#include "compiler/distribute/Passes.h.inc"

namespace {

/// A value that a loop carries from one iteration to the next.
struct Carried {
  enum Kind { Sum, Step, Same } kind;
  Value step; ///< of a Step: what each iteration adds, to a number or, with `tile.addptr`, to a pointer
};

/// A loop that can be shared out.
struct Splittable {
  scf::ForOp loop;
  SmallVector<Carried> carried;
  Attribute size; ///< as `tile.splits` has it
  int32_t step = 1;
};

/// The number of the kernel's argument that `value`, an integer, is.
std::optional<unsigned> argumentOf(Value value, func::FuncOp kernel) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.getBody().front() || !value.getType().isInteger(32))
    return std::nullopt;
  return argument.getArgNumber();
}

/// `(x + c - 1) / c` as x and c.
std::optional<std::pair<Value, int32_t>> roundedUpQuotient(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<int64_t> by = getConstantIntValue(op->getOperand(1));
  if (by && isa<arith::ShRUIOp, arith::ShRSIOp>(op) && *by >= 0 && *by < 31)
    by = int64_t(1) << *by;
  else if (!isa<arith::DivSIOp, arith::DivUIOp>(op))
    return std::nullopt;
  auto sum = op->getOperand(0).getDefiningOp<arith::AddIOp>();
  std::optional<int64_t> more = sum ? getConstantIntValue(sum.getRhs()) : std::nullopt;
  if (!by || !more || *by < 1 || *by > std::numeric_limits<int32_t>::max() || *more != *by - 1)
    return std::nullopt;
  return std::pair(sum.getLhs(), int32_t(*by));
}

/// Looks for the loop of one kernel.
class Finder {
public:
  explicit Finder(func::FuncOp kernel) : kernel(kernel) {}

  Decision<Splittable> run() {
    if (kernelOf(kernel).getPrograms() > 1)
      return because("several of its programs share a block").nothingToDo();
    auto loops = kernel.getBody().front().getOps<scf::ForOp>();
    auto place =
        llvm::find_if(loops, [](scf::ForOp loop) { return !loop.getBody()->getOps<tile::DotOp>().empty(); });
    if (place == loops.end())
      return because("it has no loop of products outside of other loops and branches").nothingToDo();
    Splittable found;
    found.loop = *place;
    for (Operation *op = found.loop->getPrevNode(); op; op = op->getPrevNode())
      TRY(mayRepeat(op));
    TRY(readIterations(found));
    TRY(mayRepeat(found.loop));
    TRY(readCarried(found));
    return found;
  }

private:
  /// Decides whether all blocks of a cluster may run `op`, where one did.
  static Decision<> mayRepeat(Operation *op) {
    Decision<> decision;
    op->walk([&](Operation *inside) {
      if (!tile::globalAccessOf(inside).writes && !seesOthers(inside))
        return WalkResult::advance();
      decision = because(inside, "it would be done by every block of the cluster")
                     .fixedBy("store, print and use atomics after the loop");
      return WalkResult::interrupt();
    });
    return decision;
  }

  Decision<> readIterations(Splittable &found) {
    scf::ForOp loop = found.loop;
    if (!loop.getInductionVar().getType().isInteger(32) || loop.getUnsignedCmp())
      return because(loop, "it counts with more than 32 bits").fixedBy("count with int32");
    std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound()),
                           step = getConstantIntValue(loop.getStep());
    if (lower != 0 || !step || *step < 1)
      return because(loop, "it does not count from 0 by a number that is known")
          .fixedBy("count `range(0, K, BLOCK_K)`, K being an argument");
    Value upper = loop.getUpperBound();
    OpBuilder builder(loop);
    found.step = int32_t(*step);
    if (*step == 1)
      if (auto quotient = roundedUpQuotient(upper))
        std::tie(upper, found.step) = *quotient;
    if (std::optional<int64_t> constant = getConstantIntValue(upper); constant && *constant >= 0)
      found.size = builder.getI64IntegerAttr(*constant);
    else if (std::optional<unsigned> argument = argumentOf(upper, kernel))
      found.size = builder.getI32IntegerAttr(int32_t(*argument));
    else
      return because(loop, "a launch does not know how often it runs")
          .fixedBy("count `range(0, K, BLOCK_K)`, K being an argument");
    return {};
  }

  static Decision<> readCarried(Splittable &found) {
    scf::ForOp loop = found.loop;
    bool hasSum = false;
    for (auto [argument, init, yielded, result] : llvm::zip_equal(
             loop.getRegionIterArgs(), loop.getInits(), loop.getYieldedValues(), loop.getResults())) {
      if (isSum(argument, yielded) && isZero(init)) {
        Type element = tile::elementTypeOf(argument.getType());
        if (!element.isF32() && !element.isF64() && !element.isInteger(32))
          return because(loop, "its sums have fewer bits than f32").fixedBy("add up in fp32");
        found.carried.push_back({Carried::Sum, {}});
        hasSum = true;
        continue;
      }
      Value step = yielded == argument ? Value() : stepOf(argument, yielded, loop);
      if (yielded != argument && !step)
        return because(loop, "an iteration takes more from the one before than sums and steps")
            .fixedBy("compute pointers from the loop's counter, or by a step that is the same each time");
      if (yielded != argument && !result.use_empty())
        return because(loop, "what it counts is used behind it")
            .fixedBy("compute pointers from the loop's counter");
      found.carried.push_back({step ? Carried::Step : Carried::Same, step});
    }
    if (!hasSum)
      return because(loop, "it does not add up products from zero on")
          .fixedBy("begin with `tl.zeros` of fp32, and add bias and residual after the loop");
    return {};
  }

  /// Returns whether `yielded` is `argument` and products.
  static bool isSum(BlockArgument argument, Value yielded) {
    Value value = yielded;
    while (value != argument) {
      auto dot = value.getDefiningOp<tile::DotOp>();
      if (!dot || dot->getBlock() != argument.getOwner() || !value.hasOneUse())
        return false;
      value = dot.getAccumulator();
    }
    return yielded != argument && argument.hasOneUse();
  }

  /// Returns what an iteration adds to `argument`, the same each time; null where it does something else.
  static Value stepOf(BlockArgument argument, Value yielded, scf::ForOp loop) {
    Value step;
    if (auto add = yielded.getDefiningOp<tile::AddPtrOp>(); add && add.getPointer() == argument)
      step = add.getOffset();
    if (auto add = yielded.getDefiningOp<arith::AddIOp>())
      step = add.getLhs() == argument ? add.getRhs() : add.getRhs() == argument ? add.getLhs() : Value();
    return step && isSameEachTime(step, loop) ? step : Value();
  }

  func::FuncOp kernel;
};

/// Shares out a loop.
class Splitter {
public:
  explicit Splitter(const Splittable &found)
      : found(found), loop(found.loop), builder(loop), loc(loop.getLoc()) {}

  void run() {
    moveLoopInvariantCode(loop); // all steps stand in front of it then
    Value rank = tgpu::ClusterRankOp::create(builder, loc);
    shareOut(rank);
    builder.setInsertionPointAfter(loop);
    Operation *last = loop;
    for (auto [result, carried] : llvm::zip_equal(loop.getResults(), found.carried))
      if (carried.kind == Carried::Sum) {
        auto sum = tgpu::ClusterSumOp::create(builder, loc, result.getType(), result);
        result.replaceAllUsesExcept(sum, sum);
        last = sum;
      }
    leaveRestTo(rank, last);
  }

private:
  Value number(int64_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }

  /// Gives this block the iterations at its rank. None of these numbers is negative, and none overflows:
  /// there are fewer than 2^31 iterations in all.
  void shareOut(Value rank) {
    Value size = tgpu::ClusterSizeOp::create(builder, loc), upper = loop.getUpperBound(),
          step = loop.getStep();
    const bool bySteps = *getConstantIntValue(step) != 1;
    Value span = arith::MaxSIOp::create(builder, loc, upper, number(0)), count = span;
    if (bySteps)
      count = arith::DivUIOp::create(
          builder, loc, arith::AddIOp::create(builder, loc, span, number(*getConstantIntValue(step) - 1)),
          step);
    Value least = arith::SubIOp::create(builder, loc, size, number(1));
    Value each =
        arith::DivUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, count, least), size);
    begin = arith::MinUIOp::create(builder, loc, arith::MulIOp::create(builder, loc, rank, each), count);
    Value end = arith::MinUIOp::create(builder, loc, arith::AddIOp::create(builder, loc, begin, each), count);
    if (bySteps) {
      // The last one may end at less than a whole step.
      Value whole = arith::MulIOp::create(builder, loc, end, step);
      Value isLast = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, end, count);
      end = arith::SelectOp::create(builder, loc, isLast, upper, whole);
    }
    for (auto [init, carried] : llvm::zip_equal(loop.getInitArgsMutable(), found.carried))
      if (carried.kind == Carried::Step)
        init.set(advanced(init.get(), carried.step));
    loop.setLowerBound(bySteps ? arith::MulIOp::create(builder, loc, begin, step).getResult() : begin);
    loop.setUpperBound(end);
  }

  /// `value` after `begin` iterations. Steps of pointers are multiplied with 64 bits: adding them up one by
  /// one never overflowed.
  Value advanced(Value value, Value step) {
    if (!isa<tile::PtrType>(tile::elementTypeOf(value.getType())))
      return arith::AddIOp::create(builder, loc, value,
                                   timesBegin(step, tile::elementTypeOf(step.getType())));
    return tile::AddPtrOp::create(builder, loc, value, timesBegin(step, builder.getI64Type()));
  }

  /// `step` times `begin` in elements of `type`, no narrower than those of `step`.
  Value timesBegin(Value step, Type type) {
    Attribute constant;
    if (auto splat = step.getDefiningOp<tile::SplatOp>())
      return splatted(timesBegin(splat.getSource(), type), step.getType());
    if (auto tensor = dyn_cast<RankedTensorType>(step.getType());
        tensor && matchPattern(step, m_Constant(&constant)))
      if (auto elements = dyn_cast<SplatElementsAttr>(constant)) {
        auto element =
            arith::ConstantOp::create(builder, loc, cast<TypedAttr>(elements.getSplatValue<Attribute>()));
        return splatted(timesBegin(element, type), step.getType());
      }
    Value times = converted(begin, type);
    if (isa<RankedTensorType>(step.getType()))
      times = splatted(times, step.getType());
    return arith::MulIOp::create(builder, loc, converted(step, type), times);
  }

  Value splatted(Value value, Type like) {
    return tile::SplatOp::create(builder, loc, tile::withElementType(like, value.getType()), value);
  }

  Value converted(Value value, Type element) {
    Type type = tile::withElementType(value.getType(), element);
    if (type == value.getType())
      return value;
    const bool isWider =
        element.getIntOrFloatBitWidth() > tile::elementTypeOf(value.getType()).getIntOrFloatBitWidth();
    return isWider ? arith::ExtSIOp::create(builder, loc, type, value).getResult()
                   : arith::TruncIOp::create(builder, loc, type, value).getResult();
  }

  /// Makes what follows `last` a branch of the block of rank 0.
  void leaveRestTo(Value rank, Operation *last) {
    Block *block = loop->getBlock();
    if (last->getNextNode() == block->getTerminator())
      return;
    builder.setInsertionPointAfter(last);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, rank, number(0));
    auto branch = scf::IfOp::create(builder, loc, isFirst, /*withElseRegion=*/false);
    Block *inside = branch.thenBlock();
    inside->getOperations().splice(inside->getTerminator()->getIterator(), block->getOperations(),
                                   std::next(branch->getIterator()), block->getTerminator()->getIterator());
  }

  const Splittable &found;
  scf::ForOp loop;
  OpBuilder builder;
  Location loc;
  Value begin; ///< the number of this block's first iteration
};

/// Returns whether the programs of `kernel` see neither how many there are nor what others do.
bool areIndependent(func::FuncOp kernel) {
  return !anyOp(kernel, [](Operation *op) { return isa<tile::NumProgramsOp>(op) || seesOthers(op); });
}

struct SplitLoops : impl::SplitLoopsPassBase<SplitLoops> {
  void runOnOperation() override {
    const Target *target = targetOf(getOperation());
    const bool may = target && target->clusters && mayUse(getOperation(), Feature::Split);
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      const bool isAsked = kernel->removeAttr("tile.split_k") != nullptr;
      if (kernel.isExternal() || !may || blocksOfCluster(kernel) > 1)
        continue;
      Decision<Splittable> found = Finder(kernel).run();
      auto options = remarkOptions("split-loops", "split", kernel);
      if (!found) {
        if (isAsked)
          remark::missed(kernel.getLoc(), options)
              << remark::add("the blocks of a cluster do not share a loop") << found.error();
        continue;
      }
      Builder builder(&getContext());
      SmallVector<NamedAttribute> splits{
          builder.getNamedAttr("size", found->size),
          builder.getNamedAttr("step", builder.getI32IntegerAttr(found->step))};
      if (areIndependent(kernel))
        splits.push_back(builder.getNamedAttr("independent", builder.getUnitAttr()));
      if (isAsked)
        splits.push_back(
            builder.getNamedAttr("blocks", builder.getI32IntegerAttr(int32_t(tile::MaxSharingBlocks))));
      kernel->setAttr("tile.splits", builder.getDictionaryAttr(splits));
      if (!isAsked)
        continue;
      remark::passed(found->loop.getLoc(), options)
          << remark::add("the blocks of a cluster share out this loop");
      Splitter(*found).run();
    }
  }
};

} // namespace
} // namespace tegula
