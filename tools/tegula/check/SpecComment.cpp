#include "tools/tegula/check/SpecComment.h"

#include "compiler/driver/ParsedSource.h"
#include "compiler/guess/Guess.h"
#include "compiler/spec/PassedTuple.h"
#include "compiler/target/Target.h"
#include "dialect/tile/Limits.h"
#include "tools/tegula/arguments/BundleSpecs.h"
#include "tools/tegula/arguments/CompileSpec.h"
#include "tools/tegula/arguments/KernelChoice.h"
#include "tools/tegula/arguments/Values.h"
#include "tools/tegula/output/Status.h"

#include <fmt/format.h>

namespace tegula::cli {

using runtime::Result;

static constexpr std::string_view mark = "tegula:";

/// Returns the text behind `# tegula:` in a line that is such a comment; nothing elsewhere.
static std::optional<std::string_view> wordsIn(std::string_view line) {
  line = trim(line);
  if (!line.starts_with('#'))
    return std::nullopt;
  line = trim(line.substr(1));
  if (!line.starts_with(mark))
    return std::nullopt;
  return line.substr(mark.size());
}

uint32_t firstLineOf(const ParsedSource &source, const KernelInfo &kernel) {
  const ast::FunctionStmt *function = guess::functionOf(source, kernel);
  if (!function)
    return 0;
  uint32_t line = source.file().line(function->nameRange.begin);
  for (const ast::Expr *decorator : function->decorators)
    line = std::min(line, source.file().line(decorator->range.begin));
  return line;
}

/// Adds one NAME=VALUE.
static Result<void> addWord(SpecComment &comment, const KernelInfo &kernel, const std::string &word) {
  const auto [name, text] = TRY(splitAssignment(word, "# tegula:"));
  const ParameterInfo *parameter = findParameter(kernel, name);
  if (!parameter && name == "grid") {
    comment.grid = text;
  } else if (!parameter && name == "num_warps") {
    const uint32_t warps = TRY(parseCount(text, name));
    if (std::string wrong = tile::wrongWarps(warps); !wrong.empty())
      return usageError(wrong);
    comment.spec.numWarps = warps;
  } else if (!parameter && name == "num_stages") {
    comment.spec.numStages = tile::stagesOf(TRY(parseCount(text, name)));
  } else if (!parameter && name == "arch") {
    if (!lookupTarget(text))
      return unknownTarget(text);
    comment.spec.target = text;
  } else if (parameter && (parameter->isConstexpr || parameter->isCalled)) {
    BoundValue value = TRY(constexprFor(kernel, name, text));
    comment.spec.args.insert_or_assign(name, std::move(value));
    comment.named.push_back(name);
  } else if (!parameter && parameterOf(name).empty()) {
    return unknownParameter(kernel, name, {"grid", "num_warps", "num_stages", "arch"});
  } else {
    TRY(addType(comment.spec, kernel, name, text));
    comment.named.push_back(name);
  }
  return {};
}

static Diagnostic problemAt(const SourceFile &file, uint32_t line, std::string_view word, std::string text) {
  const std::string_view whole = file.lineText(line);
  const size_t at = word.empty() ? std::string_view::npos : whole.find(word);
  const size_t begin = at == std::string_view::npos ? std::min(whole.find('#'), whole.size()) : at;
  const size_t end = at == std::string_view::npos ? whole.size() : at + word.size();
  auto offset = [&](size_t inLine) { return uint32_t(whole.data() - file.text().data() + inLine); };
  return makeDiagnostic(Severity::Error, file, {offset(begin), offset(end)}, std::move(text));
}

SpecComment readSpecComment(const ParsedSource &source, const KernelInfo &kernel) {
  SpecComment comment;
  comment.spec.target.clear();
  const SourceFile &file = source.file();
  const ast::FunctionStmt *function = guess::functionOf(source, kernel);
  if (!function)
    return comment;
  // Between decorators and the `def` it may stand, too.
  const uint32_t below = file.line(function->nameRange.begin);
  uint32_t first = firstLineOf(source, kernel);
  while (first > 1 && trim(file.lineText(first - 1)).starts_with('#'))
    --first;
  for (uint32_t line = first; line < below; ++line) {
    const std::optional<std::string_view> text = wordsIn(file.lineText(line));
    if (!text)
      continue;
    comment.line = line;
    const Result<std::vector<std::string>> words = splitWords(*text);
    if (!words) {
      comment.problems.push_back(problemAt(file, line, "", words.error().text));
      continue;
    }
    for (const std::string &word : *words)
      if (Result<void> added = addWord(comment, kernel, word); !added)
        comment.problems.push_back(problemAt(file, line, word, added.error().text));
  }
  return comment;
}

} // namespace tegula::cli
