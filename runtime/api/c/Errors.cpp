// Errors and diagnostics as data.
#include "runtime/api/c/Guard.h"
#include "runtime/api/c/RuntimeHandles.h"

#include "compiler/frontend/syntax/text/Diagnostic.h"

#include <exception>
#include <new>

namespace tegula::c {

// Declared apart from ours, so that the header needs nothing of them, but in the same order.
static_assert(int(runtime::ErrorKind::InvalidArgument) + 1 == TEGULA_INVALID_ARGUMENT &&
              int(runtime::ErrorKind::Fault) + 1 == TEGULA_FAULT &&
              int(runtime::ErrorKind::Io) + 1 == TEGULA_IO &&
              int(runtime::ErrorKind::Interrupted) + 1 == TEGULA_INTERRUPTED &&
              int(runtime::ErrorKind::Frozen) + 1 == TEGULA_FROZEN);

static tegula_severity severityOf(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return TEGULA_ERROR;
  case Severity::Warning:
    return TEGULA_WARNING;
  case Severity::Note:
  case Severity::Remark:
    break;
  }
  return TEGULA_NOTE;
}

DiagnosticList::DiagnosticList(std::shared_ptr<const std::vector<Diagnostic>> given)
    : source(std::move(given)) {
  if (source)
    list = convert(*source);
}

std::vector<tegula_diagnostic> DiagnosticList::convert(const std::vector<Diagnostic> &from) {
  std::vector<tegula_diagnostic> converted;
  for (const Diagnostic &one : from) {
    tegula_diagnostic diagnostic{severityOf(one.severity),
                                 one.message.c_str(),
                                 one.file.c_str(),
                                 one.line,
                                 one.column,
                                 one.endColumn,
                                 one.sourceLine.c_str(),
                                 one.help ? one.help->c_str() : "",
                                 nullptr,
                                 one.notes.size()};
    if (!one.notes.empty())
      diagnostic.notes = notes.emplace_back(convert(one.notes)).data();
    converted.push_back(diagnostic);
  }
  return converted;
}

/// Returns the error for the case that there is no memory for another. It is never freed. Its text is short
/// enough to need no memory of its own.
static tegula_error &outOfMemory() {
  static tegula_error error{{runtime::ErrorKind::OutOfResources, "out of memory"}, {}};
  return error;
}

tegula_error *makeError(runtime::Error error) noexcept {
  try {
    DiagnosticList diagnostics(error.diagnostics);
    return new tegula_error{std::move(error), std::move(diagnostics)};
  } catch (const std::bad_alloc &) {
    return &outOfMemory();
  }
}

tegula_error *errorOfException() noexcept {
  try {
    throw;
  } catch (const std::bad_alloc &) {
    return &outOfMemory();
  } catch (const std::exception &exception) {
    return makeError({runtime::ErrorKind::Compile, std::string("internal error: ") + exception.what()});
  } catch (...) {
    return makeError({runtime::ErrorKind::Compile, "internal error: an unknown exception"});
  }
}

runtime::Result<void> require(std::initializer_list<Required> pointers) {
  for (const Required &one : pointers)
    if (!one.isGiven)
      return runtime::Error{runtime::ErrorKind::InvalidArgument,
                            std::string("expected `") + one.name + "`, found null"};
  return {};
}

} // namespace tegula::c

using namespace tegula;

tegula_error_kind tegula_error_get_kind(const tegula_error *error) {
  return error ? tegula_error_kind(int(error->error.kind) + 1) : tegula_error_kind(0);
}

const char *tegula_error_text(const tegula_error *error) { return error ? error->error.text.c_str() : ""; }

bool tegula_error_resource(const tegula_error *error, const char **name, uint64_t *required,
                           uint64_t *limit) {
  if (!error || error->error.resource.name.empty())
    return false;
  const runtime::Resource &resource = error->error.resource;
  if (name)
    *name = resource.name.c_str();
  if (required)
    *required = resource.required;
  if (limit)
    *limit = resource.limit;
  return true;
}

void tegula_error_free(tegula_error *error) {
  if (error != &c::outOfMemory())
    delete error;
}
