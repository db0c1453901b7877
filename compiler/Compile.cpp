#include "compiler/Compile.h"

#include "compiler/Compile/MlirMessages.h"
#include "compiler/Compile/ParsedSource.h"
#include "compiler/Pipeline.h"
#include "compiler/analysis/CodeSize.h"
#include "compiler/analysis/VerifyStage.h"
#include "compiler/emit/Emit.h"
#include "compiler/frontend/FindKernel.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/syntax/AstPrinter.h"
#include "compiler/frontend/syntax/Parser.h"
#include "compiler/target/Target.h"
#include "dialect/tile/Tile.h"

#include "dialect/tile/Limits.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <array>
#include <mutex>

namespace tegula {

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {

struct StageName {
  Stage stage;
  std::string_view name;
};
constexpr std::array<StageName, 7> stageNames = {{{Stage::Ast, "ast"},
                                                  {Stage::Tile, "tile"},
                                                  {Stage::Distributed, "distributed"},
                                                  {Stage::Scheduled, "scheduled"},
                                                  {Stage::Llvm, "llvm"},
                                                  {Stage::LlvmIr, "llvmir"},
                                                  {Stage::Ptx, "ptx"}}};

/// The stages that MLIR passes make, each with what makes it and checks what it promises.
struct PassStage {
  Stage stage;
  std::string_view pipeline;
  void (*build)(mlir::OpPassManager &);
  VerifiedStage promise; ///< the same for a text that somebody wrote
};
constexpr std::array<PassStage, 4> passStages = {
    {{Stage::Tile, "tegula-simplify", buildSimplifyPipeline, VerifiedStage::Tile},
     {Stage::Distributed, "tegula-distribute", buildDistributePipeline, VerifiedStage::Distributed},
     {Stage::Scheduled, "tegula-schedule", buildSchedulePipeline, VerifiedStage::Scheduled},
     {Stage::Llvm, "tegula-lower", buildLowerPipeline, VerifiedStage::Llvm}}};

} // namespace

std::optional<Stage> parseStage(std::string_view name) {
  for (const StageName &entry : stageNames)
    if (entry.name == name)
      return entry.stage;
  return std::nullopt;
}

std::string_view stageName(Stage stage) { return stageNames[size_t(stage)].name; }

/// What the text of a stage of MLIR begins with, before the stage's name.
static constexpr std::string_view stageMark = "// Tegula stage ";

std::optional<Stage> stageOfText(std::string_view text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  if (line.starts_with("// Tegula kernel "))
    return Stage::Ptx;
  return line.starts_with(stageMark) ? parseStage(line.substr(stageMark.size())) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// One compilation
//===----------------------------------------------------------------------===//

namespace {

/// What a thread needs to compile, and what is worth keeping between compilations.
struct Worker {
  Worker() : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    context.loadAllAvailableDialects();
    for (const PassStage &stage : passStages) {
      auto &manager = managers.emplace_back(std::make_unique<mlir::PassManager>(&context));
      stage.build(*manager);
    }
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerTegulaDialects(registry);
    return registry;
  }

  mlir::MLIRContext context;
  std::vector<std::unique_ptr<mlir::PassManager>> managers; ///< as `passStages`
  PtxEmitter emitter;
  unsigned uses = 0;
};

/// Types and attributes are never freed while their context lives, so a context is replaced in time.
constexpr unsigned MaxWorkerUses = 500;

class Compilation {
public:
  Compilation(Worker &worker, const ParsedSource &source, const KernelSpec &spec,
              const CompileOptions &options)
      : worker(worker), source(source), spec(spec), options(options),
        kernel(spec.kernel.empty() ? "kernel" : spec.kernel), warps(spec.numWarps) {}

  CompileResult run() {
    result.diagnostics = source.diagnostics;
    if (source.hasErrors || !checkSpec())
      return std::move(result);
    if (finish(Stage::Ast, [&] { return ast::printModule(*source.module); }))
      return std::move(result);
    std::optional<RemarkCollection> remarks;
    if (options.remarks)
      remarks.emplace(worker.context, result.remarks);
    mlir::OwningOpRef<mlir::ModuleOp> module = evaluate();
    if (module && !hasErrors())
      compileModule(*module);
    // Everything is inlined into the one kernel by now, so it is what each remark is about.
    for (Remark &remark : result.remarks)
      remark.function = kernel;
    if (hasErrors())
      result.image.reset();
    return std::move(result);
  }

  /// The same from the text of a stage, which `source` has as its file.
  CompileResult resume(Stage from) {
    std::optional<RemarkCollection> remarks;
    if (options.remarks)
      remarks.emplace(worker.context, result.remarks);
    if (mlir::OwningOpRef<mlir::ModuleOp> module = readStage(from))
      if (!finish(from, [&] { return stageText(from, *module); }))
        compileModule(*module, from);
    for (Remark &remark : result.remarks)
      remark.function = kernel;
    if (hasErrors())
      result.image.reset();
    return std::move(result);
  }

private:
  bool hasErrors() const {
    return llvm::any_of(result.diagnostics,
                        [](const Diagnostic &d) { return d.severity == Severity::Error; });
  }

  Diagnostic &error(std::string message) {
    return result.diagnostics.emplace_back(
        Diagnostic{.severity = Severity::Error, .message = std::move(message)});
  }

  /// What the specification says beside the kernel's own parameters.
  bool checkSpec() {
    target = lookupTarget(spec.target);
    if (!target) {
      Diagnostic &unknown = error(llvm::formatv("unknown architecture `{0}`", spec.target));
      if (const Target *nearest = nearestTarget(spec.target))
        unknown.help = llvm::formatv("did you mean `{0}`?", llvm::StringRef(nearest->name)).str();
    }
    if (spec.numWarps > tile::MaxWarps || !llvm::isPowerOf2_32(spec.numWarps))
      error(llvm::formatv("expected a power of two from 1 to {0} as the number of warps, found {1}",
                          tile::MaxWarps, spec.numWarps));
    if (spec.numStages > tile::MaxStages)
      error(llvm::formatv("expected at most {0} stages, found {1}", tile::MaxStages, spec.numStages));
    return !hasErrors();
  }

  mlir::OwningOpRef<mlir::ModuleOp> evaluate() {
    DiagnosticEngine engine;
    mlir::OwningOpRef<mlir::ModuleOp> module = lowerToTile(*source.module, spec, worker.context, engine);
    for (Diagnostic &diagnostic : engine.take())
      result.diagnostics.push_back(std::move(diagnostic));
    if (module)
      kernel = (*module->getOps<mlir::func::FuncOp>().begin()).getName().str();
    else if (!hasErrors())
      error("internal error: the front end gave no module");
    return module;
  }

  /// Reads and checks the text of a stage: what is wrong with it is its writer's mistake, not the compiler's.
  mlir::OwningOpRef<mlir::ModuleOp> readStage(Stage from) {
    if (nestsTooDeeply(source.file->text())) {
      error("the text nests too deeply").file = source.file->path();
      return {};
    }
    mlir::ScopedDiagnosticHandler handler(&worker.context, [&](mlir::Diagnostic &diagnostic) {
      result.diagnostics.push_back(fromText(diagnostic, *source.file));
      return mlir::success();
    });
    // The writer has the text; printing the op beside a message would bury it.
    worker.context.printOpOnDiagnostic(false);
    llvm::scope_exit restore([&] { worker.context.printOpOnDiagnostic(true); });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        source.file->text(), mlir::ParserConfig(&worker.context), source.file->path());
    const auto *stage = llvm::find_if(passStages, [&](const PassStage &each) { return each.stage == from; });
    if (!module || mlir::failed(verifyStage(*module, stage->promise)))
      return {};
    const auto name = (*module)->getAttrOfType<mlir::StringAttr>("tile.target");
    target = name ? lookupTarget(name.getValue()) : nullptr;
    if (!target) {
      module->emitError("expected the name of an architecture as `tile.target`");
      return {};
    }
    for (auto function : module->getOps<mlir::FunctionOpInterface>())
      if (!function.isExternal())
        kernel = function.getName().str();
    module->walk([&](mlir::Operation *op) {
      if (auto attribute = op->getAttrOfType<tile::KernelAttr>("tile.kernel"))
        warps = attribute.getWarps();
    });
    return module;
  }

  /// The parser goes as deep as the text nests; no stage of a kernel comes near this.
  static bool nestsTooDeeply(llvm::StringRef text) {
    constexpr int maxDepth = 500;
    int depth = 0;
    char before = 0;
    for (const char c : text) {
      depth += c == '(' || c == '[' || c == '{' || c == '<';
      depth -= (c == ')' || c == ']' || c == '}' || (c == '>' && before != '-')) && depth > 0;
      if (depth > maxDepth)
        return true;
      before = c;
    }
    return false;
  }

  /// Compiles what is of stage `made`, or fresh from the front end.
  void compileModule(mlir::ModuleOp module, std::optional<Stage> made = std::nullopt) {
    mlir::ScopedDiagnosticHandler handler(&worker.context, [&](mlir::Diagnostic &diagnostic) {
      result.diagnostics.push_back(fromMlir(diagnostic, *source.file));
      return mlir::success();
    });
    if (mlir::failed(mlir::verify(module)))
      return;
    if (runPasses(module, made))
      emit(module);
  }

  /// True when all stages ran and another one is wanted.
  bool runPasses(mlir::ModuleOp module, std::optional<Stage> made) {
    for (auto [stage, manager] : llvm::zip(passStages, worker.managers)) {
      if (made && stage.stage <= *made)
        continue;
      std::string before;
      if (!options.dumpDir.empty())
        before = textOf(module);
      if (mlir::failed(manager->run(module))) {
        if (!hasErrors())
          error(llvm::formatv("internal error: stage `{0}` failed", llvm::StringRef(stageName(stage.stage))));
        writeDump("reproducer.mlir",
                  llvm::formatv("// tegula-opt --{0} %s\n{1}", llvm::StringRef(stage.pipeline), before));
        return false;
      }
      if (finish(stage.stage, [&] { return stageText(stage.stage, module); }))
        return false;
      if (stage.stage == Stage::Distributed && !checkCodeSize(module))
        return false;
    }
    return true;
  }

  /// Before the stages whose time depends on it.
  bool checkCodeSize(mlir::ModuleOp module) {
    uint64_t values = valuesPerThread(module);
    if (values <= MaxValuesPerThread)
      return true;
    Diagnostic &tooMuch =
        error(llvm::formatv("the kernel computes {0} values a thread with {1} warps, the limit is {2}",
                            values, warps, MaxValuesPerThread));
    tooMuch.help = "use more warps, smaller blocks or shorter unrolled loops";
    module.walk(
        [&](mlir::FunctionOpInterface function) { setPlace(tooMuch, function.getLoc(), *source.file); });
    return false;
  }

  void emit(mlir::ModuleOp module) {
    mlir::FailureOr<KernelImage> image = readManifest(module);
    if (mlir::failed(image))
      return;
    llvm::LLVMContext context;
    context.setDiscardValueNames(!isWanted(Stage::LlvmIr));
    context.setDiagnosticHandlerCallBack(
        [](const llvm::DiagnosticInfo *info, void *self) {
          static_cast<Compilation *>(self)->reportBackend(*info);
        },
        this);
    std::unique_ptr<llvm::Module> code = worker.emitter.translate(module, *target, context);
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
    image->kernel = kernel;
    image->sourceFile = source.file->path();
    if (mlir::failed(worker.emitter.generate(*code, *target, module.getLoc(), *image)))
      return;
    finish(Stage::Ptx, [&] { return image->ptx; });
    result.image = std::move(*image);
  }

  void reportBackend(const llvm::DiagnosticInfo &info) {
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

  static std::string textOf(mlir::ModuleOp module) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    module.print(stream);
    stream << '\n';
    return text;
  }

  /// The text with its mark, so that it can be gone on from.
  static std::string stageText(Stage stage, mlir::ModuleOp module) {
    return std::string(stageMark) + std::string(stageName(stage)) + '\n' + textOf(module);
  }

  bool isWanted(Stage stage) const { return options.emit.contains(stage) || !options.dumpDir.empty(); }

  /// Hands out the text of a finished stage where it is wanted. True when no stage after it is.
  bool finish(Stage stage, llvm::function_ref<std::string()> print) {
    if (isWanted(stage)) {
      std::string text = print();
      writeDump(stageName(stage), text);
      if (options.emit.contains(stage))
        result.stageText.emplace(stage, std::move(text));
    }
    return !options.emit.empty() && *options.emit.rbegin() == stage;
  }

  void writeDump(std::string_view suffix, const std::string &text) {
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

  Worker &worker;
  const ParsedSource &source;
  const KernelSpec &spec;
  const CompileOptions &options;
  const Target *target = nullptr;
  std::string kernel; ///< its name in the source, as far as it is known
  uint32_t warps;     ///< of a program
  CompileResult result;
};

} // namespace

//===----------------------------------------------------------------------===//
// The compiler
//===----------------------------------------------------------------------===//

/// Workers that are not in use. Compilations run side by side, each with a worker of its own.
struct Compiler::Impl {
  std::unique_ptr<Worker> take() {
    {
      std::lock_guard lock(mutex);
      if (!idle.empty()) {
        std::unique_ptr<Worker> worker = std::move(idle.back());
        idle.pop_back();
        return worker;
      }
    }
    return std::make_unique<Worker>();
  }

  void giveBack(std::unique_ptr<Worker> worker) {
    if (++worker->uses >= MaxWorkerUses)
      return;
    std::lock_guard lock(mutex);
    idle.push_back(std::move(worker));
  }

  std::mutex mutex;
  std::vector<std::unique_ptr<Worker>> idle;
};

Compiler::Compiler() : impl(std::make_unique<Impl>()) {}
Compiler::~Compiler() = default;

std::shared_ptr<const ParsedSource> Compiler::parse(std::string path, std::string text) {
  auto parsed = std::make_shared<ParsedSource>();
  parsed->file = std::make_shared<const SourceFile>(std::move(path), std::move(text));
  DiagnosticEngine engine;
  parsed->module = parseModule(parsed->file, engine);
  parsed->hasErrors = engine.hasErrors();
  parsed->diagnostics = engine.take();
  return parsed;
}

CompileResult Compiler::compile(const ParsedSource &source, const KernelSpec &spec,
                                const CompileOptions &options) {
  std::unique_ptr<Worker> worker = impl->take();
  CompileResult result = Compilation(*worker, source, spec, options).run();
  impl->giveBack(std::move(worker));
  return result;
}

CompileResult Compiler::resume(const std::string &path, const std::string &text, Stage from,
                               const CompileOptions &options) {
  std::unique_ptr<Worker> worker = impl->take();
  ParsedSource source;
  source.file = std::make_shared<const SourceFile>(path, text);
  CompileResult result = Compilation(*worker, source, KernelSpec(), options).resume(from);
  impl->giveBack(std::move(worker));
  return result;
}

ConfigsResult Compiler::configs(const ParsedSource &source, const std::string &name,
                                const std::string &target) {
  ConfigsResult result;
  result.diagnostics = source.diagnostics;
  if (source.hasErrors)
    return result;
  KernelSpec spec;
  spec.kernel = name;
  spec.target = target;
  std::unique_ptr<Worker> worker = impl->take();
  DiagnosticEngine engine;
  if (std::optional<ast::JitFunction> kernel = findKernel(*source.module, spec, worker->context, engine))
    result.configs = readConfigs(*source.module, *kernel->function, target, worker->context, engine);
  impl->giveBack(std::move(worker));
  llvm::append_range(result.diagnostics, engine.take());
  return result;
}

HeuristicsResult Compiler::heuristics(const ParsedSource &source, const KernelSpec &known,
                                      const std::set<std::string> &wanted) {
  HeuristicsResult result;
  result.diagnostics = source.diagnostics;
  if (source.hasErrors)
    return result;
  std::unique_ptr<Worker> worker = impl->take();
  DiagnosticEngine engine;
  if (std::optional<ast::JitFunction> kernel = findKernel(*source.module, known, worker->context, engine))
    result.values =
        computeHeuristics(*source.module, *kernel->function, known, wanted, worker->context, engine);
  impl->giveBack(std::move(worker));
  llvm::append_range(result.diagnostics, engine.take());
  return result;
}

} // namespace tegula
