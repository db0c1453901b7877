// addptr, load and store.
#include "compiler/lower/Symbols.h"
#include "compiler/lower/code/AccessCode.h"
#include "compiler/lower/patterns/Patterns.h"

using namespace mlir;

namespace tegula {
namespace {

Registers lowerAddPtr(tile::AddPtrOp op, Adaptor<tile::AddPtrOp> adaptor, Rewriter &rewriter,
                      LoweringState &) {
  // A step is the pointee's size in memory: an i1 takes a byte, a pointer eight.
  auto pointer = cast<tile::PtrType>(tile::elementTypeOf(op.getPointer().getType()));
  Type step = rewriter.getIntegerType(8 * pointer.getPointeeBytes());
  Registers results;
  for (auto [base, offset] : llvm::zip(adaptor.getPointer(), adaptor.getOffset()))
    results.push_back(LLVM::GEPOp::create(rewriter, op.getLoc(), base.getType(), step, base,
                                          ArrayRef<LLVM::GEPArg>{offset}));
  return results;
}

/// The part that load and store share: the instructions that a tensor (or scalar) access is cut into.
class Accesses {
public:
  Accesses(Operation *op, Type pointers, LoweringState &state) {
    Type pointee = loweredElementType(tile::pointeeOf(pointers));
    unsigned bits = elementBitsOf(pointee);
    if (tile::LayoutAttr layout = tile::layoutOf(pointers)) {
      plan = planAccess(layout.getLayout(), state.executorOf(op).threadBits(), state.widths.lookup(op), bits);
      equal = state.equal.lookup(op);
      const auto different =
          llvm::count_if(plan.vectors, [&](auto &vector) { return !(vector.front() & equal); });
      const unsigned copies = unsigned(plan.vectors.size() / size_t(different));
      state.remarks.tell(op, plan.elements, {.copies = copies});
      state.signs.tellGroups(op, copies);
    } else {
      // A scalar: the same in all threads, so all may load it but one stores it.
      plan.wordBits = bits;
      plan.vectors = {{0}};
      plan.original = {0};
      plan.copyBits = (1u << state.executorOf(op).threadBits()) - 1;
    }
    shape.wordBits = plan.wordBits;
    shape.words = plan.words;
    shape.addressSpace = GlobalAddressSpace;
  }

  AccessPlan plan;
  AccessShape shape;
  uint32_t equal = 0; ///< bits of a register's number that leave a load's address and mask as they are
};

FailureOr<Registers> lowerLoad(tile::LoadOp op, Adaptor<tile::LoadOp> adaptor, Rewriter &rewriter,
                               LoweringState &state) {
  Type element = loweredElementType(op.getType());
  if (elementBitsOf(element) < 8)
    return rewriter.notifyMatchFailure(op, "an i1 has no form in memory");
  Accesses accesses(op, op.getPointer().getType(), state);
  accesses.shape.cache = op.getCache();
  accesses.shape.evict = op.getEvict();
  accesses.shape.isVolatile = op.getIsVolatile();
  Location loc = op.getLoc();
  Registers loaded(accesses.plan.original.size());
  for (const std::vector<uint32_t> &vector : accesses.plan.vectors) {
    if (vector.front() & accesses.equal) {
      for (uint32_t reg : vector)
        loaded[reg] = loaded[accesses.plan.original[reg & ~accesses.equal]];
      continue;
    }
    Value predicate = op.getMask() ? adaptor.getMask()[vector.front()] : Value();
    Registers otherwise;
    if (op.getOther())
      otherwise = packWords(rewriter, loc, picked(adaptor.getOther(), vector), accesses.plan.wordBits);
    state.signs.expect(rewriter, op, vector, adaptor.getPointer(), adaptor.getMask());
    Registers words =
        emitLoad(rewriter, loc, adaptor.getPointer()[vector.front()], accesses.shape, predicate, otherwise);
    for (auto [reg, value] : llvm::zip(vector, unpackWords(rewriter, loc, words, element)))
      loaded[reg] = value;
  }
  return picked(loaded, accesses.plan.original);
}

LogicalResult lowerStore(tile::StoreOp op, Adaptor<tile::StoreOp> adaptor, Rewriter &rewriter,
                         LoweringState &state) {
  if (elementBitsOf(loweredElementType(op.getValue().getType())) < 8)
    return rewriter.notifyMatchFailure(op, "an i1 has no form in memory");
  Accesses accesses(op, op.getPointer().getType(), state);
  accesses.shape.cache = op.getCache();
  accesses.shape.evict = op.getEvict();
  Location loc = op.getLoc();
  Value owner = state.threadsOf(op).noneOf(rewriter, accesses.plan.copyBits);
  for (const std::vector<uint32_t> &vector : accesses.plan.vectors) {
    Value mask = op.getMask() ? adaptor.getMask()[vector.front()] : Value();
    state.signs.expect(rewriter, op, vector, adaptor.getPointer(), adaptor.getMask());
    emitStore(rewriter, loc, adaptor.getPointer()[vector.front()], accesses.shape,
              bothHold(rewriter, loc, mask, owner),
              packWords(rewriter, loc, picked(adaptor.getValue(), vector), accesses.plan.wordBits));
  }
  return success();
}

} // namespace

void populateMemoryPatterns(RewritePatternSet &patterns, LoweringState &state) {
  addLowerings<lowerAddPtr, lowerLoad, lowerStore>(patterns, state);
}

} // namespace tegula
