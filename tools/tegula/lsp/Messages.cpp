#include "tools/tegula/lsp/Messages.h"

#include "tools/tegula/lsp/KnownReports.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace tegula::cli {

namespace json = llvm::json;

static int severityOf(Severity severity) {
  enum { ErrorLevel = 1, WarningLevel = 2, HintLevel = 4 };
  return severity == Severity::Error ? ErrorLevel : severity == Severity::Warning ? WarningLevel : HintLevel;
}

/// The place of a diagnostic in the document: its own, or that of the first of its notes that is there.
static EditorRange placeIn(const Analysis &analysis, const Diagnostic &diagnostic) {
  const std::string &path = analysis.file().path();
  if (diagnostic.file == path)
    return rangeOf(diagnostic);
  for (const Diagnostic &note : diagnostic.notes)
    if (note.file == path)
      return rangeOf(note);
  return {};
}

static std::string messageOf(const Analysis &analysis, const Diagnostic &diagnostic) {
  std::string text = diagnostic.message;
  if (!diagnostic.file.empty() && diagnostic.file != analysis.file().path())
    text = fmt::format("{}:{}: {}", diagnostic.file, diagnostic.line, text);
  for (const Diagnostic &note : diagnostic.notes)
    if (!note.line)
      text += "\n" + note.message;
  if (diagnostic.help)
    text += "\nhelp: " + *diagnostic.help;
  return text;
}

static json::Value diagnosticOf(const Analysis &analysis, const Diagnostic &diagnostic) {
  json::Object made{{"range", toJson(placeIn(analysis, diagnostic))},
                    {"severity", severityOf(diagnostic.severity)},
                    {"source", "tegula"},
                    {"message", json::fixUTF8(messageOf(analysis, diagnostic))}};
  json::Array related;
  for (const Diagnostic &note : diagnostic.notes)
    if (note.line && !note.file.empty())
      related.push_back(json::Object{
          {"location", json::Object{{"uri", note.file == analysis.file().path() ? analysis.document.uri
                                                                                : uriOfPath(note.file)},
                                    {"range", toJson(rangeOf(note))}}},
          {"message", note.message}});
  if (!related.empty())
    made["relatedInformation"] = std::move(related);
  return made;
}

//===----------------------------------------------------------------------===//
// Missed optimisations
//===----------------------------------------------------------------------===//

/// A missed optimisation as a remark in the document; nothing where its line was changed.
static std::optional<Diagnostic> hintOf(const Analysis &analysis, const KnownReports &known,
                                        const KernelReport &kernel, const explain::PlacedRemark &placed) {
  const Remark &remark = placed.remark;
  const auto diagnosticAt = [&](const RemarkPlace &place, std::string text) -> std::optional<Diagnostic> {
    const bool isHere = place.file == analysis.file().path();
    const std::optional<uint32_t> line = isHere ? known.now(place.line) : std::optional(place.line);
    if (!line)
      return std::nullopt;
    Diagnostic made{.severity = Severity::Remark,
                    .message = std::move(text),
                    .file = place.file,
                    .line = *line,
                    .column = std::max(place.column, 1u),
                    .sourceLine = isHere ? std::string(analysis.file().lineText(*line)) : std::string()};
    markUpTo(made, {place.endLine == place.line ? *line : *line + 1, place.endColumn});
    return made;
  };
  std::optional<Diagnostic> hint =
      remark.file == analysis.file().path() ? diagnosticAt(remark, remark.name) : std::nullopt;
  if (!hint)
    return std::nullopt;
  if (!remark.message.empty())
    hint->message += ": " + remark.message;
  if (const std::string reason = explain::argumentOf(remark, "Reason"); !reason.empty())
    hint->message += "\nbecause " + reason;
  if (!remark.fix.empty())
    hint->message += "\nchange: " + remark.fix;
  if (!kernel.guess.empty())
    hint->message += "\nunder the guess " + kernel.guess;
  for (const RemarkCause &cause : remark.causes)
    if (std::optional<Diagnostic> note =
            cause.place.line ? diagnosticAt(cause.place, cause.text) : std::nullopt)
      hint->notes.push_back(std::move(*note));
  return hint;
}

/// Returns the optimisations that were missed, as remarks with causes as notes; those of an older version in
/// the lines that are as they were.
static std::vector<Diagnostic> missedHints(const Analysis &analysis) {
  const KnownReports known(analysis);
  std::vector<Diagnostic> hints;
  std::set<std::tuple<uint32_t, uint32_t, std::string>> seen;
  for (const KernelReport &kernel : known.kernels())
    for (const explain::PlacedRemark &placed : kernel.document.remarks) {
      if (placed.remark.kind != Remark::Missed || placed.remark.isNothingToDo)
        continue;
      std::optional<Diagnostic> hint = hintOf(analysis, known, kernel, placed);
      if (hint && seen.emplace(hint->line, hint->column, hint->message).second)
        hints.push_back(std::move(*hint));
    }
  return hints;
}

json::Value publishedDiagnostics(const Analysis &analysis) {
  json::Array list;
  for (const Diagnostic &diagnostic : analysis.check.diagnostics)
    list.push_back(diagnosticOf(analysis, diagnostic));
  for (const Diagnostic &hint : missedHints(analysis))
    list.push_back(diagnosticOf(analysis, hint));
  return json::Object{{"uri", analysis.document.uri},
                      {"version", analysis.document.version},
                      {"diagnostics", std::move(list)}};
}

//===----------------------------------------------------------------------===//
// Edits
//===----------------------------------------------------------------------===//

static json::Value action(const Analysis &analysis, const Fix &fix, const Diagnostic &diagnostic) {
  json::Array edits;
  for (const TextEdit &edit : fix.edits) {
    const EditorRange range{positionAt(analysis.file(), edit.begin), positionAt(analysis.file(), edit.end)};
    edits.push_back(json::Object{{"range", toJson(range)}, {"newText", json::fixUTF8(edit.text)}});
  }
  json::Object changes{{analysis.document.uri, std::move(edits)}};
  return json::Object{{"title", json::fixUTF8(fix.title)},
                      {"kind", "quickfix"},
                      {"isPreferred", fix.certainty == Certainty::Certain},
                      {"diagnostics", json::Array{diagnosticOf(analysis, diagnostic)}},
                      {"edit", json::Object{{"changes", std::move(changes)}}}};
}

json::Array actionsIn(const Analysis &analysis, const EditorRange &range) {
  json::Array actions;
  for (const Diagnostic &diagnostic : analysis.check.diagnostics) {
    const EditorRange place = placeIn(analysis, diagnostic);
    if (place.end.line < range.begin.line || place.begin.line > range.end.line)
      continue;
    // A file that this one imports may be other text in the editor.
    for (const Fix &fix : diagnostic.fixes)
      if (fix.file == analysis.file().path())
        actions.push_back(action(analysis, fix, diagnostic));
  }
  return actions;
}

} // namespace tegula::cli
