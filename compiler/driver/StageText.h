// The text of a stage that MLIR passes make: written with a mark that names the stage, and read back.
#pragma once

#include "compiler/driver/Stage.h"
#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/frontend/syntax/text/Source.h"
#include "compiler/target/Target.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace tegula {

/// `module` as text, with its mark in front, so that it can be gone on from.
std::string stageText(Stage stage, mlir::ModuleOp module);

/// Contents of a stage's text.
struct StageModule {
  mlir::OwningOpRef<mlir::ModuleOp> module;
  const Target *target = nullptr;
  std::string kernel; ///< its name
  uint32_t warps = 0; ///< of a program
};

/// Reads the text of stage `from` (Tile to Llvm) and checks what the stage promises. What is wrong with it is
/// its writer's mistake, not the compiler's; it goes to `diagnostics`, and the result is empty.
std::optional<StageModule> readStage(Stage from, const SourceFile &file, mlir::MLIRContext &context,
                                     std::vector<Diagnostic> &diagnostics);

} // namespace tegula
