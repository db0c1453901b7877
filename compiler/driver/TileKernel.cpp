#include "compiler/driver/TileKernel.h"

#include "compiler/debug/Session.h"
#include "compiler/driver/FatalErrors.h"
#include "compiler/driver/MlirMessages.h"
#include "compiler/driver/ParsedSource.h"
#include "compiler/frontend/Frontend.h"
#include "compiler/frontend/syntax/text/Diagnostic.h"
#include "compiler/interp/Interpreter.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/Verifier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tegula {

struct TileKernel::Impl {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< after the context, so that it goes first
  std::unique_ptr<interp::Kernel> code;
  SourceFiles files;
  std::string name;
  std::vector<KernelParam> params;
  std::unique_ptr<debug::Statements> statements; ///< of `files`; null until they are asked for
};

TileKernel::TileKernel(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
TileKernel::~TileKernel() = default;

const std::vector<KernelParam> &TileKernel::params() const { return impl->params; }
const std::string &TileKernel::name() const { return impl->name; }

static std::vector<KernelParam> paramsOf(mlir::func::FuncOp function) {
  KernelImage block;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto attribute = function.getArgAttrOfType<tile::ParamAttr>(unsigned(index), "tile.param");
    const bool isPointer = mlir::isa<tile::PtrType>(type);
    KernelParam param;
    if (attribute) {
      param.name = attribute.getName().str();
      param.type = attribute.getSpelling().str();
    }
    param.kind = isPointer                          ? ParamKind::Pointer
                 : mlir::isa<mlir::FloatType>(type) ? ParamKind::Float
                                                    : ParamKind::Integer;
    param.size = isPointer ? 8 : std::max(1u, type.getIntOrFloatBitWidth() / 8);
    addParam(block, std::move(param));
  }
  return std::move(block.params);
}

TileKernel::Made TileKernel::create(const ParsedSource &source, const KernelSpec &spec, bool names) {
  Made made{nullptr, source.diagnostics};
  if (source.hasErrors)
    return made;
  auto impl = std::make_unique<Impl>();
  if (!survives(made.diagnostics, [&](DiagnosticEngine &engine) {
        impl->module = lowerToTile(source.program, spec, impl->context, engine, {.names = names});
      })) {
    (void)impl.release(); // what LLVM gave up on is left alone
    return made;
  }
  if (!impl->module)
    return made;
  impl->files = source.allFiles();
  mlir::ScopedDiagnosticHandler handler(&impl->context, [&](mlir::Diagnostic &diagnostic) {
    made.diagnostics.push_back(fromMlir(diagnostic, impl->files));
    return mlir::success();
  });
  if (mlir::failed(mlir::verify(*impl->module)))
    return made;
  mlir::func::FuncOp function = *impl->module->getOps<mlir::func::FuncOp>().begin();
  impl->name = function.getName().str();
  impl->params = paramsOf(function);
  std::optional<interp::Fault> problem;
  impl->code = interp::Kernel::prepare(function, problem);
  if (problem) {
    Diagnostic &diagnostic =
        made.diagnostics.emplace_back(Diagnostic{.severity = Severity::Error, .message = problem->text});
    setPlace(diagnostic, problem->location, impl->files);
    return made;
  }
  made.kernel.reset(new TileKernel(std::move(impl)));
  return made;
}

/// "kernel.py:12:5", and through which calls the program got there.
static std::string placeName(const Diagnostic &place) {
  if (place.file.empty())
    return "an unknown line";
  std::string text = llvm::formatv("{0}:{1}:{2}", place.file, place.line, place.column);
  for (const Diagnostic &call : place.notes)
    text += llvm::formatv(", called from {0}:{1}", call.file, call.line);
  return text;
}

std::optional<std::string> TileKernel::launch(std::array<uint32_t, 3> grid,
                                              std::span<const uint64_t> arguments, interp::Memory &memory,
                                              const Options &options) {
  interp::Options how;
  if (options.stepLimit)
    how.stepLimit = options.stepLimit;
  how.checkUndefinedStores = options.checkUndefinedStores;
  how.print = options.print;
  how.progress = options.progress;
  how.isInterrupted = options.isInterrupted;
  std::optional<interp::Fault> fault =
      impl->code->launch(grid, llvm::ArrayRef<uint64_t>(arguments.data(), arguments.size()), memory, how);
  if (!fault)
    return std::nullopt;
  Diagnostic place;
  setPlace(place, fault->location, impl->files);
  const std::string shown = excerpt(place.sourceLine, place.column);
  return llvm::formatv("kernel `{0}` faulted at {1}, program ({2},{3},{4}){5}: {6}{7}", impl->name,
                       placeName(place), fault->program[0], fault->program[1], fault->program[2],
                       fault->element.empty() ? "" : " element " + fault->element, fault->text,
                       shown.empty() ? "" : "\n" + llvm::StringRef(shown).rtrim().str())
      .str();
}

std::unique_ptr<debug::Session> TileKernel::debug(std::array<uint32_t, 3> grid,
                                                  std::span<const uint64_t> arguments, interp::Memory &memory,
                                                  std::vector<debug::Array> arrays,
                                                  std::function<void(std::string_view)> print) {
  if (!impl->statements)
    impl->statements = std::make_unique<debug::Statements>(impl->files);
  debug::Launch launch{.kernel = impl->code.get(),
                       .function = *impl->module->getOps<mlir::func::FuncOp>().begin(),
                       .grid = grid,
                       .arguments = {arguments.begin(), arguments.end()},
                       .memory = &memory,
                       .arrays = std::move(arrays),
                       .print = std::move(print)};
  return std::make_unique<debug::Session>(*impl->statements, std::move(launch));
}

} // namespace tegula
