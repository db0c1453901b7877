#include "compiler/analysis/AuthorError.h"

using namespace mlir;

namespace tegula {

// The help travels as metadata, which other errors have none of.

InFlightDiagnostic emitAuthorError(Location location, llvm::StringLiteral help) {
  InFlightDiagnostic error = emitError(location);
  error.getUnderlyingDiagnostic()->getMetadata().push_back(DiagnosticArgument(llvm::StringRef(help)));
  return error;
}

std::optional<llvm::StringRef> authorHelpOf(Diagnostic &diagnostic) {
  if (diagnostic.getMetadata().empty())
    return std::nullopt;
  return diagnostic.getMetadata().front().getAsString();
}

} // namespace tegula
