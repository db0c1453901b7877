// `tegula-lsp`: a language server for kernels, and with MLIR's own for the text of the stages.
#include "compiler/driver/Pipeline.h"
#include "tools/tegula/Subcommands.h"
#include "tools/tegula/lsp/OtherServer.h"
#include "tools/tegula/lsp/Server.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "llvm/Support/raw_ostream.h"

#include <string_view>

/// MLIR's server alone, whose options these are.
static int mlirLspMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  tegula::registerTegulaDialects(registry);
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}

int tegula::cli::lspMain(int argc, char **argv) {
  // Editors name the transport that is the only one.
  const bool isPlain = argc <= 1 || (argc == 2 && std::string_view(argv[1]) == "--stdio");
  if (!isPlain)
    return mlirLspMain(argc, argv);
  Connection connection(stdin, llvm::outs());
  OtherServer other(connection);
  return Server(connection, readDocCommand,
                [&](const llvm::json::Object &message) { return other.take(message); })
      .run();
}
