// Finds kernels by name, under conditions and within classes and functions too.
#include "compiler/frontend/FindKernel.h"

#include "compiler/frontend/HostEvaluation.h"
#include "compiler/frontend/eval/Fixes.h"
#include "compiler/frontend/eval/names/Globals.h"

using namespace tegula;
using namespace tegula::eval;

namespace {

using ast::JitFunction;

/// "`a`, `b`", each name once.
std::string listed(llvm::ArrayRef<JitFunction> functions) {
  std::string names;
  llvm::StringMap<char> seen;
  for (const JitFunction &function : functions)
    if (seen.try_emplace(function.name).second)
      names += (names.empty() ? "`" : ", `") + function.name + "`";
  return names;
}

/// Those that one may mean without naming any: of functions in classes and functions only if there are no
/// others.
std::vector<JitFunction> eligible(const std::vector<JitFunction> &all) {
  std::vector<JitFunction> outer;
  llvm::copy_if(all, std::back_inserter(outer), [](const JitFunction &one) { return !one.isNested; });
  return outer.empty() ? all : outer;
}

Diagnostic noSuchKernel(const ast::Module &module, const std::string &name,
                        const std::vector<JitFunction> &all) {
  if (const ast::FunctionStmt *plain = ast::functionAtTop(module, name)) {
    Diagnostic diagnostic =
        makeDiagnostic(Severity::Error, *module.source, plain->nameRange,
                       "expected " + asCode(name) + " to be a kernel, found a plain function");
    diagnostic.help = "decorate it with `@triton.jit`";
    diagnostic.basis = Basis::Text;
    diagnostic.fixes.push_back(eval::jitFix(*module.source, *plain, "@triton.jit"));
    return diagnostic;
  }
  Diagnostic diagnostic;
  diagnostic.file = module.source->path();
  diagnostic.message = "there is no kernel " + asCode(name) + " in the file";
  NearestName nearest(name);
  for (const JitFunction &function : all)
    nearest.offer(function.name);
  if (!all.empty())
    diagnostic.help = "the file has " + listed(all);
  nearest.suggest(diagnostic);
  return diagnostic;
}

/// Returns the one of `named`, all of one name, that the conditions of the file lead to.
std::optional<JitFunction> decide(const ParsedProgram &program, const std::vector<JitFunction> &named,
                                  const KernelSpec &spec, mlir::MLIRContext &context,
                                  DiagnosticEngine &diagnostics) {
  const JitFunction &last = named.back();
  // The statements of a class are not looked into.
  if (last.isInClass || (named.size() == 1 && !last.isConditional))
    return last;
  HostEvaluation host(program, last.around, spec, context, diagnostics);
  const UnknownOrigin *undecided = nullptr;
  const ast::FunctionStmt *chosen =
      host.evaluator.names.globalsOf(host.unit()).jitFunction(last.function->name, undecided);
  for (const JitFunction &one : named)
    if (one.function == chosen)
      return one;
  if (undecided)
    host.evaluator.reportUnknown(*undecided, undecided->other);
  else
    host.reporter().error(last.function->nameRange,
                          "kernel " + asCode(last.name) + " stands under a condition that does not hold");
  return std::nullopt;
}

} // namespace

std::optional<JitFunction> tegula::findKernel(const ParsedProgram &program, const KernelSpec &spec,
                                              mlir::MLIRContext &context, DiagnosticEngine &diagnostics) {
  const ast::Module &module = program.module();
  std::vector<JitFunction> all = ast::jitFunctions(module), named;
  if (spec.kernel.empty())
    named = eligible(all);
  else
    llvm::copy_if(all, std::back_inserter(named),
                  [&](const JitFunction &one) { return one.name == spec.kernel; });
  if (named.empty() && !spec.kernel.empty()) {
    diagnostics.report(noSuchKernel(module, spec.kernel, all));
    return std::nullopt;
  }
  bool several = llvm::any_of(named, [&](const JitFunction &one) { return one.name != named[0].name; });
  if (!named.empty() && !several)
    return decide(program, named, spec, context, diagnostics);
  Diagnostic diagnostic;
  diagnostic.file = module.source->path();
  if (named.empty()) {
    diagnostic.message = "there is no `@triton.jit` function in the file";
  } else {
    llvm::StringMap<char> names;
    for (const JitFunction &one : named)
      names.try_emplace(one.name);
    diagnostic.message = "expected the name of a kernel, as the file has " + std::to_string(names.size());
    diagnostic.help = "one of " + listed(named);
  }
  diagnostics.report(std::move(diagnostic));
  return std::nullopt;
}
