#include "compiler/frontend/HostEvaluation.h"

#include "compiler/frontend/Dialects.h"
#include "compiler/frontend/builtins/BuiltinTable.h"

using namespace tegula;
using namespace tegula::eval;

HostEvaluation::HostEvaluation(const ParsedProgram &program, llvm::ArrayRef<const ast::FunctionStmt *> around,
                               const KernelSpec &spec, mlir::MLIRContext &context,
                               DiagnosticEngine &diagnostics)
    : units(program, around), evaluator(&context, languageFunctions(), units.innermost(), spec, diagnostics),
      root{&units.innermost(), "", {}, nullptr}, active(evaluator.reporter, root) {
  loadFrontendDialects(context);
  scratch = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  mlir::OpBuilder &builder = evaluator.emit.builder;
  builder.setInsertionPointToStart(scratch->getBody());
  auto function = mlir::func::FuncOp::create(builder, mlir::UnknownLoc::get(&context), "host",
                                             builder.getFunctionType({}, {}));
  builder.setInsertionPointToStart(function.addEntryBlock());
  frame.unit = &units.innermost();
  frame.mode = Mode::Host;
  frame.scope = &scope;
  frame.activation = root;
  evaluator.frame = &frame;
}
