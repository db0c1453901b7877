// The pass `buffer-operands`: Passes.td says what it is for.
#include "compiler/analysis/Decision.h"
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/analysis/resources/RegisterCount.h"
#include "compiler/analysis/resources/RegisterLimit.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/products/UnitProducts.h"
#include "compiler/target/Target.h"
#include "dialect/layout/SharedLayout.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/LayoutInference.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_BUFFEROPERANDSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// Registers in which an operand waits for the other one to be loaded. With more the kernel's peak rises, and
/// where it took 124 to 140 registers a thread, as tiles of 128x128x64 by 8 warps and 64x128x64 by 4 do, by
/// so much that fewer blocks are resident.
constexpr uint32_t MostWaiting = 8;

/// The conversions of one kernel that feed dots.
class OperandBuffers {
public:
  OperandBuffers(func::FuncOp function, const Target &target, const AxisInfoAnalysis &facts)
      : function(function), target(target), facts(facts), executors(function), products(function, facts) {}

  void run() {
    const SmallVector<tile::DotOp> dots = opsOf<tile::DotOp>(function);
    llvm::SmallPtrSet<Operation *, 8> conversions;
    for (tile::DotOp dot : dots)
      for (unsigned index : {0u, 1u}) // the operand may become another one for the second
        if (auto conversion =
                beforeTransposition(dot->getOperand(index)).getDefiningOp<tile::ConvertLayoutOp>())
          conversions.insert(convertEarlier(conversion));
    for (tile::DotOp dot : dots)
      convertTogether(dot);
    for (tile::DotOp dot : dots)
      if (groupInstructionOf(dot))
        products.startFrom(dot, [&](tile::ConvertLayoutOp conversion) { return needsBuffer(conversion); });
    // In the program's order, not that of dots: the first of a tensor fills the buffer that others read.
    auto isOfDot = [&](tile::ConvertLayoutOp conversion) { return conversions.contains(conversion); };
    for (tile::ConvertLayoutOp conversion : opsOf<tile::ConvertLayoutOp>(function, isOfDot))
      if (conversion->use_empty())
        conversion.erase();
      else if (needsBuffer(conversion))
        buffer(conversion);
    for (tile::DotOp dot : opsOf<tile::DotOp>(function)) // those that are left
      storeTogether(dot);
  }

private:
  /// Those that make `operand` of what is `beforeTransposition`, the last first.
  static SmallVector<tile::TransOp> transpositionsOf(Value operand) {
    SmallVector<tile::TransOp> transpositions;
    for (; auto trans = operand.getDefiningOp<tile::TransOp>(); operand = trans.getSource())
      transpositions.push_back(trans);
    return transpositions;
  }

  /// Moves `conversion` before the transposition of its source, so that it is next to a load.
  tile::ConvertLayoutOp convertEarlier(tile::ConvertLayoutOp conversion) {
    while (auto trans = conversion.getSource().getDefiningOp<tile::TransOp>()) {
      auto source = cast<RankedTensorType>(trans.getSource().getType());
      tile::LayoutAttr layout = *tile::inferOperandLayout(trans, 0, tile::layoutOf(conversion.getType()));
      OpBuilder builder(conversion);
      auto earlier = tile::ConvertLayoutOp::create(builder, conversion.getLoc(),
                                                   tile::withLayout(source, layout), trans.getSource());
      Value moved = tile::TransOp::create(builder, trans.getLoc(), conversion.getType(), earlier.getResult(),
                                          trans.getOrderAttr());
      conversion.getResult().replaceAllUsesWith(moved);
      conversion.erase();
      if (trans->use_empty())
        trans.erase();
      conversion = earlier;
    }
    return conversion;
  }

  /// Stores the first operand to its buffer when the second is loaded, if both are loaded next to `dot`:
  /// threads wait for each other on the way, and none may wait for the first before it asks for the second.
  void convertTogether(tile::DotOp dot) {
    auto conversionOf = [&](unsigned index) {
      auto conversion = beforeTransposition(dot->getOperand(index)).getDefiningOp<tile::ConvertLayoutOp>();
      return conversion && conversion->getBlock() == dot->getBlock() && needsBuffer(conversion) &&
                     conversion.getSource().getDefiningOp<tile::LoadOp>()
                 ? conversion
                 : tile::ConvertLayoutOp();
    };
    tile::ConvertLayoutOp first = conversionOf(0), second = conversionOf(1);
    if (!first || !second || first == second)
      return;
    unsigned index = 0; // of the first operand
    if (second->isBeforeInBlock(first)) {
      std::swap(first, second);
      index = 1;
    }
    if (registersOf(first.getSource()) > MostWaiting)
      return;
    SmallVector<Operation *> moved =
        llvm::to_vector_of<Operation *>(transpositionsOf(dot->getOperand(index)));
    moved.push_back(first);
    if (!llvm::all_of(moved, [](Operation *op) { return op->hasOneUse(); }))
      return;
    for (Operation *op : llvm::reverse(moved))
      if (op->isBeforeInBlock(second))
        op->moveBefore(second);
  }

  /// Stores both operands first where they are stored and read one after the other.
  static void storeTogether(tile::DotOp dot) {
    tgpu::LocalLoadOp reads[2];
    for (unsigned index : {0u, 1u}) {
      reads[index] = beforeTransposition(dot->getOperand(index)).getDefiningOp<tgpu::LocalLoadOp>();
      if (!reads[index] || reads[index]->getBlock() != dot->getBlock())
        return;
    }
    if (reads[1]->isBeforeInBlock(reads[0]))
      std::swap(reads[0], reads[1]);
    auto store = dyn_cast_or_null<tgpu::LocalStoreOp>(reads[1]->getPrevNode());
    Operation *source = store ? store.getSource().getDefiningOp() : nullptr;
    if (source && store.getBuffer() == reads[1].getBuffer() && store.getBuffer() != reads[0].getBuffer() &&
        reads[0]->isBeforeInBlock(store) &&
        (source->getBlock() != store->getBlock() || source->isBeforeInBlock(reads[0])))
      store->moveBefore(reads[0]);
  }

  bool needsBuffer(tile::ConvertLayoutOp conversion) {
    ConversionRoute route = routeOf(conversion, executors.of(conversion));
    if (route.kind == ConversionPlan::Registers)
      return false;
    // Within a warp no thread waits for other warps. Loaded elements had better not come through registers at
    // all.
    return !route.withinWarp || conversion.getSource().getDefiningOp<tile::LoadOp>();
  }

  /// Puts what `conversion` moves into a buffer and reads it from there: in its place, or by those dots in
  /// loops that have no registers for it.
  void buffer(tile::ConvertLayoutOp conversion) {
    tgpu::LocalStoreOp &store = stores[conversion.getSource()];
    if (!store || store->getBlock() != conversion->getBlock() || !store->isBeforeInBlock(conversion))
      store = fill(conversion);
    SmallVector<std::pair<tile::DotOp, unsigned>> inLoops;
    for (auto [dot, index] : usesByDots(conversion.getResult()))
      if (scf::ForOp loop = loopBetween(dot, conversion); loop && !staysInRegisters(conversion, loop))
        inLoops.emplace_back(dot, index);
    for (auto [dot, index] : inLoops)
      readBefore(dot, index, store, conversion);
    if (!conversion->use_empty()) {
      OpBuilder builder(conversion);
      conversion.getResult().replaceAllUsesWith(read(builder, store, conversion));
    }
    conversion.erase();
  }

  /// The buffer for `conversion`, filled before it.
  tgpu::LocalStoreOp fill(tile::ConvertLayoutOp conversion) {
    auto type = cast<RankedTensorType>(conversion.getSource().getType());
    const LinearLayout &from = tile::layoutOf(type).getLayout();
    const LinearLayout &to = tile::layoutOf(conversion.getType()).getLayout();
    auto load = conversion.getSource().getDefiningOp<tile::LoadOp>();
    CopyRun run = load ? copyRunOf(load, facts) : CopyRun();
    SharedSide writer =
        run.bytes ? SharedSide{from, SharedAccessKind::AsyncCopy, run.bytes, run.axis} : SharedSide{from};
    unsigned bytes = type.getElementTypeBitWidth() / 8;
    LinearLayout memory = chooseSharedLayout(writer, {to, SharedAccessKind::Matrices}, bytes);
    auto plain = RankedTensorType::get(type.getShape(), type.getElementType());
    auto bufferType = tgpu::BufferType::get(type.getContext(), 1, plain,
                                            tile::LayoutAttr::get(type.getContext(), std::move(memory)));
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    auto alloc = tgpu::AllocOp::create(builder, conversion.getLoc(), bufferType);
    Value slot = arith::ConstantIntOp::create(builder, conversion.getLoc(), 0, 32);
    builder.setInsertionPoint(conversion);
    return tgpu::LocalStoreOp::create(builder, conversion.getLoc(), conversion.getSource(), alloc, slot);
  }

  static Value read(OpBuilder &builder, tgpu::LocalStoreOp store, tile::ConvertLayoutOp conversion) {
    SmallVector<int32_t> origin(size_t(store.getBuffer().getType().getTensor().getRank()), 0);
    return tgpu::LocalLoadOp::create(builder, conversion.getLoc(), conversion.getType(), store.getBuffer(),
                                     store.getSlot(), origin);
  }

  /// Makes operand `index` of `dot` anew from the buffer.
  static void readBefore(tile::DotOp dot, unsigned index, tgpu::LocalStoreOp store,
                         tile::ConvertLayoutOp conversion) {
    OpBuilder builder(dot);
    SmallVector<tile::TransOp> transpositions = transpositionsOf(dot->getOperand(index));
    Value operand = read(builder, store, conversion);
    for (tile::TransOp trans : llvm::reverse(transpositions))
      operand =
          tile::TransOp::create(builder, trans.getLoc(), trans.getType(), operand, trans.getOrderAttr());
    dot->setOperand(index, operand);
    for (tile::TransOp trans : transpositions)
      if (trans->use_empty())
        trans.erase();
  }

  /// The dots that `value` is an operand of, transposed or not, and which one.
  static SmallVector<std::pair<tile::DotOp, unsigned>> usesByDots(Value value) {
    SmallVector<std::pair<tile::DotOp, unsigned>> uses;
    SmallVector<Value> values{value};
    while (!values.empty())
      for (OpOperand &use : values.pop_back_val().getUses()) {
        if (auto trans = dyn_cast<tile::TransOp>(use.getOwner()))
          values.push_back(trans.getResult());
        else if (auto dot = dyn_cast<tile::DotOp>(use.getOwner()); dot && use.getOperandNumber() < 2)
          uses.emplace_back(dot, use.getOperandNumber());
      }
    return uses;
  }

  /// The innermost loop around `dot`, unless it is around `conversion` too; null then.
  static scf::ForOp loopBetween(tile::DotOp dot, tile::ConvertLayoutOp conversion) {
    auto loop = dot->getParentOfType<scf::ForOp>();
    return loop && !loop->isAncestor(conversion) ? loop : scf::ForOp();
  }

  /// Returns whether the loop has registers for what `conversion` gives all the time.
  bool staysInRegisters(tile::ConvertLayoutOp conversion, scf::ForOp loop) {
    uint32_t limit = registerLimit(function, target);
    uint32_t needed = estimateRegisters(loop, [&](Value operand) {
      Operation *op = operand.getDefiningOp();
      if (!op || !loop->isAncestor(op))
        return false;
      auto other = dyn_cast<tile::ConvertLayoutOp>(op);
      return isa<tgpu::LocalLoadOp>(op) || (other && needsBuffer(other));
    });
    auto options = remarkOptions("buffer-operands", "operand", function);
    bool fits = needed <= limit;
    if (fits)
      remark::passed(conversion.getLoc(), options)
          << remark::add("an operand that is the same in each iteration stays in registers")
          << remark::metric("Registers", needed) << remark::metric("Limit", limit);
    else
      remark::missed(conversion.getLoc(), options)
          << remark::add("an operand that is the same in each iteration is read from shared memory in each")
          << because("the loop takes about {0} registers a thread with it, expected at most {1}", needed,
                     limit)
                 .fixedBy("use smaller blocks, or more warps");
    return fits;
  }

  func::FuncOp function;
  const Target &target;
  const AxisInfoAnalysis &facts;
  Executors executors;
  UnitProducts products;
  llvm::DenseMap<Value, tgpu::LocalStoreOp> stores; ///< by what they store
};

class BufferOperands : public impl::BufferOperandsPassBase<BufferOperands> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!hasOp<tile::DotOp>(function))
        continue;
      const Target *target = requireTarget(getOperation());
      if (!target)
        return signalPassFailure();
      OperandBuffers(function, *target, getAnalysis<AxisInfoAnalysis>()).run();
    }
  }
};

} // namespace

} // namespace tegula
