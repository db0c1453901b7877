#include "compiler/schedule/products/UnitProducts.h"

#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/schedule/plan/RegisterPressure.h"
#include "dialect/layout/Fragments.h"
#include "dialect/layout/Places.h"
#include "dialect/layout/UnitMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tegula {

namespace {

bool isZero(Value value) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().isPosZero();
  return elements.getSplatValue<APInt>().isZero();
}

/// Returns whether a thread has neighbours along `axis` in its registers.
bool hasRun(RankedTensorType type, unsigned axis) {
  unsigned bytes = type.getElementTypeBitWidth() / 8;
  return !runOfRegisters(tile::layoutOf(type).getLayout(), axis, bytes, MaxCopyBytes).empty();
}

/// The columns of operand `index` of `dot` that one instruction reads, of `a` rows.
unsigned columnsOf(tile::DotOp dot, unsigned index) {
  return index == 0 ? unsigned(RowsOfGroup) : dot.getUnitAttr().getN();
}

/// The fewest columns that an instruction of a dot reads of `source` along `axis`, where that is not K for
/// the dot; all that there are where it is K for each. `axes` says which axes of `value`, which is made of
/// `source` by conversions and transpositions, are those of `source`.
unsigned fewestAcross(Value value, ArrayRef<unsigned> axes, unsigned axis, unsigned most) {
  unsigned fewest = most;
  for (OpOperand &use : value.getUses()) {
    if (auto conversion = dyn_cast<tile::ConvertLayoutOp>(use.getOwner())) {
      fewest = std::min(fewest, fewestAcross(conversion.getResult(), axes, axis, most));
    } else if (auto trans = dyn_cast<tile::TransOp>(use.getOwner())) {
      SmallVector<unsigned, 2> turned;
      for (int32_t from : trans.getOrder())
        turned.push_back(axes[size_t(from)]);
      fewest = std::min(fewest, fewestAcross(trans.getResult(), turned, axis, most));
    } else if (auto dot = dyn_cast<tile::DotOp>(use.getOwner());
               dot && use.getOperandNumber() < 2 && groupInstructionOf(dot)) {
      const unsigned index = use.getOperandNumber(), kAxis = axes[1 - index];
      if (kAxis != axis)
        fewest = std::min(fewest, columnsOf(dot, index));
    }
  }
  return fewest;
}

} // namespace

LinearLayout UnitProducts::memoryFor(Value source, unsigned kAxis) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int32_t> shape(type.getShape().begin(), type.getShape().end());
  unsigned bytes = type.getElementTypeBitWidth() / 8;
  // A thread that writes should have neighbours next to each other: copies must.
  auto load = source.getDefiningOp<tile::LoadOp>();
  CopyRun run = load ? copyRunOf(load, facts) : CopyRun();
  bool kContiguous = run.bytes ? run.axis == kAxis : hasRun(type, kAxis) || !hasRun(type, 1 - kAxis);
  // Across K it has the columns of one instruction in whole spans, whichever dot of all that read it.
  const unsigned axis = kContiguous ? kAxis : 1 - kAxis;
  const unsigned fewest = fewestAcross(source, {0, 1}, axis, unsigned(shape[axis]));
  std::optional<UnitForm> form = unitForm(shape, kAxis, bytes, kContiguous, std::min(fewest * bytes, 128u));
  if (!form)
    form = unitForm(shape, kAxis, bytes, true);
  return unitMemory(shape, kAxis, bytes, *form);
}

tgpu::LocalStoreOp UnitProducts::storeFor(Value source, Operation *before, unsigned kAxis, unsigned columns) {
  auto type = cast<RankedTensorType>(source.getType());
  unsigned bytes = type.getElementTypeBitWidth() / 8;
  SmallVectorImpl<tgpu::LocalStoreOp> &made = stores[source];
  auto isFor = [&](tgpu::LocalStoreOp store) {
    std::optional<UnitOperand> held =
        asUnitOperand(store.getBuffer().getType().getLayout().getLayout(), kAxis, bytes);
    return held && (held->form.kContiguous || columns * bytes % held->form.span == 0);
  };
  for (tgpu::LocalStoreOp store : made)
    if (store->getBlock() == before->getBlock() && isFor(store)) {
      if (before->isBeforeInBlock(store))
        store->moveBefore(before);
      return store;
    }
  auto bufferType = tgpu::BufferType::get(type.getContext(), 1,
                                          RankedTensorType::get(type.getShape(), type.getElementType()),
                                          tile::LayoutAttr::get(type.getContext(), memoryFor(source, kAxis)));
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  auto alloc = tgpu::AllocOp::create(builder, source.getLoc(), bufferType);
  Value slot = arith::ConstantIntOp::create(builder, source.getLoc(), 0, 32);
  builder.setInsertionPoint(before);
  made.push_back(tgpu::LocalStoreOp::create(builder, source.getLoc(), source, alloc, slot));
  return made.back();
}

UnitProducts::Buffered UnitProducts::buffer(tile::DotOp dot, unsigned index) {
  unsigned kAxis = index == 0 ? 1 : 0;
  Value value = dot->getOperand(index);
  auto passTranspositions = [&] {
    for (; auto trans = value.getDefiningOp<tile::TransOp>(); value = trans.getSource())
      kAxis = unsigned(trans.getOrder()[kAxis]);
  };
  passTranspositions();
  Operation *before = dot;
  if (auto conversion = value.getDefiningOp<tile::ConvertLayoutOp>()) {
    before = conversion;
    value = conversion.getSource();
    passTranspositions(); // so that dots that read it both ways share a buffer
  }
  tgpu::LocalStoreOp store = storeFor(value, before, kAxis, columnsOf(dot, index));
  return {store.getBuffer().getDefiningOp<tgpu::AllocOp>(), store.getSlot(), kAxis == index};
}

void UnitProducts::startFrom(tile::DotOp dot, llvm::function_ref<bool(tile::ConvertLayoutOp)> needsBuffer) {
  auto conversion = beforeTransposition(dot.getA()).getDefiningOp<tile::ConvertLayoutOp>();
  OpBuilder builder(dot);
  Location loc = dot.getLoc();
  Value a = dot.getA(), slotA;
  bool isTransposed = false;
  if (conversion && needsBuffer(conversion)) {
    Buffered buffered = buffer(dot, 0);
    a = buffered.alloc, slotA = buffered.slot, isTransposed = buffered.isTransposed;
  }
  Buffered b = buffer(dot, 1);
  auto inFlight = tgpu::InFlightType::get(dot.getContext(), dot.getResultType());
  auto multiply = [&](Value sums, DenseI32ArrayAttr part) -> Value {
    return tgpu::MmaOp::create(builder, loc, inFlight, a, slotA, isTransposed, b.alloc, b.slot,
                               b.isTransposed, sums, dot.getUnitAttr(), part);
  };
  auto await = [&](Value product, unsigned pending, ValueRange held) -> Value {
    return tgpu::MmaWaitOp::create(builder, loc, TypeRange(dot.getType()), pending, ValueRange(product), held)
        .getResult(0);
  };
  Value result = dot.getAccumulator();
  const bool fromZero = isZero(result);
  const int32_t k = int32_t(dot.getK()), step = int32_t(dot.getMaxImprecise());
  if (step == 0 || (fromZero && step == k)) {
    Value sums = fromZero ? Value() : tgpu::MmaBeginOp::create(builder, loc, inFlight, result).getResult();
    result = await(multiply(sums, {}), 0, {});
  } else {
    // Sums of few bits begin anew in each part, and are added up by the threads while the next one is
    // computed.
    auto part = [&](int32_t begin) {
      return multiply({}, step == k ? DenseI32ArrayAttr() : builder.getDenseI32ArrayAttr({begin, step}));
    };
    Value product = part(0), added;
    for (int32_t begin = 0; begin < k; begin += step) {
      const bool isLast = begin + step >= k;
      Value next = isLast ? Value() : part(begin + step);
      Value sum = await(product, isLast ? 0 : 1, added ? ValueRange(added) : ValueRange());
      added = fromZero && begin == 0 ? sum : arith::AddFOp::create(builder, loc, result, sum).getResult();
      result = added, product = next;
    }
  }
  SmallVector<tile::TransOp> transpositions;
  for (unsigned index : {0u, 1u})
    for (Value value = dot->getOperand(index); auto trans = value.getDefiningOp<tile::TransOp>();
         value = trans.getSource())
      transpositions.push_back(trans);
  dot.getResult().replaceAllUsesWith(result);
  dot.erase();
  for (tile::TransOp trans : transpositions)
    if (trans->use_empty())
      trans.erase();
}

} // namespace tegula
