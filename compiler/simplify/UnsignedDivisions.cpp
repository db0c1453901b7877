// The pass `unsigned-divisions`: Passes.td says what it does and why it is where it is.
#include "compiler/analysis/integers/AxisInfoAnalysis.h"
#include "compiler/simplify/Passes.h"
#include "dialect/tile/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tegula;

namespace tegula {
#define GEN_PASS_DEF_UNSIGNEDDIVISIONSPASS
#include "compiler/simplify/Passes.h.inc"
} // namespace tegula

namespace {

/// `value` as a constant of `type`, each element of it where that is a tensor.
Value constantOf(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  auto scalar = builder.getIntegerAttr(tile::elementTypeOf(type), value);
  auto tensor = dyn_cast<RankedTensorType>(type);
  TypedAttr attribute = tensor ? TypedAttr(DenseElementsAttr::get(tensor, value)) : TypedAttr(scalar);
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// The unsigned op that does what `op` does where neither operand is negative.
Value unsignedForm(OpBuilder &builder, Operation *op) {
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  bool isRemainder = isa<arith::RemSIOp>(op);
  APInt number;
  if (matchPattern(divisor, m_ConstantInt(&number)) && number.isPowerOf2()) {
    if (isRemainder)
      return arith::AndIOp::create(builder, loc, dividend,
                                   constantOf(builder, loc, divisor.getType(), number - 1));
    APInt shift(number.getBitWidth(), number.logBase2());
    return arith::ShRUIOp::create(builder, loc, dividend, constantOf(builder, loc, divisor.getType(), shift));
  }
  if (isRemainder)
    return arith::RemUIOp::create(builder, loc, dividend, divisor);
  return arith::DivUIOp::create(builder, loc, dividend, divisor);
}

struct UnsignedDivisionsPass : tegula::impl::UnsignedDivisionsPassBase<UnsignedDivisionsPass> {
  void runOnOperation() override {
    SmallVector<Operation *> divisions;
    getOperation().walk([&](Operation *op) {
      if (isa<arith::DivSIOp, arith::RemSIOp>(op))
        divisions.push_back(op);
    });
    if (divisions.empty())
      return;
    // A value changes here, so nothing is taken on trust. All is asked before anything is changed.
    AxisInfoAnalysis facts(getOperation(), Trust::Nothing);
    llvm::erase_if(divisions, [&](Operation *op) {
      return !facts.isNotNegative(op->getOperand(0)) || !facts.isNotNegative(op->getOperand(1));
    });
    for (Operation *op : divisions) {
      OpBuilder builder(op);
      Value replacement = unsignedForm(builder, op);
      remark::passed(op->getLoc(), remark::RemarkOpts::name("unsigned").category("division"))
          << "divides without signs: neither number is negative";
      op->getResult(0).replaceAllUsesWith(replacement);
      op->erase();
    }
  }
};

} // namespace
