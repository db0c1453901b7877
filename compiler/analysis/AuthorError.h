// Errors behind the front end that the kernel's author can mend. All others there are the compiler's own.
#pragma once

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace tegula {

/// An error about the kernel, not about the compiler. `help`, a literal, says how to mend it.
mlir::InFlightDiagnostic emitAuthorError(mlir::Location location, llvm::StringLiteral help);

/// The help of such an error; nothing for any other diagnostic.
std::optional<llvm::StringRef> authorHelpOf(mlir::Diagnostic &diagnostic);

} // namespace tegula
