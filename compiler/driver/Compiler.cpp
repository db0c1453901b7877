#include "compiler/driver/Compiler.h"

#include "compiler/driver/Compilation.h"
#include "compiler/driver/FatalErrors.h"
#include "compiler/driver/ParsedSource.h"
#include "compiler/driver/Worker.h"
#include "compiler/emit/libraries/LibraryFile.h"
#include "compiler/frontend/FindKernel.h"
#include "compiler/frontend/HostExpression.h"

namespace tegula {

void identifyLibraries(std::vector<ExternLibrary> &libraries) {
  for (ExternLibrary &library : libraries) {
    std::string problem;
    const std::shared_ptr<const LibraryFile> file = openLibrary(library.path, problem);
    library.digest = file ? file->digest : "";
  }
}

struct Compiler::Impl {
  /// Runs `body` with a context of its own, and appends what it reports to `diagnostics`: an error, too,
  /// where LLVM gives up.
  void run(std::vector<Diagnostic> &diagnostics,
           llvm::function_ref<void(mlir::MLIRContext &, DiagnosticEngine &)> body) {
    std::unique_ptr<Worker> worker = workers.take();
    const bool survived =
        survives(diagnostics, [&](DiagnosticEngine &engine) { body(worker->context, engine); });
    workers.giveBack(std::move(worker), /*isLost=*/!survived);
  }

  Workers workers;
};

Compiler::Compiler() : impl(std::make_unique<Impl>()) {}
Compiler::~Compiler() = default;

std::shared_ptr<const ParsedSource> Compiler::parse(std::string path, std::string text,
                                                    ImportOptions imports) {
  return parseSource(std::move(path), std::move(text), std::move(imports));
}

std::shared_ptr<const ParsedSource> Compiler::parse(std::vector<SourceUnit> units, size_t entry) {
  return parseSources(std::move(units), entry);
}

CompileResult Compiler::compile(const ParsedSource &source, const KernelSpec &spec,
                                const CompileOptions &options) {
  std::unique_ptr<Worker> worker = impl->workers.take();
  Compilation compilation(*worker, source, spec, options);
  CompileResult result = compilation.run();
  impl->workers.giveBack(std::move(worker), compilation.isLost());
  return result;
}

TermsResult Compiler::terms(const ParsedSource &source, const KernelSpec &spec,
                            const cost::LaunchFacts &launch) {
  std::unique_ptr<Worker> worker = impl->workers.take();
  const CompileOptions options;
  Compilation compilation(*worker, source, spec, options);
  TermsResult result = compilation.terms(launch);
  impl->workers.giveBack(std::move(worker), compilation.isLost());
  return result;
}

CompileResult Compiler::resume(const std::string &path, const std::string &text, Stage from,
                               const CompileOptions &options) {
  std::unique_ptr<Worker> worker = impl->workers.take();
  ParsedSource source;
  source.files.push_back(std::make_shared<const SourceFile>(path, text));
  const KernelSpec unused;
  Compilation compilation(*worker, source, unused, options);
  CompileResult result = compilation.resume(from);
  impl->workers.giveBack(std::move(worker), compilation.isLost());
  return result;
}

std::optional<KernelInfo> Compiler::definition(const ParsedSource &source, const std::string &name,
                                               const std::string &target, const std::string &tritonVersion) {
  std::optional<KernelInfo> found;
  std::vector<Diagnostic> unused;
  KernelSpec spec;
  spec.kernel = name;
  spec.target = target;
  spec.tritonVersion = tritonVersion;
  if (!source.hasErrors)
    impl->run(unused, [&](mlir::MLIRContext &context, DiagnosticEngine &engine) {
      if (std::optional<ast::JitFunction> kernel = findKernel(source.program, spec, context, engine))
        found = describeKernel(source, *kernel);
    });
  return found;
}

ConfigsResult Compiler::configs(const ParsedSource &source, const std::string &name,
                                const std::string &target, const std::string &tritonVersion) {
  ConfigsResult result;
  result.diagnostics = source.diagnostics;
  if (source.hasErrors)
    return result;
  KernelSpec spec;
  spec.kernel = name;
  spec.target = target;
  spec.tritonVersion = tritonVersion;
  impl->run(result.diagnostics, [&](mlir::MLIRContext &context, DiagnosticEngine &engine) {
    if (std::optional<ast::JitFunction> kernel = findKernel(source.program, spec, context, engine))
      result.configs = readConfigs(source.program, *kernel->function, spec, context, engine);
  });
  return result;
}

HeuristicsResult Compiler::heuristics(const ParsedSource &source, const KernelSpec &known,
                                      const std::set<std::string> &wanted) {
  HeuristicsResult result;
  result.diagnostics = source.diagnostics;
  if (source.hasErrors)
    return result;
  impl->run(result.diagnostics, [&](mlir::MLIRContext &context, DiagnosticEngine &engine) {
    if (std::optional<ast::JitFunction> kernel = findKernel(source.program, known, context, engine))
      result.values = computeHeuristics(source.program, *kernel->function, known, wanted, context, engine);
  });
  return result;
}

ExpressionResult Compiler::evaluate(const std::string &what, const std::string &expression,
                                    const std::map<std::string, BoundValue> &names) {
  ExpressionResult result;
  impl->run(result.diagnostics, [&](mlir::MLIRContext &context, DiagnosticEngine &engine) {
    result.value = evaluateExpression(what, expression, names, context, engine);
  });
  return result;
}

} // namespace tegula
