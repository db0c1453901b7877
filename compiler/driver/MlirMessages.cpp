#include "compiler/driver/MlirMessages.h"

#include "compiler/analysis/AuthorError.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"

namespace tegula {

namespace {

/// Finds the text that has a line of a file, or null.
using Lines = llvm::function_ref<const SourceFile *(llvm::StringRef path, uint32_t line)>;

bool isOf(const SourceFile &source, llvm::StringRef path, uint32_t line) {
  return path == source.path() && !source.lineText(line).empty();
}

void setPlace(Diagnostic &diagnostic, mlir::FileLineColLoc place, Lines lines) {
  diagnostic.file = place.getFilename().str();
  diagnostic.line = place.getLine();
  diagnostic.column = place.getColumn();
  diagnostic.endColumn = place.getColumn() + 1;
  if (const SourceFile *source = lines(diagnostic.file, diagnostic.line))
    diagnostic.sourceLine = std::string(source->lineText(diagnostic.line));
}

void setPlace(Diagnostic &diagnostic, mlir::Location location, Lines lines) {
  bool isFirst = true;
  for (mlir::Location at = location;;) {
    auto call = mlir::dyn_cast<mlir::CallSiteLoc>(at);
    if (auto place = (call ? call.getCallee() : at)->findInstanceOf<mlir::FileLineColLoc>()) {
      if (isFirst) {
        setPlace(diagnostic, place, lines);
      } else {
        Diagnostic note{.severity = Severity::Note, .message = "called from here"};
        setPlace(note, place, lines);
        diagnostic.notes.push_back(std::move(note));
      }
      isFirst = false;
    }
    if (!call)
      return;
    at = call.getCaller();
  }
}

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

/// `isAuthors`: an error is the author's also where it does not say so.
static Diagnostic convert(mlir::Diagnostic &from, Lines lines, bool isAuthors) {
  Diagnostic diagnostic{.severity = severityOf(from.getSeverity()), .message = from.str()};
  if (std::optional<llvm::StringRef> help = authorHelpOf(from))
    diagnostic.help = help->str();
  else if (diagnostic.severity == Severity::Error && !isAuthors)
    diagnostic.message = "internal error: " + diagnostic.message;
  if (std::optional<AttachedResource> resource = resourceOf(from))
    diagnostic.resource = {resource->name.str(), resource->required, resource->limit};
  setPlace(diagnostic, from.getLocation(), lines);
  for (mlir::Diagnostic &note : from.getNotes())
    diagnostic.notes.push_back(convert(note, lines, isAuthors));
  return diagnostic;
}

static auto linesOf(const SourceFiles &sources) {
  return [&sources](llvm::StringRef path, uint32_t line) -> const SourceFile * {
    for (const std::shared_ptr<const SourceFile> &source : sources)
      if (isOf(*source, path, line))
        return source.get();
    return nullptr;
  };
}

void setPlace(Diagnostic &diagnostic, mlir::Location location, const SourceFiles &sources) {
  setPlace(diagnostic, location, Lines(linesOf(sources)));
}

Diagnostic fromMlir(mlir::Diagnostic &from, const SourceFiles &sources) {
  return convert(from, linesOf(sources), false);
}

Diagnostic fromText(mlir::Diagnostic &from, const SourceFile &source) {
  auto lines = [&](llvm::StringRef path, uint32_t line) {
    return isOf(source, path, line) ? &source : nullptr;
  };
  return convert(from, lines, true);
}

namespace {

Remark::Kind kindOf(llvm::remarks::Type type) {
  switch (type) {
  case llvm::remarks::Type::Passed:
    return Remark::Passed;
  case llvm::remarks::Type::Missed:
    return Remark::Missed;
  case llvm::remarks::Type::Failure:
    return Remark::Failed;
  default:
    return Remark::Analysis;
  }
}

/// "pipeline: 2 stages instead of 3; reason: of shared memory; SharedBytes=65536".
std::string textOf(const Remark &remark) {
  std::string text = remark.name;
  if (!remark.message.empty())
    text += ": " + remark.message;
  for (const auto &[key, value] : remark.arguments) {
    bool isProse = key == "Reason" || key == "Suggestion";
    text += "; ";
    text += isProse ? llvm::StringRef(key).lower() + ": " : key + "=";
    text += value;
  }
  return text;
}

Remark fromMlir(const mlir::remark::detail::Remark &from) {
  Remark remark;
  remark.kind = kindOf(from.getRemarkType());
  remark.pass = from.getCombinedCategoryName().str();
  remark.name = from.getRemarkName().str();
  for (const auto &argument : from.getArgs()) {
    if (argument.key == "Remark") // MLIR's key of plain words
      remark.message += (remark.message.empty() ? "" : ": ") + argument.val;
    else
      remark.arguments.push_back({argument.key, argument.val});
  }
  remark.text = textOf(remark);
  if (auto place = from.getLocation()->findInstanceOf<mlir::FileLineColLoc>()) {
    remark.file = place.getFilename().str();
    remark.line = place.getLine();
    remark.column = place.getColumn();
  }
  return remark;
}

class RemarkStreamer : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkStreamer(std::vector<Remark> &remarks) : remarks(remarks) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &from) override {
    remarks.push_back(fromMlir(from));
  }

private:
  std::vector<Remark> &remarks;
};

} // namespace

RemarkCollection::RemarkCollection(mlir::MLIRContext &context, std::vector<Remark> &remarks)
    : context(context) {
  // Everything: who reads them filters by the pass.
  mlir::remark::RemarkCategories every{.passed = ".*", .missed = ".*", .analysis = ".*", .failed = ".*"};
  (void)mlir::remark::enableOptimizationRemarks(context, std::make_unique<RemarkStreamer>(remarks),
                                                std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(),
                                                every);
}

RemarkCollection::~RemarkCollection() { context.setRemarkEngine(nullptr); }

} // namespace tegula
