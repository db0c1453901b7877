#include "compiler/debug/OpTable.h"

#include "dialect/tile/Tile.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace tegula::debug {

OpTable::OpTable(func::FuncOp function, const Statements &statements) {
  calls.emplace_back(0, tile::SourcePlace());
  function.walk([&](Operation *op) { addPlaces(op, statements); });
  findAddresses(function);
}

/// Returns true for an op in a function of scalars, which runs once for each element: not a statement of its
/// own.
static bool isInScalarFunction(Operation *op) {
  for (Operation *at = op->getParentOp(); at; at = at->getParentOp())
    if (isa<tile::ReduceOp, tile::ScanOp, tile::MapOp>(at))
      return true;
  return false;
}

void OpTable::addPlaces(Operation *op, const Statements &statements) {
  OpFacts &made = facts[op];
  llvm::SmallVector<tile::SourcePlace, 2> places = tile::placesOf(op->getLoc());
  unsigned call = 0;
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    if (place != places.rbegin()) {
      const std::pair<unsigned, tile::SourcePlace> site{call, *std::prev(place)};
      const auto found = std::find(calls.begin(), calls.end(), site);
      call = unsigned(found - calls.begin());
      if (found == calls.end())
        calls.push_back(site);
    }
    made.levels.push_back({call, *place, statements.firstLine(place->file, place->line)});
  }
  made.isScalar = isInScalarFunction(op);
  auto bind = dyn_cast<tile::BindOp>(op);
  made.isCounted = !places.empty() && !isa<arith::ConstantOp, func::FuncOp, func::ReturnOp>(op) &&
                   !op->hasTrait<OpTrait::IsTerminator>() && !(bind && bind.getKept()) && !made.isScalar;
}

namespace {

/// The values that addresses are computed from.
class Slice {
public:
  explicit Slice(llvm::DenseMap<Operation *, OpFacts> &facts) : facts(facts) {}

  void add(Value value, AddressRole role) {
    if (seen.insert({value, unsigned(role)}).second)
      work.emplace_back(value, role);
  }
  void follow() {
    while (!work.empty()) {
      const auto [value, role] = work.pop_back_val();
      if (auto argument = dyn_cast<BlockArgument>(value))
        followArgument(argument, role);
      else
        followOp(cast<OpResult>(value), role);
    }
  }

private:
  void followArgument(BlockArgument argument, AddressRole role) {
    auto loop = dyn_cast_or_null<scf::ForOp>(argument.getOwner()->getParentOp());
    if (!loop || argument == loop.getInductionVar())
      return;
    const unsigned index = argument.getArgNumber() - 1;
    add(loop.getInitArgs()[index], role);
    add(loop.getYieldedValues()[index], role);
  }
  void followOp(OpResult result, AddressRole role) {
    Operation *op = result.getOwner();
    if (auto loop = dyn_cast<scf::ForOp>(op))
      return add(loop.getYieldedValues()[result.getResultNumber()], role);
    if (auto branch = dyn_cast<scf::IfOp>(op)) {
      for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
        if (!region->empty())
          add(region->front().getTerminator()->getOperand(result.getResultNumber()), role);
      return;
    }
    facts[op].address = role;
    const bool isInteger = isa<arith::ArithDialect>(op->getDialect());
    const bool moves =
        isa<tile::SplatOp, tile::BroadcastOp, tile::ExpandDimsOp, tile::ReshapeOp, tile::TransOp>(op);
    if (!isInteger && !moves)
      return;
    // The condition of a selection is no part of the number, nor are the sides of a comparison.
    if (isa<arith::ExtUIOp>(op))
      role = AddressRole::Unsigned;
    for (Value operand : op->getOperands())
      if (isa<IntegerType>(getElementTypeOrSelf(operand)) && !isa<arith::CmpIOp>(op))
        add(operand, role);
  }

  llvm::DenseMap<Operation *, OpFacts> &facts;
  llvm::DenseSet<std::pair<Value, unsigned>> seen;
  llvm::SmallVector<std::pair<Value, AddressRole>> work;
};

} // namespace

void OpTable::findAddresses(func::FuncOp function) {
  Slice slice(facts);
  function.walk([&](tile::AddPtrOp op) { slice.add(op.getOffset(), AddressRole::Signed); });
  slice.follow();
}

} // namespace tegula::debug
