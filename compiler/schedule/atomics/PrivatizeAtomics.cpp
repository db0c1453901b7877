// The pass `privatize-atomics`: Passes.td says what it is for.
#include "compiler/analysis/FindOps.h"
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/SameEachTime.h"
#include "compiler/analysis/plans/Executor.h"
#include "compiler/schedule/Passes.h"
#include "compiler/schedule/atomics/PrivatizationPlan.h"
#include "compiler/schedule/persist/PersistPrograms.h"
#include "dialect/layout/Layouts.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"

#include <array>

using namespace mlir;

namespace tegula {

#define GEN_PASS_DEF_PRIVATIZEATOMICSPASS
#include "compiler/schedule/Passes.h.inc"

namespace {

/// The table of a kernel, in three steps: its beginning, the changes of each program, its end.
class Table {
public:
  /// `like` is one of the ops that change the table.
  Table(func::FuncOp kernel, PrivateAtomic like)
      : kernel(kernel), like(like.op), base(like.base), loc(like.op.getLoc()) {
    MLIRContext *context = kernel.getContext();
    // What a warp changes in memory at a time lies side by side there.
    LinearLayout threads =
        blocked(std::array{TableElements}, std::array{1}, std::array{int32_t(Target::warpSize)},
                std::array{int32_t(kernelOf(kernel).getWarps())}, std::array{0u});
    type = RankedTensorType::get({TableElements}, IntegerType::get(context, 32),
                                 tile::LayoutAttr::get(context, tile::canonicalLayout(threads)));
  }

  /// Makes the table at the start of the kernel and fills it with the neutral element.
  void begin() {
    OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
    LinearLayout places = LinearLayout::identity1D(TableElements, Dim::Offset, tensorDim(0));
    auto bufferType = tgpu::BufferType::get(kernel.getContext(), 1,
                                            RankedTensorType::get(type.getShape(), type.getElementType()),
                                            tile::LayoutAttr::get(kernel.getContext(), places));
    buffer = tgpu::AllocOp::create(builder, loc, bufferType);
    Value slot = arith::ConstantIntOp::create(builder, loc, 0, 32);
    tgpu::LocalStoreOp::create(builder, loc, neutral(builder), buffer, slot);
  }

  /// Lets `atomic` change the table where its elements have a place there, and memory elsewhere.
  void change(PrivateAtomic atomic) {
    tile::AtomicRMWOp op = atomic.op;
    OpBuilder builder(op);
    Value isPlace = compare(builder, op.getLoc(), arith::CmpIPredicate::ult, atomic.offset);
    Value isFar = compare(builder, op.getLoc(), arith::CmpIPredicate::uge, atomic.offset);
    if (Value mask = op.getMask()) {
      isPlace = arith::AndIOp::create(builder, op.getLoc(), mask, isPlace);
      isFar = arith::AndIOp::create(builder, op.getLoc(), mask, isFar);
    }
    Value index = atomic.offset;
    if (index.getType() != op.getType())
      index = arith::TruncIOp::create(builder, op.getLoc(), op.getType(), index);
    tgpu::LocalAtomicOp::create(builder, op.getLoc(), op.getKind(), op.getValue(), index, isPlace, buffer);
    op.getMaskMutable().assign(isFar);
  }

  /// Changes the array by what the table holds, at the end of the kernel.
  void end() {
    OpBuilder builder(kernel.getBody().front().getTerminator());
    Value slot = arith::ConstantIntOp::create(builder, loc, 0, 32);
    Value changes = tgpu::LocalLoadOp::create(builder, loc, type, buffer, slot, ArrayRef<int32_t>{0});
    Value isChanged =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, changes, neutral(builder));
    Value first = tile::SplatOp::create(builder, loc, tile::withElementType(type, base.getType()), base);
    Value numbers = tile::ArangeOp::create(builder, loc, type, 0, TableElements);
    Value pointer = tile::AddPtrOp::create(builder, loc, first, numbers);
    tile::AtomicRMWOp::create(builder, loc, like.getKind(), like.getOrder(), like.getScope(), pointer,
                              changes, isChanged);
  }

private:
  Value neutral(OpBuilder &builder) {
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, APInt(32, neutralElement(like.getKind()))));
  }

  /// Compares offsets with the number of elements.
  static Value compare(OpBuilder &builder, Location at, arith::CmpIPredicate how, Value offset) {
    auto offsets = cast<RankedTensorType>(offset.getType());
    Value end = arith::ConstantOp::create(
        builder, at, DenseElementsAttr::get(offsets, APInt(offsets.getElementTypeBitWidth(), TableElements)));
    return arith::CmpIOp::create(builder, at, how, offset, end);
  }

  func::FuncOp kernel;
  tile::AtomicRMWOp like;
  Value base, buffer;
  Location loc;
  RankedTensorType type;
};

/// Says of each atomic op that changes the same elements each time round a loop that its values could be
/// combined first: memory is changed once then.
void reportRepeatedAtomics(func::FuncOp kernel) {
  if (!kernel.getContext()->getRemarkEngine())
    return;
  kernel.walk([&](tile::AtomicRMWOp op) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (!loop || !op->use_empty() || op.getKind() == tile::AtomicKind::Exchange ||
        !isSameEachTime(op.getPointer(), loop) || (op.getMask() && !isSameEachTime(op.getMask(), loop)))
      return;
    remark::missed(op.getLoc(), remarkOptions("privatize-atomics", "atomic", op))
        << remark::add("the same elements are changed each time round the loop")
        << because("its addresses do not follow the loop")
               .fixedBy("combine the values in a variable, and change memory once behind the loop");
  });
}

struct PrivatizeAtomics : impl::PrivatizeAtomicsPassBase<PrivatizeAtomics> {
  void runOnOperation() override {
    if (mayUse(getOperation(), Feature::Privatize))
      for (func::FuncOp kernel : kernelsOf(getOperation()))
        if (!kernel->hasAttr("tile.persistent") && !kernel->hasAttr("tile.splits"))
          privatize(kernel);
    for (func::FuncOp kernel : kernelsOf(getOperation()))
      reportRepeatedAtomics(kernel);
  }

private:
  static void privatize(func::FuncOp kernel) {
    const SmallVector<tile::AtomicRMWOp> candidates = opsOf<tile::AtomicRMWOp>(
        kernel, [](tile::AtomicRMWOp op) { return isa<RankedTensorType>(op.getType()); });
    if (candidates.empty())
      return;
    SmallVector<PrivateAtomic> atomics;
    const AxisInfoAnalysis facts(kernel);
    for (tile::AtomicRMWOp op : candidates) {
      Decision<PrivateAtomic> atomic = asPrivate(op, facts);
      if (atomic)
        atomics.push_back(*atomic);
      else
        refuse(op, atomic.error());
    }
    if (atomics.empty())
      return;
    if (Decision<> may = mayPrivatize(kernel, atomics); !may) {
      for (const PrivateAtomic &atomic : atomics)
        refuse(atomic.op, may.error());
      return;
    }
    carryOut(kernel, atomics);
  }

  static remark::RemarkOpts options(Operation *op) {
    return remarkOptions("privatize-atomics", "privatize", op);
  }

  static void refuse(tile::AtomicRMWOp op, const Reason &why) {
    remark::missed(op.getLoc(), options(op))
        << remark::add("each element is changed in global memory by itself") << why;
  }

  static void carryOut(func::FuncOp kernel, ArrayRef<PrivateAtomic> atomics) {
    const unsigned blocks = blocksWithTables(kernel);
    persistPrograms(kernel, blocks);
    Table table(kernel, atomics.front());
    table.begin();
    for (PrivateAtomic atomic : atomics) {
      remark::passed(atomic.op.getLoc(), options(atomic.op))
          << remark::add("{0} elements are changed in shared memory first, for all programs of a block",
                         TableElements)
          << remark::metric("SharedBytes", TableElements * 4) << remark::metric("Blocks", blocks);
      table.change(atomic);
    }
    table.end();
  }
};

} // namespace

} // namespace tegula
