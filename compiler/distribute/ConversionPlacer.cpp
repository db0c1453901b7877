#include "compiler/distribute/ConversionPlacer.h"

#include "compiler/analysis/ModuleTarget.h"
#include "compiler/analysis/access/MemoryAccess.h"
#include "compiler/analysis/resources/RegisterCount.h"
#include "compiler/distribute/BlockedChoice.h"
#include "compiler/distribute/LoopLayouts.h"
#include "compiler/target/Target.h"
#include "dialect/layout/Places.h"
#include "dialect/tgpu/Tgpu.h"
#include "dialect/tile/LayoutInference.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

namespace {

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

bool touchesTensors(Operation *op) {
  return llvm::any_of(op->getOperands(), isTensor) || llvm::any_of(op->getResults(), isTensor);
}

/// Ops that a copy of, in another layout, computes the same.
bool isRepeatable(Operation *op) {
  return op->getNumResults() > 0 && op->getNumRegions() == 0 && llvm::all_of(op->getResults(), isTensor) &&
         isMemoryEffectFree(op);
}

bool isAccess(Operation *op) { return isa<tile::GlobalAccessOpInterface>(op); }

bool repeatsItsOperand(Operation *op) { return isa<tile::ExpandDimsOp, tile::BroadcastOp>(op); }

bool regroups(Operation *op) { return isa<tile::ReshapeOp, tile::TransOp>(op); }

/// True if several threads hold the same elements.
bool isRepeatedByThreads(tile::LayoutAttr layout) {
  const LinearLayout &map = layout.getLayout();
  return map.freeVariableMask(Dim::Lane) != 0 || map.freeVariableMask(Dim::Warp) != 0;
}

unsigned bitsOf(Value value) { return bitsOfElement(tile::elementTypeOf(value.getType())); }

/// Elementwise arithmetic that is cheaper to do twice than its result is to move.
bool isCheap(Operation *op) {
  return tile::isElementwise(op) && isRepeatable(op) && isa<arith::ArithDialect>(op->getDialect()) &&
         !isa<arith::DivFOp, arith::DivSIOp, arith::DivUIOp, arith::RemFOp, arith::RemSIOp, arith::RemUIOp>(
             op);
}

/// The most ops that are repeated after a conversion to convert something narrower.
constexpr unsigned MaxRepeatedOps = 8;

/// The most elements of a vector that all threads share which a thread may read before a conversion, with its
/// round trip through shared memory and its barrier, is the cheaper way. The reads hit one cache line a warp.
constexpr int32_t MaxRepeatedLoads = 8;

/// The same for rows and columns of a dot's result, where a thread has neighbours in pairs.
constexpr int32_t MaxRepeatedPairs = 16;

/// A thread may store so many elements of a reduced vector one by one, its copies in other threads keeping
/// still, before a conversion to neighbouring elements in neighbouring threads is the cheaper way.
constexpr int32_t MaxScatteredStores = 8;

/// Bytes side by side along `axis` that a warp touches at once: in the registers of a vector, and on over
/// lanes.
unsigned runOfWarp(const LinearLayout &layout, unsigned axis, unsigned elementBytes) {
  int32_t run = int32_t(1) << runOfRegisters(layout, axis, elementBytes, MaxAccessBytes).size();
  for (unsigned bit = 0; bit < layout.inBits(Dim::Lane); ++bit)
    for (unsigned lane = 0; lane < layout.inBits(Dim::Lane); ++lane)
      if (layout.basis(Dim::Lane, lane, tensorDim(axis)) == run) {
        run *= 2;
        break;
      }
  return unsigned(run) * elementBytes;
}

class ConversionPlacer {
public:
  explicit ConversionPlacer(func::FuncOp function) : function(function) {}

  void run() {
    function.walk([&](Operation *op) {
      if (touchesTensors(op) && (isAccess(op) || !tile::isElementwise(op) || !isRepeatable(op)))
        declared[op] = llvm::to_vector(op->getOperandTypes());
      if (auto dot = dyn_cast<tile::DotOp>(op))
        rememberDot(dot);
    });
    chooseRegionLayouts(function, declared);
    for (Block &block : function.getBody())
      visit(block);
    function.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isOpTriviallyDead(op))
        op->erase();
    });
  }

private:
  using Key = std::pair<Value, Attribute>; ///< a value and a layout it is wanted in

  void rememberDot(tile::DotOp dot) {
    tile::LayoutAttr layout = tile::layoutOf(dot.getType());
    if (!dotResults.insert(layout).second)
      return;
    SmallVector<tile::LayoutAttr> parents = {layout};
    while (!parents.empty()) {
      tile::LayoutAttr parent = parents.pop_back_val();
      unsigned rank = unsigned(parent.getLayout().outs().size());
      for (unsigned axis = 0; rank > 1 && axis < rank; ++axis)
        if (tile::LayoutAttr slice = tile::layoutWithoutAxis(parent, axis); dotSlices.insert(slice).second)
          parents.push_back(slice);
    }
  }

  void visit(Block &block) {
    // Ops made on the way are before the op that is visited and need no visit.
    for (Operation &op : llvm::make_early_inc_range(block))
      visit(&op);
  }

  void visit(Operation *op) {
    if (isa<tile::ConvertLayoutOp>(op))
      return;
    if (touchesTensors(op)) {
      if (isFree(op) || canWait(op))
        freeOps.insert(op);
      else if (isAccess(op))
        visitAccess(op);
      else if (tile::isElementwise(op) && (isRepeatable(op) || (isa<tile::MapOp, tgpu::ClusterSumOp>(op) &&
                                                                electLayout(op->getOperands()))))
        pinElementwise(op);
      else if (regroups(op)) {
        Value source = withoutConversions(op->getOperand(0));
        op->setOperand(0, source);
        setResultLayouts(op, *tile::inferResultLayout(op, 0, tile::layoutOf(source.getType())));
      } else if (auto reduce = dyn_cast<tile::ReduceOp>(op))
        visitReduction(reduce);
      else if (isa<tile::JoinOp, tile::SplitOp, tile::ScanOp, tile::ButterflyOp, tile::GatherOp>(op))
        visitMove(op);
      else
        askAsDeclared(op);
    }
    for (Region &region : op->getRegions())
      for (Block &block : region)
        visit(block);
  }

  bool isFree(Operation *op) const {
    if (!isRepeatable(op))
      return false;
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      return isa<DenseElementsAttr>(constant.getValue());
    if (repeatsItsOperand(op) || isa<tile::ArangeOp, tile::SplatOp>(op))
      return true;
    return (tile::isElementwise(op) || regroups(op)) && llvm::all_of(op->getOperands(), [&](Value operand) {
             return !isTensor(operand) || isFree(withoutConversions(operand));
           });
  }

  /// True for loads of vectors at free addresses.
  bool canWait(Operation *op) const {
    auto load = dyn_cast<tile::LoadOp>(op);
    if (!load || load.getIsVolatile())
      return false;
    auto isLong = [](int64_t side) { return side > 1; };
    return llvm::count_if(cast<RankedTensorType>(load.getType()).getShape(), isLong) <= 1 &&
           llvm::all_of(op->getOperands(),
                        [&](Value operand) { return isFree(withoutConversions(operand)); });
  }

  /// True for a load that was not asked for yet and had better keep the layout it was given.
  bool mustKeepLayout(Operation *op, tile::LayoutAttr wanted) {
    if (!isa<tile::LoadOp>(op) || settled.contains(op))
      return false;
    auto registers = [](tile::LayoutAttr layout) { return layout.getLayout().inSize(Dim::Register); };
    int32_t limit = dotSlices.contains(wanted) ? MaxRepeatedPairs : MaxRepeatedLoads;
    return registers(wanted) > std::max(limit, registers(tile::layoutOf(declared[op].front())));
  }

  bool isFree(Value value) const {
    Operation *op = value.getDefiningOp();
    return op && freeOps.contains(op);
  }

  /// The layout of a dot's result that a pinned operand has, else the one that most of them have, the first
  /// if it is a tie; null if all are free.
  tile::LayoutAttr electLayout(ValueRange operands) const {
    llvm::SmallMapVector<tile::LayoutAttr, unsigned, 2> votes;
    for (Value operand : operands)
      if (Value source = withoutConversions(operand); isTensor(source) && !isFree(source))
        ++votes[tile::layoutOf(source.getType())];
    // Products stay where they are until the last cast before a store has made them narrower.
    auto weight = [&](tile::LayoutAttr layout) {
      return std::pair(dotResults.contains(layout), votes[layout]);
    };
    tile::LayoutAttr best;
    for (auto [layout, count] : votes)
      if (!best || weight(layout) > weight(best))
        best = layout;
    return best;
  }

  void pinElementwise(Operation *op) {
    tile::LayoutAttr layout = electLayout(op->getOperands());
    askAll(op, layout);
    setResultLayouts(op, layout);
  }

  /// The layout of the sums of a dot that an atomic op adds to memory, if it touches no more sectors than the
  /// one that suits memory, given vectors of reductions; null if not, or where it adds something else.
  tile::LayoutAttr layoutOfAddedSums(tile::AtomicRMWOp op) const {
    const Target *target = targetOf(op);
    auto type = dyn_cast<RankedTensorType>(op.getPointer().getType());
    // The conversion that an earlier pass put after it is no use.
    bool isUsed = !llvm::all_of(op->getUsers(), [](Operation *user) {
      return isa<tile::ConvertLayoutOp>(user) && user->use_empty();
    });
    if (!target || !target->vectorReductions || !type || isUsed || op.getKind() != tile::AtomicKind::FAdd)
      return {};
    tile::LayoutAttr present = electLayout(op->getOperands());
    if (!present || !dotResults.contains(present) || electLayout(op.getPointer()))
      return {};
    // Along the axis whose neighbours are known to be neighbours in memory.
    const LinearLayout &wanted = tile::layoutOf(type).getLayout();
    unsigned bytes = bitsOf(op.getValue()) / 8;
    for (unsigned axis = 0; axis < unsigned(type.getRank()); ++axis)
      if (!runOfRegisters(wanted, axis, bytes, MaxAccessBytes).empty() &&
          runOfWarp(present.getLayout(), axis, bytes) >= target->sectorBytes)
        return present;
    return {};
  }

  void visitAccess(Operation *op) {
    tile::LayoutAttr layout = tile::layoutOf(declared[op].front());
    // Sums of a product are added to memory from the registers they are in, where these fill sectors.
    if (auto atomic = dyn_cast<tile::AtomicRMWOp>(op))
      if (tile::LayoutAttr present = layoutOfAddedSums(atomic))
        layout = present;
    // A short vector that a reduction left is stored by those who have it.
    if (!isa<tile::LoadOp>(op) && op->use_empty() &&
        cast<RankedTensorType>(declared[op].front()).getRank() == 1)
      if (tile::LayoutAttr present = electLayout(op->getOperands()))
        if (present.getLayout().inSize(Dim::Register) <= MaxScatteredStores && isRepeatedByThreads(present) &&
            electLayout(op->getOperand(0)) == nullptr)
          layout = present;
    askAll(op, layout);
    // An atomic has a result, even if it is unused.
    setResultLayouts(op, layout);
  }

  void visitReduction(tile::ReduceOp op) {
    tile::LayoutAttr layout = electLayout(op.getOperands());
    for (Value operand : op.getOperands())
      if (!layout)
        layout = layoutOfWaitingLoad(operand);
    if (!layout) // computed from nothing in memory: as in the beginning
      layout = tile::layoutOf(declared[op].front());
    askAll(op, layout);
    if (std::optional<tile::LayoutAttr> result = tile::inferResultLayout(op, 0, layout))
      setResultLayouts(op, *result);
  }

  /// An op that combines or moves elements along an axis, or joins or splits tensors.
  void visitMove(Operation *op) {
    // The source of a gather may be anywhere; the other operands have one layout.
    const unsigned first = isa<tile::GatherOp>(op) ? 1 : 0;
    ArrayRef<Type> before = declared[op];
    if (first) {
      Value source = withoutConversions(op->getOperand(0));
      if (isFree(source)) {
        tile::LayoutAttr loaded = layoutOfWaitingLoad(source);
        source = ask(source, loaded ? loaded : tile::layoutOf(before.front()));
      }
      op->setOperand(0, source);
    }
    OperandRange operands = op->getOperands().drop_front(first);
    tile::LayoutAttr layout = electLayout(operands);
    for (Value operand : operands)
      if (!layout)
        layout = layoutOfWaitingLoad(operand);
    std::optional<tile::LayoutAttr> result;
    if (layout)
      result = tile::inferResultLayout(op, first, layout);
    if (!result) { // free, or nothing that the op can take
      layout = tile::layoutOf(before[first]);
      result = tile::inferResultLayout(op, first, layout);
    }
    for (OpOperand &operand : op->getOpOperands().drop_front(first))
      operand.set(ask(operand.get(), layout));
    setResultLayouts(op, *result);
  }

  void askAll(Operation *op, tile::LayoutAttr layout) {
    for (OpOperand &operand : op->getOpOperands())
      if (isTensor(operand.get()))
        operand.set(ask(operand.get(), layout));
  }

  void askAsDeclared(Operation *op) {
    // An op that prints or checks each element does so wherever the element is.
    bool indifferent = isa<tile::PrintOp, tile::AssertOp>(op);
    auto it = declared.find(op);
    for (OpOperand &operand : op->getOpOperands()) {
      Value source = withoutConversions(operand.get());
      if (!isTensor(source) || it == declared.end())
        continue;
      if (isFree(source)) {
        // This op is no reason for a load that waits to leave the layout that suits memory.
        if (tile::LayoutAttr loaded = layoutOfWaitingLoad(source))
          source = ask(source, loaded);
        else
          source = ask(source, tile::layoutOf(it->second[operand.getOperandNumber()]));
      }
      operand.set(indifferent ? source : ask(source, tile::layoutOf(it->second[operand.getOperandNumber()])));
    }
  }

  /// The layout of a load that waits, if `value` is computed from one element by element; else null.
  tile::LayoutAttr layoutOfWaitingLoad(Value value) {
    llvm::SmallSetVector<Value, 8> reached;
    reached.insert(value);
    for (unsigned i = 0; i < reached.size(); ++i) {
      Operation *op = withoutConversions(reached[i]).getDefiningOp();
      if (!op || !freeOps.contains(op) || !tile::isElementwise(op))
        continue;
      if (isa<tile::LoadOp>(op))
        return settled.contains(op) ? tile::layoutOf(op->getResult(0).getType())
                                    : tile::layoutOf(declared[op].front());
      for (Value operand : op->getOperands())
        if (isTensor(operand))
          reached.insert(operand);
    }
    return {};
  }

  /// Returns what a conversion converts, and what a copy is a copy of.
  Value withoutConversions(Value value) const {
    while (Operation *op = value.getDefiningOp()) {
      if (auto conversion = dyn_cast<tile::ConvertLayoutOp>(op))
        value = conversion.getSource();
      else if (Operation *original = originals.lookup(op))
        value = original->getResult(cast<OpResult>(value).getResultNumber());
      else
        break;
    }
    return value;
  }

  /// True if `value` was made by cheap arithmetic on a pinned value of fewer bits than it has.
  bool comesFromNarrower(Value value) const {
    Operation *op = value.getDefiningOp();
    unsigned bits = bitsOf(value);
    for (unsigned i = 0; i < MaxRepeatedOps && op && isCheap(op); ++i) {
      Value pinned;
      for (Value operand : op->getOperands()) {
        Value source = withoutConversions(operand);
        if (!isTensor(source) || isFree(source) || source == pinned)
          continue;
        if (pinned)
          return false;
        pinned = source;
      }
      if (!pinned || bitsOf(pinned) < bits)
        return pinned != nullptr;
      op = pinned.getDefiningOp();
    }
    return false;
  }

  /// The op to compute anew for `key`, or null where the value itself is taken or converted.
  Operation *recipeFor(const Key &key) const {
    Operation *op = key.first.getDefiningOp();
    if (isFree(key.first))
      return isa<tile::LoadOp>(op) && settled.contains(op) ? nullptr : op; // memory is read once
    return tile::layoutOf(key.first.getType()) != key.second && comesFromNarrower(key.first) ? op : nullptr;
  }

  /// `value` in layout `layout`, by whatever ops that takes.
  Value ask(Value value, tile::LayoutAttr layout) {
    Key wanted(withoutConversions(value), layout);
    SmallVector<Key> stack = {wanted};
    while (!stack.empty()) {
      Key key = stack.back();
      if (made.contains(key)) {
        stack.pop_back();
        continue;
      }
      auto keyLayout = cast<tile::LayoutAttr>(key.second);
      Operation *recipe = recipeFor(key);
      if (!recipe) {
        made[key] = convert(key.first, keyLayout);
        continue;
      }
      if (mustKeepLayout(recipe, keyLayout)) {
        stack.push_back(Key(key.first, tile::layoutOf(declared[recipe].front())));
        continue;
      }
      size_t before = stack.size();
      for (OpOperand &operand : recipe->getOpOperands()) {
        if (!isTensor(operand.get()))
          continue;
        Key needed(withoutConversions(operand.get()),
                   *tile::inferOperandLayout(recipe, operand.getOperandNumber(), keyLayout));
        if (!made.contains(needed))
          stack.push_back(needed);
      }
      if (stack.size() == before)
        compute(recipe, keyLayout);
    }
    return made[wanted];
  }

  /// Computes `op` for results of `layout`, whose operands were all made before.
  void compute(Operation *op, tile::LayoutAttr layout) {
    // The first layout asked for is given in place; further ones, and pinned ops, need a copy.
    bool inPlace = freeOps.contains(op) && settled.insert(op).second;
    OpBuilder builder(op);
    Operation *result = inPlace ? op : builder.clone(*op);
    if (!inPlace)
      originals[result] = op;
    for (auto [original, operand] : llvm::zip_equal(op->getOperands(), result->getOpOperands())) {
      if (!isTensor(original))
        continue;
      tile::LayoutAttr needed = *tile::inferOperandLayout(op, operand.getOperandNumber(), layout);
      operand.set(made.lookup(Key(withoutConversions(original), needed)));
    }
    setResultLayouts(result, layout);
    for (auto [original, value] : llvm::zip_equal(op->getResults(), result->getResults()))
      made[Key(original, layout)] = value;
  }

  Value convert(Value value, tile::LayoutAttr layout) {
    Type wanted = tile::withLayout(value.getType(), layout);
    if (value.getType() == wanted)
      return value;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    return tile::ConvertLayoutOp::create(builder, value.getLoc(), wanted, value);
  }

  func::FuncOp function;
  OperandTypes declared;                ///< of accesses and of ops that are not elementwise
  llvm::DenseSet<Attribute> dotResults; ///< layouts that results of dots have
  llvm::DenseSet<Attribute> dotSlices;  ///< and those of their rows and columns
  llvm::DenseSet<Operation *> freeOps;  ///< those that wait to be asked for
  llvm::DenseSet<Operation *> settled;  ///< free ops that were asked for and hence have a layout
  llvm::DenseMap<Key, Value> made;      ///< what was asked for before
  llvm::DenseMap<Operation *, Operation *> originals; ///< of copies in another layout
};

} // namespace

void placeConversions(func::FuncOp kernel) { ConversionPlacer(kernel).run(); }

} // namespace tegula
