#include "compiler/driver/names/KernelNames.h"

#include "compiler/driver/FatalErrors.h"
#include "compiler/driver/ParsedSource.h"
#include "compiler/frontend/Dialects.h"
#include "compiler/frontend/Frontend.h"
#include "dialect/tile/BoundNames.h"

#include <algorithm>

namespace tegula {

static NamePlace plain(const tile::SourcePlace &place) {
  return {place.file, place.line, place.column, place.endLine, place.endColumn};
}

static KernelName plain(tile::BoundName &&from) {
  KernelName name{.name = std::move(from.name),
                  .place = plain(from.place),
                  .endColumn = from.place.endColumn,
                  .calls = {},
                  .type = std::move(from.type),
                  .constant = std::move(from.constant),
                  .made = plain(from.made),
                  .isKept = from.isKept};
  for (const tile::SourcePlace &call : from.calls)
    name.calls.push_back(plain(call));
  return name;
}

bool KernelNames::hasErrors() const {
  return std::ranges::any_of(diagnostics,
                             [](const Diagnostic &one) { return one.severity == Severity::Error; });
}

KernelNames namesOf(const ParsedSource &source, const KernelSpec &spec) {
  KernelNames made{{}, source.diagnostics};
  if (source.hasErrors)
    return made;
  mlir::DialectRegistry registry;
  registerFrontendDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticEngine engine;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  const std::optional<std::string> fatal = catchFatalErrors([&] {
    module = lowerToTile(source.program, spec, context, engine, {.names = true, .keepsWrong = true});
  });
  for (Diagnostic &diagnostic : engine.take())
    made.diagnostics.push_back(std::move(diagnostic));
  if (fatal)
    made.diagnostics.push_back({.severity = Severity::Error, .message = "internal error: " + *fatal});
  else if (module)
    for (tile::BoundName &name : tile::boundNames(*module))
      made.names.push_back(plain(std::move(name)));
  if (fatal)
    (void)module.release(); // what LLVM gave up on is left alone
  return made;
}

} // namespace tegula
