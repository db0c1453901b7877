// Errors after the front end that the kernel's author can mend. All others there are the compiler's own.
#pragma once

#include "mlir/IR/Diagnostics.h"

#include <optional>

namespace tegula {

/// An error about the kernel, not about the compiler. `help`, a literal, says how to mend it.
mlir::InFlightDiagnostic emitAuthorError(mlir::Location location, llvm::StringLiteral help);

/// Says as data what the kernel needs too much of; `error` is of `emitAuthorError`, `name` a literal.
void attachResource(mlir::InFlightDiagnostic &error, llvm::StringLiteral name, uint64_t required,
                    uint64_t limit);

/// The arguments of `attachResource`; nothing where it was not called.
struct AttachedResource {
  llvm::StringRef name;
  uint64_t required, limit;
};
std::optional<AttachedResource> resourceOf(mlir::Diagnostic &diagnostic);

/// The help of such an error; nothing for any other diagnostic.
std::optional<llvm::StringRef> authorHelpOf(mlir::Diagnostic &diagnostic);

} // namespace tegula
