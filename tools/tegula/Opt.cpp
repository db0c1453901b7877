// `tegula-opt`: runs passes over a stage's text.
#include "compiler/driver/Pipeline.h"
#include "tools/tegula/Subcommands.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int tegula::cli::optMain(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerTegulaDialects(registry);
  registerTegulaPasses();
  return failed(mlir::MlirOptMain(argc, argv, "tegula-opt: passes over Tegula's stages\n", registry));
}
