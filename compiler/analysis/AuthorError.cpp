#include "compiler/analysis/AuthorError.h"

using namespace mlir;

namespace tegula {

// The help travels as metadata, which other errors have none of; after it, in three parts, the resource of
// which there is too little.

InFlightDiagnostic emitAuthorError(Location location, llvm::StringLiteral help) {
  InFlightDiagnostic error = emitError(location);
  error.getUnderlyingDiagnostic()->getMetadata().push_back(DiagnosticArgument(llvm::StringRef(help)));
  return error;
}

void attachResource(InFlightDiagnostic &error, llvm::StringLiteral name, uint64_t required, uint64_t limit) {
  auto &metadata = error.getUnderlyingDiagnostic()->getMetadata();
  metadata.push_back(DiagnosticArgument(llvm::StringRef(name)));
  metadata.push_back(DiagnosticArgument(required));
  metadata.push_back(DiagnosticArgument(limit));
}

std::optional<AttachedResource> resourceOf(Diagnostic &diagnostic) {
  auto &metadata = diagnostic.getMetadata();
  if (metadata.size() < 4)
    return std::nullopt;
  return AttachedResource{metadata[1].getAsString(), metadata[2].getAsUnsigned(),
                          metadata[3].getAsUnsigned()};
}

std::optional<llvm::StringRef> authorHelpOf(Diagnostic &diagnostic) {
  if (diagnostic.getMetadata().empty())
    return std::nullopt;
  return diagnostic.getMetadata().front().getAsString();
}

} // namespace tegula
