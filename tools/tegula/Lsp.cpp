// `tegula-lsp`: a language server for the text of the stages.
#include "compiler/driver/Pipeline.h"
#include "tools/tegula/Subcommands.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int tegula::cli::lspMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerTegulaDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
