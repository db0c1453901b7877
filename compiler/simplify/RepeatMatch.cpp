#include "compiler/simplify/RepeatMatch.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;

namespace tegula {

std::optional<APInt> wholeNumberOf(Operation *op) {
  auto constant = dyn_cast<arith::ConstantOp>(op);
  if (!constant || getElementTypeOrSelf(constant.getType()).isInteger(1))
    return std::nullopt;
  if (auto number = dyn_cast<IntegerAttr>(constant.getValue()))
    return number.getValue();
  auto elements = dyn_cast<SplatElementsAttr>(constant.getValue());
  if (!elements || !elements.getElementType().isInteger())
    return std::nullopt;
  return elements.getSplatValue<APInt>();
}

llvm::hash_code fingerprintOf(Operation *op) {
  llvm::hash_code code(0);
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    code = llvm::hash_combine(
        code, inner->getName().getAsOpaquePointer(), inner->getNumOperands(),
        llvm::hash_combine_range(inner->getResultTypes().begin(), inner->getResultTypes().end()));
    if (!wholeNumberOf(inner))
      code = llvm::hash_combine(code, inner->getDiscardableAttrDictionary().getAsOpaquePointer(),
                                inner->hashProperties());
  });
  return code;
}

Iteration::Iteration(ArrayRef<Operation *> top) {
  for (auto [place, op] : llvm::enumerate(top))
    op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
      ops.push_back(inner);
      opPlaces.push_back(unsigned(place));
      llvm::append_range(values, inner->getResults());
      for (Region &region : inner->getRegions())
        for (Block &block : region)
          llvm::append_range(values, block.getArguments());
      valuePlaces.resize(values.size(), unsigned(place));
    });
}

RepeatMatch::RepeatMatch(ArrayRef<Operation *> ops, size_t length) {
  while (ops.size() >= length && add(ops.take_front(length)))
    ops = ops.drop_front(length);
}

bool RepeatMatch::add(ArrayRef<Operation *> top) {
  Iteration now(top);
  const size_t count = iterations.size();
  for (auto [number, value] : llvm::enumerate(now.values))
    definitions[value] = {count, unsigned(number)};
  std::optional<SmallVector<OperandSource>> sources = sourcesOf(now);
  if (!sources || !compareOps(now) || !compareSources(std::move(*sources)))
    return false;
  iterations.push_back(std::move(now));
  return true;
}

unsigned RepeatMatch::bestBegin() const {
  using Place = OperandSource::Place;
  const Iteration &iteration = iterations.front();
  const unsigned length = iteration.opPlaces.back() + 1;
  // The last use of each value: the next iteration's ops follow its own.
  SmallVector<unsigned> lastUses(iteration.valuePlaces);
  auto source = later.begin();
  for (auto [op, place] : llvm::zip_equal(iteration.ops, iteration.opPlaces))
    for (unsigned i = 0; i < op->getNumOperands(); ++i, ++source)
      if (source->place != Place::Outside)
        lastUses[source->number] = std::max(lastUses[source->number],
                                            place + (source->place == Place::IterationBefore ? length : 0));
  // A value is handed on where an iteration would begin after its op, up to its last use.
  SmallVector<int> changes(2 * length + 1);
  for (auto [place, last] : llvm::zip_equal(iteration.valuePlaces, lastUses)) {
    ++changes[place + 1];
    --changes[last + 1];
  }
  SmallVector<int> handedOn(length);
  int now = 0;
  for (unsigned i = 0; i < 2 * length; ++i) {
    now += changes[i];
    handedOn[i % length] += now;
  }
  return unsigned(llvm::min_element(handedOn) - handedOn.begin());
}

std::optional<SmallVector<OperandSource>> RepeatMatch::sourcesOf(const Iteration &iteration) {
  using Place = OperandSource::Place;
  const size_t count = iterations.size();
  SmallVector<OperandSource> sources;
  for (Operation *op : iteration.ops)
    for (Value operand : op->getOperands()) {
      auto found = definitions.find(operand);
      if (found == definitions.end()) {
        sources.push_back({Place::Outside, 0, operand});
        continue;
      }
      const auto [where, number] = found->second;
      if (where + 1 < count)
        return std::nullopt;
      sources.push_back({where == count ? Place::SameIteration : Place::IterationBefore, number, Value()});
    }
  return sources;
}

bool RepeatMatch::compareSources(SmallVector<OperandSource> now) {
  using Place = OperandSource::Place;
  if (iterations.size() > 1)
    return now == later;
  if (iterations.empty()) {
    first = std::move(now);
    return true;
  }
  later = std::move(now);
  return llvm::equal(first, later, [](const OperandSource &a, const OperandSource &b) {
    return a == b || (a.place == Place::Outside && b.place == Place::IterationBefore);
  });
}

/// Returns whether the ops are alike except for operands and whole numbers.
static bool areAlike(Operation *a, Operation *b) {
  if (a->getName() != b->getName() || a->getResultTypes() != b->getResultTypes() ||
      a->getOperandTypes() != b->getOperandTypes() || a->getNumRegions() != b->getNumRegions())
    return false;
  for (auto [mine, its] : llvm::zip_equal(a->getRegions(), b->getRegions()))
    if (!llvm::equal(mine, its, [](Block &x, Block &y) {
          return x.getArgumentTypes() == y.getArgumentTypes() &&
                 x.getOperations().size() == y.getOperations().size();
        }))
      return false;
  return (wholeNumberOf(a) && wholeNumberOf(b)) ||
         (a->getDiscardableAttrDictionary() == b->getDiscardableAttrDictionary() &&
          a->getName().compareOpProperties(a->getPropertiesStorage(), b->getPropertiesStorage()));
}

bool RepeatMatch::compareNumbers(unsigned place, const APInt &now) {
  if (iterations.empty())
    return true;
  const APInt step = now - *wholeNumberOf(iterations.back().ops[place]);
  if (iterations.size() == 1 && !step.isZero())
    steps.try_emplace(place, step);
  auto known = steps.find(place);
  return known == steps.end() ? step.isZero() : step == known->second;
}

bool RepeatMatch::compareOps(const Iteration &now) {
  if (!iterations.empty() && iterations.front().ops.size() != now.ops.size())
    return false;
  for (auto [place, op] : llvm::enumerate(now.ops)) {
    if (!iterations.empty() && !areAlike(iterations.front().ops[place], op))
      return false;
    if (std::optional<APInt> number = wholeNumberOf(op); number && !compareNumbers(unsigned(place), *number))
      return false;
  }
  return true;
}

} // namespace tegula
