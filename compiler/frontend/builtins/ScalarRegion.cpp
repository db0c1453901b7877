#include "compiler/frontend/builtins/ScalarRegion.h"

#include "dialect/tile/LayoutInference.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace tegula;

namespace {

/// Names an effect of an op that a pure function does not have; empty for none.
StringRef effectOf(Operation &op) {
  if (llvm::any_of(op.getResultTypes(), [](Type type) { return isa<ShapedType>(type); }))
    return "makes a tensor";
  if (tile::GlobalAccess access = tile::globalAccessOf(&op))
    return access.onlyReads() ? "reads memory" : "writes memory";
  if (tile::does(&op, tile::Interaction::SyncsThreads))
    return "waits for other threads";
  if (tile::does(&op, tile::Interaction::AsksDevice))
    return "asks for things of the device itself";
  return "states what holds";
}

bool isTensor(Value value) { return isa<RankedTensorType>(value.getType()); }

bool isOneElement(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getNumElements() == 1;
}

/// The scalar that the only element of `op`'s result is, or the scalar result itself; null where that is not
/// known. `scalars` has those of the tensors before.
Value scalarOf(OpBuilder &builder, Operation *op, const IRMapping &scalars) {
  if (op->getNumResults() != 1)
    return {};
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
    auto only = elements ? cast<TypedAttr>(*elements.value_begin<Attribute>()) : TypedAttr();
    return only ? Value(arith::ConstantOp::create(builder, op->getLoc(), only)) : Value();
  }
  if (auto splat = dyn_cast<tile::SplatOp>(op))
    return splat.getSource();
  SmallVector<Value, 4> operands;
  for (Value operand : op->getOperands()) {
    if (isTensor(operand) && !scalars.contains(operand))
      return {};
    operands.push_back(scalars.lookupOrDefault(operand));
  }
  // A reduction of one element has nothing to combine.
  if (isa<tile::ExpandDimsOp, tile::BroadcastOp, tile::ReshapeOp, tile::TransOp, tile::ReduceOp>(op))
    return operands.front();
  if (!tile::isElementwise(op) || !isMemoryEffectFree(op) || op->getNumRegions())
    return {};
  OperationState state(op->getLoc(), op->getName(), operands, tile::elementTypeOf(op->getResult(0).getType()),
                       op->getAttrs());
  return builder.create(state)->getResult(0);
}

} // namespace

void eval::makeScalar(Block &body) {
  SmallVector<Operation *> ops;
  body.walk<WalkOrder::PreOrder>([&](Operation *op) { ops.push_back(op); });
  IRMapping scalars;
  for (Operation *op : ops) {
    bool makesOne = llvm::any_of(op->getResultTypes(), isOneElement);
    bool takesOne = llvm::any_of(op->getOperands(), isTensor);
    if (!makesOne && !takesOne)
      continue;
    if (isa<tile::AssertOp, tile::PrintOp>(op)) {
      for (OpOperand &operand : op->getOpOperands())
        operand.set(scalars.lookupOrDefault(operand.get()));
      continue;
    }
    OpBuilder builder(op);
    mlir::Value scalar = scalarOf(builder, op, scalars);
    if (!scalar)
      continue;
    if (makesOne)
      scalars.map(op->getResult(0), scalar);
    else
      op->getResult(0).replaceAllUsesWith(scalar);
  }
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

bool eval::checkScalarCode(Call &call, size_t parameter, std::string_view verb, const Function &function,
                           Block &body) {
  Operation *culprit = tile::firstThatIsNoScalarCode(body);
  if (!culprit)
    return true;
  Diagnostic &diagnostic = call.report(
      call.rangeOf(parameter), "expected a function that only " + std::string(verb) + ", but " +
                                   asCode(function.definition->name) + " " + effectOf(*culprit).str());
  call.reporter.addOrigin(diagnostic, culprit->getLoc(), "it does so here");
  return false;
}

std::nullopt_t eval::refuseResult(Call &call, size_t parameter, const Function &function,
                                  const std::string &expected, const std::string &found) {
  const std::string name = asCode(function.definition->name);
  Diagnostic &diagnostic = call.report(call.rangeOf(parameter),
                                       "expected " + name + " to return " + expected + ", found " + found);
  call.reporter.addNote(diagnostic, *function.unit, function.definition->nameRange,
                        name + " is defined here");
  return std::nullopt;
}
