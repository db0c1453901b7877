// Verifiers and effects of products that a matrix unit computes on its own, and the type of their sums.
#include "dialect/layout/UnitMemory.h"
#include "dialect/tgpu/Tgpu.h"

using namespace mlir;
using namespace tegula;
using namespace tegula::tgpu;
using tile::AsyncKind, tile::AsyncStep;

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

LogicalResult InFlightType::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                   RankedTensorType tensor) {
  // (in_flight_c1)
  if (!tile::layoutOf(tensor))
    return emitError() << "expected sums with a layout, found " << tensor;
  return success();
}

RankedTensorType MmaOp::getOperandTensor(unsigned index) {
  Type type = index == 0 ? getA().getType() : Type(getB().getType());
  if (auto buffer = dyn_cast<BufferType>(type))
    return buffer.getTensor();
  return cast<RankedTensorType>(type);
}

unsigned MmaOp::getKAxis(unsigned index) {
  return index == 0 ? (getTransposedA() ? 0 : 1) : (getTransposedB() ? 1 : 0);
}

LogicalResult MmaOp::verify() {
  RankedTensorType a = getOperandTensor(0), b = getOperandTensor(1), sums = getSumsType();
  // (mma_c1)
  unsigned kOfA = getKAxis(0), kOfB = getKAxis(1);
  bool fits = a.getRank() == 2 && b.getRank() == 2 && sums.getRank() == 2 &&
              a.getDimSize(kOfA) == b.getDimSize(kOfB) && a.getDimSize(1 - kOfA) == sums.getDimSize(0) &&
              (getColumns() || b.getDimSize(1 - kOfB) == sums.getDimSize(1));
  if (!fits)
    return emitOpError() << "expected M by K, K by N and M by N elements, found " << a << ", " << b << " and "
                         << sums;
  if (!tile::mayMultiply(a.getElementType(), b.getElementType(), sums.getElementType()))
    return emitOpError() << "expected elements that can be multiplied and added up, found "
                         << a.getElementType() << " times " << b.getElementType() << " into "
                         << sums.getElementType();
  // (mma_c2)
  bool isBuffer = getBufferA() != nullptr;
  if (isBuffer != (getSlotA() != nullptr) || (getTransposedA() && !isBuffer))
    return emitOpError() << "expected a slot of `a` where it is a buffer, and only there, found "
                         << getA().getType();
  // (mma_c3)
  for (unsigned index : {0u, 1u}) {
    auto buffer = dyn_cast<BufferType>(index == 0 ? getA().getType() : Type(getB().getType()));
    if (buffer && !asUnitOperand(buffer.getLayout().getLayout(), getKAxis(index), buffer.getElementBytes()))
      return emitOpError() << "expected a buffer that lies as a matrix descriptor can say, found " << buffer;
  }
  // (mma_c4)
  if (getUnit().getKind() != tile::MatrixUnitKind::Wgmma || int64_t(getUnit().getK()) > getK())
    return emitOpError() << "expected `wgmma` with a K of at most " << getK() << ", found " << getUnit();
  // (mma_c5)
  if (std::optional<ArrayRef<int32_t>> part = getPart()) {
    const int32_t step = getUnit().getK();
    const bool isPart = part->size() == 2 && (*part)[0] >= 0 && (*part)[1] > 0 && (*part)[0] % step == 0 &&
                        (*part)[1] % step == 0 && int64_t((*part)[0]) + (*part)[1] <= getK();
    if (!isPart)
      return emitOpError() << "expected a part of K = " << getK() << " in steps of " << step << ", found ["
                           << *part << "]";
  }
  // (mma_c6)
  if (std::optional<ArrayRef<int32_t>> columns = getColumns()) {
    const int32_t step = getUnit().getN();
    const int64_t all = b.getDimSize(1 - kOfB);
    const bool areColumns = columns->size() == 2 && (*columns)[0] >= 0 && (*columns)[0] % step == 0 &&
                            (*columns)[1] % step == 0 && int64_t((*columns)[0]) + (*columns)[1] <= all &&
                            (*columns)[1] == sums.getDimSize(1);
    if (!areColumns)
      return emitOpError() << "expected the " << sums.getDimSize(1) << " columns of the result, of " << all
                           << " in steps of " << step << ", found [" << *columns << "]";
  }
  return success();
}

void MmaBeginOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(), getOperation()->getOpResult(0));
}

void MmaOp::getEffects(Effects &effects) {
  if (getBufferA())
    effects.emplace_back(MemoryEffects::Read::get(), &getAMutable(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Read::get(), &getBMutable(), SharedMemory::get());
  effects.emplace_back(MemoryEffects::Write::get(), ProductGroups::get());
}

AsyncStep MmaOp::getAsyncStep() {
  return {.role = AsyncStep::Starts, .kind = AsyncKind::Product, .isByUnit = true};
}
AsyncStep MmaWaitOp::getAsyncStep() { return {AsyncStep::Awaits, AsyncKind::Product, getPending()}; }

void ProxyFenceOp::getEffects(Effects &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), SharedMemory::get());
}

/// Returns whether at least `count` products start after the one of `sums` and before `wait`.
static bool isAfterOthers(Value sums, unsigned count, MmaWaitOp wait) {
  Operation *product = sums.getDefiningOp<MmaOp>();
  if (!product || product->getBlock() != wait->getBlock())
    return false;
  unsigned others = 0;
  for (Operation *op = product->getNextNode(); op && op != wait; op = op->getNextNode())
    others += isa<MmaOp>(op);
  return others >= count;
}

LogicalResult MmaWaitOp::verify() {
  // (mma_wait_c1)
  bool fits = getSums().size() == getResults().size();
  for (size_t i = 0; fits && i < getSums().size(); ++i) {
    auto inFlight = cast<InFlightType>(getSums()[i].getType());
    Type result = getResults()[i].getType();
    fits = result == inFlight || result == inFlight.getTensor();
    // (mma_wait_c2)
    if (fits && result != inFlight && int32_t(getPending()) > 0 &&
        !isAfterOthers(getSums()[i], getPending(), *this))
      return emitOpError() << "expected sums to stay in flight whose product may be among the "
                           << getPending() << " pending, found " << result;
  }
  if (!fits)
    return emitOpError() << "expected each of the sums as a tensor or in flight, found "
                         << getResults().getTypes();
  // (mma_wait_c3)
  if (int32_t(getPending()) < 0)
    return emitOpError() << "expected a number of products, found " << int32_t(getPending());
  return success();
}

void MmaWaitOp::getEffects(Effects &effects) {
  // Slots that products read may be written from here on: those writes keep their order with it.
  effects.emplace_back(MemoryEffects::Write::get(), ProductGroups::get());
  effects.emplace_back(MemoryEffects::Read::get(), SharedMemory::get());
}
