#include "compiler/analysis/access/ProgramAxes.h"

#include "dialect/tile/Effects.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace tegula {

namespace {

/// Walks from a value back to what it is computed from.
class ProgramWalk {
public:
  ProgramAxes walk(Value value) {
    values.insert(value);
    for (unsigned i = 0; i < values.size(); ++i)
      visit(values[i]);
    return std::move(found);
  }

private:
  void visit(Value value);
  void visitArgument(BlockArgument argument);
  void visitOp(OpResult result);
  void add(tile::Axis axis, ProgramAxis how);
  /// Adds the program's number where `op` divides it by a constant; returns false where it does not.
  bool addDivided(Operation *op);
  void addUnknown() { found.axes.fill({ProgramAxis::Each, 1}); }

  ProgramAxes found;
  llvm::SetVector<Value> values; ///< each asked once
};

void ProgramWalk::add(tile::Axis axis, ProgramAxis how) {
  ProgramAxis &known = found.axes[size_t(axis)];
  if (known.kind == ProgramAxis::Same)
    known = how;
  else if (known != how)
    known = {ProgramAxis::Each, 1};
}

bool ProgramWalk::addDivided(Operation *op) {
  APInt number;
  if (op->getNumOperands() != 2 || !matchPattern(op->getOperand(1), m_ConstantInt(&number)))
    return false;
  auto id = op->getOperand(0).getDefiningOp<tile::ProgramIdOp>();
  if (!id)
    return false;
  // Divisions by powers of two are shifts and masks by now.
  if (isa<arith::ShRUIOp, arith::ShRSIOp>(op))
    add(id.getAxis(), {ProgramAxis::Quotient, int64_t(1) << number.getZExtValue()});
  else if (isa<arith::DivSIOp, arith::DivUIOp>(op))
    add(id.getAxis(), {ProgramAxis::Quotient, number.getSExtValue()});
  else if (isa<arith::RemSIOp, arith::RemUIOp>(op))
    add(id.getAxis(), {ProgramAxis::Remainder, number.getSExtValue()});
  else if (isa<arith::AndIOp>(op) && number.isMask())
    add(id.getAxis(), {ProgramAxis::Remainder, number.getSExtValue() + 1});
  else
    return false;
  return true;
}

void ProgramWalk::visitArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (isa<func::FuncOp>(parent))
    return;
  auto loop = dyn_cast<scf::ForOp>(parent);
  if (!loop)
    return addUnknown();
  values.insert_range(ArrayRef<Value>{loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
  if (OpOperand *initial = loop.getTiedLoopInit(argument)) {
    values.insert(initial->get());
    values.insert(loop.getTiedLoopYieldedValue(argument)->get());
  }
}

void ProgramWalk::visitOp(OpResult result) {
  Operation *op = result.getOwner();
  if (auto id = dyn_cast<tile::ProgramIdOp>(op))
    return add(id.getAxis(), {ProgramAxis::Each, 1});
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitArgument(loop.getTiedLoopRegionIterArg(result));
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    values.insert(branch.getCondition());
    values.insert(branch.thenYield().getOperand(result.getResultNumber()));
    values.insert(branch.elseYield().getOperand(result.getResultNumber()));
    return;
  }
  if (isa<RegionBranchOpInterface>(op))
    return addUnknown();
  if (auto load = dyn_cast<tile::LoadOp>(op)) {
    const tile::GlobalAccess access = tile::globalAccessOf(load);
    if (access.isVolatile || access.isAtomic())
      return addUnknown();
    found.loads.push_back(load);
  } else if (!isPure(op)) {
    return addUnknown();
  }
  if (!addDivided(op))
    values.insert_range(op->getOperands());
}

void ProgramWalk::visit(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return visitArgument(argument);
  visitOp(cast<OpResult>(value));
}

} // namespace

ProgramAxes programAxesOf(Value value) { return ProgramWalk().walk(value); }

} // namespace tegula
