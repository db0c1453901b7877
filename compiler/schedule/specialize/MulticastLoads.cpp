// The pass `multicast-loads`: Passes.td says what it is for.
//
// Two blocks that are neighbours run neighbouring programs, p and p ^ 1, at one time, and their loops as
// often. What both load is loaded by one of them for both, by turns from one slot to the next:
//
//     block 0:  a0[0] b[0]->both   a0[1]              a0[2] b[2]->both ...
//     block 1:  a1[0]              a1[1] b[1]->both   a1[2]            ...
//
// Each expects all bytes of a slot, its own copies' and the other's, and a slot is free when the readers of
// both blocks have said so. Which loads are the same depends on the program, and is computed for each. Where
// the number of programs is odd, a block without a program of its own runs the other's once more, and stores
// nothing.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/plan/LoopNest.h"
#include "compiler/schedule/specialize/ProgramLoop.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/BlockPairs.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_MULTICASTLOADSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// A load that both blocks of a pair may need, and the coordinates that decide whether they do.
struct SharedLoad {
  tgpu::TmaCopyOp copy;
  SmallVector<Value> compared;
};

/// Shares the loads of one kernel.
class LoadSharer {
public:
  LoadSharer(func::FuncOp kernel, tgpu::ProducerOp producer) : kernel(kernel), producer(producer) {}

  /// Finds what can be shared.
  Decision<> find() {
    scf::ForOp filled = programsOf(producer.getBody().front()), read = programsOf(kernel.getBody().front());
    if (!filled || !read)
      return because("expected producer and consumers to run programs in a loop each")
          .fixedBy("keep one loop of products in a kernel");
    TRY(runAsOften(producer.getBody(), ProgramLoop(filled)));
    TRY(runAsOften(kernel.getBody(), ProgramLoop(read)));
    const ProgramLoop loop(filled);
    programs = filled;
    programs.walk([&](tgpu::TmaCopyOp copy) { addIfShared(loop, copy); });
    if (loads.empty())
      return because("no load can be the same for neighbouring programs")
          .fixedBy("number tiles so that two neighbouring programs share a row or a column");
    return canStoreNothing(read);
  }

  size_t count() const { return loads.size(); }

  void run() {
    OpBuilder builder(kernel.getContext());
    kernel->setAttr("tile.pairs", builder.getUnitAttr());
    awaitBoth(builder);
    builder.setInsertionPoint(programs);
    rank = tgpu::ClusterRankOp::create(builder, programs.getLoc(), builder.getI32Type());
    Value size = tgpu::ClusterSizeOp::create(builder, programs.getLoc(), builder.getI32Type());
    Value isPair = compare(builder, size, number(builder, programs.getLoc(), tile::BlocksOfPair));
    Value counted = programs.getInductionVar();
    const RoundedLoop filled = roundUp(builder, programs), read = roundUp(builder, consumed);
    storeNothingBehind(builder, read);
    builder.setInsertionPointAfterValue(filled.program);
    Value next =
        arith::XOrIOp::create(builder, counted.getLoc(), counted, number(builder, counted.getLoc(), 1));
    Value other = arith::MinSIOp::create(builder, counted.getLoc(), next, filled.last);
    IRMapping ofOwn, ofOther;
    ofOther.map(filled.program, other);
    for (const SharedLoad &load : loads) {
      Value isSame = isPair;
      for (Value coordinate : load.compared)
        isSame =
            both(builder, isSame,
                 compare(builder, copied(builder, coordinate, ofOwn), copied(builder, coordinate, ofOther)));
      share(load.copy, isSame);
    }
  }

private:
  static Value number(OpBuilder &builder, Location loc, uint32_t value) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(value)));
  }
  static Value compare(OpBuilder &builder, Value a, Value b) {
    return arith::CmpIOp::create(builder, a.getLoc(), arith::CmpIPredicate::eq, a, b);
  }
  static Value both(OpBuilder &builder, Value a, Value b) {
    return arith::AndIOp::create(builder, b.getLoc(), a, b);
  }

  /// Decides whether all that a program writes to global memory stands behind all that it does at barriers,
  /// in one block.
  Decision<> canStoreNothing(scf::ForOp loop) {
    constexpr auto ofBlock = tile::Interaction::SyncsThreads | tile::Interaction::PublishesWrites;
    consumed = loop;
    bool isBehind = false;
    for (Operation &op : loop.getBody()->without_terminator()) {
      bool usesBarriers = false, writes = false;
      op.walk([&](Operation *inside) {
        usesBarriers |= isa<tgpu::BarrierWaitOp, tgpu::BarrierArriveOp, tgpu::ClusterBarrierOp>(inside);
        writes |= tile::globalAccessOf(inside).writes ||
                  (tile::interactionsOf(inside) & ~ofBlock) != tile::Interaction::None;
      });
      if (usesBarriers) {
        if (isBehind || writes)
          return because(&op, "results are stored before all of the program is computed")
              .fixedBy("store after the last loop of products");
        behind = &op;
      }
      isBehind |= writes;
    }
    for (Value yielded : loop.getYieldedValues())
      if (Operation *op = yielded.getDefiningOp();
          op && op->getBlock() == loop.getBody() && behind->isBeforeInBlock(op))
        return because(op, "the next program takes it from this one")
            .fixedBy("store after the last loop of products");
    return {};
  }

  /// Makes what stands behind the last use of a barrier a branch of blocks that have a program of their own.
  void storeNothingBehind(OpBuilder &builder, const RoundedLoop &rounded) {
    Block *body = consumed.getBody();
    builder.setInsertionPointAfter(behind);
    auto branch = scf::IfOp::create(builder, consumed.getLoc(), rounded.isThere, /*withElseRegion=*/false);
    Block *inside = branch.thenBlock();
    inside->getOperations().splice(inside->getTerminator()->getIterator(), body->getOperations(),
                                   std::next(branch->getIterator()), body->getTerminator()->getIterator());
  }

  /// Decides whether both blocks of a pair use barriers of `region` as often, and on the same conditions.
  Decision<> runAsOften(Region &region, const ProgramLoop &loop) {
    Decision<> decision;
    region.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op == producer && &region != &producer.getBody())
        return WalkResult::skip();
      if (!isa<tgpu::BarrierWaitOp, tgpu::BarrierExpectOp, tgpu::BarrierArriveOp, tgpu::TmaCopyOp>(op))
        return WalkResult::advance();
      decision = loop.get()->isAncestor(op)
                     ? loop.isExecutedAsOften(op)
                     : Decision<>(because(op, "it is outside of the loop around the programs")
                                      .fixedBy("keep one loop of products in a kernel"));
      for (Value operand : op->getOperands())
        if (decision && operand.getType().isInteger(1) && loop.isOfProgram(operand))
          decision = because(op, "its condition depends on the program").nothingToDo();
      return decision ? WalkResult::advance() : WalkResult::interrupt();
    });
    return decision;
  }

  void addIfShared(const ProgramLoop &loop, tgpu::TmaCopyOp copy) {
    SharedLoad load{copy, {}};
    if (!copy.getPhaseSlot().getDefiningOp<tgpu::PipelineSlotOp>())
      return;
    for (Value coordinate : copy.getStart()) {
      if (!loop.isOfProgram(coordinate))
        continue;
      if (loop.isOfIteration(coordinate))
        return;
      load.compared.push_back(coordinate);
    }
    loads.push_back(load);
  }

  /// A slot is free when the readers of both blocks have read it; the blocks begin and end together.
  void awaitBoth(OpBuilder &builder) {
    producer.walk([](tgpu::BarrierWaitOp wait) {
      tgpu::BarriersType type = wait.getBarriers().getType();
      wait.getBarriers().setType(tgpu::BarriersType::get(type.getContext(), type.getSlots(),
                                                         type.getArrivals(), tile::BlocksOfPair));
    });
    builder.setInsertionPoint(producer);
    tgpu::ClusterBarrierOp::create(builder, producer.getLoc());
    builder.setInsertionPoint(kernel.getBody().front().getTerminator());
    tgpu::ClusterBarrierOp::create(builder, producer.getLoc());
  }

  /// Returns `value` of the program that `copies` maps the number of this one to, computed in front of all of
  /// its loops.
  Value copied(OpBuilder &builder, Value value, IRMapping &copies) {
    Operation *op = value.getDefiningOp();
    if (!op || !programs->isProperAncestor(op))
      return copies.lookupOrDefault(value);
    if (Value known = copies.lookupOrNull(value))
      return known;
    for (Value operand : op->getOperands())
      copied(builder, operand, copies);
    return builder.clone(*op, copies)->getResult(cast<OpResult>(value).getResultNumber());
  }

  /// Has one of the blocks copy for both, by turns, where `isSame`.
  void share(tgpu::TmaCopyOp copy, Value isSame) {
    OpBuilder builder(copy);
    Location loc = copy.getLoc();
    Value slot = copy.getPhaseSlot(), place = slot;
    const uint32_t slots = copy.getBarriers().getType().getSlots();
    if (slots % 2 != 0) // else a slot would always be the same block's
      place = arith::AddIOp::create(
          builder, loc, slot,
          tgpu::PipelinePhaseOp::create(builder, loc, builder.getI32Type(),
                                        slot.getDefiningOp<tgpu::PipelineSlotOp>().getState()));
    Value turn = arith::AndIOp::create(builder, loc, place, number(builder, loc, 1));
    Value isOwn = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, turn, rank);
    Value isAlone =
        arith::XOrIOp::create(builder, loc, isSame, arith::ConstantIntOp::create(builder, loc, 1, 1));
    Value forBoth = both(builder, isSame, isOwn);
    if (Value condition = copy.getCondition()) {
      isAlone = both(builder, condition, isAlone);
      forBoth = both(builder, condition, forBoth);
    }
    auto multicast = cast<tgpu::TmaCopyOp>(builder.clone(*copy));
    multicast.getConditionMutable().assign(forBoth);
    multicast.setMulticast(true);
    copy.getConditionMutable().assign(isAlone);
  }

  func::FuncOp kernel;
  tgpu::ProducerOp producer;
  scf::ForOp programs, consumed; ///< the producer's, and the consumers'
  Operation *behind = nullptr;   ///< the consumers' last op at barriers
  Value rank;
  SmallVector<SharedLoad> loads;
};

struct MulticastLoads : impl::MulticastLoadsPassBase<MulticastLoads> {
  void runOnOperation() override {
    const Target *target = targetOf(getOperation());
    if (!target || !target->clusters || !mayUse(getOperation(), Feature::Multicast))
      return;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      tgpu::ProducerOp producer = producerOf(kernel);
      if (!producer || !kernel->hasAttr("tile.persistent"))
        continue;
      LoadSharer sharer(kernel, producer);
      auto options = remarkOptions("multicast-loads", "multicast", kernel);
      if (Decision<> found = sharer.find(); !found) {
        remark::missed(kernel.getLoc(), options)
            << remark::add("neighbouring blocks load all for themselves") << found.error();
        continue;
      }
      sharer.run();
      remark::passed(kernel.getLoc(), options)
          << remark::add("what two neighbouring blocks both load is loaded once (TMA multicast)")
          << remark::metric("Loads", sharer.count());
    }
  }
};

} // namespace

} // namespace tegula
