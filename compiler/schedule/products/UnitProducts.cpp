#include "compiler/schedule/products/UnitProducts.h"

#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/plans/DotUnit.h"
#include "compiler/analysis/resources/RegisterPressure.h"
#include "dialect/layout/Fragments.h"
#include "dialect/layout/Parts.h"
#include "dialect/layout/Places.h"
#include "dialect/layout/UnitMemory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

namespace {

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

/// Starts one part of a dot, with sums of `type` from zero on, and returns them in flight. `k` and `columns`
/// are `[first, count]`, or nothing for all.
using StartPart =
    llvm::function_ref<Value(RankedTensorType type, DenseI32ArrayAttr k, DenseI32ArrayAttr columns)>;

/// Returns the result of `dot`, computed in parts that `start` starts. Sums of few bits begin anew in each
/// part, and threads add them up: while the next part is computed, where two are in flight; else only other
/// groups of warps keep the unit busy meanwhile.
Value addUpParts(OpBuilder &builder, tile::DotOp dot, StartPart start) {
  Location loc = dot.getLoc();
  const int32_t k = int32_t(dot.getK()), n = int32_t(dot.getN()), step = int32_t(dot.getMaxImprecise());
  tile::DotPartsAttr parts = dot.getPartsAttr();
  const int32_t width = parts ? int32_t(parts.getColumns()) : n;
  const unsigned inFlight = parts ? parts.getInFlight() : 2, ofColumns = unsigned(n / width),
                 count = unsigned(k / step) * ofColumns;
  RankedTensorType type = dot.getResultType();
  if (width != n) {
    const int32_t sides[] = {int32_t(dot.getM()), width};
    // The dot's verifier looked at the layout.
    const LinearLayout layout = *partLayout(tile::layoutOf(type).getLayout(), sides);
    type = RankedTensorType::get({dot.getM(), width}, type.getElementType(),
                                 tile::LayoutAttr::get(dot.getContext(), layout));
  }
  auto range = [&](int32_t begin, int32_t length, int32_t all) {
    return length == all ? DenseI32ArrayAttr() : builder.getDenseI32ArrayAttr({begin, length});
  };
  Value result = dot.getAccumulator(), added;
  const bool fromZero = isZero(result);
  SmallVector<Value> products;
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned next = products.size(); next < std::min(count, i + inFlight); ++next)
      products.push_back(start(type, range(int32_t(next / ofColumns) * step, step, k),
                               range(int32_t(next % ofColumns) * width, width, n)));
    auto wait = tgpu::MmaWaitOp::create(builder, loc, TypeRange(type), unsigned(products.size()) - i - 1,
                                        ValueRange(products[i]), added ? ValueRange(added) : ValueRange());
    added = wait.getResult(0);
    const int32_t at[] = {0, int32_t(i % ofColumns) * width};
    if (!fromZero || i >= ofColumns) {
      Value before = width == n ? result : tgpu::SliceOp::create(builder, loc, type, result, at).getResult();
      added = arith::AddFOp::create(builder, loc, before, added);
    }
    result = width == n ? added : tgpu::InsertOp::create(builder, loc, added, result, at).getResult();
  }
  return result;
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
  auto multiply = [&](RankedTensorType type, Value sums, DenseI32ArrayAttr k,
                      DenseI32ArrayAttr columns) -> Value {
    return tgpu::MmaOp::create(builder, loc, tgpu::InFlightType::get(dot.getContext(), type), a, slotA,
                               isTransposed, b.alloc, b.slot, b.isTransposed, sums, dot.getUnitAttr(), k,
                               columns);
  };
  Value result = dot.getAccumulator();
  const bool fromZero = isZero(result);
  if (dot.getMaxImprecise() == 0 || (fromZero && int64_t(dot.getMaxImprecise()) == dot.getK())) {
    RankedTensorType type = dot.getResultType();
    Value sums = fromZero ? Value() : tgpu::MmaBeginOp::create(builder, loc, result).getResult();
    Value product = multiply(type, sums, {}, {});
    result = tgpu::MmaWaitOp::create(builder, loc, TypeRange(type), 0u, ValueRange(product)).getResult(0);
  } else {
    result =
        addUpParts(builder, dot, [&](RankedTensorType type, DenseI32ArrayAttr k, DenseI32ArrayAttr columns) {
          return multiply(type, {}, k, columns);
        });
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
