// Atomic ops: of the threads that hold an element one carries the op out, and tells the others.
#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/plans/OpPlans.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/code/AtomicCode.h"
#include "compiler/lower/code/ShuffleRegisters.h"
#include "compiler/lower/patterns/Patterns.h"
#include "compiler/target/Target.h"

using namespace mlir;

namespace tegula {
namespace {

bool acquires(tile::MemoryOrder order) {
  return order == tile::MemoryOrder::Acquire || order == tile::MemoryOrder::AcquireRelease;
}

/// The part of an order that the instructions say themselves, and the part that fences around all of them
/// say.
struct Ordering {
  bool fenceBefore = false, fenceAfter = false;
  tile::MemoryOrder order = tile::MemoryOrder::Relaxed;
};

/// One instruction has an order for nothing; several would each wait for what the first waited for, so they
/// are relaxed between two fences, which order at least as much (PTX's release and acquire patterns).
///
/// An order is kept whether or not the program uses the old value, and at its end, too: the next program on
/// the same multiprocessor must not find what this one left in the cache.
Ordering splitOrder(tile::MemoryOrder order, bool several) {
  using tile::MemoryOrder;
  if (!several)
    return {false, false, order};
  const bool releases = order == MemoryOrder::Release || order == MemoryOrder::AcquireRelease;
  return {releases, acquires(order), MemoryOrder::Relaxed};
}

/// The lowering of one atomic op. Its operands are `pointers`, `masks` if any, and by `element`.
class AtomicLowering {
public:
  AtomicLowering(Operation *op, LoweringState &state, Rewriter &rewriter)
      : op(op), loc(op->getLoc()), rewriter(rewriter), state(state), access(tile::globalAccessOf(op)),
        places(placesOf(access.address.getType(), state.executorOf(op))),
        element(loweredElementType(tile::pointeeOf(access.address.getType()))) {}

  bool isUsed() const { return !op->use_empty(); }

  /// Returns whether its instructions read. One whose old value goes nowhere becomes a reduction, which reads
  /// nothing that a fence after it could order, so it acquires nothing.
  bool reads() const { return isUsed() || acquires(*access.order); }

  /// Neighbours that one instruction may change, 1 unless `most` is more.
  void plan(unsigned most) {
    SmallVector<unsigned, 4> widths = state.widths.lookup(op);
    for (unsigned &width : widths)
      width = std::min(width, most);
    instructions = planAccess(places, state.executorOf(op).threadBits(), widths, elementBitsOf(element));
    state.remarks.tell(op, instructions.elements, {.most = most});
  }

  const AccessPlan &accesses() const { return instructions; }

  /// The instruction of an op that reads or writes and changes nothing.
  AccessShape shapeOf(tile::MemoryOrder order) const {
    return {.wordBits = instructions.wordBits,
            .words = instructions.words,
            .order = order,
            .scope = *access.scope};
  }

  /// Makes the instructions at `pointers`, `one` for each vector of registers and its predicate: the words
  /// that were there before, where they are read. Returns the results, in all threads that hold them, or
  /// nothing where none is used.
  Registers carryOut(ValueRange pointers, ValueRange masks, bool loops,
                     llvm::function_ref<Registers(ArrayRef<uint32_t>, Value, tile::MemoryOrder)> one) {
    // Each element of a vector is atomic by itself, so it has no order either.
    bool several = loops || instructions.vectors.size() > 1 || instructions.words > 1;
    Ordering ordering = splitOrder(*access.order, several);
    if (ordering.fenceBefore)
      emitFence(rewriter, loc, *access.scope);
    Value owner = state.threadsOf(op).noneOf(rewriter, instructions.copyBits);
    Registers found(instructions.original.size());
    for (const std::vector<uint32_t> &vector : instructions.vectors) {
      Value mask = masks.empty() ? Value() : masks[vector.front()];
      state.signs.expect(rewriter, op, vector, pointers, masks);
      Registers words = one(vector, bothHold(rewriter, loc, mask, owner), ordering.order);
      if (isUsed())
        for (auto [reg, value] : llvm::zip_equal(vector, unpackWords(rewriter, loc, words, element)))
          found[reg] = value;
    }
    if (ordering.fenceAfter)
      emitFence(rewriter, loc, *access.scope);
    if (!isUsed())
      return {};
    return broadcast(picked(found, instructions.original));
  }

private:
  Registers broadcast(Registers results) {
    BroadcastPlan plan = broadcastPlanOf(op, state.executorOf(op));
    switch (plan.kind) {
    case BroadcastPlan::None:
      return results;
    case BroadcastPlan::Shuffle:
      return shuffleRegisters(rewriter, loc, plan.shuffle, results, state.threadsOf(op));
    case BroadcastPlan::Shared:
      break;
    }
    return state.exchange(rewriter, op, results, plan.shared, /*places=*/0).front();
  }

  Operation *op;
  Location loc;
  Rewriter &rewriter;
  LoweringState &state;
  tile::GlobalAccess access;
  LinearLayout places;
  Type element;
  AccessPlan instructions;
};

/// Returns how many neighbours one instruction may read or write: as many as fit. Narrow elements go one by
/// one, as a word of several would not be one step together with an access of an element.
unsigned mostWholeWords(unsigned elementBits) { return elementBits < 32 ? 1 : MaxVectorBits / elementBits; }

Registers lowerAtomicLoad(tile::AtomicLoadOp op, Adaptor<tile::AtomicLoadOp> adaptor, Rewriter &rewriter,
                          LoweringState &state) {
  AtomicLowering lowering(op, state, rewriter);
  lowering.plan(mostWholeWords(elementBitsOf(loweredElementType(op.getType()))));
  auto one = [&](ArrayRef<uint32_t> vector, Value predicate, tile::MemoryOrder order) {
    return emitLoad(rewriter, op.getLoc(), adaptor.getPointer()[vector.front()], lowering.shapeOf(order),
                    predicate, {});
  };
  return lowering.carryOut(adaptor.getPointer(), adaptor.getMask(), /*loops=*/false, one);
}

void lowerAtomicStore(tile::AtomicStoreOp op, Adaptor<tile::AtomicStoreOp> adaptor, Rewriter &rewriter,
                      LoweringState &state) {
  Location loc = op.getLoc();
  AtomicLowering lowering(op, state, rewriter);
  lowering.plan(mostWholeWords(elementBitsOf(loweredElementType(op.getValue().getType()))));
  auto one = [&](ArrayRef<uint32_t> vector, Value predicate, tile::MemoryOrder order) {
    AccessShape shape = lowering.shapeOf(order);
    emitStore(rewriter, loc, adaptor.getPointer()[vector.front()], shape, predicate,
              packWords(rewriter, loc, picked(adaptor.getValue(), vector), shape.wordBits));
    return Registers();
  };
  lowering.carryOut(adaptor.getPointer(), adaptor.getMask(), /*loops=*/false, one);
}

/// Returns how many neighbours one instruction may change where the old value is unused: floats, in a
/// vector where the target has such, two halves in a word on all.
unsigned mostAtOnce(tile::AtomicRMWOp op, unsigned elementBits) {
  if (op.getKind() != tile::AtomicKind::FAdd || elementBits > 32)
    return 1;
  const Target *target = targetOf(op);
  return (target && target->vectorReductions ? MaxVectorBits : 32) / elementBits;
}

bool hasBF16Atomics(Operation *op) {
  const Target *target = targetOf(op);
  return target && target->bf16Arithmetic;
}

Registers lowerAtomicRMW(tile::AtomicRMWOp op, Adaptor<tile::AtomicRMWOp> adaptor, Rewriter &rewriter,
                         LoweringState &state) {
  Location loc = op.getLoc();
  Type element = loweredElementType(op.getType());
  bool inHalves = op.getKind() == tile::AtomicKind::FAdd && elementBitsOf(element) == 16;
  bool bySwapping = inHalves && element.isBF16() && !hasBF16Atomics(op);
  AtomicLowering lowering(op, state, rewriter);
  lowering.plan(bySwapping || lowering.isUsed() ? 1 : mostAtOnce(op, elementBitsOf(element)));
  unsigned words = lowering.accesses().words, bits = lowering.accesses().wordBits;
  std::string operation = operationOf(op.getKind(), element, bits / elementBitsOf(element), words);
  auto one = [&](ArrayRef<uint32_t> vector, Value predicate, tile::MemoryOrder order) -> Registers {
    Value address = adaptor.getPointer()[vector.front()];
    if (bySwapping)
      return {emitAddBySwapping(rewriter, loc, address, op.getScope(), predicate,
                                adaptor.getValue()[vector.front()])};
    AtomicShape shape{operation,     bits,
                      words,         order,
                      op.getScope(), lowering.reads() || op.getKind() == tile::AtomicKind::Exchange};
    return {emitAtomic(rewriter, loc, address, shape, predicate,
                       packWords(rewriter, loc, picked(adaptor.getValue(), vector), bits))};
  };
  return lowering.carryOut(adaptor.getPointer(), adaptor.getMask(), bySwapping, one);
}

Registers lowerAtomicCAS(tile::AtomicCASOp op, Adaptor<tile::AtomicCASOp> adaptor, Rewriter &rewriter,
                         LoweringState &state) {
  Location loc = op.getLoc();
  unsigned bits = elementBitsOf(loweredElementType(op.getType()));
  AtomicLowering lowering(op, state, rewriter);
  lowering.plan(1);
  auto one = [&](ArrayRef<uint32_t> vector, Value predicate, tile::MemoryOrder order) -> Registers {
    Registers words;
    for (ValueRange operand : {adaptor.getCompare(), adaptor.getValue()})
      words.push_back(packWords(rewriter, loc, {operand[vector.front()]}, bits).front());
    AtomicShape shape{
        "cas.b" + std::to_string(bits), bits, /*words=*/1, order, op.getScope(), /*returns=*/true};
    return {emitAtomic(rewriter, loc, adaptor.getPointer()[vector.front()], shape, predicate, words)};
  };
  return lowering.carryOut(adaptor.getPointer(), ValueRange(), /*loops=*/false, one);
}

} // namespace

void populateAtomicPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerAtomicLoad, lowerAtomicStore, lowerAtomicRMW, lowerAtomicCAS>(patterns, state);
}

} // namespace tegula
