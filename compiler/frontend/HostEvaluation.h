// Evaluates code outside kernels, as Python would before a launch.
#pragma once

#include "compiler/frontend/eval/walk/Evaluator.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tegula::eval {

/// An evaluator of the code outside kernels of a program's entry. What that code wrongly makes of the
/// device's operations goes into a function that is thrown away.
class HostEvaluation {
public:
  /// `around` are the functions that the code stands in, from the outside in.
  HostEvaluation(const ParsedProgram &program, llvm::ArrayRef<const ast::FunctionStmt *> around,
                 const KernelSpec &spec, mlir::MLIRContext &context, DiagnosticEngine &diagnostics);

  Value eval(const ast::Expr *expr) { return evaluator.evalHost(expr, units.innermost()); }
  Reporter &reporter() { return evaluator.reporter; }
  const Unit &unit() const { return units.innermost(); }

private:
  Units units;

public:
  Evaluator evaluator;

private:
  Activation root;
  Reporter::Scope active;
  mlir::OwningOpRef<mlir::ModuleOp> scratch;
  Scope scope;
  Frame frame;
};

} // namespace tegula::eval
