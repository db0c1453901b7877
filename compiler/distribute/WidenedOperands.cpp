#include "compiler/distribute/WidenedOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

namespace tegula {

/// Returns the value that `operand` has the elements of, in another order or place.
static Value elementsOf(Value operand) {
  while (Operation *op = operand.getDefiningOp()) {
    if (!isa<tile::ConvertLayoutOp, tile::TransOp, tile::ReshapeOp>(op))
      break;
    operand = op->getOperand(0);
  }
  return operand;
}

Type widenedFrom(Value operand) {
  auto widen = elementsOf(operand).getDefiningOp<arith::ExtFOp>();
  Type from = widen ? getElementTypeOrSelf(widen.getIn().getType()) : Type();
  return from && from.getIntOrFloatBitWidth() == 16 ? from : Type();
}

std::optional<Reason> whyWidened(tile::DotOp dot) {
  if (!dot.getAType().getElementType().isF32())
    return std::nullopt;
  for (auto [widened, other, name] :
       {std::tuple(dot.getA(), dot.getB(), "b"), std::tuple(dot.getB(), dot.getA(), "a")}) {
    Type from = widenedFrom(widened);
    Operation *computed = elementsOf(other).getDefiningOp();
    if (!from || !computed || isa<tile::LoadOp>(computed))
      continue;
    const std::string type = from.isF16() ? "fp16" : "bf16";
    Reason why = because("units multiply {0} twice as fast as f32", type);
    why.causes = {{"it is converted from " + type, elementsOf(widened).getLoc()}};
    why.advice.change =
        llvm::formatv("convert operand `{0}` to {1} instead, where its digits do: `.to(tl.{2})`", name, type,
                      from.isF16() ? "float16" : "bfloat16")
            .str();
    return why;
  }
  return std::nullopt;
}

} // namespace tegula
