#include "compiler/Compile/MlirMessages.h"

#include "compiler/analysis/AuthorError.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"

namespace tegula {

namespace {

void setPlace(Diagnostic &diagnostic, mlir::FileLineColLoc place, const SourceFile &source) {
  diagnostic.file = place.getFilename().str();
  diagnostic.line = place.getLine();
  diagnostic.column = place.getColumn();
  diagnostic.endColumn = place.getColumn() + 1;
  if (diagnostic.file == source.path())
    diagnostic.sourceLine = std::string(source.lineText(place.getLine()));
}

} // namespace

void setPlace(Diagnostic &diagnostic, mlir::Location location, const SourceFile &source) {
  bool isFirst = true;
  for (mlir::Location at = location;;) {
    auto call = mlir::dyn_cast<mlir::CallSiteLoc>(at);
    if (auto place = (call ? call.getCallee() : at)->findInstanceOf<mlir::FileLineColLoc>()) {
      if (isFirst) {
        setPlace(diagnostic, place, source);
      } else {
        Diagnostic note{.severity = Severity::Note, .message = "called from here"};
        setPlace(note, place, source);
        diagnostic.notes.push_back(std::move(note));
      }
      isFirst = false;
    }
    if (!call)
      return;
    at = call.getCaller();
  }
}

namespace {

Severity severityOf(mlir::DiagnosticSeverity severity) {
  switch (severity) {
  case mlir::DiagnosticSeverity::Error:
    return Severity::Error;
  case mlir::DiagnosticSeverity::Warning:
    return Severity::Warning;
  case mlir::DiagnosticSeverity::Note:
    return Severity::Note;
  case mlir::DiagnosticSeverity::Remark:
    return Severity::Remark;
  }
  return Severity::Error;
}

} // namespace

Diagnostic fromMlir(mlir::Diagnostic &from, const SourceFile &source) {
  Diagnostic diagnostic{.severity = severityOf(from.getSeverity()), .message = from.str()};
  if (std::optional<llvm::StringRef> help = authorHelpOf(from))
    diagnostic.help = help->str();
  else if (diagnostic.severity == Severity::Error)
    diagnostic.message = "internal error: " + diagnostic.message;
  setPlace(diagnostic, from.getLocation(), source);
  for (mlir::Diagnostic &note : from.getNotes())
    diagnostic.notes.push_back(fromMlir(note, source));
  return diagnostic;
}

namespace {

/// Keeps the remarks of optimisations.
class RemarkCollector : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkCollector(std::vector<Remark> &remarks) : remarks(remarks) {}

  void streamOptimizationRemark(const mlir::remark::detail::Remark &from) override {
    Remark remark;
    switch (from.getRemarkType()) {
    case llvm::remarks::Type::Passed:
      remark.kind = Remark::Passed;
      break;
    case llvm::remarks::Type::Missed:
    case llvm::remarks::Type::Failure:
      remark.kind = Remark::Missed;
      break;
    default:
      remark.kind = Remark::Analysis;
      break;
    }
    remark.pass = from.getCombinedCategoryName().str();
    remark.text = from.getRemarkName().str();
    for (const auto &argument : from.getArgs()) {
      bool isProse = argument.key == "Reason" || argument.key == "Suggestion";
      if (argument.key == "Remark")
        remark.text += ": " + argument.val;
      else
        remark.text += "; " + (isProse ? llvm::StringRef(argument.key).lower() + ": " : argument.key + "=") +
                       argument.val;
    }
    if (auto place = from.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
      remark.file = place.getFilename().str();
      remark.line = place.getLine();
      remark.column = place.getColumn();
    }
    remarks.push_back(std::move(remark));
  }

private:
  std::vector<Remark> &remarks;
};

} // namespace

void collectRemarks(mlir::MLIRContext &context, std::vector<Remark> &remarks) {
  // Everything: who reads them filters by the pass.
  mlir::remark::RemarkCategories every{.passed = ".*", .missed = ".*", .analysis = ".*", .failed = ".*"};
  (void)mlir::remark::enableOptimizationRemarks(context, std::make_unique<RemarkCollector>(remarks),
                                                std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
                                                every);
}

void stopRemarks(mlir::MLIRContext &context) { context.setRemarkEngine(nullptr); }

} // namespace tegula
