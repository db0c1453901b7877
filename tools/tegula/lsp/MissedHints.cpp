#include "tools/tegula/lsp/MissedHints.h"

#include "tools/tegula/lsp/KnownReports.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace tegula::cli {

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

std::vector<Diagnostic> missedHints(const Analysis &analysis) {
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

} // namespace tegula::cli
