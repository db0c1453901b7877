#include "compiler/distribute/LoopLayouts.h"

#include "dialect/tile/LayoutInference.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tegula {

namespace {

/// The number of values that are asked about for one carried value; farther ones rarely agree with nearer
/// ones.
constexpr unsigned MaxVisits = 256;

/// Guesses layouts before conversions are placed: where values will be if all goes well.
///
/// The *home* of a value is that of the load or dot that it is computed from, for a reduced one the slice of
/// that. A value is *wished* for where a dot adds to it, where an access that uses it is, or where its
/// partners in arithmetic are. An operand of a dot need not be where the dot is: what was loaded gets there
/// through shared memory, and one round trip for each iteration suffices.
class Chooser {
public:
  Chooser(func::FuncOp function, OperandTypes &wanted) : function(function), wanted(wanted) {}

  void run() {
    // The second time, values that are combined with other carried ones see what those were given.
    for (unsigned round = 0; round < 2; ++round)
      function.walk([&](Operation *op) {
        if (auto loop = dyn_cast<scf::ForOp>(op))
          chooseFor(loop);
        else if (auto loop = dyn_cast<scf::WhileOp>(op))
          chooseWhile(loop);
        else if (auto branch = dyn_cast<scf::IfOp>(op))
          chooseBranch(branch);
      });
  }

private:
  enum class Reason { Dot, Access, Partner };

  tile::LayoutAttr home(Value value);
  tile::LayoutAttr homeOfResult(Operation *op, Value value);
  tile::LayoutAttr wish(Value value, Reason reason);
  tile::LayoutAttr wishOfUser(OpOperand &use, Reason reason);
  tile::LayoutAttr choose(ArrayRef<Value> names, ArrayRef<Value> makers);
  void settle(ArrayRef<Value> names, tile::LayoutAttr layout);
  void want(Operation *op, unsigned operand, Type type) { wanted[op][operand] = type; }

  void chooseFor(scf::ForOp loop);
  void chooseWhile(scf::WhileOp loop);
  void chooseBranch(scf::IfOp branch);

  func::FuncOp function;
  OperandTypes &wanted;
  llvm::DenseSet<Value> settled;
  llvm::SmallDenseSet<Value, 32> visiting; ///< values on the way from the one that is asked about
  unsigned visits = 0;                     ///< since the last question
};

/// Returns where a value will be; null if nothing ties it to memory.
tile::LayoutAttr Chooser::home(Value value) {
  if (!isa<RankedTensorType>(value.getType()))
    return {};
  if (settled.contains(value))
    return tile::layoutOf(value.getType());
  Operation *op = value.getDefiningOp();
  if (!op || ++visits > MaxVisits || !visiting.insert(value).second)
    return {};
  tile::LayoutAttr layout = homeOfResult(op, value);
  visiting.erase(value);
  return layout;
}

tile::LayoutAttr Chooser::homeOfResult(Operation *op, Value value) {
  if (isa<tile::GlobalAccessOpInterface, tile::DotOp>(op))
    return tile::layoutOf(value.getType());
  if (auto conversion = dyn_cast<tile::ConvertLayoutOp>(op))
    return home(conversion.getSource());
  // A value that is repeated along an axis is made wherever an op wants it.
  if (isa<tile::ExpandDimsOp, tile::BroadcastOp>(op))
    return {};
  if (!tile::isElementwise(op) && !isa<tile::ReduceOp, tile::ReshapeOp, tile::TransOp, tile::JoinOp,
                                       tile::SplitOp, tile::ScanOp, tile::ButterflyOp>(op))
    return {};
  for (auto [i, operand] : llvm::enumerate(op->getOperands()))
    if (tile::LayoutAttr layout = home(operand))
      if (std::optional<tile::LayoutAttr> result = tile::inferResultLayout(op, unsigned(i), layout))
        return *result;
  return {};
}

/// The layout of the first user of the kind `reason` that `value` reaches.
tile::LayoutAttr Chooser::wish(Value value, Reason reason) {
  if (++visits > MaxVisits || !visiting.insert(value).second)
    return {};
  tile::LayoutAttr layout;
  for (OpOperand &use : value.getUses()) {
    layout = wishOfUser(use, reason);
    if (layout)
      break;
  }
  visiting.erase(value);
  return layout;
}

tile::LayoutAttr Chooser::wishOfUser(OpOperand &use, Reason reason) {
  Operation *user = use.getOwner();
  if (isa<tile::GlobalAccessOpInterface>(user))
    return reason == Reason::Access ? tile::layoutOf(wanted.at(user).front()) : tile::LayoutAttr();
  if (auto dot = dyn_cast<tile::DotOp>(user)) {
    bool isAddedTo = use.get() == dot.getAccumulator();
    return reason == Reason::Dot && isAddedTo ? tile::layoutOf(dot.getType()) : tile::LayoutAttr();
  }
  if (isa<tile::ConvertLayoutOp>(user))
    return wish(user->getResult(0), reason);
  // A loop or branch that was looked at before: where it takes the value.
  if (auto loop = dyn_cast<scf::ForOp>(user);
      loop && use.getOperandNumber() >= loop.getNumControlOperands()) {
    Value inside = loop.getTiedLoopRegionIterArg(&use);
    return settled.contains(inside) && reason == Reason::Partner ? tile::layoutOf(inside.getType())
                                                                 : tile::LayoutAttr();
  }
  bool isShape = isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp>(user);
  if (!tile::isElementwise(user) && !isShape)
    return {};
  tile::LayoutAttr layout;
  if (reason == Reason::Partner)
    for (Value operand : user->getOperands())
      if (!layout && operand != use.get())
        layout = home(operand);
  for (Value result : user->getResults())
    if (!layout)
      layout = wish(result, reason);
  if (!layout)
    return {};
  return tile::inferOperandLayout(user, use.getOperandNumber(), layout).value_or(tile::LayoutAttr());
}

/// The layout for a value that has several names (`x` inside a loop, `x` after it), in the order in which
/// they matter, and that is made of `makers`.
tile::LayoutAttr Chooser::choose(ArrayRef<Value> names, ArrayRef<Value> makers) {
  auto ask = [&](auto question) -> tile::LayoutAttr {
    visits = 0;
    visiting.clear();
    return question();
  };
  if (names.empty() || !isa<RankedTensorType>(names.front().getType()))
    return {};
  for (Value name : names)
    for (Reason reason : {Reason::Dot, Reason::Access, Reason::Partner})
      if (tile::LayoutAttr layout = ask([&] { return wish(name, reason); }))
        return layout;
  for (Value maker : makers)
    if (tile::LayoutAttr layout = ask([&] { return home(maker); }))
      return layout;
  return {};
}

void Chooser::settle(ArrayRef<Value> names, tile::LayoutAttr layout) {
  for (Value name : names) {
    name.setType(tile::withLayout(name.getType(), layout));
    settled.insert(name);
  }
}

void Chooser::chooseFor(scf::ForOp loop) {
  Operation *yield = loop.getBody()->getTerminator();
  for (unsigned i = 0; i < loop.getNumResults(); ++i) {
    Value names[] = {loop.getRegionIterArg(i), loop.getResult(i)};
    if (settled.contains(names[0]))
      continue;
    if (tile::LayoutAttr layout = choose(names, {yield->getOperand(i), loop.getInitArgs()[i]})) {
      settle(names, layout);
      want(loop, loop.getNumControlOperands() + i, names[0].getType());
      want(yield, i, names[0].getType());
    }
  }
}

void Chooser::chooseWhile(scf::WhileOp loop) {
  scf::ConditionOp condition = loop.getConditionOp();
  Operation *yield = loop.getAfterBody()->getTerminator();
  // Values are carried into the test and, where the test hands them on as they are, to the body and out.
  for (unsigned i = 0; i < loop.getBeforeArguments().size(); ++i) {
    SmallVector<Value> names = {loop.getBeforeArguments()[i]};
    SmallVector<unsigned> handedOn;
    for (unsigned j = 0; j < condition.getArgs().size(); ++j)
      if (condition.getArgs()[j] == names[0])
        handedOn.push_back(j);
    for (unsigned j : handedOn)
      names.insert(names.begin(), loop.getAfterArguments()[j]);
    for (unsigned j : handedOn)
      names.push_back(loop.getResult(j));
    if (settled.contains(names[0]))
      continue;
    tile::LayoutAttr layout = choose(names, {yield->getOperand(i), loop.getInits()[i]});
    if (!layout)
      continue;
    settle(names, layout);
    want(loop, i, names[0].getType());
    want(yield, i, names[0].getType());
    for (unsigned j : handedOn)
      want(condition, 1 + j, names[0].getType());
  }
  for (unsigned j = 0; j < condition.getArgs().size(); ++j) {
    Value names[] = {loop.getAfterArguments()[j], loop.getResult(j)};
    Value made = condition.getArgs()[j];
    if (settled.contains(names[0]) || llvm::is_contained(loop.getBeforeArguments(), made))
      continue;
    if (tile::LayoutAttr layout = choose(names, {made})) {
      settle(names, layout);
      want(condition, 1 + j, names[0].getType());
    }
  }
}

void Chooser::chooseBranch(scf::IfOp branch) {
  for (unsigned i = 0; i < branch.getNumResults(); ++i) {
    Value result = branch.getResult(i);
    if (settled.contains(result))
      continue;
    Value makers[] = {branch.thenYield().getOperand(i), branch.elseYield().getOperand(i)};
    if (tile::LayoutAttr layout = choose({result}, makers)) {
      settle({result}, layout);
      want(branch.thenYield(), i, result.getType());
      want(branch.elseYield(), i, result.getType());
    }
  }
}

} // namespace

void chooseRegionLayouts(func::FuncOp function, OperandTypes &wanted) { Chooser(function, wanted).run(); }

} // namespace tegula
