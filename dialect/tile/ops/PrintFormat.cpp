#include "dialect/tile/ops/PrintFormat.h"

#include "dialect/tile/Tile.h"

#include "mlir/IR/TypeUtilities.h"

#include <algorithm>

using namespace mlir;

namespace tegula::tile {

/// The limits of the device's printf.
static constexpr unsigned maxValues = 32, valuesOfProgram = 3;

PrintedElement printedElement(Type element, bool isSigned, bool hex) {
  if (isa<PtrType>(element))
    return {PrintedElement::As::Address, false, "%p"};
  const unsigned bits = element.getIntOrFloatBitWidth();
  const std::string length = bits > 32 ? "ll" : "";
  const bool isFloat = isa<FloatType>(element);
  if (isFloat)
    return {PrintedElement::As::Double, false, hex ? "%a" : "%f"};
  if (hex) // what is below 32 bits shows its sign in all of them, as Triton's does
    return {PrintedElement::As::Bits, isSigned && bits > 1,
            "0x%0" + std::to_string(std::max(1u, bits / 4)) + length + "x"};
  return {PrintedElement::As::Bits, isSigned && bits > 1, "%" + length + (isSigned ? "d" : "u")};
}

unsigned printedIndices(size_t rank) {
  return unsigned(std::min<size_t>(rank, maxValues - valuesOfProgram - 2));
}

/// Digits of the largest index of a dimension.
static size_t digitsOf(int64_t size) { return std::to_string(std::max<int64_t>(size, 1) - 1).size(); }

static std::string escaped(llvm::StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '%' ? "%%" : std::string(1, c);
  return result;
}

/// "idx (%3u, %2u)"
static std::string indexFormat(llvm::ArrayRef<int64_t> shape) {
  std::string text;
  for (int64_t size : shape.take_front(printedIndices(shape.size())))
    text += (text.empty() ? "%" : ", %") + std::to_string(digitsOf(size)) + "u";
  if (shape.size() > printedIndices(shape.size()))
    text += ", ... (truncated)";
  return "idx (" + text + ")";
}

static constexpr const char *programFormat = "pid (%u, %u, %u)";

std::string printFormat(PrintOp op, unsigned index) {
  Type type = op.getOperands()[index].getType();
  auto tensor = dyn_cast<RankedTensorType>(type);
  const std::string number = op.getOperands().size() > 1 ? "(operand " + std::to_string(index) + ") " : "";
  return std::string(programFormat) + " " +
         indexFormat(tensor ? tensor.getShape() : llvm::ArrayRef<int64_t>()) + escaped(op.getPrefix()) +
         number +
         printedElement(getElementTypeOrSelf(type), op.getIsSigned()[index], op.getHex()).conversion + "\n";
}

std::string printFormat(PrintOp op) { return programFormat + escaped(op.getPrefix()) + "\n"; }

} // namespace tegula::tile
