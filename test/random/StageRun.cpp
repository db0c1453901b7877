#include "test/random/StageRun.h"

#include "compiler/driver/Pipeline.h"
#include "compiler/interp/Interpreter.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"

namespace tegula::random {

static std::string textOf(const interp::Fault &fault) {
  std::string place;
  llvm::raw_string_ostream(place) << fault.location;
  return llvm::formatv("{0}{1}, at {2}", fault.text, fault.element.empty() ? "" : " element " + fault.element,
                       place);
}

std::string runStage(const std::string &text, std::array<uint32_t, 3> grid,
                     const std::function<uint64_t(const std::string &)> &bitsOf, interp::Memory &memory,
                     uint64_t stepLimit) {
  mlir::DialectRegistry registry;
  registerTegulaDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string problems;
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    problems += diagnostic.str() + "\n";
    return mlir::success();
  });
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  if (!module)
    return "the text of the stage does not parse: " + problems;
  mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
  std::optional<interp::Fault> fault;
  std::unique_ptr<interp::Kernel> kernel = interp::Kernel::prepare(function, fault);
  if (fault)
    return textOf(*fault);
  llvm::SmallVector<uint64_t> arguments;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    arguments.push_back(bitsOf(function.getArgAttrOfType<tile::ParamAttr>(i, "tile.param").getName().str()));
  interp::Options options;
  options.stepLimit = stepLimit;
  fault = kernel->launch(grid, arguments, memory, options);
  return fault ? textOf(*fault) : std::string();
}

} // namespace tegula::random
