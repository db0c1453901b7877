// One expression of Python outside kernels: the grid of a launch, as a command line gives it.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/spec/KernelSpec.h"

namespace mlir {
class MLIRContext;
} // namespace mlir

namespace tegula {

/// The value of `expression`, in which `names` have these values and `cdiv`, `next_power_of_2` and `triton`
/// their own. Nothing after a report, where messages call its place `what`; a value that no parameter could
/// take (a function, an object) is an error too.
std::optional<BoundValue> evaluateExpression(const std::string &what, const std::string &expression,
                                             const std::map<std::string, BoundValue> &names,
                                             mlir::MLIRContext &context, DiagnosticEngine &diagnostics);

} // namespace tegula
