// Syntax tree to tile IR: one kernel, specialised for its arguments.
#pragma once

#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/values/ParsedProgram.h"
#include "compiler/spec/KernelSpec.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tegula {

/// Options of the module that is made.
struct TileOptions {
  /// Says which names get which values, as `tile.bind` (dialect/tile/BoundNames.h).
  bool names = false;
  /// In spite of errors returns what was evaluated, for its names alone: no verifier has seen it.
  bool keepsWrong = false;
};

/// Evaluates the kernel that `spec` names for the arguments that it gives. `program` has parsed without
/// errors. The result holds one function, as the README of this folder describes; it is null exactly
/// when an error was reported, unless `options.keepsWrong`. Loads the dialects it needs into `context`.
mlir::OwningOpRef<mlir::ModuleOp> lowerToTile(const ParsedProgram &program, const KernelSpec &spec,
                                              mlir::MLIRContext &context, DiagnosticEngine &diagnostics,
                                              const TileOptions &options = {});

} // namespace tegula
