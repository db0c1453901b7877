#include "compiler/driver/MlirMessages.h"

#include "compiler/analysis/AuthorError.h"
#include "compiler/analysis/Decision.h"

#include "mlir/IR/Location.h"
#include "mlir/IR/Remarks.h"

namespace tegula {

namespace {

/// Finds the text that has a line of a file, or null.
using Lines = llvm::function_ref<const SourceFile *(llvm::StringRef path, uint32_t line)>;

bool isOf(const SourceFile &source, llvm::StringRef path, uint32_t line) {
  return path == source.path() && !source.lineText(line).empty();
}

void setPlace(Diagnostic &diagnostic, mlir::FileLineColRange place, Lines lines) {
  diagnostic.file = place.getFilename().str();
  diagnostic.line = place.getStartLine();
  diagnostic.column = place.getStartColumn();
  if (const SourceFile *source = lines(diagnostic.file, diagnostic.line))
    diagnostic.sourceLine = std::string(source->lineText(diagnostic.line));
  markUpTo(diagnostic, {place.getEndLine(), place.getEndColumn()});
}

void setPlace(Diagnostic &diagnostic, mlir::Location location, Lines lines) {
  bool isFirst = true;
  for (mlir::Location at = location;;) {
    auto call = mlir::dyn_cast<mlir::CallSiteLoc>(at);
    if (auto place = (call ? call.getCallee() : at)->findInstanceOf<mlir::FileLineColRange>()) {
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
    text += "; ";
    text += key == "Reason" ? "reason: " : key + "=";
    text += value;
  }
  return text;
}

RemarkPlace placeOf(mlir::Location location) {
  auto place = location->findInstanceOf<mlir::FileLineColRange>();
  if (!place)
    return {};
  return {place.getFilename().str(), place.getStartLine(), place.getStartColumn(), place.getEndLine(),
          place.getEndColumn()};
}

std::string reasonOf(const Remark &remark) {
  for (const auto &[key, value] : remark.arguments)
    if (key == "Reason")
      return value;
  return remark.message;
}

/// Puts what an argument says where it belongs in `remark`.
void take(const mlir::remark::detail::Remark::Arg &argument, Remark &remark) {
  auto place = argument.attr ? llvm::dyn_cast<mlir::LocationAttr>(*argument.attr) : mlir::LocationAttr();
  if (argument.key == "Remark") { // MLIR's key of plain words
    remark.message += (remark.message.empty() ? "" : ": ") + argument.val;
  } else if (argument.key == CauseKey) {
    remark.causes.push_back({argument.val, place ? placeOf(place) : RemarkPlace()});
  } else if (argument.key == ChangeKey) {
    remark.isNothingToDo = argument.hasAttribute();
    if (!remark.isNothingToDo)
      remark.fix = argument.val;
  } else if (argument.key == ParameterKey) {
    auto wanted = argument.attr ? llvm::dyn_cast<mlir::IntegerAttr>(*argument.attr) : mlir::IntegerAttr();
    remark.wish = {argument.val, wanted ? wanted.getInt() : 0, {}};
  } else if (argument.key == OtherwiseKey) {
    remark.wish.otherwise = argument.val;
  } else if (argument.key == LineKey && place) {
    remark.causes.push_back({reasonOf(remark), placeOf(place)});
  } else {
    remark.arguments.push_back({argument.key, argument.val});
  }
}

Remark fromMlir(const mlir::remark::detail::Remark &from) {
  Remark remark;
  remark.kind = kindOf(from.getRemarkType());
  remark.pass = from.getCombinedCategoryName().str();
  remark.name = from.getRemarkName().str();
  for (const auto &argument : from.getArgs())
    take(argument, remark);
  remark.text = textOf(remark);
  static_cast<RemarkPlace &>(remark) = placeOf(from.getLocation());
  // A reason that names nothing else is one of the op itself.
  if (remark.kind == Remark::Missed && remark.causes.empty() && !remark.isNothingToDo && remark.line)
    remark.causes.push_back({reasonOf(remark), remark});
  return remark;
}

class RemarkStreamer : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  explicit RemarkStreamer(std::vector<Remark> &remarks) : remarks(remarks) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &from) override {
    Remark remark = fromMlir(from);
    if (remark.kind != Remark::Missed || !isSaid(remark))
      remarks.push_back(std::move(remark));
  }

private:
  /// Returns whether the same was said of the same line: what unrolling or pipelining made several of is one
  /// finding.
  bool isSaid(const Remark &remark) const {
    return llvm::any_of(remarks, [&](const Remark &before) {
      return before.kind == Remark::Missed && before.pass == remark.pass && before.name == remark.name &&
             before.file == remark.file && before.line == remark.line && before.message == remark.message &&
             before.causes == remark.causes && reasonOf(before) == reasonOf(remark);
    });
  }

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
