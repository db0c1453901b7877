#include "compiler/driver/Compilation.h"

#include "compiler/analysis/resources/CodeSize.h"
#include "compiler/cost/KernelTerms.h"
#include "compiler/driver/FatalErrors.h"
#include "compiler/driver/MlirMessages.h"
#include "compiler/driver/StageText.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/syntax/ast/AstPrinter.h"
#include "compiler/lower/Passes.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

namespace tegula {

/// Prints all that later stages read.
static std::string textWithPlaces(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, mlir::OpPrintingFlags().enableDebugInfo());
  return text;
}

Compilation::Compilation(Worker &worker, const ParsedSource &source, const KernelSpec &spec,
                         const CompileOptions &options)
    : worker(worker), source(source), spec(spec), options(options),
      kernel(spec.kernel.empty() ? "kernel" : spec.kernel), warps(spec.warps()) {
  if (!options.insight)
    return;
  insight = std::make_shared<insight::Insight>();
  reader.emplace(*insight);
}

CompileResult Compilation::run() {
  result.diagnostics = source.diagnostics;
  if (source.hasErrors || !checkSpec())
    return std::move(result);
  if (finish(Stage::Ast, [&] { return ast::printModule(source.module()); }))
    return std::move(result);
  std::optional<RemarkCollection> remarks;
  if (options.remarks)
    remarks.emplace(worker.context, result.remarks);
  mlir::OwningOpRef<mlir::ModuleOp> module = evaluate();
  if (module && !hasErrors())
    compileModule(*module);
  if (lost)
    (void)module.release();
  return takeResult();
}

TermsResult Compilation::terms(const cost::LaunchFacts &launch) {
  TermsResult found;
  result.diagnostics = source.diagnostics;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  if (!source.hasErrors && checkSpec())
    module = evaluate();
  if (module && !hasErrors()) {
    files = source.allFiles();
    mlir::ScopedDiagnosticHandler handler(&worker.context, [&](mlir::Diagnostic &diagnostic) {
      result.diagnostics.push_back(fromMlir(diagnostic, files));
      return mlir::success();
    });
    survives([&] {
      if (mlir::failed(worker.managers.front()->run(*module)))
        return;
      Decision<cost::KernelTerms> read = cost::termsOf(*module->getOps<mlir::func::FuncOp>().begin(), launch);
      if (read)
        found.terms = std::move(*read);
      else
        found.unknown = std::move(read.error().text);
    });
  }
  if (lost)
    (void)module.release();
  found.diagnostics = takeResult().diagnostics;
  return found;
}

CompileResult Compilation::resume(Stage from) {
  std::optional<RemarkCollection> remarks;
  if (options.remarks)
    remarks.emplace(worker.context, result.remarks);
  if (std::optional<StageModule> read = readStage(from, source.file(), worker.context, result.diagnostics)) {
    target = read->target;
    kernel = read->kernel;
    warps = read->warps;
    if (!finish(from, [&] { return stageText(from, *read->module); }))
      compileModule(*read->module, from);
    if (lost)
      (void)read->module.release();
  }
  return takeResult();
}

CompileResult Compilation::takeResult() {
  // Everything is inlined into the one kernel by now, so it is what each remark is about.
  for (Remark &remark : result.remarks)
    remark.function = kernel;
  result.insight = insight;
  if (hasErrors())
    result.image.reset();
  return std::move(result);
}

bool Compilation::hasErrors() const {
  return llvm::any_of(result.diagnostics, [](const Diagnostic &d) { return d.severity == Severity::Error; });
}

Diagnostic &Compilation::error(std::string message) {
  return result.diagnostics.emplace_back(
      Diagnostic{.severity = Severity::Error, .message = std::move(message)});
}

bool Compilation::checkSpec() {
  target = lookupTarget(spec.target);
  if (!target) {
    Diagnostic &unknown = error(llvm::formatv("unknown architecture `{0}`", spec.target));
    if (const Target *nearest = nearestTarget(spec.target))
      unknown.help = llvm::formatv("did you mean `{0}`?", llvm::StringRef(nearest->name)).str();
  }
  return !hasErrors();
}

mlir::OwningOpRef<mlir::ModuleOp> Compilation::evaluate() {
  DiagnosticEngine engine;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  survives([&] { module = lowerToTile(source.program, spec, worker.context, engine); });
  for (Diagnostic &diagnostic : engine.take())
    result.diagnostics.push_back(std::move(diagnostic));
  if (!module) {
    if (!hasErrors())
      error("internal error: the front end gave no module");
    return module;
  }
  mlir::func::FuncOp function = *module->getOps<mlir::func::FuncOp>().begin();
  kernel = function.getName().str();
  if (!options.entryName.empty())
    function.setName(options.entryName);
  return module;
}

void Compilation::compileModule(mlir::ModuleOp module, std::optional<Stage> made) {
  files = source.allFiles();
  mlir::ScopedDiagnosticHandler handler(&worker.context, [&](mlir::Diagnostic &diagnostic) {
    result.diagnostics.push_back(fromMlir(diagnostic, files));
    return mlir::success();
  });
  if (mlir::failed(mlir::verify(module)))
    return;
  bool isToEmit = false;
  if (survives([&] { isToEmit = runPasses(module, made); }) && isToEmit)
    emit(module);
}

bool Compilation::runPasses(mlir::ModuleOp module, std::optional<Stage> made) {
  for (auto [stage, manager] : llvm::zip(passStages, worker.managers)) {
    if (made && stage.stage <= *made)
      continue;
    std::string before;
    if (!options.dumpDir.empty())
      llvm::raw_string_ostream(before) << module << '\n';
    if (mlir::failed(manager->run(module)) || mlir::failed(mlir::verify(module))) {
      if (!hasErrors())
        error(llvm::formatv("internal error: stage `{0}` failed", llvm::StringRef(stageName(stage.stage))));
      writeDump("reproducer.mlir",
                llvm::formatv("// tegula-opt --{0} %s\n{1}", llvm::StringRef(stage.pipeline), before));
      return false;
    }
    readInsight(stage.stage, module);
    if (finish(stage.stage, [&] { return stageText(stage.stage, module); }))
      return false;
    if (stage.stage == Stage::Tile && options.isKnown && options.isKnown(textWithPlaces(module)))
      return false;
    if (stage.stage == Stage::Distributed && !checkCodeSize(module))
      return false;
  }
  return true;
}

void Compilation::readInsight(Stage stage, mlir::ModuleOp module) {
  if (!reader)
    return;
  reader->readStage(stageName(stage), module);
  if (stage != Stage::Scheduled)
    return;
  // The next stage places shared memory, and at its end the ops that use it are gone. What is wrong is said
  // when it is done in earnest.
  mlir::ScopedDiagnosticHandler silent(&worker.context, [](mlir::Diagnostic &) { return mlir::success(); });
  const mlir::OwningOpRef<mlir::ModuleOp> copy = module.clone();
  mlir::PassManager passes(&worker.context);
  passes.enableVerifier(false);
  passes.addPass(createExpandMathPass());
  passes.addPass(createAllocateSharedPass());
  if (mlir::succeeded(passes.run(*copy)))
    reader->readShared(*copy);
  if (options.heldValues)
    reader->markValues(module);
}

bool Compilation::checkCodeSize(mlir::ModuleOp module) {
  uint64_t values = valuesPerThread(module);
  if (values <= MaxValuesPerThread)
    return true;
  Diagnostic &tooMuch =
      error(llvm::formatv("the kernel computes {0} values a thread with {1} warps, the limit is {2}", values,
                          warps, MaxValuesPerThread));
  tooMuch.help = "use more warps, smaller blocks or shorter unrolled loops";
  tooMuch.resource = {"values of a thread", values, MaxValuesPerThread}; // a tuner's reason to try less
  module.walk([&](mlir::FunctionOpInterface function) { setPlace(tooMuch, function.getLoc(), files); });
  return false;
}

void Compilation::emit(mlir::ModuleOp module) {
  mlir::FailureOr<KernelImage> image = readManifest(module);
  if (mlir::failed(image))
    return;
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code;
  if (survives([&] { generate(module, *context, code, *image); }))
    return;
  // Frames that are gone may still refer to the code that LLVM gave up on.
  [[maybe_unused]] llvm::Module *leftCode = code.release();
  [[maybe_unused]] llvm::LLVMContext *leftContext = context.release();
}

void Compilation::generate(mlir::ModuleOp module, llvm::LLVMContext &context,
                           std::unique_ptr<llvm::Module> &code, KernelImage &image) {
  context.setDiscardValueNames(!isWanted(Stage::LlvmIr));
  context.setDiagnosticHandlerCallBack(
      [](const llvm::DiagnosticInfo *info, void *self) {
        static_cast<Compilation *>(self)->reportBackend(*info);
      },
      this);
  if (options.heldValues)
    lowerDebugValues(module);
  code = worker.emitter.translate(module, *target, context);
  if (!code) {
    if (!hasErrors())
      error("internal error: the translation to LLVM IR failed");
    return;
  }
  worker.emitter.optimize(*code, *target);
  auto print = [&] {
    std::string text;
    llvm::raw_string_ostream stream(text);
    code->print(stream, nullptr);
    return text;
  };
  if (finish(Stage::LlvmIr, print))
    return;
  image.kernel = kernel;
  image.sourceFile = source.file().path();
  std::vector<ValueNote> notes;
  if (mlir::failed(worker.emitter.generate(*code, *target, module.getLoc(), image,
                                           options.heldValues ? &notes : nullptr)))
    return;
  for (ValueNote &note : notes)
    insight->heldElements.push_back(
        {note.line, insight::Index(note.value), note.element, std::move(note.holder)});
  finish(Stage::Ptx, [&] { return image.ptx; });
  result.image = std::move(image);
}

bool Compilation::survives(llvm::function_ref<void()> body) {
  std::optional<std::string> reason = catchFatalErrors(body);
  if (!reason)
    return true;
  error("internal error: " + *reason);
  lost = true;
  return false;
}

void Compilation::reportBackend(const llvm::DiagnosticInfo &info) {
  if (info.getSeverity() == llvm::DS_Remark || info.getSeverity() == llvm::DS_Note)
    return;
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::DiagnosticPrinterRawOStream printer(stream);
  info.print(printer);
  bool isError = info.getSeverity() == llvm::DS_Error;
  result.diagnostics.push_back(Diagnostic{.severity = isError ? Severity::Error : Severity::Warning,
                                          .message = (isError ? "internal error: " : "") + text});
}

bool Compilation::isWanted(Stage stage) const {
  return options.emit.contains(stage) || !options.dumpDir.empty();
}

bool Compilation::finish(Stage stage, llvm::function_ref<std::string()> print) {
  if (isWanted(stage)) {
    std::string text = print();
    writeDump(stageName(stage), text);
    if (options.emit.contains(stage))
      result.stageText.emplace(stage, std::move(text));
  }
  return (!options.emit.empty() && *options.emit.rbegin() == stage) ||
         (options.isStopped && options.isStopped());
}

void Compilation::writeDump(std::string_view suffix, const std::string &text) {
  if (options.dumpDir.empty())
    return;
  llvm::SmallString<128> path(options.dumpDir);
  llvm::sys::path::append(path, kernel + "." + std::string(suffix));
  std::error_code problem = llvm::sys::fs::create_directories(options.dumpDir);
  if (!problem) {
    llvm::raw_fd_ostream file(path, problem);
    file << text;
  }
  // Dumps are a courtesy: a full disk must not fail a compilation.
  if (problem)
    result.diagnostics.push_back(
        Diagnostic{.severity = Severity::Warning,
                   .message = llvm::formatv("cannot write `{0}`: {1}", path, problem.message())});
}

} // namespace tegula
