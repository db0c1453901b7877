#include "compiler/driver/names/KernelNames.h"

#include "compiler/driver/FatalErrors.h"
#include "compiler/driver/ParsedSource.h"
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
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (!survives(made.diagnostics, [&](DiagnosticEngine &engine) {
        module = lowerToTile(source.program, spec, context, engine, {.names = true, .keepsWrong = true});
      }))
    (void)module.release(); // what LLVM gave up on is left alone
  else if (module)
    for (tile::BoundName &name : tile::boundNames(*module))
      made.names.push_back(plain(std::move(name)));
  return made;
}

} // namespace tegula
