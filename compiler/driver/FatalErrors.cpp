#include "compiler/driver/FatalErrors.h"

#include "llvm/Support/ErrorHandling.h"

#include <mutex>
#include <new>

namespace tegula {

namespace {

/// Thrown through LLVM's frames, which have tables for unwinding and nothing that would stop it.
struct FatalError {
  std::string reason;
};

void install() {
  llvm::install_fatal_error_handler([](void *, const char *reason, bool) { throw FatalError{reason}; });
  llvm::install_bad_alloc_error_handler([](void *, const char *, bool) { throw std::bad_alloc(); });
}

} // namespace

std::optional<std::string> catchFatalErrors(llvm::function_ref<void()> body) {
  static std::once_flag once;
  std::call_once(once, install);
  try {
    body();
  } catch (const FatalError &error) {
    return error.reason;
  }
  return std::nullopt;
}

bool survives(std::vector<Diagnostic> &diagnostics, llvm::function_ref<void(DiagnosticEngine &)> body) {
  DiagnosticEngine engine;
  std::optional<std::string> reason = catchFatalErrors([&] { body(engine); });
  llvm::append_range(diagnostics, engine.take());
  if (reason)
    diagnostics.push_back({.severity = Severity::Error, .message = "internal error: " + std::move(*reason)});
  return !reason;
}

} // namespace tegula
