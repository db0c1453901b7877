// Places that messages point to, and notes that they add.
#include "compiler/frontend/values/Report.h"

#include "compiler/spec/EditDistance.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

using namespace tegula;
using namespace tegula::eval;

namespace {

/// More calls than this are cut out of the middle of nothing: the innermost tell enough.
constexpr unsigned maxCallNotes = 8;

/// Returns true if the unit was generated.
bool isHidden(const Unit &unit) { return unit.isLibrary || isAllMade(unit.source()); }

/// The innermost place a person wrote.
std::optional<mlir::FileLineColRange> fileLocation(mlir::Location loc) {
  for (unsigned depth = 0; depth < 64; ++depth) {
    if (auto file = llvm::dyn_cast<mlir::FileLineColRange>(loc))
      return file;
    auto call = llvm::dyn_cast<mlir::CallSiteLoc>(loc);
    if (!call)
      return std::nullopt;
    loc = call.getCallee();
  }
  return std::nullopt;
}

} // namespace

Diagnostic &Reporter::report(Severity severity, SourceRange range, std::string message) {
  if (quiet)
    return dropped = Diagnostic();
  const Activation *at = active;
  while (at->unit->isLibrary && at->parent) {
    range = at->callRange;
    at = at->parent;
  }
  size_t hash = llvm::hash_combine(at->unit, range.begin, range.end, llvm::StringRef(message));
  if (severity != Severity::Remark && !seen.insert(hash).second)
    return dropped = Diagnostic();
  Diagnostic diagnostic = makeDiagnostic(severity, at->unit->source(), range, std::move(message));
  for (unsigned notes = 0; at->parent && severity != Severity::Remark && notes < maxCallNotes;
       at = at->parent)
    if (!at->note.empty() && !isHidden(*at->parent->unit)) {
      addNote(diagnostic, *at->parent->unit, at->callRange, at->note);
      ++notes;
    }
  return engine.report(std::move(diagnostic));
}

Diagnostic &Reporter::error(SourceRange range, std::string message) {
  return isStopped ? dropped = Diagnostic() : report(Severity::Error, range, std::move(message));
}

Diagnostic &Reporter::errorOnce(const void *cause, SourceRange range, std::string message) {
  if (!quiet && !causes.insert(cause).second)
    return dropped = Diagnostic();
  return error(range, std::move(message));
}

void Reporter::relay(const void *cause, const std::vector<Diagnostic> &errors) {
  if (quiet || isStopped || !causes.insert(cause).second)
    return;
  for (const Diagnostic &error : errors)
    engine.report(error);
}

Diagnostic &Reporter::fatal(SourceRange range, std::string message) {
  Diagnostic &diagnostic = error(range, std::move(message));
  isStopped = quiet == 0;
  return diagnostic;
}

void Reporter::addNote(Diagnostic &diagnostic, const Unit &unit, SourceRange range, std::string message) {
  diagnostic.notes.push_back(makeDiagnostic(Severity::Note, unit.source(), range, std::move(message)));
}

void Reporter::addFix(Diagnostic &diagnostic, std::string title, const std::vector<Change> &changes,
                      Certainty certainty) {
  const SourceFile &source = active->unit->source();
  if (&diagnostic == &dropped || isHidden(*active->unit))
    return;
  diagnostic.fixes.push_back(makeFix(source, std::move(title), changes, certainty));
}

void Reporter::addFix(Diagnostic &diagnostic, SourceRange range, std::string text, Certainty certainty) {
  std::string title = "write " + asCode(text);
  addFix(diagnostic, std::move(title), {{range, std::move(text)}}, certainty);
}

void Reporter::addOrigin(Diagnostic &diagnostic, mlir::Value value, std::string message) {
  // An argument of the kernel has its type from the launch: its name in the source explains nothing.
  if (llvm::isa<mlir::BlockArgument>(value))
    return;
  addOrigin(diagnostic, value.getLoc(), std::move(message));
}

void Reporter::addOrigin(Diagnostic &diagnostic, mlir::Location place, std::string message) {
  std::optional<mlir::FileLineColRange> loc = fileLocation(place);
  if (!loc || loc->getStartLine() == diagnostic.line)
    return;
  const SourceFile *source = nullptr;
  std::string_view path = loc->getFilename().strref();
  for (const Activation *at = active; at && !source; at = at->parent)
    if (at->unit->program)
      source = at->unit->program->holding(path, loc->getStartLine());
  if (!source)
    return;
  Diagnostic note;
  note.severity = Severity::Note;
  note.message = std::move(message);
  note.file = source->path();
  note.line = loc->getStartLine();
  note.column = std::max(1u, loc->getStartColumn());
  note.sourceLine = source->lineText(note.line);
  markUpTo(note, {loc->getEndLine(), loc->getEndColumn()});
  diagnostic.notes.push_back(std::move(note));
}

mlir::Location Reporter::locate(SourceRange range) { return locate(active, range); }

mlir::Location Reporter::locate(const Activation *activation, SourceRange range) {
  while (activation->unit->isLibrary && activation->parent) {
    range = activation->callRange;
    activation = activation->parent;
  }
  const SourceFile &source = activation->unit->source();
  const LineColumn from = source.lineColumn(range.begin), to = source.lineColumn(range.end);
  mlir::Location loc = mlir::FileLineColRange::get(context, llvm::StringRef(source.path()), from.line,
                                                   from.column, to.line, to.column);
  // The chain of calls is limited by the limit on inlining.
  if (!activation->parent || isHidden(*activation->parent->unit))
    return loc;
  return mlir::CallSiteLoc::get(loc, locate(activation->parent, activation->callRange));
}

void NearestName::offer(std::string_view candidate) {
  // A third of the letters may differ; otherwise it is another word. Of one or two letters
  // anything is a misspelling, and names longer than any are not compared.
  if (wanted.size() < 3 || wanted.size() > 64)
    return;
  unsigned limit = std::max<unsigned>(1, unsigned(wanted.size()) / 3);
  if (std::max(wanted.size(), candidate.size()) - std::min(wanted.size(), candidate.size()) > limit)
    return;
  auto edits = unsigned(editDistance(wanted, candidate));
  if (edits == distance && candidate != found)
    isOnly = false;
  if (edits <= limit && edits < distance && candidate != wanted) {
    distance = edits;
    found = candidate;
    isOnly = true;
  }
}

void NearestName::suggest(Diagnostic &diagnostic) const {
  if (!found.empty())
    diagnostic.help = "did you mean " + asCode(found) + "?";
}

void NearestName::suggest(Diagnostic &diagnostic, Reporter &reporter, SourceRange range) const {
  suggest(diagnostic);
  if (!found.empty() && reporter.source().slice(range) == wanted)
    reporter.addFix(diagnostic, range, found,
                    distance == 1 && isOnly ? Certainty::Certain : Certainty::Likely);
}
