#include "compiler/driver/StageText.h"

#include "compiler/analysis/VerifyStage.h"
#include "compiler/driver/MlirMessages.h"
#include "compiler/driver/TextScopes.h"
#include "dialect/tile/ops/InlineAsm.h"
#include "dialect/tile/Tile.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"

namespace tegula {

std::string stageText(Stage stage, mlir::ModuleOp module) {
  std::string text(stageMark);
  text += stageName(stage);
  text += '\n';
  llvm::raw_string_ostream stream(text);
  module.print(stream);
  stream << '\n';
  return text;
}

namespace {

VerifiedStage promiseOf(Stage stage) {
  switch (stage) {
  case Stage::Tile:
    return VerifiedStage::Tile;
  case Stage::Distributed:
    return VerifiedStage::Distributed;
  case Stage::Scheduled:
    return VerifiedStage::Scheduled;
  default:
    return VerifiedStage::Llvm;
  }
}

/// The parser goes as deep as the text nests; no stage of a kernel comes near this.
bool nestsTooDeeply(llvm::StringRef text) {
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

mlir::LogicalResult checkInlineAssembly(mlir::ModuleOp module) {
  const mlir::WalkResult walked = module.walk([](mlir::LLVM::InlineAsmOp op) -> mlir::WalkResult {
    // Each result and operand has its constraint; clobbers have none of the numbers.
    unsigned operands = 0;
    for (llvm::StringRef constraint : llvm::split(op.getConstraints(), ','))
      operands += !constraint.empty() && !constraint.starts_with("~");
    if (tile::namesItsRegisters(op.getAsmString(), operands))
      return mlir::WalkResult::advance();
    return op.emitOpError("expects each `$` of its text to be `$$`, `$N` or `${N}` of one of its ")
           << operands << " operands";
  });
  return mlir::failure(walked.wasInterrupted());
}

} // namespace

std::optional<StageModule> readStage(Stage from, const SourceFile &file, mlir::MLIRContext &context,
                                     std::vector<Diagnostic> &diagnostics) {
  if (nestsTooDeeply(file.text())) {
    diagnostics.push_back(
        Diagnostic{.severity = Severity::Error, .message = "the text nests too deeply", .file = file.path()});
    return std::nullopt;
  }
  if (std::optional<size_t> use = findUseOutsideRegion(file.text())) {
    diagnostics.push_back(makeDiagnostic(Severity::Error, file, {uint32_t(*use), uint32_t(*use) + 1},
                                         "the value is used outside of the region that defines it"));
    return std::nullopt;
  }
  mlir::ScopedDiagnosticHandler handler(&context, [&](mlir::Diagnostic &diagnostic) {
    diagnostics.push_back(fromText(diagnostic, file));
    return mlir::success();
  });
  // The author has the text; printing the op with a message would bury it.
  context.printOpOnDiagnostic(false);
  llvm::scope_exit restore([&] { context.printOpOnDiagnostic(true); });

  StageModule read;
  read.module =
      mlir::parseSourceString<mlir::ModuleOp>(file.text(), mlir::ParserConfig(&context), file.path());
  if (!read.module || mlir::failed(verifyStage(*read.module, promiseOf(from))) ||
      mlir::failed(checkInlineAssembly(*read.module)))
    return std::nullopt;
  const auto name = (*read.module)->getAttrOfType<mlir::StringAttr>("tile.target");
  read.target = name ? lookupTarget(name.getValue()) : nullptr;
  if (!read.target) {
    read.module->emitError("expected the name of an architecture as `tile.target`");
    return std::nullopt;
  }
  for (auto function : read.module->getOps<mlir::FunctionOpInterface>())
    if (!function.isExternal())
      read.kernel = function.getName().str();
  read.module->walk([&](mlir::Operation *op) {
    if (auto attribute = op->getAttrOfType<tile::KernelAttr>("tile.kernel"))
      read.warps = attribute.getWarps();
  });
  return read;
}

} // namespace tegula
