#include "runtime/jit/program/CompileError.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tegula::jit {

bool hasErrors(const std::vector<Diagnostic> &diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(), isError);
}

runtime::Error compileError(std::vector<Diagnostic> diagnostics) {
  runtime::Error error{runtime::ErrorKind::Compile, render(diagnostics)};
  for (const Diagnostic &diagnostic : diagnostics)
    if (diagnostic.resource)
      error.resource = {diagnostic.resource->name, diagnostic.resource->required, diagnostic.resource->limit};
  error.diagnostics = std::make_shared<const std::vector<Diagnostic>>(std::move(diagnostics));
  return error;
}

} // namespace tegula::jit
