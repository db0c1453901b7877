// Finds the function of a file that a launch means.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/syntax/ast/JitFunctions.h"
#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/spec/KernelSpec.h"

#include <optional>

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tegula {

/// The kernel that `spec` names, or the only one of the program's entry where it names none; nothing after a
/// report. Where conditions of the file decide which definition holds they are evaluated, with the target of
/// `spec`.
std::optional<ast::JitFunction> findKernel(const ParsedProgram &program, const KernelSpec &spec,
                                           mlir::MLIRContext &context, DiagnosticEngine &diagnostics);

} // namespace tegula
