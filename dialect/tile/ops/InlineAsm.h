// PTX by hand: what its constraints and its text may say, so that LLVM takes them.
#pragma once

#include "mlir/IR/TypeRange.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <string>

namespace tegula::tile {

/// A register that inline PTX names.
struct AsmRegister {
  char letter = 'r'; ///< r, h, l or b for an integer of 32, 16, 64 bits or a truth; f, d for a float
  std::optional<unsigned> tied; ///< the result whose register it is
  bool isResult = false;
};

/// The registers that elements of a type fill.
struct AsmPacking {
  unsigned perRegister; ///< elements in each
  unsigned registers;
  unsigned bits; ///< of a register that are filled
};
/// `pack` elements of `type`, a scalar or tensor; a pointer has 64 bits.
AsmPacking packingOf(mlir::Type type, unsigned pack);

/// The bits of a register with this letter; 0 for any other.
unsigned bitsOfRegister(char letter);

/// The registers of `constraints`, in order; nothing where they are none.
std::optional<llvm::SmallVector<AsmRegister>> parseConstraints(llvm::StringRef constraints);

/// Returns whether every `$` of an inline assembly is `$$`, `$N` or `${N}` with N below `registers`: at any
/// other LLVM ends the process.
bool namesItsRegisters(llvm::StringRef text, unsigned registers);

/// Returns why this cannot be inline PTX, "expected ..."; empty where it can.
std::string inlineAsmProblem(llvm::StringRef text, llvm::StringRef constraints, mlir::TypeRange operands,
                             mlir::TypeRange results, unsigned pack);

} // namespace tegula::tile
