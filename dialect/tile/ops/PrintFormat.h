// The lines that `tile.print` writes, as formats of printf: those of Triton, for the device and the
// interpreter alike.
#pragma once

#include "mlir/IR/Types.h"

#include <cstdint>
#include <string>

namespace tegula::tile {

class PrintOp;

/// The way in which an element of a type is handed to printf and written there.
struct PrintedElement {
  enum class As : uint8_t {
    Address, ///< 64 bits
    Double,  ///< any float, widened
    Bits,    ///< an integer, below 32 bits extended to these
  };
  As as = As::Bits;
  bool isSigned = false; ///< of Bits: extends with its sign
  std::string conversion;
};
PrintedElement printedElement(mlir::Type element, bool isSigned, bool hex);

/// Indices that a line names of an element of a tensor of `rank` dimensions: printf takes no more values.
unsigned printedIndices(size_t rank);

/// The line of each element of operand `index`: the values are the program's three indices, then the
/// element's, then the element.
std::string printFormat(PrintOp op, unsigned index);
/// The line of a print without operands: the values are the program's indices.
std::string printFormat(PrintOp op);

} // namespace tegula::tile
